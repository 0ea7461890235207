package pyeval

import (
	"context"
	"strings"
	"testing"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// node stands for a host object with a tree of attributes, resolved in one step.
type node struct {
	path  string
	steps int // how many steps GetPath takes at once
	seen  *[]string
}

func (*node) Type() *Class { return BaseObject() }

func (n *node) Attr(_ *Thread, name string) (Value, bool) {
	return Obj(&node{n.path + "." + name, n.steps, n.seen}), name != "missing"
}

func (n *node) GetPath(_ *Thread, s *Site) (Value, int) {
	k := min(n.steps, len(s.Path))
	if k == 0 {
		return Value{}, 0
	}
	*n.seen = append(*n.seen, strings.Join(s.Path, "."))
	return Obj(&node{n.path + "." + strings.Join(s.Path[:k], "."), 0, n.seen}), k
}

func (n *node) Repr(*Thread) string { return n.path }

// money is a host value with operators.
type money int64

func (money) Type() *Class { return BaseObject() }

func (m money) Binary(_ *Thread, op pysyntax.BinaryOp, other Value, swapped bool) (Value, bool) {
	n, ok := other.AsInt()
	if o, isMoney := other.o.(money); isMoney {
		n, ok = int64(o), true
	}
	if !ok || op != pysyntax.Add && op != pysyntax.Sub {
		return Value{}, false
	}
	if op == pysyntax.Add {
		return Obj(m + money(n)), true
	}
	if swapped {
		return Obj(money(n) - m), true
	}
	return Obj(m - money(n)), true
}

func (m money) Compare(_ *Thread, op pysyntax.CompareOp, other Value) (Value, bool) {
	o, ok := other.o.(money)
	if !ok {
		return Value{}, false
	}
	return Bool(ordered(op, cmp3(int64(m), int64(o)))), true
}

func (m money) HashKey() any { return int64(m) }

func (m money) Repr(th *Thread) string { return "$" + th.Repr(Int(int64(m))) }

func TestHostObjects(t *testing.T) {
	var seen []string
	calls := 0
	p := NewProgram(Root{FS: files("main.py", `
import host
print(host.tree.a.b.c, host.partly.a.b.c, host.plain.a.b, hasattr(host.plain, 'missing'))
print(host.five + 1, 10 - host.five, host.five == host.five, host.five > host.two, {host.five: 'x'}[host.two + 3])
print(host.pop('salary', 1), host.pop('pension', 2), host.pop('x' + 'y', 3))
for i in range(3):
    host.pop('salary', i)
`), Path: "/test"})
	var out strings.Builder
	p.Stdout = &out
	p.AddModule("host", Table{
		"tree": Obj(&node{"tree", 9, &seen}), "partly": Obj(&node{"partly", 2, &seen}), "plain": Obj(&node{"plain", 0, &seen}),
		"five": Obj(money(5)), "two": Obj(money(2)), "pop": Obj(&counting{&calls}),
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

func (*counting) Type() *Class { return BaseObject() }

func (c *counting) Call(th *Thread, args []Value, _ []Kw) Value {
	return String("call " + th.Str(args[0]))
}

func (c *counting) CallSite(th *Thread, s *Site, args []Value, kws []Kw) Value {
	if s.Memo() == nil {
		*c.lookups++
		s.Keep(s.Name)
	}
	return String("site " + s.Memo().(string))
}

// TestMetaclass makes an enumeration the way a host does.
func TestMetaclass(t *testing.T) {
	enum := NewClass("Enum", nil)
	enum.Meta = &Metaclass{
		Created: func(th *Thread, c *Class, names *Dict) Value {
			var members []Value
			names.Items(func(k, v Value) bool {
				name, _ := k.AsString()
				if !strings.HasPrefix(name, "__") {
					m := NewInstance(c)
					m.Set("name", k)
					m.Set("value", v)
					c.Set(name, Obj(m))
					members = append(members, Obj(m))
				}
				return true
			})
			c.Host = members
			return Obj(c)
		},
		Each: func(_ *Thread, c *Class, yield func(Value) bool) {
			for _, m := range c.Host.([]Value) {
				if !yield(m) {
					return
				}
			}
		},
		Item: func(th *Thread, c *Class, k Value) Value {
			name, _ := k.AsString()
			v, ok := c.Own(name)
			if !ok {
				th.Raise(KeyError, "%s", name)
			}
			return v
		},
		Len: func(_ *Thread, c *Class) int { return len(c.Host.([]Value)) },
	}
	p := NewProgram(Root{FS: files("main.py", `
from host import Enum
class Color(Enum):
    __order__ = 'red green'
    red = 'Red'
    green = 'Green'
print(Color.red.name, Color['green'].value, [m.name for m in Color], len(Color), isinstance(Color.red, Color))
`), Path: "/test"})
	var out strings.Builder
	p.Stdout = &out
	p.AddModule("host", Table{"Enum": Obj(enum)})
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
		Col(vector.Of([]float32{200, 50})), Col(vector.Of([]int32{17, 30})), Col(vector.Of([]bool{true, false})))
	if err != nil {
		t.Fatal(err)
	}
	got := v.o.(*Tuple).items
	wants := []vector.Column{
		vector.Of([]float32{0, 65}), vector.Of([]bool{false, true}), vector.PyInt(1), vector.Of([]float32{-200, -50}),
		vector.Scalar(float32(65)), vector.Of([]int64{2, 0}),
	}
	for i, want := range wants {
		if !got[i].c.Same(want) {
			t.Errorf("result %d is %v (%v), want %v (%v)", i, got[i].c, got[i].c.DType(), want, want.DType())
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
	v, err := th.Call(global1(t, m, "formula"), Col(vector.Of([]float64{1, 2})), Col(vector.Of([]float64{10, 20})))
	if err != nil {
		t.Fatal(err)
	}
	wants := [][]float64{{1, 2}, {10, 20}, {11, 22}, {34, 92}, {1, 2}, {13, 26}, {21, 42}, {-21, -42}, {55, 110}, {68, 184}}
	for i, want := range wants {
		if got := v.o.(*Tuple).items[i].c; !got.Same(vector.Of(want)) {
			t.Errorf("result %d is %v, want %v", i, got, want)
		}
	}
}
