package pyeval_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// parseLate gives trees as a cache does: with functions that are compiled when they are called.
func parseLate(file, src string) (*pysyntax.Module, error) {
	m, err := pysyntax.ParseText(file, src)
	if err != nil {
		return nil, err
	}
	return pysyntax.Unpack(file, string(pysyntax.Pack(m)))
}

// TestLatePrograms runs the programs of testdata with functions that are compiled late: they print the same.
func TestLatePrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.py")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(file, ".py") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			p := newProgram(py.Root{FS: os.DirFS("testdata/programs"), Path: "/test"})
			p.Stdout, p.Parse = &out, parseLate
			p.Limits = py.Limits{Steps: 10_000_000, Time: 20 * time.Second}
			if _, err := p.Import(context.Background(), name); err != nil {
				t.Error(err)
			}
			if got := out.String(); got != string(want) {
				t.Errorf("%s: %s", file, firstDifference(got, string(want)))
			}
		})
	}
}

const lateSource = `
table = None

class C:
    __secret = 3
    def method(self, n):
        "doc of method"
        return self.__secret + helper(n)
    def lines(self):
        for i in range(3):
            yield i
    @staticmethod
    def wrong():
        return absent + 1

def helper(n, *, by=2):
    return [x * by for x in range(n)][-1]

def load():
    global table
    if table is None:
        table = {"a": 1}
    return table["a"]

def reader():
    return table
`

// TestLateShared: many threads call functions that nobody called before, some of which name what the module does not have.
func TestLateShared(t *testing.T) {
	p := newProgram(py.Root{FS: files("main.py", lateSource), Path: "/pkg"})
	p.Parse = parseLate
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	p.Freeze()
	class, _ := m.Get("C")
	var threads sync.WaitGroup
	for range 8 {
		threads.Go(func() {
			th := p.NewThread(context.Background(), py.Limits{})
			for call, want := range map[string]string{"method": "9", "lines": "[0, 1, 2]", "load": "1"} {
				v, err := th.Try(func() py.Value {
					if call == "load" {
						f, _ := m.Get(call)
						return th.Invoke(f)
					}
					object := th.Invoke(class)
					fn, _ := th.Attr(object, call)
					if call == "lines" {
						return py.Obj(py.NewList(th.Collect(th.Invoke(fn))))
					}
					return th.Invoke(fn, py.Int(4))
				})
				if err != nil || th.Repr(v) != want {
					t.Errorf("%s gives %v (%v), want %s", call, v, err, want)
				}
			}
			_, err := th.Try(func() py.Value { fn, _ := th.Attr(class, "wrong"); return th.Invoke(fn) })
			if e, ok := err.(*py.Error); !ok || e.Class != "NameError" || e.Traceback[len(e.Traceback)-1].Line != 14 {
				t.Errorf("a name that is not there gives %v", err)
			}
		})
	}
	threads.Wait()
}

// TestLateLooks: what can be seen of a function that was not called is what can be seen of any.
func TestLateLooks(t *testing.T) {
	p := newProgram(py.Root{FS: files("main.py", lateSource), Path: "/pkg"})
	p.Parse = parseLate
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	class, _ := m.Get("C")
	v, _ := class.Object().(*py.Class).Own("method")
	fn := v.Object().(*py.Function)
	if !fn.Pending() {
		t.Fatal("the function is compiled already")
	}
	if file, line := fn.Where(); file != "/pkg/main.py" || line != 6 || strings.Join(fn.Params(), " ") != "self n" {
		t.Errorf("it stands at %s:%d with %v", file, line, fn.Params())
	}
	if fn.Doc() != "doc of method" {
		t.Errorf("its documentation is %q", fn.Doc())
	}
}
