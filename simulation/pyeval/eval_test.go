package pyeval_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/numpy"
	"edict/simulation/pyeval/stdlib"
)

var update = flag.Bool("update", false, "record what the Python named by EDICT_PYTHON prints")

// TestPrograms runs the programs of testdata and compares what they print with what CPython printed,
// recorded beside them, and with CPython itself if EDICT_PYTHON names one.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	python := os.Getenv("EDICT_PYTHON")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		t.Run(name, func(t *testing.T) {
			recorded := strings.TrimSuffix(file, ".py") + ".out"
			if python != "" {
				confirm(t, python, file, recorded)
			}
			want, err := os.ReadFile(recorded)
			if err != nil {
				t.Fatal(err)
			}
			got, err := run(t, os.DirFS("testdata/programs"), name)
			if err != nil {
				t.Errorf("%v", err)
			}
			if got != string(want) {
				t.Errorf("%s differs from CPython:\n%s", file, firstDifference(got, string(want)))
			}
		})
	}
}

// confirm compares the record with the original, or renews it.
func confirm(t *testing.T, python, file, recorded string) {
	t.Helper()
	cmd := osexec.Command(python, filepath.Base(file))
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONIOENCODING=utf-8", "PYTHONDONTWRITEBYTECODE=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && strings.Contains(stderr.String(), "ModuleNotFoundError") {
		t.Logf("only the record was compared: %s has not all libraries\n%s", python, stderr.String())
		return
	}
	if err != nil {
		t.Fatalf("CPython: %v\n%s", err, stderr.String())
	}
	if *update {
		if err := os.WriteFile(recorded, out, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != string(want) {
		t.Errorf("the record is not what CPython prints now:\n%s", firstDifference(string(want), string(out)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "<end>", "<end>"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, a, b)
		}
	}
	return ""
}

// newProgram makes a program with all libraries.
func newProgram(roots ...py.Root) *py.Program {
	p := py.NewProgram(roots...)
	stdlib.Install(p)
	numpy.Install(p)
	return p
}

func run(t testing.TB, fsys fs.FS, module string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	p := newProgram(py.Root{FS: fsys, Path: "/test"})
	p.Stdout = &out
	p.Limits = py.Limits{Steps: 10_000_000, Time: 20 * time.Second}
	_, err := p.Import(context.Background(), module)
	if err != nil {
		if e, ok := err.(*py.Error); ok {
			t.Log(e.Trace())
		}
	}
	return out.String(), err
}
