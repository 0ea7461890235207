// Command validate holds documents against the official schemas of their specifications.
//
//	validate swagger2 FILE | openapi30 FILE | openapi31 FILE
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/pb33f/libopenapi/datamodel"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var official = map[string]string{
	"swagger2": datamodel.OpenAPI2SchemaData, "openapi30": datamodel.OpenAPI3SchemaData, "openapi31": datamodel.OpenAPI31SchemaData,
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, os.Args[2]+":", err)
		os.Exit(1)
	}
}

func run(kind, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(official[kind]))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("official:"+kind, schema); err != nil {
		return err
	}
	compiled, err := compiler.Compile("official:" + kind)
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return compiled.Validate(document)
}
