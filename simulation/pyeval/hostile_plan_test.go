package pyeval_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	py "edict/simulation/pyeval"
)

// A plan is bytes that say which functions are called with what, so that a fuzzer can look for the calls that matter: a few
// calls one after the other, whose arguments are hostile values, numbers and texts of the plan, lists, tuples and dicts of such, and
// what the call before made; some of them are given by name.

// keywords are the names under which functions take arguments.
var keywords = []string{
	"axis", "out", "dtype", "key", "default", "reverse", "start", "stop", "step", "shape", "fill_value", "where", "initial", "keepdims", "ndmin", "order", "copy", "sep",
	"end", "maxsplit", "count", "encoding", "errors", "base", "strict", "repeat", "n", "decimals", "side", "sorter", "return_index", "minlength", "weights", "a_min", "a_max",
}

// planReader takes a plan apart. After its end it has zeros.
type planReader struct{ rest []byte }

func (p *planReader) next() byte {
	if len(p.rest) == 0 {
		return 0
	}
	b := p.rest[0]
	p.rest = p.rest[1:]
	return b
}

func (p *planReader) number() uint64 {
	var eight [8]byte
	p.rest = p.rest[copy(eight[:], p.rest):]
	return binary.LittleEndian.Uint64(eight[:])
}

// argument makes one argument, and says in words what it is.
func (r *hostileRun) argument(p *planReader, depth int) (py.Value, string) {
	kind := p.next() % 12
	if depth > 3 && kind >= 8 {
		kind = 0
	}
	switch kind {
	case 4:
		n := int64(p.number())
		return py.Int(n), fmt.Sprint(n)
	case 5:
		n := int64(int8(p.next()))
		return py.Int(n), fmt.Sprint(n)
	case 6:
		f := math.Float64frombits(p.number())
		return py.Float(f), fmt.Sprint(f)
	case 7:
		size := min(int(p.next()%16), len(p.rest))
		s := strings.ToValidUTF8(string(p.rest[:size]), "?")
		p.rest = p.rest[size:]
		return py.String(s), fmt.Sprintf("%q", s)
	case 8:
		items, words := r.several(p, depth)
		return py.Obj(py.NewList(items)), "[" + words + "]"
	case 9:
		items, words := r.several(p, depth)
		return py.NewTuple(items), "(" + words + ",)"
	case 10:
		return r.named(p, depth)
	case 11:
		return r.made.Object().(*py.List).Items()[0], "made"
	}
	name := r.names[int(p.next())%len(r.names)]
	return r.values[name], name
}

func (r *hostileRun) several(p *planReader, depth int) (items []py.Value, words string) {
	var all []string
	for range p.next() % 4 {
		v, word := r.argument(p, depth+1)
		items, all = append(items, v), append(all, word)
	}
	return items, strings.Join(all, ", ")
}

// named makes a dict of arguments by their names.
func (r *hostileRun) named(p *planReader, depth int) (py.Value, string) {
	d, all := py.NewDict(), []string(nil)
	for range p.next() % 4 {
		key := keywords[int(p.next())%len(keywords)]
		v, word := r.argument(p, depth+1)
		d.Set(py.String(key), v)
		all = append(all, key+"="+word)
	}
	return py.Obj(d), "{" + strings.Join(all, ", ") + "}"
}

// follow makes the calls of a plan; say is told of each before it is made.
func (f *follower) follow(t *testing.T, plan []byte, say func(string)) (calls int) {
	f.made.Object().(*py.List).Items()[0] = py.None
	for p := (&planReader{plan}); len(p.rest) > 0 && calls < 8; calls++ {
		name := f.functions[(int(p.next())|int(p.next())<<8)%len(f.functions)]
		args, words := f.several(p, 0)
		named, by := f.named(p, 0)
		what := fmt.Sprintf("%s(%s, **%s)", name, words, by)
		say(what)
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s panics: %v\n%s", what, p, debug.Stack())
				}
			}()
			f.check(t, what, f.targets[name], py.NewTuple(args), named)
		}()
	}
	return calls
}

// hostilePlans is how many plans a long run follows.
const hostilePlans = 20_000

func followPlans(t *testing.T, random *rand.Rand, log *os.File) (calls int) {
	var f *follower
	for i := range hostilePlans {
		if i%500 == 0 {
			f = newFollower(t) // calls have changed the values
		}
		plan := make([]byte, 4+random.IntN(60))
		for i := range plan {
			plan[i] = byte(random.Uint32())
		}
		calls += f.follow(t, plan, func(what string) { _, _ = log.WriteString(what + "\n") })
	}
	return calls
}

// follower is a run with its targets by number.
type follower struct {
	*hostileRun
	targets   map[string]py.Value
	functions []string // the names of targets
}

func newFollower(t testing.TB) *follower {
	r := newHostileRun(t)
	f := &follower{hostileRun: r, targets: r.targets(t)}
	f.functions = slices.Sorted(maps.Keys(f.targets))
	return f
}

// FuzzHostileArguments follows any plan: each call ends within the limits, by a value or by an error that says where.
func FuzzHostileArguments(f *testing.F) {
	f.Add([]byte{})
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		plan := make([]byte, 40)
		for i := range plan {
			plan[i] = byte(random.Uint32())
		}
		f.Add(plan)
	}
	debug.SetMaxStack(hostileStack)
	followed := newFollower(f) // once: it takes long, and a plan must not
	f.Fuzz(func(t *testing.T, plan []byte) {
		last := ""
		defer func() {
			if t.Failed() {
				t.Logf("the last call was %s", last)
			}
		}()
		followed.follow(t, plan, func(what string) { last = what })
	})
}
