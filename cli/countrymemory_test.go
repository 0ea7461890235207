package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoadBeyondMemory: a package that takes more memory than it may names the flag that gives it more.
func TestLoadBeyondMemory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "large")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "__init__.py"), []byte("x = [0] * 10_000_000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := run(t, "check", "--cache", "off", "--simulation-memory", "64MiB", "--country", dir)
	if status == 0 || !strings.Contains(stderr, "__init__.py:1") || !strings.Contains(stderr, "--simulation-memory allows it more than 64MiB") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
