package pyeval

// This file defines what an object in Go may do in Python: one small interface for each ability.

import (
	"sync/atomic"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Kw is one keyword argument.
type Kw struct {
	Name  string
	Value Value
}

// Callable is an object that can be called. args and kws are valid until Call returns.
type Callable interface {
	Object
	Call(th *Thread, args []Value, kws []Kw) Value
}

// Attrer is an object with attributes of its own; false means there is none of that name.
type Attrer interface {
	Object
	Attr(th *Thread, name string) (Value, bool)
}

// BaseAttrer is an object of a class that Python code may derive from: BaseAttr is what it has without what derived classes say.
type BaseAttrer interface {
	Object
	BaseAttr(th *Thread, name string) (Value, bool)
}

// AttrSetter is an object whose attributes can be set; v is nil to delete one.
type AttrSetter interface {
	Object
	SetAttr(th *Thread, name string, v *Value)
}

// AttrLister names the attributes of an object, for dir() and hints.
type AttrLister interface {
	AttrNames(th *Thread) []string
}

// MethodFunc is a method of a host object, called with the object that has it.
type MethodFunc func(th *Thread, self Object, args []Value, kws []Kw) Value

// Methoder is an object some of whose attributes are methods that can be called without making a bound
// method first; nil means that the name is none of them. Its Attr gives them too.
type Methoder interface {
	Object
	Method(name string) MethodFunc
}

// Indexer is an object with o[key].
type Indexer interface {
	Object
	Item(th *Thread, key Value) Value
}

// Prober is an [Indexer] that can say what it would raise, as [Thread.RaiseFor] has it, instead of raising it.
type Prober interface {
	Indexer
	Probe(th *Thread, key Value) (Value, *Class, error)
}

// ItemSetter is an object with o[key] = v; v is nil for del o[key].
type ItemSetter interface {
	Object
	SetItem(th *Thread, key Value, v *Value)
}

// Binarier is an object with operators. Swapped says that the object is the right operand. False means
// it does not know the other operand.
type Binarier interface {
	Object
	Binary(th *Thread, op pysyntax.BinaryOp, other Value, swapped bool) (Value, bool)
}

// Comparer is an object with comparisons other than `is` and `in`; false means it does not know the other.
type Comparer interface {
	Object
	Compare(th *Thread, op pysyntax.CompareOp, other Value) (Value, bool)
}

// Unarier is an object with -o, +o or ~o; false means it has no such operator.
type Unarier interface {
	Object
	Unary(th *Thread, op pysyntax.UnaryOp) (Value, bool)
}

// Iterable is an object that can be iterated over. Each calls yield for every element until it
// returns false.
type Iterable interface {
	Object
	Each(th *Thread, yield func(Value) bool)
}

// Iterator is an object whose elements are taken one at a time, as Python's next does.
type Iterator interface {
	Object
	Next(th *Thread) (v Value, ok bool)
}

// Lener is an object with a length.
type Lener interface {
	Object
	Len(th *Thread) int
}

// Container is an object with `in`.
type Container interface {
	Object
	Contains(th *Thread, v Value) bool
}

// Truther is an object that knows its truth; others with a Len are true when not empty, and the rest true.
type Truther interface {
	Object
	Truth(th *Thread) bool
}

// Hasher is an object that can be a key by something else than its identity: equal objects return
// equal keys, which must be comparable in Go.
type Hasher interface {
	Object
	HashKey(th *Thread) any
}

// Reprer is an object with its own repr; str() uses it too unless the object is a [Strer].
type Reprer interface {
	Object
	Repr(th *Thread) string
}

// Strer is an object with its own str().
type Strer interface {
	Object
	Str(th *Thread) string
}

// Site is one place in a program: a call whose first argument is a literal str, or a chain of
// attributes. All goroutines that run the program share it.
type Site struct {
	Name string   // the literal of a call
	Path []string // the chain of attributes, or nil

	number atomic.Int64
	memo   atomic.Pointer[any]
}

// Number returns the number that was kept at the site, false if there is none.
func (s *Site) Number() (int, bool) {
	n := s.number.Load()
	return int(n - 1), n > 0
}

// KeepNumber keeps a number, not a negative one. It lies at the site itself: there is no quicker way to find something.
func (s *Site) KeepNumber(n int) { s.number.Store(int64(n) + 1) }

// Memo returns what was last kept at the site, or nil.
func (s *Site) Memo() any {
	if p := s.memo.Load(); p != nil {
		return *p
	}
	return nil
}

// Keep replaces what is kept at the site. The last of several goroutines wins.
func (s *Site) Keep(v any) { s.memo.Store(&v) }

// SiteCaller is called instead of Call where the first argument is a literal str. It finds that at the site, and anything in
// its place among the arguments, and neither changes nor keeps the lists that it is given.
type SiteCaller interface {
	Callable
	CallSite(th *Thread, site *Site, args []Value, kws []Kw) Value
}

// PathGetter resolves o.a.b.c at once. It returns the value and how many steps of site.Path it took;
// the rest are ordinary attributes of the value. Zero steps means the ordinary way for all.
type PathGetter interface {
	Object
	GetPath(th *Thread, site *Site) (v Value, steps int)
}

// Tabular is an array of two or more dimensions, such as a library of arrays makes. It never changes.
type Tabular interface {
	Object
	Cells() vector.Column // row by row: the last axis runs fastest
	Shape() []int
	// Stored is the array after array[k] = x.
	Stored(th *Thread, k, x Value) Value
}

// Elementwise is a function of arrays that works element by element.
type Elementwise interface {
	Callable
	Elementwise()
}

// Transient is an object that belongs to one run: functions under functools.cache, which all runs share, do not keep it.
type Transient interface {
	Object
	Transient()
}

// PathComparer compares what o.a.b.c is with a number, without giving it away; ok is false where the ordinary way must be
// gone.
type PathComparer interface {
	Object
	ComparePath(th *Thread, path []string, op pysyntax.CompareOp, number int64) (is, ok bool)
}

// PathCaller resolves f(args).a.b.c at once, under the same rule; zero steps means that f must be
// called the ordinary way.
type PathCaller interface {
	Callable
	CallPath(th *Thread, site *Site, args []Value) (v Value, steps int)
}
