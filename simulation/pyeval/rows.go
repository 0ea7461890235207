package pyeval

// A run may hold only some rows of a larger table: the arrays of its data are parts of longer ones. Most of what formulas
// do is row by row, and gives every row what it would get in the whole. This file finds the steps that do not: while a
// thread has [Rows], a function that is not known to work row by row may not be given an array of data, arrays of data may
// not be iterated over, or indexed by place, and so on. Such a step asks the host, or ends the run.
//
// Arrays of data are recognised by their length, which is that of a population. Arrays of another length that are made of
// them (masked, concatenated) are not; so once there is one, every array counts as data.

import (
	"slices"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Rows is what a host says about the rows that a run holds.
type Rows interface {
	// Has reports whether an array of n elements may have one for each row.
	Has(n int) bool
	// Agree gives the answer of all rows to whether any of them, or all, fulfil a condition; mine is that of the rows at
	// hand.
	Agree(all, mine bool) bool
	// Whole is the error with which the run ends that needs other rows; what says which step it is.
	Whole(what string) error
}

// SetRows says that the arrays of the run are parts of longer ones.
func (th *Thread) SetRows(r Rows) { th.rows = r }

// NeedsAll ends the run if it holds only some rows.
func (th *Thread) NeedsAll(what string) {
	if th.rows != nil {
		err := th.rows.Whole(what)
		th.stop(err.Error(), err)
	}
}

// RowError notes that an exception is raised because of what is in the rows: whoever catches it decides by them.
func (th *Thread) RowError() { th.rowError = th.rows != nil }

// RowCount is a number of rows as Python sees it. In a run that holds only some rows it is good for making arrays.
func (th *Thread) RowCount(n int) Value {
	if th.rows != nil && (th.loose || th.rows.Has(n)) {
		return Obj(&rowCount{th, n})
	}
	return Int(int64(n))
}

// isData reports whether c is an array of data in a run that holds only some rows.
func (th *Thread) isData(c vector.Column) bool {
	return th.rows != nil && c.IsArray() && (th.loose || th.rows.Has(c.Len()))
}

// IsDataTable reports whether an axis of a table is that of the data, in a run that holds only some rows.
func (th *Thread) IsDataTable(t Tabular) bool {
	if th.rows == nil {
		return false
	}
	return th.loose || slices.ContainsFunc(t.Shape(), th.rows.Has)
}

// OfData ends the run if a step that works on all elements of an array is given data.
func (th *Thread) OfData(what string, c vector.Column) {
	if th.isData(c) {
		th.NeedsAll(what)
	}
}

// AlongData is ofData for one axis of a table.
func (th *Thread) AlongData(what string, length int) {
	if th.rows != nil && (th.loose || th.rows.Has(length)) {
		th.NeedsAll(what)
	}
}

// Loosen notes that an array of another length is made of data.
func (th *Thread) Loosen(c vector.Column) {
	if th.isData(c) {
		th.loose = true
	}
}

// LoosenTable is loosen for the cells of a table.
func (th *Thread) LoosenTable(t Tabular) { th.loose = th.loose || th.IsDataTable(t) }

// Agree is the answer of all rows to whether any of them, or all, fulfil a condition on c.
func (th *Thread) Agree(c vector.Column, all, mine bool) bool {
	if !th.isData(c) {
		return mine
	}
	agreed := th.rows.Agree(all, mine)
	vector.Asked(c)
	return agreed
}

// checkRows looks at the arguments of a Go function.
func (th *Thread) checkRows(b *Builtin, args []Value, kws []Kw) {
	if b.method && b.of != ArrayType || rowByRow[b.name] {
		return // what containers do with their elements is seen when it is done
	}
	for i := range args {
		th.checkArgument(b.name, &args[i])
	}
	for i := range kws {
		th.checkArgument(b.name, &kws[i].Value)
	}
}

func (th *Thread) checkArgument(name string, v *Value) {
	if t, ok := v.o.(Tabular); ok && th.IsDataTable(t) {
		th.NeedsAll(name + "()")
	}
	if v.o != nil || !th.isData(v.c) {
		return
	}
	if !ofZeros[name] || !th.allZero(v.c) {
		th.NeedsAll(name + "()")
	}
	if v.c.Taped() {
		v.c = vector.Zeros(v.c.Len(), v.c.DType()) // they are nothing but zeros wherever what is recorded holds
	}
}

// ofZeros are the functions that give the same for any number of zeros: much of a law is about what hardly anybody has.
var ofZeros = map[string]bool{"count_nonzero": true, "max": true, "mean": true, "min": true, "sum": true}

// allZero asks whether a column of data is all zeros.
func (th *Thread) allZero(c vector.Column) bool {
	if !c.Type().Number() || c.Len() == 0 {
		return th.rows.Agree(true, false)
	}
	zero := th.Must(th.Rules().AllZero(c))
	mine, _ := th.Rules().Any(zero)
	agreed := th.rows.Agree(true, mine)
	vector.Asked(zero)
	return agreed
}

// rowByRow are the functions and methods in Go whose result has for each row what its arguments have there, or that look
// at their arguments themselves: any and all ask the host.
var rowByRow = namesOf(
	"abs", "all", "any", "around", "array", "asanyarray", "asarray", "astype", "atleast_1d", "busday_count", "callable", "clip", "copy", "decode",
	"decode_to_str", "deepcopy", "digitize", "encode", "empty_like", "endswith", "fix", "flatten", "full", "full_like", "getattr", "hasattr", "id", "in1d",
	"isclose", "isin", "isinstance", "isnat", "len", "lower", "nan_to_num", "ones_like", "piecewise", "print", "ravel", "round", "round_", "searchsorted",
	"select", "set_input", "setattr", "startswith", "strip", "type", "upper", "where", "zeros_like", "zfill",
)

func namesOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	for op := vector.Add; op <= vector.IsFinite; op++ {
		set[op.String()] = true
	}
	return set
}

