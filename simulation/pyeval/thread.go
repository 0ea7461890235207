package pyeval

// This file defines a run: its frames and the stack that their values lie on.

import (
	"context"
	"io"
	"time"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Thread is one run of Python code: a stack, a budget and a context. It is used by one goroutine at
// a time. Host code that Python calls may call back with the same thread, to any depth; all share the
// budget.
type Thread struct {
	// Local is whatever the host wants to find back from a thread.
	Local any

	prog   *Program
	ctx    context.Context
	limits Limits
	rules  *vector.Rules
	out    io.Writer // where print writes

	top        *Frame
	depth      int
	frames     []*Frame // by depth, reused
	stack      valueStack
	budget     int64 // steps left until the next look at the limits
	steps      int64 // steps used before that
	memory     memory
	deadline   time.Time
	handling   *Instance // the exception being handled, for a bare raise
	doors      int       // nested doors
	overlay    map[*global]Value
	memos      map[Object]Value // dicts and tables of modules as the outermost call has filled them, by what the modules hold
	coroutines []*Generator     // started and not finished
	nesting    int              // of Go code that runs on behalf of Python: calls, and values inside values
	importing  bool             // this thread holds the lock of imports
	rows       Rows             // nil unless the run holds only some rows
	loose      bool             // arrays of data may have any length
	mapping    bool             // the next array that is gone through gives a value per row
	rowError   bool             // an exception was raised because of what is in the rows
	fresh      bool             // nobody holds the storage of what compute returned last
	effects    int
}

// NewThread starts a run of the program's code. The context cancels it.
func (p *Program) NewThread(ctx context.Context, limits Limits) *Thread {
	th := &Thread{prog: p, ctx: ctx, limits: limits.withDefaults(), out: p.Stdout}
	th.rules = &vector.Rules{NEP50: p.NEP50, Objects: objectMath{th}}
	th.budget = min(checkEvery, th.limits.Steps)
	th.memory = newMemory(th.limits.Bytes)
	if th.limits.Time > 0 {
		th.deadline = time.Now().Add(th.limits.Time)
	}
	return th
}

// Context returns the context that cancels the run.
func (th *Thread) Context() context.Context { return th.ctx }

// Program returns the program whose code is run.
func (th *Thread) Program() *Program { return th.prog }

// Rules returns numpy's rules for this run, with Python's operations for object columns.
func (th *Thread) Rules() *vector.Rules { return th.rules }

// Effects counts what code has done so far that may make a later run of the same code come out differently: lazy globals
// that it assigned, or read before they were published, and calls of Go functions that do not declare themselves pure.
func (th *Thread) Effects() int { return th.effects }

// Frame is one active call of a Python function, module or class body. Frames are reused.
type Frame struct {
	th     *Thread
	code   *code
	slots  []Value
	frees  []*cell
	ns     *Dict // names of a class body
	parent *Frame
	pos    pysyntax.Pos
	ret    Value
	yield  func(Value) Value // in a generator
	class  *classCell        // the class body around the function, for super()
}

// classCell is filled with the class when its body has run.
type classCell struct{ class *Class }

// cell is a variable that closures share.
type cell struct {
	v      Value
	frozen bool
}

func (*cell) Type() *Class { return unboundType }

// valueStack gives windows of values to calls, last in first out. It grows by chunks, so that windows
// stay where they are.
type valueStack struct {
	cur    []Value // the chunk in use
	sp     int     // how much of it is taken
	chunk  int
	chunks [][]Value

	kws     []Kw   // keyword arguments of the calls being made
	scratch []byte // the texts being written
}

// stackAt is a height of the stack to go back to.
type stackAt struct{ chunk, sp int }

// firstChunk is the size of the first chunk; each next one doubles it.
const firstChunk = 64

func (s *valueStack) at() stackAt { return stackAt{s.chunk, s.sp} }

// back frees the windows taken since.
func (s *valueStack) back(to stackAt) {
	s.sp = to.sp
	if s.chunk != to.chunk {
		s.chunk = to.chunk
		s.cur = s.chunks[to.chunk]
	}
}

// window takes n values; what they hold is arbitrary.
func (s *valueStack) window(n int) []Value {
	lo := s.sp
	hi := lo + n
	if hi > len(s.cur) {
		return s.grow(n)
	}
	s.sp = hi
	return s.cur[lo:hi:hi]
}

// grow goes to the next chunk, or makes the first.
func (s *valueStack) grow(n int) []Value {
	if s.chunks != nil {
		s.chunk++
	}
	if s.chunk == len(s.chunks) || n > len(s.chunks[s.chunk]) {
		s.chunks = append(s.chunks[:s.chunk], make([]Value, max(n, firstChunk<<min(s.chunk, 8))))
	}
	s.cur = s.chunks[s.chunk]
	s.sp = n
	return s.cur[:n:n]
}

// newFrame takes the frame of the next depth.
func (th *Thread) newFrame() *Frame {
	if th.depth >= len(th.frames) {
		th.frames = append(th.frames, make([]*Frame, th.depth+16-len(th.frames))...)
	}
	fr := th.frames[th.depth]
	if fr == nil {
		fr = &Frame{th: th}
		th.frames[th.depth] = fr
	}
	return fr
}
