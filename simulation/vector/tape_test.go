package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// Programs are run on columns, recorded on others, and played. A program is whatever a seed makes of the operations in
// tapeOps: what it does depends on what it sees, as formulas do.

const (
	tapePrograms = 6000
	tapeSteps    = 7 // after every input
)

// program is one run of a program.
type program struct {
	*rand.Rand
	rules *Rules
	n     int
	vals  []Column
	log   []string
	// shared is storage that the program owns and uses again, as populations do.
	groups []int32
	mask   []bool
	gather []int32
}

// sample is the inputs of a run.
type sample []Column

var tapeLengths = []int{1, 2, 5, 19}

var tapeDomains = []*Domain{testDomain, {Name: "Colour", Members: []string{"red", "green"}}}

// ending is what became of a run: its values, or the panic that ended it.
type ending struct {
	vals  []Column
	log   []string
	panic string
}

// execute runs the program of a seed on inputs. Before an input is used, and at the end, it is given to between.
func execute(seed uint64, rules *Rules, in sample, input func(Column) Column, cut func()) (out ending) {
	p := &program{Rand: rand.New(rand.NewPCG(seed, 1)), rules: rules}
	p.n = tapeLengths[p.IntN(len(tapeLengths))]
	for range p.n {
		p.groups = append(p.groups, int32(p.IntN(2)))
		p.mask = append(p.mask, p.IntN(2) == 0)
		p.gather = append(p.gather, int32(p.IntN(p.n)))
	}
	defer func() {
		if e := recover(); e != nil {
			out = ending{log: p.log, panic: fmt.Sprint(e, "\n", string(debug.Stack()))}
		}
	}()
	for _, c := range in {
		p.vals = append(p.vals, input(c))
		for range 1 + p.IntN(tapeSteps) {
			p.step()
		}
		cut()
	}
	return ending{vals: p.vals, log: p.log}
}

func (p *program) step() {
	op := tapeOps[p.IntN(len(tapeOps))]
	p.log = append(p.log, op.name)
	out, err := op.do(p)
	if err != nil {
		// The program goes on with what the error says.
		out = []Column{PyInt(int64(len(err.Error())))}
	}
	for _, c := range out {
		if c.Len() <= 200 {
			p.vals = append(p.vals, c)
		}
	}
}

// any picks a value.
func (p *program) any() Column { return p.vals[p.IntN(len(p.vals))] }

// one picks a value that suits, if it finds one.
func (p *program) one(suits func(Column) bool) Column {
	c := p.any()
	for range 6 {
		if suits(c) {
			break
		}
		c = p.any()
	}
	return c
}

func isNumber(c Column) bool { return c.Type().Number() }
func isArray(c Column) bool  { return c.IsArray() }

func (p *program) number() Column { return p.one(isNumber) }
func (p *program) array() Column  { return p.one(isArray) }
func (p *program) truth() Column  { return p.one(func(c Column) bool { return c.Type() == Bool }) }
func (p *program) whole() Column {
	return p.one(func(c Column) bool { return c.Type().Number() && c.Type() != Bool && !c.Type().float() })
}

// members picks an array of numbers, one for each person.
func (p *program) members() (Column, bool) {
	c := p.one(func(c Column) bool { return c.IsArray() && c.Len() == p.n && isNumber(c) })
	return c, c.IsArray() && c.Len() == p.n && isNumber(c)
}

// constant makes a value of the program's own.
func (p *program) constant() Column {
	c := drawSample(p.Rand, drawKind(p.Rand, p.n))
	if c.Type() == Object {
		return PyInt(3)
	}
	return c
}

// kind is what a column is like: what formulas may see of it without looking.
type kind struct {
	dtype  DType
	form   Form
	n      int
	domain *Domain
}

func drawKind(r *rand.Rand, n int) kind {
	k := kind{dtype: DType{Type: Type(r.IntN(int(Object) + 1))}, n: n}
	switch k.dtype.Type {
	case Int16:
		k.dtype.Unit = []Unit{Generic, Generic, Signed8, Unsigned8}[r.IntN(4)]
	case Date, Duration:
		k.dtype.Unit = []Unit{Day, Day, Month, Year}[r.IntN(4)]
	case Enum:
		k.domain = tapeDomains[r.IntN(len(tapeDomains))]
	case Str, Bytes:
		k.dtype.Width = int32(1 + r.IntN(3))
	}
	if r.IntN(4) == 0 {
		k.form, k.n = []Form{NumpyScalar, PyScalar}[r.IntN(2)], 1
	}
	if k.form == PyScalar && k.dtype.Type != Bool && k.dtype.Type != Int64 && k.dtype.Type != Float64 {
		k.form = NumpyScalar
	}
	return k
}

