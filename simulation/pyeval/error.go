package pyeval

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// The causes of an [*Error] whose run was stopped.
var (
	ErrSteps  = errors.New("too many steps")
	ErrTime   = errors.New("out of time")
	ErrMemory = errors.New("too much memory")
)

// Error is a Python exception, or the end of a run, as seen by Go.
type Error struct {
	Class     string // name of the Python class, such as "KeyError"
	Message   string // str() of the exception
	Traceback []Place
	Exception *Instance // nil when the run was stopped
	Cause     error     // the Go error behind it, if any
}

// Place is one line of a traceback, outermost first.
type Place struct {
	File   string
	Line   int
	Col    int
	In     string // function, or <module>
	Source string // the line, without indentation
}

// Error returns where and what in one line; [Error.Trace] has the whole story.
func (e *Error) Error() string {
	text := e.Class
	if e.Message != "" {
		text += ": " + e.Message
	}
	if at := e.Where(); at != "" {
		return at + ": " + text
	}
	return text
}

// Where returns the file and line of the exception, "" if it has none.
func (e *Error) Where() string {
	n := len(e.Traceback)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", e.Traceback[n-1].File, e.Traceback[n-1].Line)
}

// Unwrap returns the Go error behind the exception.
func (e *Error) Unwrap() error { return e.Cause }

// Trace formats the exception as Python's traceback does.
func (e *Error) Trace() string {
	var b strings.Builder
	if len(e.Traceback) > 0 {
		b.WriteString("Traceback (most recent call last):\n")
	}
	for _, p := range e.Traceback {
		fmt.Fprintf(&b, "  File \"%s\", line %d, in %s\n", p.File, p.Line, p.In)
		if p.Source != "" {
			fmt.Fprintf(&b, "    %s\n", p.Source)
		}
	}
	b.WriteString(e.Class)
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	return b.String()
}

// raised is the panic that carries a Python exception; stopped the one that carries the end of a run.
type (
	raised  struct{ exc *Instance }
	stopped struct{ err *Error }
)

// Raise raises a Python exception of the given class with a message. It does not return.
func (th *Thread) Raise(class *Class, format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	panic(&raised{newException(class, String(text))})
}

// RaiseFor raises a Python exception of the given class for a Go error, which it keeps as its cause. It does not return.
func (th *Thread) RaiseFor(class *Class, err error) {
	panic(&raised{exceptionFor(class, err)})
}

func exceptionFor(class *Class, err error) *Instance {
	exc := newException(class, String(err.Error()))
	exc.exc.cause = err
	return exc
}

// Throw raises a Go error as a Python exception: an [*Error] as what it was, an error of package
// vector as the class it names, anything else as a RuntimeError that keeps it as its cause. It does
// not return.
func (th *Thread) Throw(err error) {
	if mine, ok := errors.AsType[*Error](err); ok {
		if mine.Exception == nil {
			panic(&stopped{mine})
		}
		panic(&raised{mine.Exception})
	}
	th.RowError()
	if refused, ok := errors.AsType[*vector.Error](err); ok {
		class, ok := exceptionsByName[string(refused.Kind)]
		if !ok {
			class = ValueError
		}
		th.Raise(class, "%s", refused.Msg)
	}
	th.RaiseFor(RuntimeError, err)
}

// mark is where a thread stood, to return to after an exception.
type mark struct {
	top      *Frame
	depth    int
	nesting  int
	floor    stackAt
	handling *Instance

	kws, scratch int
}

func (th *Thread) mark() mark {
	return mark{th.top, th.depth, th.nesting, th.stack.at(), th.handling, len(th.stack.kws), len(th.stack.scratch)}
}

// cut frees what the stack was given since the mark.
func (s *valueStack) cut(m *mark) {
	s.back(m.floor)
	s.kws, s.scratch = s.kws[:m.kws], s.scratch[:m.scratch]
}

