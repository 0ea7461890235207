package pyeval_test

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// load compiles a module and returns it with a thread to run its functions.
func load(t testing.TB, src string) (*py.Thread, *py.Module) {
	t.Helper()
	p := newProgram(py.Root{FS: fstest.MapFS{"main.py": {Data: []byte(src)}}, Path: "/test"})
	m, err := p.Import(context.Background(), "main")
	if err != nil {
		t.Fatal(err)
	}
	p.Freeze()
	return p.NewThread(context.Background(), py.Limits{}), m
}

func global1(t testing.TB, m *py.Module, name string) py.Value {
	t.Helper()
	v, ok := m.Get(name)
	if !ok {
		t.Fatalf("no %s", name)
	}
	return v
}

// BenchmarkExpression runs a formula of four operations on columns.
func BenchmarkExpression(b *testing.B) {
	th, m := load(b, "def f(x, y, z):\n    return (x + y) * z - x * 0.5\n")
	f := global1(b, m, "f")
	for _, n := range []int{1, 1000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			xs := make([]float32, n)
			for i := range xs {
				xs[i] = float32(i)
			}
			args := []py.Value{py.Col(vector.Of(xs)), py.Col(vector.Of(xs)), py.Col(vector.Of(xs))}
			b.ReportAllocs()
			for b.Loop() {
				th.InvokeKw(f, args, nil)
			}
		})
	}
}

// BenchmarkDoor is the cost of calling a formula from Go, with recovery of exceptions.
func BenchmarkDoor(b *testing.B) {
	th, m := load(b, "def f(x):\n    return x\n")
	f := global1(b, m, "f")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := th.Call(f, py.Int(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPythonCall calls a Python function from Python, 1000 times per operation.
func BenchmarkPythonCall(b *testing.B) {
	th, m := load(b, "def g(a, b):\n    return a\ndef f():\n    for i in range(1000):\n        g(i, 2)\n")
	f := global1(b, m, "f")
	b.ReportAllocs()
	for b.Loop() {
		th.InvokeKw(f, nil, nil)
	}
}

// population stands for a host object that formulas call with a literal name.
type population struct{ v py.Value }

func (population) Type() *py.Class { return py.BaseObject() }

func (p population) Call(*py.Thread, []py.Value, []py.Kw) py.Value { return p.v }

func (p population) CallSite(_ *py.Thread, s *py.Site, _ []py.Value, _ []py.Kw) py.Value {
	if s.Memo() == nil {
		s.Keep(s.Name)
	}
	return p.v
}

// parameters stands for a host object whose paths are resolved at once.
type parameters struct{ v py.Value }

func (parameters) Type() *py.Class { return py.BaseObject() }

func (p parameters) Call(*py.Thread, []py.Value, []py.Kw) py.Value { return p.v }

func (p parameters) CallPath(_ *py.Thread, s *py.Site, _ []py.Value) (py.Value, int) {
	return p.v, len(s.Path)
}

// BenchmarkFormula is a formula as packages write them: three calls of the host, a parameter, arithmetic.
func BenchmarkFormula(b *testing.B) {
	th, m := load(b, `
def formula(person, period, parameters):
    salary = person('salary', period)
    pension = person('pension', period)
    rate = parameters(period).taxes.income.rate
    return (salary + pension) * rate + person('bonus', period) * (salary > 100)
`)
	f := global1(b, m, "formula")
	col := py.Col(vector.Of([]float32{1000}))
	args := []py.Value{py.Obj(&population{col}), py.Obj(&population{col}), py.Obj(&parameters{py.Float(0.1)})}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := th.Call(f, args...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGenerator sums ten elements of a generator, in place and by coroutine.
func BenchmarkGenerator(b *testing.B) {
	th, m := load(b, `
def g():
    for i in range(10):
        yield i
def push():
    return sum(g())
def pull():
    it = g()
    total = 0
    for i in it:
        if i < 0:
            break
        total += i
    return total
`)
	for _, name := range []string{"push", "pull"} {
		f := global1(b, m, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := th.Call(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestUnpackAllocates holds Unpack to leaving the variables of its callers on their stacks.
func TestUnpackAllocates(t *testing.T) {
	th := newProgram().NewThread(context.Background(), py.Limits{})
	args, kws := []py.Value{py.Int(1)}, []py.Kw{{"b", py.Int(2)}}
	var sum int64
	n := testing.AllocsPerRun(100, func() {
		a, b, c := int64(0), py.None, py.None
		th.Unpack("f", args, kws, "a", &a, "b", &b, "c?", &c)
		two, _ := b.AsInt()
		sum += a + two
	})
	if n != 0 || sum%3 != 0 {
		t.Errorf("%v allocations, sum %d", n, sum)
	}
}
