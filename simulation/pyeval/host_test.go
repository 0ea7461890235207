package pyeval_test

import (
	"context"
	"strings"
	"testing"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// node stands for a host object with a tree of attributes, resolved in one step.
type node struct {
	path  string
	steps int // how many steps GetPath takes at once
	seen  *[]string
}

func (*node) Type() *py.Class { return py.BaseObject() }

func (n *node) Attr(_ *py.Thread, name string) (py.Value, bool) {
	return py.Obj(&node{n.path + "." + name, n.steps, n.seen}), name != "missing"
}

func (n *node) GetPath(_ *py.Thread, s *py.Site) (py.Value, int) {
	k := min(n.steps, len(s.Path))
	if k == 0 {
		return py.Value{}, 0
	}
	*n.seen = append(*n.seen, strings.Join(s.Path, "."))
	return py.Obj(&node{n.path + "." + strings.Join(s.Path[:k], "."), 0, n.seen}), k
}

func (n *node) Repr(*py.Thread) string { return n.path }

// money is a host value with operators.
type money int64

func (money) Type() *py.Class { return py.BaseObject() }

func (m money) Binary(_ *py.Thread, op pysyntax.BinaryOp, other py.Value, swapped bool) (py.Value, bool) {
	n, ok := other.AsInt()
	if o, isMoney := other.Object().(money); isMoney {
		n, ok = int64(o), true
	}
	if !ok || op != pysyntax.Add && op != pysyntax.Sub {
		return py.Value{}, false
	}
	if op == pysyntax.Add {
		return py.Obj(m + money(n)), true
	}
	if swapped {
		return py.Obj(money(n) - m), true
	}
	return py.Obj(m - money(n)), true
}

func (m money) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	o, ok := other.Object().(money)
	if !ok {
		return py.Value{}, false
	}
	return th.Compare(op, py.Int(int64(m)), py.Int(int64(o))), true
}

func (m money) HashKey() any { return int64(m) }

func (m money) Repr(th *py.Thread) string { return "$" + th.Repr(py.Int(int64(m))) }

func TestHostObjects(t *testing.T) {
	var seen []string
	calls := 0
	p := newProgram(py.Root{FS: files("main.py", `
import host
print(host.tree.a.b.c, host.partly.a.b.c, host.plain.a.b, hasattr(host.plain, 'missing'))
print(host.five + 1, 10 - host.five, host.five == host.five, host.five > host.two, {host.five: 'x'}[host.two + 3])
print(host.pop('salary', 1), host.pop('pension', 2), host.pop('x' + 'y', 3))
for i in range(3):
    host.pop('salary', i)
`), Path: "/test"})
	var out strings.Builder
	p.Stdout = &out
	p.AddModule("host", py.Table{
		"tree": py.Obj(&node{"tree", 9, &seen}), "partly": py.Obj(&node{"partly", 2, &seen}), "plain": py.Obj(&node{"plain", 0, &seen}),
		"five": py.Obj(money(5)), "two": py.Obj(money(2)), "pop": py.Obj(&counting{&calls}),
	})
	if _, err := p.Import(context.Background(), "main"); err != nil {
		t.Fatal(err)
	}
	want := `tree.a.b.c partly.a.b.c plain.a.b False
$6 $5 True True x
site salary site pension call xy
`
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
	if calls != 3 {
		t.Errorf("%d look-ups for three places", calls)
	}
}

// counting keeps what it looked up at the site of the call.
type counting struct{ lookups *int }

func (*counting) Type() *py.Class { return py.BaseObject() }

func (c *counting) Call(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	return py.String("call " + th.Str(args[0]))
}

func (c *counting) CallSite(th *py.Thread, s *py.Site, args []py.Value, kws []py.Kw) py.Value {
	if s.Memo() == nil {
		*c.lookups++
		s.Keep(s.Name)
	}
	return py.String("site " + s.Memo().(string))
}