// recovered notes where the exception came from and puts the thread back to the mark.
func (th *Thread) recovered(exc *Instance, m mark) {
	th.trace(&exc.exc.places, m.top)
	th.stack.cut(&m)
	th.top, th.depth, th.nesting, th.handling = m.top, m.depth, m.nesting, m.handling
}

// maxPlaces bounds a traceback: the innermost frames are the ones that tell.
const maxPlaces = 64

// trace adds the frames from the innermost out to, and without, the one that handles.
func (th *Thread) trace(places *[]framePlace, handler *Frame) {
	for fr := th.top; fr != nil && fr != handler; fr = fr.parent {
		if len(*places) >= maxPlaces {
			return
		}
		*places = append(*places, framePlace{fr.code, fr.pos})
	}
}

type framePlace struct {
	code *code
	pos  pysyntax.Pos
}

// Try runs f and returns the exception it raised. It is the door between Go and Python: host code
// that wants to go on after an exception calls Python through it.
func (th *Thread) Try(f func() Value) (v Value, err error) {
	m := th.mark()
	th.doors++
	defer th.closeDoor(&m, &err)
	return f(), nil
}

// closeDoor is the deferred end of every door: it turns what was raised into an error.
func (th *Thread) closeDoor(m *mark, err *error) {
	th.doors--
	if r := recover(); r != nil {
		*err = th.caught(r, *m)
	}
	if th.doors == 0 {
		th.settle()
	}
}

// settle ends what must not outlive the outermost call.
func (th *Thread) settle() {
	if len(th.coroutines) > 0 {
		th.closeCoroutines()
	}
	if len(th.overlay) > 0 {
		th.publish()
	}
	th.memos = nil
}

// caught makes an error of a panic that is ours, and lets others pass.
func (th *Thread) caught(r any, m mark) error {
	switch r := r.(type) {
	case *raised:
		th.recovered(r.exc, m)
		return th.errorOf(r.exc)
	case *stopped:
		var places []framePlace
		th.trace(&places, m.top)
		r.err.Traceback = append(th.places(places), r.err.Traceback...)
		th.stack.cut(&m)
		th.top, th.depth, th.nesting = m.top, m.depth, m.nesting
		return r.err
	}
	panic(r)
}

// errorOf describes an exception to Go.
func (th *Thread) errorOf(exc *Instance) *Error {
	e := &Error{Class: exc.class.Name, Exception: exc, Cause: exc.exc.cause}
	e.Message = th.safeText(exc)
	e.Traceback = th.places(exc.exc.places)
	return e
}

// safeText is str(exc), which may itself raise.
func (th *Thread) safeText(exc *Instance) (text string) {
	m := th.mark()
	defer func() {
		if r := recover(); r != nil {
			text = th.caught(r, m).Error()
		}
	}()
	return th.Str(Obj(exc))
}

// places turns frames, innermost first, into lines, outermost first.
func (th *Thread) places(frames []framePlace) []Place {
	out := make([]Place, 0, len(frames))
	for _, f := range slices.Backward(frames) {

		if f.code == nil {
			continue
		}
		source := pysyntax.Line(f.code.module.source, int(f.pos.Line))
		out = append(out, Place{
			File: f.code.module.File, Line: int(f.pos.Line), Col: int(f.pos.Col),
			In: f.code.name, Source: strings.TrimSpace(source),
		})
	}
	return out
}

// Call calls a Python function, or anything callable, from Go and returns the exception it raised.
func (th *Thread) Call(fn Value, args ...Value) (v Value, err error) {
	m := th.mark()
	th.doors++
	defer th.closeDoor(&m, &err)
	if f, ok := fn.o.(*Function); ok {
		return f.Call(th, args, nil), nil
	}
	return th.InvokeKw(fn, args, nil), nil
}

// Invoke calls from host code that Python called: exceptions pass through the host code as panics.
func (th *Thread) Invoke(fn Value, args ...Value) Value { return th.InvokeKw(fn, args, nil) }

// Must raises the error of a step on columns.
func (th *Thread) Must(c vector.Column, err error) vector.Column {
	if err != nil {
		th.Throw(err)
	}
	return c
}
