// Package jsonio reads and writes JSON (RFC 8259).
//
// There is one reader. A text is walked over once, by a [Reader] that knows the grammar, and whoever wants something of it
// walks along: [Rules.Decode] over a Go value, [Rules.Check] over nothing, any other [Walker] over what it builds. What a text
// may be, and what reading it may use, are [Rules]. An [Error] says what is wrong and where, in words of its own and as a
// [Problem] for whoever has other words.
//
// There is one writer: [AppendString] and [AppendFloat] for parts, and a [Writer] for a text that may be long.
package jsonio

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"

	"edict/platform/heap"
)

// Rules are what a text may be and what reading it may use. The zero value is strict: one value and nothing after it, every key
// of an object once, valid UTF-8 without a byte order mark, whole surrogate pairs, 100 levels.
type Rules struct {
	Depth         int  // most levels of objects and lists; 0: 100
	LastWins      bool // of equal keys of an object the last counts
	ByteOrderMark bool // one may come first; positions are counted after it
	AnyText       bool // strings may hold what is no character: bytes that are not UTF-8, halves of surrogate pairs
	RefuseTypos   bool // decoding refuses an unknown field whose name is nearly a known one; others are passed over

	Context  context.Context // ends the reading when it is done; nil: nothing does
	Values   int             // most values, objects and lists included; 0: any number
	Memory   *heap.Share     // what values take is held of it; nil: of nothing
	PerValue int64           // bytes that a value takes
}

// DefaultDepth is how many levels a text may have.
const DefaultDepth = 100

const byteOrderMark = "\ufeff"

// Walker makes something of a value. Read is called where the value begins, and leaves the reader behind it. What it calls on the
// reader panics where the text is wrong, up to [Rules.Read]; a reader is of no use after that, nor after Read has returned.
type Walker interface {
	Read(r *Reader)
}

// Read has a walker read the value that a text is. Its errors are an *[Error], *[TooManyValues], that of the context or that of
// the memory.
func (o Rules) Read(data []byte, w Walker) error { return readers.Get().run(o, data, w) }

// Check reads a text for nothing but its errors.
func (o Rules) Check(data []byte) error { return o.Read(data, nothing{}) }

type nothing struct{}

func (nothing) Read(r *Reader) { r.Skip() }

// failure carries an error up to Read.
type failure struct{ error }

// Reader is the state of one walk over a text.
type Reader struct {
	rules Rules
	data  []byte
	pos   int
	depth int
	count int // values
	look  int // the count at which to look at the bounds
	keys  keySet

	filling        // if a Go value is filled
	path    []step // of that value
	unknown int    // fields that were looked at as typing errors
	kept    int    // elements of lists that were filled
}

// readers are those that nobody uses: a walk borrows one from its beginning to its end.
var readers = heap.Pool[Reader]{New: func() *Reader {
	return &Reader{path: make([]step, 0, 16), keys: keySet{keys: make([][]byte, 0, 2*fewKeys)}}
}}

// giveBack lets the reader serve again, without what it read.
func (r *Reader) giveBack() {
	if cap(r.keys.keys) > 1<<10 {
		return
	}
	clear(r.path[:cap(r.path)])
	clear(r.keys.keys[:cap(r.keys.keys)])
	*r = Reader{path: r.path[:0], keys: keySet{keys: r.keys.keys[:0], marks: r.keys.marks[:0]}}
	readers.Put(r)
}

// run is the walk, after which the reader is given back.
func (r *Reader) run(o Rules, data []byte, w Walker) (err error) {
	defer func() {
		p := recover()
		r.giveBack()
		switch p := p.(type) {
		case nil:
		case failure:
			err = p.error
		default:
			panic(p)
		}
	}()
	r.begin(o, data)
	w.Read(r)
	if r.Next(); r.pos < len(r.data) {
		r.malformed(MoreText, "there is more text after the end of the value")
	}
	return nil
}

// begin goes to the value.
func (r *Reader) begin(o Rules, data []byte) {
	o.Depth = cmp.Or(o.Depth, DefaultDepth)
	r.rules, r.data, r.count, r.look = o, data, 1, math.MaxInt
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		if !o.ByteOrderMark {
			r.malformed(Mark, "the text starts with a byte order mark: send plain UTF-8")
		}
		r.data = data[len(byteOrderMark):]
	}
	r.bound()
	r.space()
	if r.pos == len(r.data) {
		r.malformed(WantValue, "the body is empty")
	}
}

// TooManyValues says that a text has more values than it may have.
type TooManyValues struct{ Most int }

func (e *TooManyValues) Error() string {
	return fmt.Sprintf("the document has more than %d values", e.Most)
}

// lookEvery is after how many values the bounds are looked at.
const lookEvery = 4096

// bound begins to count. A text that has far too many values is refused before anything is made of it.
func (r *Reader) bound() {
	o := &r.rules
	if o.Values > 0 && len(r.data)/2 > o.Values && commas(r.data) > o.Values {
		panic(failure{&TooManyValues{o.Values}})
	}
	if o.Values > 0 || o.Context != nil || o.Memory != nil {
		r.look = 0
		r.lookAgain()
	}
}

func (r *Reader) lookAgain() {
	r.look += lookEvery
	if most := r.rules.Values; most > 0 {
		r.look = min(r.look, most)
	}
}

// bounded looks at the bounds.
func (r *Reader) bounded() {
	o := &r.rules
	switch {
	case o.Values > 0 && r.count > o.Values:
		panic(failure{&TooManyValues{o.Values}})
	case o.Context != nil && o.Context.Err() != nil:
		panic(failure{o.Context.Err()})
	}
	r.lookAgain()
	if err := o.Memory.Take(lookEvery * o.PerValue); err != nil {
		panic(failure{err})
	}
}

// Held is for how many of the values so far memory is held.
func (r *Reader) Held() int64 { return int64((r.count - 1) / lookEvery * lookEvery) }

// commas counts the commas outside of strings, behind each of which there is a value.
func commas(text []byte) int {
	n, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == ',' && !quoted:
			n++
		}
	}
	return n
}
