package filelock_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"edict/platform/filelock"
)

func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, second := open(t, name), open(t, name)
	if err := filelock.Try(first); err != nil {
		t.Fatal(err)
	}
	if err := filelock.Try(second); !errors.Is(err, filelock.ErrLocked) {
		t.Errorf("a second time: %v", err)
	}
	if _, err := second.WriteString("7\n"); err != nil {
		t.Errorf("writing to a locked file: %v", err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "7\n" {
		t.Errorf("reading a locked file: %q, %v", text, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := filelock.Try(second); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}

func TestIsAt(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "lock")
	f := open(t, name)
	if !filelock.IsAt(f, name) {
		t.Error("a file is not the one of its name")
	}
	if filelock.IsAt(f, filepath.Join(dir, "other")) {
		t.Error("a file is the one of a name that does not exist")
	}
	open(t, filepath.Join(dir, "other"))
	if filelock.IsAt(f, filepath.Join(dir, "other")) {
		t.Error("a file is the one of another")
	}
}
