package pyeval

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"

	"edict/simulation/vector"
)

// A run counts the bytes of what it makes, and never what it lets go of: only the collector knows. So the count says when
// to look, and the heap of the process says what is there. A run that has made much is stopped if the heap, once garbage is
// collected, has grown by more than the run may hold. What others hold counts too: of runs at the same time that make much,
// the first to look is stopped. A run that makes little is never stopped for what others hold.

// memory is what a run knows about the memory it takes.
type memory struct {
	made    int64  // bytes, in all
	weighAt int64  // the count at which to look at the heap
	largest uint64 // bytes of one value
	longest int    // bytes of one text, which functions go through without looking at the time
	before  uint64 // bytes that lived in the heap when it was first looked at
	after   uint64 // bytes that were left by the last collection that was asked for
}

const (
	weighEvery    = 64 << 20 // bytes made between two looks at the heap, at most
	ownShare      = 8        // a run is stopped only if it has made an eighth of what it may hold
	collectEvery  = 4        // a collection is asked for when the heap has grown by a quarter of what a run may hold
	valuesPerHeap = 4        // one value may take a quarter
	textsPerHeap  = 16       // one text may take a sixteenth
)

func newMemory(limit int64) memory {
	return memory{weighAt: min(weighEvery, limit/ownShare), largest: uint64(limit / valuesPerHeap), longest: int(limit / textsPerHeap)}
}

// Alloc counts the bytes of a value that is about to be made, and ends the run if the value, or all of them, are too large.
func (th *Thread) Alloc(n int) {
	if uint64(n) > th.memory.largest {
		th.stop(fmt.Sprintf("stopped: one value of more than %d bytes, a quarter of the memory that a simulation may hold", th.memory.largest), ErrMemory)
	}
	th.count(int64(n))
}

// AllocText counts the bytes of a str or bytes that is about to be made.
func (th *Thread) AllocText(n int) {
	if n > th.memory.longest {
		th.stop(fmt.Sprintf("stopped: one text of more than %d bytes, a sixteenth of the memory that a simulation may hold", th.memory.longest), ErrMemory)
	}
	th.count(int64(n))
	th.Work(n)
}

// AllocMany counts a value of n parts of some bytes each, which is about to be made.
func (th *Thread) AllocMany(n, size int) {
	if n > 0 && size > 0 && uint64(n) > th.memory.largest/uint64(size) {
		n, size = -1, 1
	}
	th.Alloc(n * size)
	th.Work(n)
}

// MostParts is how many parts of some bytes each one value may have.
func (th *Thread) MostParts(size int) int { return int(th.memory.largest) / size }

// count adds to the bytes that were made and looks at the heap when it is time.
func (th *Thread) count(n int64) {
	th.memory.made += n
	if th.memory.made > th.memory.weighAt {
		th.weigh()
	}
}

// weigh looks at the heap and ends the run if it has grown too much.
func (th *Thread) weigh() {
	m := &th.memory
	limit := uint64(th.limits.Bytes)
	m.weighAt = m.made + min(weighEvery, th.limits.Bytes/ownShare)
	live, held := heapBytes()
	if m.before == 0 {
		m.before = max(live, 1)
	}
	if held <= m.before+limit || held <= m.after+limit/collectEvery {
		return
	}
	runtime.GC()
	m.after, _ = heapBytes()
	if m.after > m.before+limit && m.made > th.limits.Bytes/ownShare {
		th.stop(fmt.Sprintf("stopped: more than %d bytes of memory", limit), ErrMemory)
	}
}

// heapBytes tells how much of the heap was alive at the last collection, and how much is taken, garbage included.
func heapBytes() (live, held uint64) {
	samples := [2]metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples[:])
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}

// made counts a value that a built-in function has made: its bytes, and the time it took. It may have been there before,
// which does no harm.
func (th *Thread) made(v *Value) {
	switch o := v.o.(type) {
	case nil:
		if v.c.IsArray() {
			th.madeColumn(v.c)
		}
	case Str:
		th.madeText(len(o))
	case Bytes:
		th.madeText(len(o))
	case *List:
		th.MadeParts(len(o.items), ValueBytes)
	case *Tuple:
		th.MadeParts(len(o.items), ValueBytes)
	case Tabular:
		th.madeColumn(o.Cells())
	}
}

