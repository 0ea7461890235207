package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"edict/cli"
)

// TestPipOfTheWorkingDirectory: a pip.py in the working directory is not run.
func TestPipOfTheWorkingDirectory(t *testing.T) {
	python, err := exec.CommandContext(t.Context(), "python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("there is no python3 here")
	}
	bin, hostile := t.TempDir(), t.TempDir()
	if err := os.Symlink(strings.TrimSpace(string(python)), filepath.Join(bin, "python3")); err != nil {
		t.Skip(err)
	}
	ran := filepath.Join(hostile, "ran")
	writeFile(t, filepath.Join(hostile, "pip.py"), "open("+strings.ReplaceAll("'"+ran+"'", `\`, `\\`)+", 'w')\nprint('https://evil.example/simple')\n", 0o600)
	t.Setenv("PATH", bin)
	t.Chdir(hostile)
	if index := cli.AskPip(context.Background()); strings.Contains(index, "evil") {
		t.Errorf("the index is %s", index)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("pip.py ran")
	}
}

// TestPipConfigurationByRelativePath: pip finds its configuration although it runs elsewhere.
func TestPipConfigurationByRelativePath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pip is a shell script here")
	}
	bin, work := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(bin, "pip3"), "#!/bin/sh\nread -r index < \"$PIP_CONFIG_FILE\" && echo \"$index\"\n", 0o700)
	writeFile(t, filepath.Join(work, "pip.conf"), "https://index.example/simple\n", 0o600)
	t.Setenv("PATH", bin)
	t.Setenv("PIP_CONFIG_FILE", "pip.conf")
	t.Chdir(work)
	if index := cli.AskPip(context.Background()); index != "https://index.example/simple" {
		t.Errorf("the index is %q", index)
	}
}

func writeFile(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
