package pyeval

// This file defines functools.cache. It is not in package stdlib because it hashes, freezes and shares values.

import (
	"slices"
	"sync"
)

// cached is a function under functools.cache. All simulations share what it remembers, so results
// are frozen; two goroutines may compute the same result, and the first one is kept.
type cached struct {
	fn   Value
	mu   sync.Mutex
	seen map[key]Value
}

// maxCached bounds what one function remembers; beyond it, it computes again.
const maxCached = 100_000

// NewCache is functools.cache(user_function).
func NewCache(th *Thread, args []Value, kws []Kw) Value {
	var fn Value
	th.Unpack("cache", args, kws, "user_function", &fn)
	return Obj(&cached{fn: fn, seen: map[key]Value{}})
}

// Type implements [Object].
func (*cached) Type() *Class { return FunctionType }

// Call implements [Callable].
func (c *cached) Call(th *Thread, args []Value, kws []Kw) Value {
	all := append([]Value(nil), args...)
	for _, kw := range kws {
		all = append(all, String(kw.Name), kw.Value)
	}
	k := th.hash(NewTuple(all))
	c.mu.Lock()
	v, ok := c.seen[k]
	c.mu.Unlock()
	if ok {
		return v
	}
	v = th.InvokeKw(c.fn, args, kws)
	if th.transient(v, map[Object]bool{}) {
		return v
	}
	freeze(v)
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.seen[k]; ok {
		return first
	}
	if len(c.seen) < maxCached {
		c.seen[k] = v
	}
	return v
}

// transient tells whether a value is of one run only, or holds such a value in tuples, lists and dicts; seen are those that
// were looked into.
func (th *Thread) transient(v Value, seen map[Object]bool) bool {
	holds := func(x Value) bool {
		th.step()
		th.Nest(1)
		is := th.transient(x, seen)
		th.Nest(-1)
		return is
	}
	switch o := v.o.(type) {
	case Transient:
		return true
	case *Tuple, *List, *Dict:
		if seen[o] {
			return false
		}
		seen[o] = true
	}
	switch o := v.o.(type) {
	case *Tuple:
		return !o.frozen && slices.ContainsFunc(o.items, holds)
	case *List:
		return !o.frozen && slices.ContainsFunc(o.items, holds)
	case *Dict:
		found := false
		if !o.frozen {
			o.each(func(k, x Value) { found = found || holds(k) || holds(x) })
		}
		return found
	}
	return false
}

// Attr gives the function's own attributes, and cache_clear, which does nothing.
func (c *cached) Attr(th *Thread, name string) (Value, bool) {
	switch name {
	case "__wrapped__":
		return c.fn, true
	case "cache_clear":
		return Pure(name, func(*Thread, []Value, []Kw) Value { return None }), true
	}
	th.Nest(1)
	v, ok := th.Attr(c.fn, name)
	th.Nest(-1)
	return v, ok
}

// Freeze implements [Freezer].
func (c *cached) Freeze(f func(Value)) { f(c.fn) }
