//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPopulationNoFile: what is there, and no file, is refused instead of waited for.
func TestPopulationNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"pipe.csv", "pipe.part.json"} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"dir.csv", "dir"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	populationFile(t, "persons.csv", 6)
	const ask = "population --variables revdisp --period 2022 --ignore-unknown --output out.csv --input "
	for line, want := range map[string]string{
		ask + "pipe.csv":  "pipe.csv is a pipe, which can be read only once: write what comes out of it to a file",
		ask + "/dev/null": "/dev/null is a device or a socket",
		ask + "dir.csv":   "dir.csv is a directory: name a file in it",
		ask + "dir":       "dir is a directory: name a file in it",
		ask + "persons.csv --part 1/2 --answers pipe.csv":      "pipe.csv is a pipe",
		"population merge --output out.csv pipe.part.json":     "pipe.part.json is a pipe",
		"population merge --output out.csv dir.csv":            "dir.csv has no parts",
		ask + "nowhere.csv":                                    "nowhere.csv: no such file",
		ask + "persons.csv --output nowhere/out.csv":           "nowhere/out.csv cannot be written: no such file or directory: create the directory nowhere",
		ask + "persons.csv --output persons.csv/out.csv":       "persons.csv/out.csv cannot be written: not a directory: persons.csv is a file",
		ask + "persons.csv --output dir.csv":                   "dir.csv cannot be written: it is a directory: name a file in it",
		ask + "persons.csv --weight w --report dir/none/r.csv": "dir/none/r.csv cannot be written: no such file or directory: create the directory dir/none",
	} {
		status, _, stderr := invoke(t, line)
		if status != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s; want %q", line, status, stderr, want)
		}
	}
	if left, _ := filepath.Glob("*out*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