// collectRows collects what a generator expression gives for the rows of its first array. If it gives more or fewer than
// one each, the result is data of another length.
func (th *Thread) collectRows(over Value) []Value {
	if th.rows == nil {
		return th.Collect(over)
	}
	rows := over.o.(*Generator).fr.slots[0].c.Len()
	th.mapping = true
	items := th.Collect(over)
	th.mapping = false
	th.loose = th.loose || len(items) != rows
	return items
}

// checkCaught ends the run if an exception is caught that depends on what is in the rows.
func (th *Thread) checkCaught() {
	if th.rowError {
		th.NeedsAll("an exception that rows may or may not raise")
	}
}

// wholeSlice reports whether a slice is all of n elements.
func wholeSlice(lo, hi, step, n int) bool { return lo == 0 && hi >= n && step == 1 }

// rowCount is the number of rows of a run that holds only some. Arrays can be made with it; anything else needs the
// number that the whole has.
type rowCount struct {
	th *Thread
	n  int
}

// Type implements [Object].
func (*rowCount) Type() *Class { return IntType }

func (r *rowCount) use() { r.th.NeedsAll("the number of rows") }

// Binary implements [Binarier].
func (r *rowCount) Binary(*Thread, pysyntax.BinaryOp, Value, bool) (Value, bool) {
	r.use()
	return Value{}, false
}

// Compare implements [Comparer].
func (r *rowCount) Compare(*Thread, pysyntax.CompareOp, Value) (Value, bool) {
	r.use()
	return Value{}, false
}

// Unary implements [Unarier].
func (r *rowCount) Unary(*Thread, pysyntax.UnaryOp) (Value, bool) {
	r.use()
	return Value{}, false
}

// Truth implements [Truther].
func (r *rowCount) Truth(*Thread) bool {
	r.use()
	return false
}

// Repr implements [Reprer].
func (r *rowCount) Repr(*Thread) string {
	r.use()
	return ""
}

// SizeOf reads a length to make an array of.
func (v Value) SizeOf() (int64, bool) {
	if r, ok := v.o.(*rowCount); ok {
		return int64(r.n), true
	}
	return v.AsInt()
}

// EachRow collects what (f(x) for x in array) gives. It is taken to depend on x alone, so that a constant array is gone
// through once, for as many times as it has elements, and any array in a run that holds only some rows.
func (th *Thread) EachRow(over Value) (items []Value, times int) {
	g, ok := over.o.(*Generator)
	if !ok || g.state != fresh || g.fn.code.name != genexpr || len(g.fr.slots) == 0 || !g.fr.slots[0].IsArray() {
		return th.Collect(over), 1
	}
	first := &g.fr.slots[0]
	n := first.c.Len()
	if first.c.Constant() && n > 1 {
		first.c = first.c.Range(0, 1)
		if items = th.collectRows(over); len(items) == 1 {
			return items, n
		}
		th.AllocMany(n, ValueBytes*len(items))
		return slices.Repeat(items, n), 1
	}
	return th.collectRows(over), 1
}
