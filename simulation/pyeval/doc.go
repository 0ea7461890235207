// Package pyeval runs Python: it compiles trees of package pysyntax to Go closures and gives them
// values, classes, exceptions, modules, the built-ins, and numpy's arithmetic through package vector.
// Packages stdlib and numpy beside it are libraries: they add modules to a program as any host does.
//
// # Main types
//
//   - [Program] is the set of modules that were loaded, from an fs.FS with a search path and from
//     tables of Go values. Loading runs module code; after [Program.Freeze] everything reachable from
//     modules is read-only and any number of goroutines may run its functions.
//   - [Thread] is one run: its stack, its budget ([Limits]), its context. A thread belongs to one
//     goroutine at a time.
//   - [Value] is a Python value in 48 bytes: a column (numbers and arrays, no allocation for scalars)
//     or an [Object].
//
// # Errors
//
// Inside, a Python exception travels as a panic of a private type; [Thread.Try], [Thread.Call] and
// [Program.Import] are the doors where it becomes an [*Error] with a traceback. Code called from
// Python raises with [Thread.Raise] (a Python exception class and a message) or [Thread.Throw] (any Go
// error) and must not recover panics it does not own. Exhausted budgets and cancelled contexts leave
// through the same doors but cannot be caught by Python code.
//
// # Writing a module in Go
//
// A module is a table from names to values, registered with [Program.AddModule]:
//
//	prog.AddModule("math", Table{
//		"floor": Pure("floor", mathFloor),
//		"pi":    Float(math.Pi),
//	})
//
// where
//
//	func mathFloor(th *Thread, args []Value, kws []Kw) Value {
//		var x Value
//		th.Unpack("floor", args, kws, "x", &x)
//		...
//	}
//
// The slices args and kws are borrowed: they are valid until the function returns. [Pure] declares that the
// function gives the same for the same arguments; a run that calls one made with [Func] is not remembered.
// A table stands in one place, its names in alphabetical order.
//
// # Host objects
//
// A Go type becomes a Python object by implementing [Object] and any of [Attrer], [AttrSetter],
// [Callable], [Indexer], [Binarier], [Iterable], [Lener], [Container], [Truther], [Hasher], [Reprer].
// For speed it may also implement [SiteCaller] and [PathGetter]: the compiler gives every call with a
// literal first argument and every chain of attributes a [Site], on which a host can keep what it
// looked up. A class in Go is a [Class] made with [NewClass]; its [Metaclass] sees subclasses being
// created.
package pyeval
