package pyeval

import "edict/simulation/pysyntax"

// This file shows tests, which stand outside the package because they need its libraries, what is inside.

// AtRest tells that a thread is where it was before it ran: no call, no value on the stack, no coroutine.
func (th *Thread) AtRest() bool {
	return th.depth == 0 && th.top == nil && th.stack.at() == (stackAt{}) && len(th.coroutines) == 0
}

// Tables are the modules in Go, Libraries the roots of those in Python.
func (p *Program) Tables() map[string]func() Table { return p.tables }

// Libraries are the roots of the modules in Python.
func (p *Program) Libraries() []Root { return p.libraries }

// Builtins are the names that every module knows.
func Builtins() Table { return builtins }

// HiddenClasses are built-in classes that no name leads to.
func HiddenClasses() []*Class { return []*Class{ArrayType, generatorType, dictItemsType} }

// Pending tells that a function is not compiled yet.
func (f *Function) Pending() bool { return f.code.pending.Load() != nil }

// Unwrapped is the function that a static or class method holds, or else the value itself.
func Unwrapped(v Value) Value {
	switch o := v.o.(type) {
	case *staticMethod:
		return o.fn
	case *classMethod:
		return o.fn
	}
	return v
}

// HeapBytes is how much of the heap is taken.
func HeapBytes() uint64 {
	_, held := heapBytes()
	return held
}

// Compile compiles a tree as the module a.b.c.d.e.f.
func Compile(p *Program, file, src string, tree *pysyntax.Module) {
	m := newModule("a.b.c.d.e.f")
	m.File, m.source, m.Package = file, src, true
	compileModule(p, m, tree)
}
