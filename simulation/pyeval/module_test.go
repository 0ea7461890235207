package pyeval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

func TestImports(t *testing.T) {
	fsys := files(
		"main.py", "import pkg.sub.deep as d, pkg\nfrom pkg import *\nfrom pkg.sub import leaf\nfrom pkg.sub.leaf import value as v\nprint(d.name, public, 'hidden' in globals(), '_private' in globals(), leaf.value, v, pkg.sub.leaf is leaf, pkg.__name__, d.__name__, d.__package__, __name__)\n"+
			"from namespace import inner\nprint(inner.x)\n",
		"pkg/__init__.py", "from .a import *\nfrom . import sub\npublic = 1\n_private = 2\n",
		"pkg/a.py", "__all__ = ['shown']\nshown = 's'\nhidden = 'h'\n",
		"pkg/sub/__init__.py", "from ..a import hidden as h\n",
		"pkg/sub/deep.py", "from .leaf import value\nfrom ..a import shown\nfrom .. import a\nname = f'deep {value} {shown} {a.hidden}'\n",
		"pkg/sub/leaf.py", "value = 42\n",
		"namespace/inner.py", "x = 'in a package without __init__'\n",
	)
	got, err := run(t, fsys, "main")
	if err != nil {
		t.Fatal(err)
	}
	want := "deep 42 s h 1 False False 42 42 True pkg pkg.sub.deep pkg.sub main\nin a package without __init__\n"
	if got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

// TestStarImports: modules that take all names of another share them, and nobody sees that: what is taken are the values of that moment,
// the last import counts, and names may be set, deleted and asked for in any way. The output is CPython's.
func TestStarImports(t *testing.T) {
	fsys := files(
		"names.py", "one = 1\ntwo = 2\ndef three():\n    return one\n",
		"other.py", "two = 'other'\nfour = 4\n",
		"late.py", "import names\nfrom names import *\n",
		"mixed.py", "two = 'mine'\nfrom names import *\nseen = two\nfrom other import *\none = 'set'\ndel four\ndef both():\n    return one, two\n",
		"main.py", "import names, late, mixed\n"+
			"print(late.one, late.two, late.three(), 'one' in vars(late), 'four' in dir(late))\n"+
			"print(mixed.seen, mixed.one, mixed.two, hasattr(mixed, 'four'), mixed.both(), mixed.three())\n"+
			"names.one = 'changed'\nimport later\nprint(late.one, later.one, later.two, names.three())\n"+
			"late.two = 22\ndel late.one\nprint(late.two, hasattr(late, 'one'), later.two, sorted(n for n in dir(late) if n[0] != '_'))\n"+
			"from late import *\nprint(two, 'one' in globals(), globals()['two'])\n"+
			"from later import *\nprint(one, two)\n"+
			"del names.two\nnames.five = 5\nfrom names import *\nprint(five, two)\nimport last\nprint(hasattr(last, 'two'), last.five, last.one)\n"+
			"names.__all__ = ['three']\nimport chosen\nprint(hasattr(chosen, 'five'), hasattr(chosen, 'three'))\n",
		"last.py", "from names import *\n",
		"chosen.py", "from names import *\n",
		"later.py", "from names import *\n",
	)
	got, err := run(t, fsys, "main")
	if err != nil {
		t.Fatal(err)
	}
	want := "1 2 1 True False\n2 set other False ('set', 'other') 1\n1 changed 2 changed\n22 False 2 ['names', 'three', 'two']\n22 False 22\nchanged 2\n5 2\nFalse 5 changed\nFalse True\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestCyclicImports(t *testing.T) {
	fsys := files(
		"main.py", "import a\nprint(a.late(), a.b.early)\n",
		"a.py", "import b\nx = 1\ndef late():\n    return b.y\n",
		"b.py", "import a\nearly = hasattr(a, 'x')\ny = 2\n",
		"broken.py", "from other import z\n",
		"other.py", "import broken\nfrom broken import q\n",
	)
	got, err := run(t, fsys, "main")
	if err != nil || got != "2 False\n" {
		t.Errorf("%q, %v", got, err)
	}
	_, err = run(t, fsys, "broken")
	if err == nil || !strings.Contains(err.Error(), "cannot import name 'q' from 'broken' (most likely due to a circular import)") {
		t.Errorf("cycle: %v", err)
	}
}

func TestSeveralRoots(t *testing.T) {
	p := newProgram(
		py.Root{FS: files("base/__init__.py", "from ext import value\n", "base/data/t.csv", "a;b\n"), Path: "/first"},
		py.Root{FS: files("ext.py", "value = __file__\n"), Path: "/second"},
	)
	m, err := p.Import(context.Background(), "base")
	if err != nil {
		t.Fatal(err)
	}
	v, _ := m.Get("value")
	if s, _ := v.AsString(); s != "/second/ext.py" {
		t.Errorf("__file__ = %q", s)
	}
	for _, name := range []string{"/first/base/data/t.csv", "base/data/t.csv", "/first/base/../base/data/t.csv"} {
		if b, err := p.ReadFile(name); err != nil || string(b) != "a;b\n" {
			t.Errorf("ReadFile(%s) = %q, %v", name, b, err)
		}
	}
	for _, name := range []string{"/etc/passwd", "/firstx/base", "../etc/passwd", "/first/../../etc/passwd"} {
		if _, err := p.ReadFile(name); err == nil {
			t.Errorf("ReadFile(%s) went outside the roots", name)
		}
	}
}

// TestWorkingDirectory: its files are read if no root has them, and never imported.
func TestWorkingDirectory(t *testing.T) {
	p := newProgram(py.Root{FS: files("base/__init__.py", "", "base/both.csv", "root"), Path: "/"})
	p.Work = files("mod.py", "", "data/x.csv", "work", "base/both.csv", "work")
	for name, want := range map[string]string{"data/x.csv": "work", "/data/x.csv": "work", "./data/../data/x.csv": "work", "base/both.csv": "root"} {
		if b, err := p.ReadFile(name); err != nil || string(b) != want {
			t.Errorf("ReadFile(%s) = %q, %v; want %q", name, b, err, want)
		}
	}
	if entries, err := p.ReadDir("data"); err != nil || len(entries) != 1 {
		t.Errorf("ReadDir(data) = %v, %v", entries, err)
	}
	for _, name := range []string{"../x.csv", "/../x.csv", "data/../../x.csv"} {
		if _, err := p.ReadFile(name); err == nil {
			t.Errorf("ReadFile(%s) went outside the working directory", name)
		}
	}
	if _, err := p.Import(context.Background(), "mod"); err == nil {
		t.Error("a module was imported from the working directory")
	}
}

// TestErrorTexts shows what a person sees when a package is wrong.
func TestErrorTexts(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"name", "salary = 1\ndef f():\n    return salry\nf()\n", "NameError: name 'salry' is not defined (did you mean 'salary'?)"},
		{"attribute", "class A:\n    parent = 1\nA.parnet\n", "type object 'A' has no attribute 'parnet' (did you mean 'parent'?)"},
		{"absent", "import ast\nclass Rewriter(ast.NodeTransformer):\n    pass\nast.parse('x')\n", "ast.parse cannot be used: module ast is not among those that packages have here"},
		{"import", "from collectons import x\n", "ModuleNotFoundError: No module named 'collectons'"},
		{"keyword", "def f(period): pass\nf(perod=1)\n", "f() got an unexpected keyword argument 'perod' (did you mean 'period'?)"},
		{"syntax", "x = (1\n", "SyntaxError: /test/main.py:"},
		{"unsupported", "async def f(): pass\n", "async def is not supported"},
		{"metaclass", "class A(metaclass=M): pass\n", "metaclass= is not supported in a class statement"},
		{"return", "return 1\n", "'return' outside function"},
		{"break", "def f():\n    break\n", "'break' outside loop"},
		{"nonlocal", "def f():\n    nonlocal x\n", "no binding for nonlocal 'x' found"},
		{"excluded", "import numpy\nnumpy.vectorize(max, excluded=[1])\n", "excluded is not there"},
		{"equal_nan", "import numpy\nnumpy.unique([1.0], equal_nan=False)\n", "equal_nan=False is not there"},
		{"filling_values", "import numpy\nnumpy.genfromtxt(['1,'], delimiter=',', filling_values=3)\n", "genfromtxt takes no names, filling_values or other comments here"},
		{"order", "import numpy\nnumpy.ones((2, 2)).ravel(order='K')\n", "order='K' depends on how an array lies in memory, which is not told here: give 'C' or 'F'"},
		{"quoting", "import csv\ncsv.reader(['a'], quoting=csv.QUOTE_NONNUMERIC)\n", "csv: quoting=2 is not supported"},
		{"spaces", "import csv\ncsv.DictReader(['a'], skipinitialspace=True)\n", "csv: skipinitialspace=True is not supported"},
		{"truth of an array", "import host\nif host.two: pass\n", "The truth value of an array with more than one element is ambiguous"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram(py.Root{FS: files("main.py", c.src), Path: "/test"})
			p.AddModule("host", py.Table{"two": py.Col(vector.Of([]float32{1, 2}))})
			_, err := p.Import(context.Background(), "main")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestTraceback(t *testing.T) {
	p := newProgram(py.Root{FS: files("main.py", "def outer(n):\n    return inner(n)\n\ndef inner(n):\n    return 1 / n\n"), Path: "/pkg"})
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Get("outer")
	_, err = p.NewThread(context.Background(), py.Limits{}).Call(f, py.Int(0))
	var e *py.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := `Traceback (most recent call last):
  File "/pkg/main.py", line 2, in outer
    return inner(n)
  File "/pkg/main.py", line 5, in inner
    return 1 / n
ZeroDivisionError: division by zero`
	if got := e.Trace(); got != want {
		t.Errorf("got %s", got)
	}
}

// TestHostErrorKeepsItsCause sends a Go error through Python and back.
func TestHostErrorKeepsItsCause(t *testing.T) {
	cause := errors.New("the disk is on fire")
	p := newProgram(py.Root{FS: files("main.py", "import host\ndef f():\n    try:\n        return host.fail()\n    finally:\n        pass\n"), Path: "/pkg"})
	p.AddModule("host", py.Table{"fail": py.Func("fail", func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value {
		th.Throw(cause)
		return py.None
	})})
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Get("f")
	th := p.NewThread(context.Background(), py.Limits{})
	_, err = th.Call(f)
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "main.py:4") {
		t.Errorf("%v", err)
	}
	if !th.AtRest() {
		t.Error("the thread is not where it was")
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, src string
		limits    py.Limits
		want      error
		text      string
	}{
		{"endless loop", "x = 1\nwhile True:\n    pass\n", py.Limits{Steps: 100_000}, py.ErrSteps, "main.py:2: Stopped: stopped after 100000 steps"},
		{"endless for", "def g():\n    while True:\n        yield 1\nfor x in g():\n    pass\n", py.Limits{Steps: 100_000}, py.ErrSteps, ""},
		{"caught by nobody", "try:\n    while True: pass\nexcept BaseException:\n    print('caught')\nfinally:\n    pass\n", py.Limits{Steps: 10_000}, py.ErrSteps, ""},
		{"time", "while True:\n    pass\n", py.Limits{Time: 10 * time.Millisecond}, py.ErrTime, ""},
		{"long string", "x = 'a' * 10 ** 12\n", py.Limits{Bytes: 1 << 20}, py.ErrMemory, ""},
		{"doubling", "x = 'a'\nwhile True:\n    x = x + x\n", py.Limits{Bytes: 1 << 24}, py.ErrMemory, ""},
		{"long list", "x = list(range(10 ** 12))\n", py.Limits{Bytes: 1 << 20}, py.ErrMemory, ""},
		{"list of lists", "x = []\nwhile True:\n    x.append([0] * 1000)\n", py.Limits{Bytes: 1 << 24}, py.ErrMemory, ""},
		{"huge sum", "sum(range(10 ** 15))\n", py.Limits{Steps: 100_000}, py.ErrSteps, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram(py.Root{FS: files("main.py", c.src), Path: "/test"})
			p.Limits = c.limits
			_, err := p.Import(context.Background(), "main")
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestRecursionLimit(t *testing.T) {
	src := "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n"
	p := newProgram(py.Root{FS: files("main.py", src), Path: "/test"})
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := m.Get("f")
	th := p.NewThread(context.Background(), py.Limits{Depth: 100})
	if v, err := th.Call(f, py.Int(99)); err != nil {
		t.Error(err)
	} else if n, _ := v.AsInt(); n != 99 {
		t.Errorf("f(99) = %d", n)
	}
	_, err = th.Call(f, py.Int(100))
	var e *py.Error
	if !errors.As(err, &e) || e.Class != "RecursionError" {
		t.Errorf("f(100): %v", err)
	}
	if v, err := th.Call(f, py.Int(99)); err != nil {
		t.Errorf("after the error: %v, %v", v, err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := newProgram(py.Root{FS: files("main.py", "import host\nwhile True:\n    host.tick()\n"), Path: "/test"})
	n := 0
	p.AddModule("host", py.Table{"tick": py.Func("tick", func(*py.Thread, []py.Value, []py.Kw) py.Value {
		if n++; n == 10 {
			cancel()
		}
		return py.None
	})})
	if _, err := p.Import(ctx, "main"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestFrozen holds what a loaded package shares to be read-only.
func TestFrozen(t *testing.T) {
	src := `
table = {'a': [1]}
class K:
    x = 1
    d = {}
obj = K()
def closure():
    n = 0
    def bump():
        nonlocal n
        n += 1
        return n
    return bump
bump = closure()
def change(what):
    if what == 'dict': K.d['b'] = 1
    elif what == 'list': table['a'].append(1)
    elif what == 'class': K.x = 2
    elif what == 'instance': obj.y = 1
    elif what == 'module': globals()['new'] = 1
    elif what == 'cell': bump()
    elif what == 'copy':
        t = dict(table)
        t['b'] = 1
        return len(t)
    elif what == 'iadd':
        t = table['a']
        t += [2]
`
	th, m := load(t, src)
	f := global1(t, m, "change")
	for _, what := range []string{"dict", "list", "class", "instance", "module", "cell", "iadd"} {
		_, err := th.Call(f, py.String(what))
		if err == nil || !strings.Contains(err.Error(), "shared by all simulations") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if v, err := th.Call(f, py.String("copy")); err != nil {
		t.Error(err)
	} else if n, _ := v.AsInt(); n != 2 {
		t.Errorf("copy: %d", n)
	}
}

// TestLazyGlobals runs the idiom of tables loaded at first use on many goroutines; the race detector watches.
func TestLazyGlobals(t *testing.T) {
	src := `
table = None
def load():
    global table, other
    if table is None:
        table = {}
        for i in range(50):
            table[str(i)] = i
        table['last'] = -1
    if 'other' not in globals():
        other = [1, 2, 3]
def get(k):
    load()
    return table[str(k)] + len(other) + table['last']
`
	th, m := load(t, src)
	f := global1(t, m, "get")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			th := th.Program().NewThread(context.Background(), py.Limits{})
			for i := range 50 {
				v, err := th.Call(f, py.Int(int64(i)))
				if n, _ := v.AsInt(); err != nil || n != int64(i)+2 {
					t.Errorf("goroutine %d: get(%d) = %d, %v", g, i, n, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestStandIns: a class that stands for a built-in one is one of its kind, whether or not anybody has derived from it.
func TestStandIns(t *testing.T) {
	th, m := load(t, `
import collections
kinds = [isinstance(collections.defaultdict(list), dict), isinstance(collections.Counter(), dict), isinstance(collections.Counter(), set)]
`)
	if got := global1(t, m, "kinds"); th.Repr(got) != "[True, True, False]" {
		t.Errorf("kinds: %s", th.Repr(got))
	}
}

// TestClassesOfFormulas derives from built-in classes in formulas on many goroutines; the race detector watches.
func TestClassesOfFormulas(t *testing.T) {
	th, m := load(t, `
import collections
def f(k):
    class Table(dict):
        pass
    t = Table()
    t[k] = k
    return (1 if isinstance(t, dict) else 0) + t[k]
`)
	f := global1(t, m, "f")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			th := th.Program().NewThread(context.Background(), py.Limits{})
			v, err := th.Call(f, py.Int(int64(g)))
			if err != nil {
				t.Error(err)
				return
			}
			if n, _ := v.AsInt(); n != int64(g)+1 {
				t.Errorf("f(%d) = %d", g, n)
			}
		})
	}
	wg.Wait()
}

const memoSource = `
import tables
CACHE = {"first": 0}
ALIAS = CACHE
filled = 0
def remember(k):
    if k not in CACHE:
        CACHE[k] = k * 2
    return CACHE[k] + len(ALIAS) + CACHE.get("first")
def setdefault(k):
    CACHE.setdefault(k, k * 3)
    return CACHE[k]
def update(k):
    CACHE.update({k: 1})
    return sorted(str(k) for k in CACHE)
def both(k):
    remember(k)
    return tables.reader(CACHE) + remember(k + 1)
def size():
    return len(CACHE)
def through(k):
    tables.SHARED[k] = 1
`

// TestMemoTables fills dicts of modules from formulas: each outermost call begins with what the module holds, whatever
// others have put there, on many goroutines at once; the race detector watches. Functions that are compiled at their
// first call do the same.
func TestMemoTables(t *testing.T) {
	for name, parse := range map[string]func(string, string) (*pysyntax.Module, error){"at once": pysyntax.ParseText, "late": parseLate} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(py.Root{FS: fstest.MapFS{
				"main.py":   {Data: []byte(memoSource)},
				"tables.py": {Data: []byte("SHARED = {}\ndef reader(table):\n    return len(table)\n")},
			}, Path: "/test"})
			p.Parse = parse
			m, err := p.Import(context.Background(), "main")
			if err != nil {
				t.Fatal(err)
			}
			p.Freeze()
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() { fillMemos(t, p, m) })
			}
			wg.Wait()
		})
	}
}

func fillMemos(t *testing.T, p *py.Program, m *py.Module) {
	th := p.NewThread(context.Background(), py.Limits{})
	for i := range 20 {
		for _, row := range []struct {
			name string
			want string
		}{
			{"remember", fmt.Sprint(2*i + 2)}, {"setdefault", fmt.Sprint(3 * i)},
			{"update", fmt.Sprintf("['%d', 'first']", i)}, {"both", fmt.Sprint(2 + 2*(i+1) + 3)}, {"size", "1"},
		} {
			before := th.Effects()
			args := []py.Value{py.Int(int64(i))}
			if row.name == "size" {
				args = nil
			}
			v, err := th.Call(global1(t, m, row.name), args...)
			if err != nil || th.Repr(v) != row.want {
				t.Errorf("%s(%d) = %s, %v, want %s", row.name, i, th.Repr(v), err, row.want)
				return
			}
			if row.name != "size" && th.Effects() == before {
				t.Errorf("%s: what reads a table that was filled may not be remembered", row.name)
			}
		}
	}
	if _, err := th.Call(global1(t, m, "through"), py.Int(1)); err == nil || !strings.Contains(err.Error(), "shared by all simulations") {
		t.Errorf("a dict of another module: %v", err)
	}
}

// TestSuspendedGeneratorsEnd holds a thread to leave no coroutine behind.
func TestSuspendedGeneratorsEnd(t *testing.T) {
	th, m := load(t, `
log = []
def g(out):
    try:
        while True:
            yield 1
    finally:
        out.append('ended')
def f(out):
    for i in range(10):
        it = g(out)
        next(it)
        next(it)
    return len(out)
`)
	out := py.NewList(nil)
	if _, err := th.Call(global1(t, m, "f"), py.Obj(out)); err != nil {
		t.Fatal(err)
	}
	if len(out.Items()) != 10 || !th.AtRest() {
		t.Errorf("%d of 10 ended; the thread is where it was: %t", len(out.Items()), th.AtRest())
	}
}

// TestLibrary reads a table again: the file is opened once, and what one caller changes no other sees.
func TestLibrary(t *testing.T) {
	const src = `
import csv

def load(column):
    with open("data/towns.csv", encoding="utf-8") as f:
        return {row["code"]: row[column] for row in csv.DictReader(f)}

def change():
    d = load("name")
    d["x"] = "y"
    return len(d)

def size():
    return len(load("name")) + 10 * len(load("code"))
`
	fsys := files("main.py", src, "data/towns.csv", "code,name\n01001,Here and there\n01002,Nowhere else at all\n")
	p := newProgram(py.Root{FS: fsys, Path: "/pkg"})
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	p.Freeze()
	call := func(name string, want int64) {
		t.Helper()
		f, _ := m.Get(name)
		v, err := p.NewThread(context.Background(), py.Limits{}).Call(f)
		if n, _ := v.AsInt(); err != nil || n != want {
			t.Errorf("%s() = %d, %v, want %d", name, n, err, want)
		}
	}
	call("size", 22)
	delete(fsys, "data/towns.csv")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			call("change", 3)
			call("size", 22)
		})
	}
	wait.Wait()
}

func TestClock(t *testing.T) {
	text := "import time\nimport datetime\nimport numpy as np\nprint(datetime.date.today(), datetime.datetime.now(), datetime.datetime.today() == datetime.datetime.now(), " +
		"datetime.datetime.utcnow(), time.time(), np.datetime64('today'), np.datetime64('now'), np.datetime64(datetime.datetime.now()))\n"
	var out strings.Builder
	p := newProgram(py.Root{FS: files("main.py", text)})
	p.Stdout = &out
	p.Now = time.Date(2026, 3, 1, 0, 30, 15, 250_000_000, time.FixedZone("", 2*3600))
	if _, err := p.Import(t.Context(), "main"); err != nil {
		t.Fatal(err)
	}
	want := "2026-03-01 2026-03-01 00:30:15.250000 True 2026-02-28 22:30:15.250000 1772317815.25 2026-03-01 2026-02-28T22:30:15 2026-03-01T00:30:15.250000\n"
	if out.String() != want {
		t.Errorf("got  %swant %s", out.String(), want)
	}
	if _, err := run(t, files("main.py", "import datetime\ndatetime.date.today()\n"), "main"); err == nil || !strings.Contains(err.Error(), "no clock") {
		t.Errorf("without a clock: %v", err)
	}
}