var (
	tapeInts   = []int64{0, 1, 2, -1, 3, 5, 40, 127, 300, -200, 40000, 1 << 20, 1 << 31, -1 << 40}
	tapeFloats = []float64{0, 1, -1, 0.5, 2.5, 1e-3, 100, 1234.56, -7.25, 1e10, 1e40, math.Inf(1), math.NaN(), math.Copysign(0, -1)}
	tapeTexts  = []string{"", "a", "b", "ab", "owner", "12", "é", "red"}
)

// drawSample draws a column of a kind, constant or not.
func drawSample(r *rand.Rand, k kind) Column {
	n := k.n
	if r.IntN(3) == 0 {
		n = 1
	}
	var c Column
	switch k.dtype.Type {
	case Date, Duration:
		c = raw(k.dtype.Type, k.dtype.Unit, draws(n, func() int64 { return int64(r.IntN(20000)) - 300 }))
	case Enum:
		c = Enums(k.domain, draws(n, func() int16 { return int16(r.IntN(len(k.domain.Members))) }))
	case Str, Bytes:
		c = Texts(k.dtype, draws(n, func() string {
			s := tapeTexts[r.IntN(len(tapeTexts))]
			for textWidth(k.dtype.Type, s) > int(k.dtype.Width) {
				s = s[:len(s)-1]
			}
			return strings.ToValidUTF8(s, "")
		}))
	case Object:
		c = Objects(draws(n, func() any { return int64(r.IntN(3)) }))
	default:
		c = Of(draws(n, func() float64 { return drawNumber(r, k.dtype.Type) }))
		c, _ = (*Rules)(nil).Cast(c, k.dtype)
	}
	if n == 1 {
		c, _ = c.Spread(k.n)
		if r.IntN(2) == 0 {
			c = loose(c)
		}
	}
	return c.As(k.form)
}

func draws[T any](n int, draw func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = draw()
	}
	return out
}

func drawNumber(r *rand.Rand, t Type) float64 {
	switch {
	case t == Bool:
		return float64(r.IntN(2))
	case t.integer():
		v := tapeInts[r.IntN(len(tapeInts))]
		if t == Int16 {
			v = int64(int16(v))
		}
		if t == Int32 {
			v = int64(int32(v))
		}
		return float64(v)
	case r.IntN(2) == 0:
		return float64(r.IntN(2000)) / 4
	}
	return tapeFloats[r.IntN(len(tapeFloats))]
}

// plainMath computes with objects that are integers.
type plainMath struct{}

func (plainMath) Box(c Column) any { return c.Int(0) }
func (plainMath) Unbox(v any) Column {
	i, _ := v.(int64)
	return PyInt(i)
}
func (m plainMath) Binary(op Op, a, b any) (any, error) {
	c, err := (*Rules)(nil).Binary(op, m.Unbox(a), m.Unbox(b))
	switch {
	case err != nil:
		return nil, err
	case c.Type() == Bool:
		return c.Bool(0), nil
	}
	return m.Box(c), nil
}
func (m plainMath) Unary(op Op, a any) (any, error) {
	c, err := (*Rules)(nil).Unary(op, m.Unbox(a))
	if err != nil {
		return nil, err
	}
	return m.Box(c), nil
}
func (m plainMath) Truth(v any) (bool, error)    { return v != any(int64(0)), nil }
func (m plainMath) Format(v any) (string, error) { return fmt.Sprint(v), nil }

// vary gives inputs that are like others: the same but for some elements, or all of them.
func vary(r *rand.Rand, kinds []kind, in sample) sample {
	out := slices.Clone(in)
	share := r.IntN(3)
	for i := range out {
		if r.IntN(3) <= share {
			out[i] = drawSample(r, kinds[i])
		}
	}
	return out
}

// recording is a program on tape.
type recording struct {
	strips    []Strip
	slots     []int32 // of the values, -1 for constants
	constants []Column
	full      bool
}

func recordProgram(seed uint64, rules *Rules, in sample, limit int) (recording, ending) {
	tape := NewTape(limit)
	var rec recording
	out := execute(seed, rules, in, tape.Input, func() { rec.strips = append(rec.strips, tape.Cut()) })
	rec.full = tape.Full()
	tape.Close()
	for i, c := range out.vals {
		slot, ok := tape.Slot(c)
		if !ok {
			slot = -1
		}
		rec.slots = append(rec.slots, slot)
		rec.constants = append(rec.constants, c.Plain())
		out.vals[i] = c.Plain()
	}
	return rec, out
}

