package pyeval

// This file defines what instances of exception classes have, and Python's tree of them.

import "slices"

// excState is what an instance has because its class is an exception.
type excState struct {
	args     []Value
	raisedBy *Instance // `raise x from y`, or what was being handled
	places   []framePlace
	cause    error // the Go error behind it
}

// exceptionTree lists Python's exceptions, each with its base, bases first.
var exceptionTree = [][2]string{
	{"BaseException", ""},
	{"Exception", "BaseException"},
	{"GeneratorExit", "BaseException"},
	{"KeyboardInterrupt", "BaseException"},
	{"SystemExit", "BaseException"},
	{"ArithmeticError", "Exception"},
	{"AssertionError", "Exception"},
	{"AttributeError", "Exception"},
	{"EOFError", "Exception"},
	{"ImportError", "Exception"},
	{"LookupError", "Exception"},
	{"NameError", "Exception"},
	{"OSError", "Exception"},
	{"RuntimeError", "Exception"},
	{"StopIteration", "Exception"},
	{"SyntaxError", "Exception"},
	{"TypeError", "Exception"},
	{"ValueError", "Exception"},
	{"Warning", "Exception"},
	{"DeprecationWarning", "Warning"},
	{"FileExistsError", "OSError"},
	{"FileNotFoundError", "OSError"},
	{"FloatingPointError", "ArithmeticError"},
	{"FutureWarning", "Warning"},
	{"IndexError", "LookupError"},
	{"IsADirectoryError", "OSError"},
	{"KeyError", "LookupError"},
	{"ModuleNotFoundError", "ImportError"},
	{"NotADirectoryError", "OSError"},
	{"NotImplementedError", "RuntimeError"},
	{"OverflowError", "ArithmeticError"},
	{"PermissionError", "OSError"},
	{"RecursionError", "RuntimeError"},
	{"RuntimeWarning", "Warning"},
	{"TimeoutError", "OSError"},
	{"UnboundLocalError", "NameError"},
	{"UnicodeError", "ValueError"},
	{"UnicodeDecodeError", "UnicodeError"},
	{"UnicodeEncodeError", "UnicodeError"},
	{"UserWarning", "Warning"},
	{"ZeroDivisionError", "ArithmeticError"},
}

var exceptionsByName = makeExceptions()

func makeExceptions() map[string]*Class {
	out := make(map[string]*Class, len(exceptionTree))
	for _, row := range exceptionTree {
		c := &Class{Name: row[0], Module: "builtins"}
		if base := out[row[1]]; base != nil {
			c.Bases = []*Class{base}
			c.mro = append([]*Class{c}, base.mro...)
		} else {
			c.mro = []*Class{c, objectType}
		}
		out[row[0]] = c
	}
	return out
}

// The exceptions that Go code raises, and the root of all.
var (
	ArithmeticError     = exceptionsByName["ArithmeticError"]
	AssertionError      = exceptionsByName["AssertionError"]
	AttributeError      = exceptionsByName["AttributeError"]
	BaseException       = exceptionsByName["BaseException"]
	Exception           = exceptionsByName["Exception"]
	FileNotFoundError   = exceptionsByName["FileNotFoundError"]
	GeneratorExit       = exceptionsByName["GeneratorExit"]
	ImportError         = exceptionsByName["ImportError"]
	IndexError          = exceptionsByName["IndexError"]
	KeyError            = exceptionsByName["KeyError"]
	LookupError         = exceptionsByName["LookupError"]
	ModuleNotFoundError = exceptionsByName["ModuleNotFoundError"]
	NameError           = exceptionsByName["NameError"]
	NotImplementedError = exceptionsByName["NotImplementedError"]
	OSError             = exceptionsByName["OSError"]
	OverflowError       = exceptionsByName["OverflowError"]
	RecursionError      = exceptionsByName["RecursionError"]
	RuntimeError        = exceptionsByName["RuntimeError"]
	StopIteration       = exceptionsByName["StopIteration"]
	SyntaxError         = exceptionsByName["SyntaxError"]
	TypeError           = exceptionsByName["TypeError"]
	UnboundLocalError   = exceptionsByName["UnboundLocalError"]
	UnicodeDecodeError  = exceptionsByName["UnicodeDecodeError"]
	UnicodeEncodeError  = exceptionsByName["UnicodeEncodeError"]
	ValueError          = exceptionsByName["ValueError"]
	ZeroDivisionError   = exceptionsByName["ZeroDivisionError"]
)

// NewExceptionClass makes an exception class for a host module.
func NewExceptionClass(name, module string, base *Class) *Class {
	c := NewClass(name, nil, base)
	c.Module = module
	return c
}

func newException(class *Class, args ...Value) *Instance {
	return &Instance{class: class, exc: &excState{args: args}}
}

// newExceptionValue is New of exception classes.
func newExceptionValue(_ *Thread, class *Class, args []Value, _ []Kw) Value {
	return Obj(newException(class, append([]Value(nil), args...)...))
}

// isExceptionInit tells whether a method is the __init__ of BaseException itself.
func isExceptionInit(v Value) bool {
	b, ok := v.o.(*Builtin)
	return ok && b.of == BaseException
}

func exceptionInit(th *Thread, args []Value, _ []Kw) Value {
	if len(args) == 0 {
		th.Raise(TypeError, "__init__() needs self")
	}
	if inst, ok := args[0].o.(*Instance); ok && inst.exc != nil {
		inst.exc.args = append([]Value(nil), args[1:]...)
	}
	return None
}

func (e *excState) attr(name string) (Value, bool) {
	switch name {
	case "args":
		return NewTuple(e.args), true
	case "__cause__", "__context__":
		if e.raisedBy == nil {
			return None, true
		}
		return Obj(e.raisedBy), true
	case "__traceback__":
		return None, true
	case "message", "msg", "name":
		if len(e.args) > 0 {
			return e.args[0], name != "message"
		}
	case "with_traceback":
		return Value{}, false
	}
	return Value{}, false
}

// text is str() of an exception: nothing, its one argument, or all of them.
func (e *excState) text(th *Thread, class *Class) string {
	switch len(e.args) {
	case 0:
		return ""
	case 1:
		if class.IsSub(KeyError) {
			return th.Repr(e.args[0])
		}
		return th.Str(e.args[0])
	}
	return tupleText(th, e.args)
}

// raise is the raise statement.
func (th *Thread) raise(v Value, cause Value, hasCause bool) {
	exc := th.exceptionFrom(v)
	if exc.exc.raisedBy == nil && th.handling != exc {
		exc.exc.raisedBy = th.handling
	}
	if hasCause {
		exc.exc.raisedBy = nil
		if !cause.IsNone() {
			exc.exc.raisedBy = th.exceptionFrom(cause)
		}
	}
	panic(&raised{exc})
}

func (th *Thread) exceptionFrom(v Value) *Instance {
	if c, ok := v.o.(*Class); ok && c.IsSub(BaseException) {
		v = c.Call(th, nil, nil)
	}
	if inst, ok := v.o.(*Instance); ok && inst.exc != nil {
		return inst
	}
	th.Raise(TypeError, "exceptions must derive from BaseException")
	return nil
}

// matches tells whether an except clause takes an exception.
func (th *Thread) matches(exc *Instance, want Value) bool {
	switch w := want.o.(type) {
	case *Class:
		return exc.class.IsSub(w)
	case *Tuple:
		th.Nest(1)
		found := slices.ContainsFunc(w.items, func(x Value) bool { return th.matches(exc, x) })
		th.Nest(-1)
		return found
	}
	th.Raise(TypeError, "catching classes that do not inherit from BaseException is not allowed")
	return false
}
