package deploy_test

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

var symptom = regexp.MustCompile("(?m)^\\| `([^`]+)`")

// TestTroubleshooting provokes what can be provoked quickly; every other text of the page is in the source.
func TestTroubleshooting(t *testing.T) {
	texts := symptom.FindAllStringSubmatch(read(t, "docs/guides/troubleshooting.md"), -1)
	if len(texts) < 30 {
		t.Fatalf("the page has only %d error texts", len(texts))
	}
	seen, source := provoked(t), literals(t)
	reproduced := 0
	for _, found := range texts {
		text := found[1]
		switch {
		case strings.Contains(seen, text):
			reproduced++
		case !strings.Contains(source, text):
			t.Errorf("no program writes %q", text)
		}
	}
	if reproduced < 14 {
		t.Errorf("only %d of the texts were reproduced:\n%s", reproduced, seen)
	}
}

// provoked returns the errors of wrong commands and requests.
func provoked(t *testing.T) string {
	t.Helper()
	var all bytes.Buffer
	dir := t.TempDir()
	command := func(args ...string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		env := &cli.Env{Stdin: new(bytes.Reader), Stdout: io.Discard, Stderr: &all, Now: time.Now}
		if status := cli.Run(ctx, args, env); status == 0 {
			t.Errorf("edict %s succeeded", strings.Join(args, " "))
		}
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	server := e2e.StartBinary(t, "--data", open, "--only", "messaging")
	address := strings.TrimPrefix(server.URL, "http://")
	settings := filepath.Join(dir, "edict.yaml")
	write(t, settings, "server:\n  listn: 127.0.0.1:1\n")
	backup := filepath.Join(dir, "backup.db")
	e2e.Run(t, "", "backup", backup, "--data", open)
	restored := filepath.Join(dir, "restored")
	e2e.Run(t, "", "restore", backup, "--data", restored)
	command("serve", "--listen", address, "--data", filepath.Join(dir, "other"))
	command("serve", "--listen", "127.0.0.1:0", "--data", open)
	command("config", "check", settings)
	command("serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "tls"), "--tls-cert", "no.pem", "--tls-key", "no.pem")
	command("serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "pg"), "--store", "postgres://edict@127.0.0.1:1/edict", "--store-wait", "1ms")
	command("backup", backup, "--data", filepath.Join(dir, "nothing"))
	command("backup", backup, "--data", open)
	command("restore", backup, "--data", restored)
	command("item", "list", "news", "--url", server.URL, "--token", "")
	command("item", "list", "news", "--url", "http://127.0.0.1:1", "--token", "x")

	api := server.URL + "/message/api/v2"
	tokens := e2e.Tokens(open)
	ask := func(method, url, token, body string) {
		r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", "192.0.2.1")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if _, err := all.ReadFrom(answer.Body); err != nil {
			t.Fatal(err)
		}
	}
	ann := tokens(t, "ann")
	ask(http.MethodGet, api+"/channels", "forged", "")
	ask(http.MethodGet, api+"/admin/overview", ann, "")
	ask(http.MethodPost, api+"/channels", ann, `{"channelName":"news"}`)
	ask(http.MethodPost, api+"/channels/news/items", ann, `{"content":{"text":"`+strings.Repeat("x", 5<<19)+`"}}`)
	ask(http.MethodGet, server.URL+"/auth/audit", ann, "")
	all.WriteString(e2e.AwaitText(t, server.Stderr, "X-Forwarded-For ignored"))
	return all.String()
}

// literals returns the text constants of all programs, without those of tests.
func literals(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "e2e" || d.Name() == "bench" || name != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, _ := strconv.Unquote(literal.Value)
				all.WriteString(text + "\n")
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