// TestMetaclass makes an enumeration the way a host does.
func TestMetaclass(t *testing.T) {
	enum := py.NewClass("Enum", nil)
	enum.Meta = &py.Metaclass{
		Created: func(th *py.Thread, c *py.Class, names *py.Dict) py.Value {
			var members []py.Value
			names.Items(func(k, v py.Value) bool {
				name, _ := k.AsString()
				if !strings.HasPrefix(name, "__") {
					m := py.NewInstance(c)
					m.Set("name", k)
					m.Set("value", v)
					c.Set(name, py.Obj(m))
					members = append(members, py.Obj(m))
				}
				return true
			})
			c.Host = members
			return py.Obj(c)
		},
		Each: func(_ *py.Thread, c *py.Class, yield func(py.Value) bool) {
			for _, m := range c.Host.([]py.Value) {
				if !yield(m) {
					return
				}
			}
		},
		Item: func(th *py.Thread, c *py.Class, k py.Value) py.Value {
			name, _ := k.AsString()
			v, ok := c.Own(name)
			if !ok {
				th.Raise(py.KeyError, "%s", name)
			}
			return v
		},
		Len: func(_ *py.Thread, c *py.Class) int { return len(c.Host.([]py.Value)) },
	}
	p := newProgram(py.Root{FS: files("main.py", `
from host import Enum
class Color(Enum):
    __order__ = 'red green'
    red = 'Red'
    green = 'Green'
print(Color.red.name, Color['green'].value, [m.name for m in Color], len(Color), isinstance(Color.red, Color))
`), Path: "/test"})
	var out strings.Builder
	p.Stdout = &out
	p.AddModule("host", py.Table{"Enum": py.Obj(enum)})
	if _, err := p.Import(context.Background(), "main"); err != nil {
		t.Fatal(err)
	}
	if want := "red Green ['red', 'green'] 2 True\n"; out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

// TestColumns runs a formula over columns: types, in-place operators, masks, control flow.
func TestColumns(t *testing.T) {
	th, m := load(t, `
def formula(salary, age, flag):
    total = salary * 0.5 + 10
    total += age
    total[flag] = 0
    adult = (age >= 18) & (age < 65)
    n = 0
    if salary[0] > 100:
        n = 1
    pieces = [x for x in total]
    return total, adult, n, -salary, pieces[1], sum([flag, flag])
`)
	v, err := th.Call(global1(t, m, "formula"),
		py.Col(vector.Of([]float32{200, 50})), py.Col(vector.Of([]int32{17, 30})), py.Col(vector.Of([]bool{true, false})))
	if err != nil {
		t.Fatal(err)
	}
	got := v.Object().(*py.Tuple).Items()
	wants := []vector.Column{
		vector.Of([]float32{0, 65}), vector.Of([]bool{false, true}), vector.PyInt(1), vector.Of([]float32{-200, -50}),
		vector.Scalar(float32(65)), vector.Of([]int64{2, 0}),
	}
	for i, want := range wants {
		if !got[i].Raw().Same(want) {
			t.Errorf("result %d is %v (%v), want %v (%v)", i, got[i].Raw(), got[i].Raw().DType(), want, want.DType())
		}
	}
}

// TestTemporaries has operators write into what other operators computed, and nothing that anybody holds change by it.
func TestTemporaries(t *testing.T) {
	th, m := load(t, `
class Holder:
    def __init__(self, held):
        self.held = held
    def __add__(self, other):
        return self.held
    def __mul__(self, other):
        self.held = self.held + other
        return self.held

def formula(a, b):
    x = a + b
    y = (x + a) * (x - b) + (x * 2.0)
    h = Holder(a * 1.0)
    z = (h + 1) * 2.0 + x
    k = Holder(x)
    w = (k * b) * 2.0 - (k + 1) * 3.0
    parts = [a, x, b]
    s = sum(parts) + sum(parts, x)
    u = (y + 0.0) + (y + (w + 0.0) * 0.0)
    return a, b, x, y, h.held, z, k.held, w, s, u
`)
	v, err := th.Call(global1(t, m, "formula"), py.Col(vector.Of([]float64{1, 2})), py.Col(vector.Of([]float64{10, 20})))
	if err != nil {
		t.Fatal(err)
	}
	wants := [][]float64{{1, 2}, {10, 20}, {11, 22}, {34, 92}, {1, 2}, {13, 26}, {21, 42}, {-21, -42}, {55, 110}, {68, 184}}
	for i, want := range wants {
		if got := v.Object().(*py.Tuple).Items()[i].Raw(); !got.Same(vector.Of(want)) {
			t.Errorf("result %d is %v, want %v", i, got, want)
		}
	}
}

// TestMerge: a dict that got its entries from another one changes alone.
func TestMerge(t *testing.T) {
	th := newProgram().NewThread(t.Context(), py.Limits{})
	says := func(d *py.Dict, want string) {
		t.Helper()
		if got := th.Repr(py.Obj(d)); got != want {
			t.Errorf("the dict is %s, want %s", got, want)
		}
	}
	given, first, second := py.NewDict(), py.NewDict(), py.NewDict()
	given.Set(py.String("a"), py.Int(1))
	first.Merge(given)
	second.Merge(given)
	first.Set(py.String("a"), py.Int(5))
	given.Set(py.String("b"), py.Int(2))
	says(given, "{'a': 1, 'b': 2}")
	says(first, "{'a': 5}")
	says(second, "{'a': 1}")
	first.Merge(given)
	says(first, "{'a': 1, 'b': 2}")
}