func (th *Thread) madeText(n int) {
	if n > smallValue {
		th.AllocText(n)
	}
}

func (th *Thread) madeColumn(c vector.Column) {
	c = c.Plain() // what it costs does not decide anything: nobody looks
	if c.Constant() {
		return
	}
	if d := c.DType(); d.Width > smallValue {
		th.Work(c.Len() * int(d.Width)) // long texts take time however few they are
	}
	if c.Len() > smallValue {
		th.MadeParts(c.Len(), columnBytes(c))
	}
}

// MadeParts counts a value of n parts of some bytes each, unless it is small.
func (th *Thread) MadeParts(n, size int) {
	if n > smallValue {
		th.AllocMany(n, size)
	}
}

// ValueBytes and entryBytes are what an element of a list and an entry of a dict take.
const (
	ValueBytes = 48
	entryBytes = 192
)

// ElementSizes are the bytes of an element, as numpy counts them.
var ElementSizes = [...]int64{
	vector.Bool: 1, vector.Int16: 2, vector.Int32: 4, vector.Int64: 8, vector.Float32: 4, vector.Float64: 8,
	vector.Date: 8, vector.Duration: 8, vector.Enum: 2, vector.Str: 4, vector.Bytes: 1, vector.Object: 8,
}

// columnBytes is how much an element of a column takes.
func columnBytes(c vector.Column) int {
	switch c.Type() {
	case vector.Object, vector.Str, vector.Bytes:
		return 16
	}
	return int(ElementSizes[c.Type()])
}

// Written gives the text that write makes of pieces ([Thread.Write]). They lie behind each other in the thread's scratch, and
// texts that are made meanwhile behind them.
func (th *Thread) Written(write func()) string {
	from := len(th.stack.scratch)
	write()
	s := &th.stack.scratch
	th.AllocText(len(*s) - from)
	text := string((*s)[from:])
	*s = (*s)[:from]
	return text
}

// Write adds a piece to the text that is being written.
func (th *Thread) Write(piece string) {
	s := &th.stack.scratch
	if n := len(*s) + len(piece); n > cap(*s) {
		th.AllocText(n)
		*s = slices.Grow(*s, max(len(piece), cap(*s)))
	}
	*s = append(*s, piece...)
}

// TextBuilder makes a str piece by piece and counts it as it grows.
type TextBuilder struct {
	strings.Builder
	th *Thread
}

// NewTextBuilder makes a builder for a run.
func NewTextBuilder(th *Thread) TextBuilder { return TextBuilder{th: th} }

// Add writes a piece.
func (b *TextBuilder) Add(s string) {
	if n := b.Len() + len(s); n > b.Cap() {
		b.th.AllocText(n)
	}
	b.WriteString(s)
}

// Repeat writes a piece many times.
func (b *TextBuilder) Repeat(s string, times int) { b.Add(b.th.repeated(s, times)) }

// repeated is a text so many times.
func (th *Thread) repeated(s string, times int) string {
	if len(s) > 0 && times > th.memory.longest/len(s) {
		th.AllocText(th.memory.longest + 1)
	}
	th.AllocText(max(times, 0) * len(s))
	return strings.Repeat(s, max(times, 0))
}

// Grown is a slice with another element, counted when it needs another place in memory.
func Grown(th *Thread, items []Value, v Value) []Value {
	if len(items) == cap(items) {
		th.Alloc(ValueBytes * max(len(items), 4))
	}
	return append(items, v)
}

// Made is a value that was counted as [Thread.made] does.
func (th *Thread) Made(v Value) Value {
	th.made(&v)
	return v
}

// MaxElements bounds one array.
const MaxElements = 1 << 27

// Elements counts an array of a*b elements towards the budget, before it is made.
func (th *Thread) Elements(a, b int) int {
	if a < 0 || b < 0 {
		th.Raise(ValueError, "negative dimensions are not allowed")
	}
	if b > 0 && a > MaxElements/b {
		th.Raise(ValueError, "an array of more than %d elements is not supported", MaxElements)
	}
	th.AllocMany(a, 8*b)
	return a * b
}
