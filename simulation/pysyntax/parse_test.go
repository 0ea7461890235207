package pysyntax

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "record what the Python named by EDICT_PYTHON answers")

// TestTreesAsCPython holds the trees of testdata to ast.dump of CPython 3.11, recorded beside them.
func TestTreesAsCPython(t *testing.T) {
	files, err := filepath.Glob("testdata/trees/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no trees: %v", err)
	}
	if *update {
		record(t, files)
	}
	for _, file := range files {
		src, want := readFile(t, file), readFile(t, strings.TrimSuffix(file, ".py")+".dump")
		m, err := Parse(file, src)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := Dump(m); got != strings.TrimSuffix(string(want), "\n") {
			t.Errorf("%s: the tree differs from CPython's\n got %s\nwant %s", file, got, want)
		}
		checkRoundTrip(t, m)
	}
}

func record(t *testing.T, files []string) {
	for i, line := range python(t, files, "--whole") {
		dump, ok := strings.CutPrefix(line, "ok ")
		if !ok {
			t.Fatalf("%s: %s", files[i], line)
		}
		name := strings.TrimSuffix(files[i], ".py") + ".dump"
		if err := os.WriteFile(name, []byte(dump+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDirectories parses every .py below the directories of EDICT_PYTHON_DIRS (separated as PATH is)
// and, given EDICT_PYTHON, compares each tree with CPython's. It prints what it did.
func TestDirectories(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("EDICT_PYTHON_DIRS"))
	if len(dirs) == 0 {
		t.Skip("EDICT_PYTHON_DIRS names no directories of Python files to parse")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) { parseDirectory(t, dir) })
	}
}

func parseDirectory(t *testing.T, dir string) {
	files := pythonFiles(t, dir)
	var spent time.Duration
	lines, failed := 0, 0
	trees := make([]*Module, len(files))
	for i, file := range files {
		src := readFile(t, file)
		start := time.Now()
		m, err := Parse(file, src)
		spent += time.Since(start)
		lines += bytes.Count(src, []byte("\n"))
		if err != nil {
			failed++
			t.Error(err)
			continue
		}
		trees[i] = m
	}
	for _, m := range trees {
		if m != nil {
			checkRoundTrip(t, m)
		}
	}
	equal := "not compared: EDICT_PYTHON is not set"
	if os.Getenv("EDICT_PYTHON") != "" {
		equal = fmt.Sprintf("%d equal to CPython's", compare(t, files, trees))
	}
	t.Logf("%d files, %d lines, %.3f s, %d failures, trees: %s", len(files), lines, spent.Seconds(), failed, equal)
}

func compare(t *testing.T, files []string, trees []*Module) (equal int) {
	for i, line := range python(t, files) {
		if trees[i] == nil {
			continue
		}
		sum := sha256.Sum256([]byte(Dump(trees[i])))
		if line == "ok "+hex.EncodeToString(sum[:]) {
			equal++
		} else {
			t.Errorf("%s: the tree differs from CPython's (%s)", files[i], line)
		}
	}
	return equal
}

func python(t *testing.T, files []string, args ...string) []string {
	t.Helper()
	exe := os.Getenv("EDICT_PYTHON")
	if exe == "" {
		t.Fatal("EDICT_PYTHON does not name a Python")
	}
	cmd := exec.Command(exe, append([]string{"testdata/dump.py"}, args...)...)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8", "PYTHONWARNINGS=ignore")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	sc := bufio.NewScanner(bytes.NewReader(out))
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		lines = append(lines, sc.Text())
	}
	if len(lines) != len(files) {
		t.Fatalf("%d answers for %d files", len(lines), len(files))
	}
	return lines
}

func pythonFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".py") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkRoundTrip holds Print to its promise.
func checkRoundTrip(t *testing.T, m *Module) {
	t.Helper()
	printed := Print(m)
	again, err := Parse(m.File, []byte(printed))
	if err != nil {
		t.Errorf("%s: printed source does not parse: %v\n%s", m.File, err, clip(printed))
		return
	}
	if want, got := Dump(m), Dump(again); got != want {
		t.Errorf("%s: printed source has another tree\nsource %s\n got %s\nwant %s", m.File, clip(printed), clip(got), clip(want))
	}
}

