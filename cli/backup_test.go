package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFailedRestore: a restore that fails leaves no directory behind.
func TestFailedRestore(t *testing.T) {
	top := t.TempDir()
	file := filepath.Join(top, "text")
	if err := os.WriteFile(file, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(top, "some", "data")
	status, _, stderr := run(t, "restore", file, "--data", data)
	if status != 1 || !strings.Contains(stderr, "is not a backup of edict") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if _, err := os.Lstat(filepath.Dir(data)); err == nil {
		t.Error("the directory of the data is left")
	}
}
