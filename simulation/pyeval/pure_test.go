package pyeval

import (
	"maps"
	"slices"
	"testing"
	"testing/fstest"
)

// TestPure walks the tables of the built-in modules, and of the classes in them. What a host remembers of a run is what
// its effects tell: so a function that does not declare itself pure has one, and the list of those is here.
func TestPure(t *testing.T) {
	p := NewProgram()
	th := p.NewThread(t.Context(), Limits{})
	w := tableWalk{seen: map[*Class]bool{}, impure: map[string]Value{}}
	for _, name := range slices.Sorted(maps.Keys(p.tables)) {
		for key, v := range p.tables[name]() {
			w.value(name+"."+key, v)
		}
	}
	if got, want := slices.Sorted(maps.Keys(w.impure)), []string{"builtins.id", "builtins.print"}; !slices.Equal(got, want) {
		t.Errorf("functions that do not declare themselves pure: %q, want %q", got, want)
	}
	if w.pure < 400 {
		t.Errorf("only %d functions were found in the tables", w.pure)
	}
	for name, f := range w.impure {
		before := th.Effects()
		if _, err := th.Call(f, String("")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if th.Effects() == before {
			t.Errorf("%s has no effect: a host would remember a run that calls it", name)
		}
	}
}

// tableWalk finds what is in tables.
type tableWalk struct {
	seen   map[*Class]bool
	pure   int
	impure map[string]Value // functions and classes
}

func (w *tableWalk) value(name string, v Value) {
	switch o := v.o.(type) {
	case *Builtin:
		w.found(name, v, o.pure)
	case *ufuncObject:
		w.found(name, v, o.pure)
	case *staticMethod:
		w.value(name, o.fn)
	case *classMethod:
		w.value(name, o.fn)
	case *Module:
		for key, v := range o.table {
			w.value(name+"."+key, v)
		}
	case *Class:
		w.class(name, o)
	}
}

func (w *tableWalk) class(name string, c *Class) {
	if w.seen[c] {
		return
	}
	w.seen[c] = true
	if c.New != nil {
		w.found(name, Obj(c), c.Pure)
	}
	for i, key := range c.attrs.names {
		w.value(name+"."+key, c.attrs.values[i])
	}
}

func (w *tableWalk) found(name string, v Value, pure bool) {
	if pure {
		w.pure++
	} else {
		w.impure[name] = v
	}
}

// TestImpure: functions and classes of a host have effects unless they declare themselves pure, however they are called.
func TestImpure(t *testing.T) {
	one := func(*Thread, []Value, []Kw) Value { return Int(1) }
	class := func(pure bool) Value {
		c := NewClass("C", Table{"get": Func("get", one), "got": Pure("got", one)})
		c.New = func(_ *Thread, c *Class, _ []Value, _ []Kw) Value { return Obj(NewInstance(c)) }
		if pure {
			c.Pure = true
		}
		return Obj(c)
	}
	host := Table{"draw": Func("draw", one), "same": Pure("same", one), "Drawn": class(false), "Same": class(true)}
	for source, effects := range map[string]int{
		"host.draw()": 1, "host.same()": 0, "[f() for f in (host.draw, host.same)]": 1, "list(map(lambda f: f(), [host.draw] * 3))": 3,
		"host.Drawn()": 1, "host.Same()": 0, "host.Same().get()": 1, "host.Same().got()": 0, "host.Same.get(host.Same())": 1,
		"type('D', (host.Drawn,), {})()": 1, "getattr(host, 'draw')()": 1,
	} {
		p := NewProgram(Root{FS: fstest.MapFS{"main.py": {Data: []byte("import host\ndef f(): return " + source + "\n")}}, Path: "/test"})
		p.AddModule("host", host)
		m, err := p.Import(t.Context(), "main")
		if err != nil {
			t.Fatal(err)
		}
		th := p.NewThread(t.Context(), Limits{})
		if _, err := th.Call(global1(t, m, "f")); err != nil || th.Effects() != effects {
			t.Errorf("%s: %d effects, %v, want %d", source, th.Effects(), err, effects)
		}
	}
}
