package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/scenario"
)

type calculateCmd struct {
	CountryConfig `embed:"" group:"simulation"`
	File          string `arg:"" help:"File with the situation, JSON or YAML; - reads it from standard input."`
}

// maxDocument bounds the file that is read.
const maxDocument = 256 << 20

// Run computes every null of a situation and prints it as JSON.
func (c *calculateCmd) Run(ctx context.Context, env *Env) error {
	doc, err := c.read(env)
	if err != nil {
		return err
	}
	_, system, err := c.system(ctx)
	if err != nil {
		return err
	}
	answer, err := scenario.Calculate(ctx, system, doc, engine.Options{})
	if problems, ok := scenario.AsProblems(err); ok {
		return errors.Join(printJSON(env.Stdout, problems.Tree()), fmt.Errorf("%s cannot be computed: see what is wrong, at its place, above", c.File))
	}
	if err != nil {
		return err
	}
	return printJSON(env.Stdout, answer)
}

func (c *calculateCmd) read(env *Env) (legislation.Data, error) {
	in := env.Stdin
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return legislation.Data{}, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return legislation.Data{}, err
	}
	if len(text) > maxDocument {
		return legislation.Data{}, fmt.Errorf("%s has more than the %d bytes that are read", c.File, maxDocument)
	}
	if t := bytes.TrimLeft(text, " \t\r\n"); len(t) > 0 && t[0] == '{' {
		doc, err := scenario.DecodeJSON(text)
		if err == nil {
			return doc, nil
		}
		if _, isYAML := yamlOf(c.File, text); !isYAML {
			return doc, fmt.Errorf("%s is not JSON: %w", c.File, err)
		}
	}
	doc, err := legislation.ParseYAML(c.File, text)
	return doc, err
}

// yamlOf tells whether a text that looks like JSON is YAML after all, which allows keys without quotes.
func yamlOf(file string, text []byte) (legislation.Data, bool) {
	doc, err := legislation.ParseYAML(file, text)
	return doc, err == nil
}

func printJSON(w io.Writer, d legislation.Data) error {
	var out bytes.Buffer
	if err := json.Indent(&out, scenario.AppendJSON(nil, d), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := w.Write(out.Bytes())
	return err
}
