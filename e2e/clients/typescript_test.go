package clients_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"edict/e2e"
)

var typescript = flag.String("typescript", "", "generate TypeScript clients in this copy of testdata/typescript, where npm ci was run")

// TestTypeScriptClients generates clients from /openapi.json with two generators, has the programs of testdata/typescript
// type-checked against them (strictly), and runs these: every operation of messaging and what simulation computes, against the
// real server.
func TestTypeScriptClients(t *testing.T) {
	if *typescript == "" {
		t.Skip("no generators: run npm ci in a copy of testdata/typescript and give it as -typescript DIR")
	}
	server := e2e.Start(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	tokens := e2e.Tokens(server.Data)
	alice := tokens(t, "alice")
	tokens(t, "bob")
	document := e2e.Fetch(t, http.MethodGet, server.URL+"/openapi.json", "")
	if err := os.WriteFile(filepath.Join(*typescript, "openapi.json"), document, 0o600); err != nil {
		t.Fatal(err)
	}
	nodeIn(t, "node_modules/.bin/openapi-typescript", "openapi.json", "--output", "gen/schema.ts")
	nodeIn(t, "node_modules/.bin/openapi-ts", "--input", "openapi.json", "--output", "gen/hey")
	nodeIn(t, "node_modules/.bin/tsc", "--strict")
	for _, program := range []string{"out/fetch.js", "out/hey.js"} {
		called := strings.Fields(nodeIn(t, program, server.URL, alice, "alice", "bob", tokens(t, "admin")))
		for _, id := range append(operationsOf(t, document, "messaging"), "calculate", "trace", "calculate1", "simulate1", "why2") {
			if !slices.Contains(called, id) {
				t.Errorf("%s does not call %s", program, id)
			}
		}
	}
}

// nodeIn runs a program in the directory of the generators and returns what it prints.
func nodeIn(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", append([]string{program}, args...)...)
	cmd.Dir = *typescript
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("node %s: %v\n%s", program, err, out)
	}
	return string(out)
}

// operationsOf returns the ids of the operations of a service.
func operationsOf(t *testing.T, document []byte, service string) []string {
	t.Helper()
	var api struct {
		Paths map[string]map[string]struct {
			OperationID string
			Tags        []string
		}
	}
	if err := json.Unmarshal(document, &api); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, operations := range api.Paths {
		for _, op := range operations {
			if slices.Contains(op.Tags, service) {
				ids = append(ids, op.OperationID)
			}
		}
	}
	return ids
}
