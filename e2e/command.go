package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"edict/cli"
)

// Command runs a command line against a server and returns its status and what it printed.
func Command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := &cli.Env{Stdin: new(bytes.Reader), Stdout: &out, Stderr: &errs, Now: time.Now}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	status = cli.Run(ctx, args, env)
	return status, out.String(), errs.String()
}

// AwaitText waits until what a process writes holds a text, and returns it.
func AwaitText(t *testing.T, read func() string, want string) string {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		text := read()
		if strings.Contains(text, want) {
			return text
		}
		if time.Now().After(deadline) {
			t.Fatalf("%q did not come:\n%s", want, text)
		}
	}
}

// NeedCommands skips a test where a command is not installed.
func NeedCommands(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// Shell runs a script with edict in its path and a curl that fails when the server does not say 2xx.
func Shell(t *testing.T, script string, env ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".curlrc"), []byte("silent\nshow-error\nfail-with-body\nmax-time = 30\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CURL_HOME="+dir, "PATH="+filepath.Dir(Binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.String())
	}
	return string(out)
}

// NeedSignals skips a test where processes cannot be sent signals.
func NeedSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent SIGTERM on windows")
	}
}

// MetricsOf reads the metrics of a server that has an admin listener.
func MetricsOf(t *testing.T, server *Process) []byte {
	t.Helper()
	_, rest, _ := strings.Cut(AwaitText(t, server.Stderr, "/metrics"), "metrics=")
	url, _, _ := strings.Cut(rest, "\n")
	return Call(t, "GET", strings.TrimSpace(url), "", "application/json", "")
}
