package pyeval_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// FuzzEval runs any source within small bounds: it must end, by itself or by an Error, and leave the
// thread where it was.
func FuzzEval(f *testing.F) {
	programs, _ := filepath.Glob("testdata/programs/*.py")
	for _, file := range programs {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
		for part := range bytes.SplitSeq(src, []byte("\n\n")) {
			f.Add(string(part))
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		p := newProgram(py.Root{FS: files("main.py", src), Path: "/fuzz"})
		th := p.NewThread(context.Background(), py.Limits{Steps: 20_000, Depth: 100, Bytes: 1 << 24, Time: 5 * time.Second})
		_, err := th.Import("main")
		var e *py.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("an error of type %T: %v", err, err)
		}
		if !th.AtRest() {
			t.Error("the thread is not where it was")
		}
	})
}

// TestCompileDirectories compiles every .py below the directories of EDICT_PYTHON_DIRS.
func TestCompileDirectories(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("EDICT_PYTHON_DIRS"))
	if len(dirs) == 0 {
		t.Skip("EDICT_PYTHON_DIRS names no directories of Python files to compile")
	}
	for _, dir := range dirs {
		count := 0
		var spent time.Duration
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			tree, err := pysyntax.Parse(path, src)
			if err != nil {
				return err
			}
			start := time.Now()
			compileOne(t, path, string(src), tree)
			spent += time.Since(start)
			count++
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s: %d files compiled in %.3f s", filepath.Base(dir), count, spent.Seconds())
	}
}

func compileOne(t *testing.T, path, src string, tree *pysyntax.Module) {
	p := newProgram()
	th := p.NewThread(context.Background(), py.Limits{})
	_, err := th.Try(func() py.Value {
		py.Compile(p, path, src, tree)
		return py.None
	})
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
}
