package pyeval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	py "edict/simulation/pyeval"
)

// greedy are programs whose third line asks for more than there is, and what they are told.
var greedy = map[string][2]string{
	"text repeated":               {"x = 'a' * 10**10", "one text of more than"},
	"text padded":                 {"x = 'a'.ljust(10**10)", "one text of more than"},
	"text centred":                {"x = 'a'.center(10**10)", "one text of more than"},
	"text filled with zeros":      {"x = 'a'.zfill(10**10)", "one text of more than"},
	"tabs expanded":               {"x = ('\\t' * 1000).expandtabs(10**9)", "one text of more than"},
	"text replaced":               {"x = ('a' * 10**5).replace('a', 'b' * 10**5)", "more than"},
	"text joined":                 {"x = 'a'.join(['b' * 10**6] * 10**3)", "one text of more than"},
	"text split":                  {"x = ('a ' * 10**6).split()", "one value of more than"},
	"text formatted":              {"x = '{0}{0}{0}{0}{0}{0}{0}{0}'.format('a' * 4 * 10**6)", "one text of more than"},
	"text in an f-string":         {"y = 'a' * 10**6; x = f'{y}{y}{y}{y}{y}{y}'", "one text of more than"},
	"text translated":             {"x = ('a' * 10**5).translate({97: 'b' * 10**5})", "one text of more than"},
	"bytes repeated":              {"x = b'a' * 10**10", "one text of more than"},
	"bytes of a length":           {"x = bytes(10**10)", "one text of more than"},
	"a wide field":                {"x = format(1, '10000000000')", "Too many decimal digits"},
	"a wide field with commas":    {"x = format(1, '0>99999999,d')", "Too many decimal digits"},
	"a wide percent field":        {"x = '%10000000000d' % 1", "Too many decimal digits"},
	"a width that is given":       {"x = '%*d' % (10**10, 1)", "Too many decimal digits"},
	"an int from text":            {"x = int('9' * 10**6)", "Exceeds the limit (4300 digits)"},
	"an int to text":              {"x = str(7 ** 10**4)", "Exceeds the limit (4300 digits)"},
	"a power":                     {"x = 7 ** 10**6", "an int of more than 262144 bits"},
	"a power of a power":          {"x = pow(10**1000, 10**1000)", "an int of more than 262144 bits"},
	"a shift":                     {"x = 1 << 10**9", "an int of more than 262144 bits"},
	"a product":                   {"x = math.prod([2**200000] * 3)", "an int of more than 262144 bits"},
	"a list repeated":             {"x = [0] * 10**10", "one value of more than"},
	"a list of a range":           {"x = list(range(10**12))", "more than"},
	"a comprehension":             {"x = [i for i in range(10**12)]", "more than"},
	"a set that grows":            {"x = set(range(10**12))", "more than"},
	"a dict that grows":           {"x = {i: i for i in range(10**12)}", "more than"},
	"functions that are kept":     {"x = [lambda: i for i in range(10**12)]", "more than"},
	"generators that wait":        {"x = [(lambda g: (next(g), g))(i for i in range(9)) for _ in range(10**12)]", "more than"},
	"classes that are kept":       {"x = [type('C', (), {}) for i in range(10**12)]", "more than"},
	"what repeats":                {"x = list(itertools.repeat(0))", "more than"},
	"an array of a length":        {"x = np.zeros(10**12)", "more than"},
	"an array of ones":            {"x = np.ones((10**6, 10**6))", "more than"},
	"a range of floats":           {"x = np.arange(1e12)", "more than"},
	"an array that repeats":       {"x = np.repeat(np.arange(1000), 10**9)", "more than"},
	"an array repeated by counts": {"x = np.repeat(np.arange(1000), np.full(1000, 10**6))", "more than"},
	"an array tiled":              {"x = np.tile(np.arange(1000), 10**9)", "more than"},
	"steps between":               {"x = np.linspace(0, 1, 10**12)", "more than"},
	"an array broadcast":          {"x = np.ones((100000, 1)) * np.ones((1, 100000))", "more than"},
	"arrays joined":               {"x = np.concatenate([np.arange(10**6)] * 1000)", "main.py:3:"},
	"arrays stacked":              {"x = np.stack([np.arange(10**6)] * 1000)", "main.py:3:"},
	"arrays kept":                 {"x = [np.arange(10**5) + i for i in range(10**9)]", "more than"},
	"an array as text":            {"x = np.arange(10**6).astype(str)", "more than"},
	"an array as a list":          {"x = np.arange(10**6).tolist()", "more than"},
	"a hash that doubles":         {"y = (1,)\nfor i in range(36): y = (y, y)\nx = hash(y)", "main.py:"},
	"a deep hash":                 {"y = ()\nfor i in range(10**5): y = (y,)\nx = hash(y)", "RecursionError"},
	"a deep copy":                 {"y = []\nfor i in range(10**5): y = [y]\nx = copy.deepcopy(y)", "RecursionError"},
	"a deep text":                 {"y = []\nfor i in range(10**5): y = [y]\nx = repr(y)", "RecursionError"},
	"deep JSON":                   {"y = []\nfor i in range(10**5): y = [y]\nx = json.dumps(y)", "RecursionError"},
	"deep JSON read":              {"x = json.loads('[' * 10**6)", "nested too deeply"},
	"a deep comparison":           {"y = []; z = []\nfor i in range(10**5): y = [y]; z = [z]\nx = y == z", "RecursionError"},
	"a deep order":                {"y = (); z = ()\nfor i in range(10**5): y = (y,); z = (z,)\nx = sorted([y, z])", "RecursionError"},
	"a deep iterator":             {"y = iter([1])\nfor i in range(10**5): y = map(abs, y)\nx = list(y)", "RecursionError"},
	"deep exceptions":             {"y = ValueError()\nfor i in range(10**5): y = (y,)\ntry:\n    1/0\nexcept y:\n    pass", "RecursionError"},
	"deep classes":                {"y = object\nfor i in range(10**5): y = type('C', (y,), {})", "classes above it at most"},
	"many bases":                  {"x = type('C', tuple([type('B', (), {}) for i in range(10**4)]), {})", "bases and"},
	"a list of itself":            {"y = []; y.append(y); z = []; z.append(z)\nx = y == z", "RecursionError"},
	"a method of itself":          {"class A: __repr__ = repr\nx = repr(A())", "RecursionError"},
	"a call of itself":            {"class A: pass\nA.__call__ = A()\nx = A()()", "RecursionError"},
	"a long match":                {"x = re.search('(a|b|c|d|e)*f', 'abcde' * 10**7)", "more than"},
	"a match that doubles":        {"x = re.compile('(' * 500 + 'a{9}' + '){9}' * 500)", "not supported"},
	"a match of many":             {"x = re.sub('a', 'b' * 10**5, 'a' * 10**5)", "one text of more than"},
	"text printed":                {"print(*['a' * 10**6] * 100)", "one text of more than"},
}

