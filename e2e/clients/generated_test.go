package clients_test

import (
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"edict/e2e"
)

var clients = flag.Bool("clients", false, "generate clients from the server's documents, which needs the modules of testdata")

// TestClients validates the documents that the server has of itself against the official schemas, generates a client
// from each with the generators of testdata/go.mod, and calls the server with it.
func TestClients(t *testing.T) {
	if !*clients {
		t.Skip("no generators: give -clients to fetch and build those of testdata/go.mod")
	}
	server := e2e.Start(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	token := e2e.Tokens(server.Data)(t, "alice")
	for _, c := range []struct {
		name, path, kind, generate string
		call                       []string
	}{
		{"openapi", "/openapi.json", "openapi31", "tool oapi-codegen -generate types,client -package api -o openapi/api/client.go openapi.json", []string{server.URL, token}},
		{"spec", "/spec", "openapi30", "tool oapi-codegen -generate types,client -package api -o spec/api/client.go spec.json", []string{server.URL}},
		{"swagger", "/api/1/swagger", "swagger2", "tool swagger generate client -q -f swagger.json -t swagger/api", []string{strings.TrimPrefix(server.URL, "http://")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			document := e2e.Fetch(t, http.MethodGet, server.URL+c.path, "")
			if err := os.WriteFile(filepath.Join(dir, c.name+".json"), document, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, c.name, "api"), 0o700); err != nil {
				t.Fatal(err)
			}
			goIn(t, dir, "run", "./validate", c.kind, c.name+".json")
			goIn(t, dir, strings.Fields(c.generate)...)
			goIn(t, dir, append([]string{"run", "./" + c.name}, c.call...)...)
		})
	}
}

// goIn runs the go command in a directory with a module of its own.
func goIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
