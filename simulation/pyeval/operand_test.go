package pyeval_test

import (
	"context"
	"strings"
	"testing"

	py "edict/simulation/pyeval"
)

// asked answers, at the site of a call, with the literal and with what it was asked on.
type asked struct{}

func (asked) Type() *py.Class { return py.BaseObject() }

func (asked) Call(*py.Thread, []py.Value, []py.Kw) py.Value { return py.String("no site") }

func (asked) CallSite(th *py.Thread, s *py.Site, args []py.Value, kws []py.Kw) py.Value {
	if len(args) != 2 || len(kws) > 0 || cap(args) != 2 {
		return py.String("other arguments")
	}
	return py.String(s.Name + " on " + th.Str(args[1]))
}

// TestOperands reads variables of all kinds where code reads them in place: with a value, changed while an expression is under way, and without one.
func TestOperands(t *testing.T) {
	p := newProgram(py.Root{FS: files("main.py", `
from host import person

def formula(person, period, other):
    asked = person('salary', period)
    named = (lambda name, at: name('salary', at))(lambda name, at: name + ' of Python on ' + at, period)
    return [asked, person('pension', other), other('x', period) if callable(other) else None, named]

def unbound(person, period):
    del period
    return person('salary', period)

def around(n):
    def inner(key):
        return n == 2, n.real, [n, key][n - 2], -n if n else 0
    return inner

def changed():
    x = 1
    def set(v):
        nonlocal x
        x = v
        return v
    return x + set(5) + x, [x, set(7)], (x if set(0) == 0 and not x else -1)

def never():
    def inner():
        return late or late.real
    if False:
        late = 1
    return inner

class Numbers:
    def __getitem__(self, key):
        return key

def keys(a, k):
    return a[k], a[(k := 3)], k, a[k]

def catch(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return type(e).__name__ + ': ' + str(e)

print(formula(person, '2022', '2023'))
print(catch(unbound, person, '2022'))
print(around(2)(7), catch(around('x'), 7))
print(changed())
print(catch(never()))
print(keys(Numbers(), 1))
`), Path: "/test"})
	var out strings.Builder
	p.Stdout = &out
	p.AddModule("host", py.Table{"person": py.Obj(asked{})})
	if _, err := p.Import(context.Background(), "main"); err != nil {
		t.Fatal(err)
	}
	want := `['salary on 2022', 'pension on 2023', None, 'salary of Python on 2022']
UnboundLocalError: cannot access local variable 'period' where it is not associated with a value
(True, 2, 2, -2) AttributeError: 'str' object has no attribute 'real'
(11, [5, 7], 0)
NameError: cannot access free variable 'late' where it is not associated with a value in enclosing scope
(1, 3, 3, 3)
`
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
}