// TestGreedy asks for more than there is in every way that was thought of. Each way ends in an error that says where, before
// memory is taken or time is spent; the process does not hold much more than the limit.
func TestGreedy(t *testing.T) {
	limits := py.Limits{Steps: 3_000_000, Bytes: 64 << 20, Time: 5 * time.Minute}
	for name, c := range greedy {
		t.Run(name, func(t *testing.T) {
			p := newProgram(py.Root{FS: files("main.py", "import copy, itertools, json, math, re\nimport numpy as np\n"+c[0]+"\n"), Path: "/test"})
			p.Limits = limits
			_, err := p.Import(context.Background(), "main")
			if err == nil || !strings.Contains(err.Error(), c[1]) || !strings.Contains(err.Error(), "main.py:") {
				t.Errorf("got %.300v, want %s", err, c[1])
			}
			if errors.Is(err, py.ErrTime) {
				t.Error("it was stopped by the clock alone")
			}
		})
	}
}

// TestMemoryComesBack: what a run lets go of does not count against it, however much it makes.
func TestMemoryComesBack(t *testing.T) {
	src := "import numpy as np\nx = np.arange(10**5)\nfor i in range(500):\n    y = x + i\n    z = 'a' * 10**5\n    w = [0] * 10**4\n"
	p := newProgram(py.Root{FS: files("main.py", src), Path: "/test"})
	p.Limits = py.Limits{Bytes: 64 << 20}
	if _, err := p.Import(context.Background(), "main"); err != nil {
		t.Error(err)
	}
}

// TestStackOfCalls recurses as deeply as it may through the most deeply nested expression that there may be.
func TestStackOfCalls(t *testing.T) {
	var src strings.Builder
	src.WriteString("def f(n):\n    if n == 0: return 0\n    return " + strings.Repeat("-(", 90) + "f(n - 1)" + strings.Repeat(")", 90) + strings.Repeat(" + 0", 900) + "\nx = f(900)\n")
	p := newProgram(py.Root{FS: files("main.py", src.String()), Path: "/test"})
	if _, err := p.Import(context.Background(), "main"); err != nil {
		t.Error(err)
	}
}

// TestCancelled: work without steps of its own counts as steps, so that it ends soon after the context does. Every turn of
// the loop says so; the context is cancelled at the first.
func TestCancelled(t *testing.T) {
	works := []string{
		"x.count('b')", "x.upper()", "x == x[:-1] + 'b'", "sorted(y)", "z * z % w", "a.sum()", "np.max(a)", "a + a", "re.search('b', x)",
		"hash((x, x))", "copy.deepcopy(y)", "y[::-1]", "'b' in x", "x.split()", "json.dumps(y)", "np.sort(a)", "str(y)", "y.reverse()", "b.count(x)",
		"np.where(a > 5, a, 0)", "d.copy()", "len(x)", "x[5]", "y.insert(0, 0)", "f'{x}'", "math.gcd(z, w)", "x.encode()", "{**d}", "a.tolist()",
		"s[::-1]", "a[::-1]", "np.array([x] * 100)", "np.array([x, 'b'])[[0] * 200]", "np.asarray(y)",
	}
	src := "import copy, json, math, re\nimport numpy as np\nx = 'a' * 10**6\ny = [0] * 10**5\nz = 2**100000 + 1\nw = 3**60000\na = np.arange(10**6)\n" +
		"d = dict.fromkeys(range(10**5))\nb = [x[:-1]] * 10\ns = np.array(['a'] * 10**5)\n"
	for i, work := range works {
		src += fmt.Sprintf("def f%d():\n    while True:\n        print(1)\n        %s\n", i, work)
	}
	p := newProgram(py.Root{FS: files("main.py", src), Path: "/test"})
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	for i, work := range works {
		t.Run(work, func(t *testing.T) {
			f, _ := m.Get(fmt.Sprint("f", i))
			ctx, cancel := context.WithCancel(context.Background())
			turns := &turnCounter{cancel: cancel}
			p.Stdout = turns
			if _, err := p.NewThread(ctx, py.Limits{}).Call(f); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if turns.n > 50 {
				t.Errorf("%d turns were made after the context was cancelled", turns.n)
			}
		})
	}
}

// turnCounter cancels at the first write and counts all.
type turnCounter struct {
	cancel context.CancelFunc
	n      int
}

func (c *turnCounter) Write(b []byte) (int, error) {
	c.cancel()
	c.n++
	return len(b), nil
}