func clip(s string) string {
	if len(s) > 4000 {
		return s[:4000] + "..."
	}
	return s
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"place and caret", "x = 1\ny = (1 +\n", "m.py:"},
		{"caret", "if x:\n    y = = 2\n", "m.py:2:9: syntax error: unexpected token =\n    y = = 2\n        ^"},
		{"characters", "été = = 2\n", "m.py:1:7: syntax error"},
		{"async", "async def f(): pass\n", "m.py:1:7: async def is not supported\n    async def f(): pass\n          ^"},
		{"match", "match x:\n    case 1:\n        pass\n", "m.py:1:1: match is not supported"},
		{"complex", "x = 2j\n", "m.py:1:5: a complex number is not supported"},
		{"tabs", "if x:\n        a\n\tb\n", "m.py:3:2: syntax error: inconsistent use of tabs and spaces in indentation"},
		{"null", "x = 1\n\x00", "m.py:2:1: syntax error: source code cannot contain null bytes"},
		{"latin-1", "x = 1\ny = '\xe9'\n", "m.py:2:6: syntax error: the file is not UTF-8"},
		{"brackets", strings.Repeat("(", 300), "m.py:1:201: syntax error: too many nested brackets: at most 200"},
		{"minus", strings.Repeat("-", 2_000_000) + "1", "too many operators in one expression"},
		{"minus lines", "(" + strings.Repeat("-\n", 1_000_000) + "1)", "too many operators in one expression"},
		{"not", strings.Repeat("not ", 100_000) + "1", "too many operators in one expression"},
		{"f-strings", strings.Repeat(`f"{`, 100_000), "too many nested brackets"},
		{"lambda", strings.Repeat("lambda a,b:", 50_000) + "1", "too deeply nested"},
		{"elif", "if a: b\n" + strings.Repeat("elif a: b\n", 50_000), "too deeply nested"},
		{"attributes", "a" + strings.Repeat(".b", 50_000), "too deeply nested"},
		{"assign to call", "f() = 1\n", "m.py:1:2: syntax error: cannot assign to function call"},
		{"star", "x = a % (*b)\n", "m.py:1:10: syntax error: can't use starred expression here"},
		{"duplicate parameter", "def f(a, a): pass\n", "m.py:1:10: syntax error: duplicate argument 'a' in function definition"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("m.py", []byte(c.src))
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q\nwant %q", clip(err.Error()), c.want)
			}
		})
	}
}

func TestSourceForms(t *testing.T) {
	want := "Module(body=[Assign(targets=[Name(id='x', ctx=Store())], value=Constant(value=1))], type_ignores=[])"
	for _, src := range []string{"x = 1", "x = 1\n", "\uFEFFx = 1\n", "x = 1\r\n", "x = 1\r", "# c\n\n\nx = 1 # d\n", "\tx = 1"[1:]} {
		m, err := Parse("m.py", []byte(src))
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if got := Dump(m); got != want {
			t.Errorf("%q: %s", src, got)
		}
	}
}

func FuzzParsePrint(f *testing.F) {
	files, _ := filepath.Glob("testdata/trees/*.py")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
		for line := range strings.SplitSeq(string(src), "\n") {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		m, err := Parse("fuzz.py", []byte(src))
		if err != nil {
			return
		}
		checkRoundTrip(t, m)
	})
}

func BenchmarkParse(b *testing.B) {
	src, err := os.ReadFile("testdata/trees/statements.py")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("statements.py", src); err != nil {
			b.Fatal(err)
		}
	}
}

// TestComments: a # begins a comment, but not in a string.
func TestComments(t *testing.T) {
	const source = "# one\nx = \"\"\"\n# text\n\"\"\" # four\ny = (1,\r\n  # six\n  '#', f\"\"\"\n# {x}\"\"\")\nz = '\\'#' # nine\n"
	got := slices.Sorted(maps.Keys(Comments(source)))
	if want := []int{1, 4, 6, 9}; !slices.Equal(got, want) {
		t.Errorf("comments on lines %v, want %v", got, want)
	}
}