func (rec *recording) play(rules *Rules, in sample) ([]Column, bool) {
	var slots []Column
	for i := range rec.strips {
		var ok bool
		if slots, ok = rec.strips[i].Play(rules, append(slots, in[i])); !ok {
			return nil, false
		}
	}
	vals := slices.Clone(rec.constants)
	for i, slot := range rec.slots {
		if slot >= 0 {
			vals[i] = slots[slot]
		}
	}
	return vals, true
}

func compareEndings(t *testing.T, what string, seed uint64, got []Column, want ending) {
	t.Helper()
	if len(got) != len(want.vals) {
		t.Fatalf("seed %d, %s: %d values, want %d\n%v", seed, what, len(got), len(want.vals), want.log)
	}
	for i := range got {
		if got[i].Taped() {
			t.Fatalf("seed %d, %s: value %d is taped", seed, what, i)
		}
		if !got[i].Same(want.vals[i]) {
			t.Fatalf("seed %d, %s: value %d is %v (%v), want %v (%v)\n%v", seed, what, i,
				got[i], got[i].DType(), want.vals[i], want.vals[i].DType(), want.log)
		}
	}
}

// TestTapePlaysWhatRunsGive runs programs, records and plays them: whatever is played must be what a run gives.
func TestTapePlaysWhatRunsGive(t *testing.T) {
	played, refused, moved := 0, 0, 0
	for seed := uint64(1); seed <= tapePrograms; seed++ {
		r := rand.New(rand.NewPCG(seed, 2))
		rules := []*Rules{{}, {NEP50: true}, {Objects: plainMath{}}}[r.IntN(3)]
		others := &Rules{NEP50: rules.NEP50}
		n := tapeLengths[rand.New(rand.NewPCG(seed, 1)).IntN(len(tapeLengths))]
		kinds := make([]kind, 2+r.IntN(3))
		a := make(sample, len(kinds))
		for i := range kinds {
			kinds[i] = drawKind(r, n)
			for kinds[i].dtype.Type == Object && rules.Objects == nil {
				kinds[i] = drawKind(r, n) // who has no arithmetic for objects has none: what of it is refused depends on what is needed
			}
			a[i] = drawSample(r, kinds[i])
		}
		want := execute(seed, rules, a, func(c Column) Column { return c }, func() {})
		rec, got := recordProgram(seed, rules, a, 1<<16)
		if want.panic != "" || got.panic != "" {
			t.Fatalf("seed %d: a run panics with %q, a recorded one with %q\n%v", seed, want.panic, got.panic, got.log)
		}
		compareEndings(t, "recorded", seed, got.vals, want)
		if again, ok := rec.play(rules, a); ok {
			compareEndings(t, "played on the same inputs", seed, again, want)
		} else {
			t.Fatalf("seed %d: the tape does not play on what it was recorded on\n%v", seed, want.log)
		}
		for range 4 {
			b := vary(r, kinds, a)
			out, ok := rec.play(others, b)
			if !ok {
				refused++
				continue
			}
			played++
			truth := execute(seed, rules, b, func(c Column) Column { return c }, func() {})
			compareEndings(t, "played", seed, out, truth)
			if !slices.EqualFunc(a, b, Column.Same) {
				moved++
			}
		}
	}
	t.Logf("%d plays, %d of them on other inputs; %d refused", played, moved, refused)
	if moved < refused/10 {
		t.Errorf("only %d of %d plays came to an end on other inputs", moved, played+refused)
	}
}

// TestInterned: steps with texts that say the same, or that move the same objects, are one step, wherever those lie.
func TestInterned(t *testing.T) {
	tape, r := NewTape(100), &Rules{}
	condition := tape.Input(Of([]bool{true, false}))
	slot := func(a, b Column) int32 {
		t.Helper()
		c, err := r.Where(condition, a, b)
		if err != nil {
			t.Fatal(err)
		}
		slot, ok := tape.Slot(c)
		if !ok {
			t.Fatal("nothing is recorded")
		}
		return slot
	}
	text := func(s string) Column { return PyStr(strings.Clone(s)) }
	one, other := new(int), new(int)
	for _, c := range []struct {
		name string
		a, b Column
		same bool
	}{
		{"texts", text("owner"), text("owner"), true},
		{"other texts", text("owner"), text("tenant"), false},
		{"texts of numpy", text("owner"), text("owner").As(NumpyScalar), false},
		{"objects", PyObject(one), PyObject(one), true},
		{"other objects", PyObject(one), PyObject(other), false},
		{"none", PyObject(nil), PyObject(other), false},
	} {
		if got := slot(c.a, c.a) == slot(c.b, c.b); got != c.same {
			t.Errorf("%s: one step is %v", c.name, got)
		}
	}
}
