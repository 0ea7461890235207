package clients_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"edict/e2e"
)

// TestGoModule builds the program of client/README.md in a module of its own, as the page describes, and runs it.
func TestGoModule(t *testing.T) {
	page := e2e.ReadFile(t, "../../client/README.md")
	program := regexp.MustCompile("(?s)\n```go\n(.*?)```").FindStringSubmatch(page)
	command := regexp.MustCompile("(?s)\n```sh\n(.*?)\n```").FindStringSubmatch(page)
	if program == nil || command == nil {
		t.Fatal("the page has no program or no command")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "edict")); err != nil {
		t.Skipf("symbolic links: %v", err)
	}
	app := filepath.Join(dir, "hello")
	if err := os.Mkdir(app, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(app, "main.go"), []byte(program[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"go mod init example.org/hello", command[1], "go build -o hello ."} {
		words := strings.Fields(line)
		cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
		cmd.Dir = app
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}

	server := e2e.StartBinary(t, "--only", "messaging")
	token := e2e.Tokens(server.Data)(t, "ann")
	e2e.Call(t, "POST", server.URL+e2e.MessageAPI+"/channels", token, "application/json", `{"channelName":"news"}`)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	hello := exec.CommandContext(ctx, filepath.Join(app, "hello"))
	hello.Env = append(os.Environ(), "EDICT_URL="+server.URL, "EDICT_TOKEN="+token)
	var stderr strings.Builder
	hello.Stderr = &stderr
	out, err := hello.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := hello.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { // it follows until it is stopped
		_ = hello.Process.Kill()
		_ = hello.Wait()
	}()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "item ") && strings.Contains(lines.Text(), `"Hello"`) {
			return
		}
	}
	t.Errorf("the program ended without the item:\n%s", stderr.String())
}
