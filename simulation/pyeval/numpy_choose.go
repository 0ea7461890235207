package pyeval

import (
	"slices"

	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Functions of numpy that choose, search, count and call.

func numpyWhere(th *Thread, args []Value, kws []Kw) Value {
	if len(args) == 1 && len(kws) == 0 {
		return numpyNonzero(th, args, nil)
	}
	var cond, x, y Value
	th.Unpack("where", args, kws, "condition", &cond, "x", &x, "y", &y)
	return Col(th.must(th.rules.Where(th.operand("where", cond), th.operand("where", x), th.operand("where", y))))
}

func numpySelect(th *Thread, args []Value, kws []Kw) Value {
	var conds, choices Value
	otherwise := Int(0)
	th.Unpack("select", args, kws, "condlist", &conds, "choicelist", &choices, "default?", &otherwise)
	cs, vs := th.operands("select", conds), th.operands("select", choices)
	return Col(th.must(th.rules.Select(cs, vs, th.operand("select", otherwise))))
}

func (th *Thread) operands(fn string, list Value) []vector.Column {
	items := th.Collect(list)
	out := make([]vector.Column, len(items))
	for i, v := range items {
		out[i] = th.operand(fn, v)
	}
	return out
}

// numpyPiecewise is numpy.piecewise with values or functions of one array.
func numpyPiecewise(th *Thread, args []Value, kws []Kw) Value {
	var x, conds, funcs Value
	th.Unpack("piecewise", args, kws, "x", &x, "condlist", &conds, "funclist", &funcs)
	cs, fs := th.operands("piecewise", conds), th.Collect(funcs)
	c := th.operand("piecewise", x)
	result := vector.Zeros(c.Len(), c.DType())
	if len(fs) == len(cs)+1 {
		result = th.cast(th.must(th.piece(fs[len(cs)], x).Spread(c.Len())), c.DType())
	}
	for i := range cs {
		result = th.cast(th.must(th.rules.Where(cs[i], th.piece(fs[i], x), result)), c.DType())
	}
	return Value{c: result}
}

func (th *Thread) piece(f, x Value) vector.Column {
	if _, ok := f.o.(Callable); ok {
		f = th.call(f, []Value{x}, nil)
	}
	return th.operand("piecewise", f)
}

func numpyClip(th *Thread, args []Value, kws []Kw) Value {
	var a Value
	lo, hi, out := None, None, None
	own := slices.Clone(kws)
	for i, kw := range own { // the method and the function spell the bounds differently
		switch kw.Name {
		case "min":
			own[i].Name = "a_min"
		case "max":
			own[i].Name = "a_max"
		}
	}
	th.Unpack("clip", args, own, "a", &a, "a_min?", &lo, "a_max?", &hi, "out?", &out)
	bound := func(v Value) *vector.Column {
		if v.IsNone() {
			return nil
		}
		c := th.operand("clip", v)
		return &c
	}
	if t, ok := a.o.(*tableObject); ok {
		return t.with(th.must(th.rules.Clip(t.Flat, bound(lo), bound(hi))))
	}
	return Col(th.must(th.rules.Clip(th.operand("clip", a), bound(lo), bound(hi))))
}

func numpyRound(th *Thread, args []Value, kws []Kw) Value {
	var a Value
	decimals := 0
	out := None
	th.Unpack("round", args, kws, "a", &a, "decimals?", &decimals, "out?", &out)
	if t, ok := a.o.(*tableObject); ok {
		return t.with(th.must(th.rules.Round(t.Flat, decimals)))
	}
	c := th.operand("round", a)
	if c.Type() == vector.Object {
		return th.eachObject(c, func(v Value) Value { return th.round(v, Int(int64(decimals))) })
	}
	return Col(th.must(th.rules.Round(c, decimals)))
}

// eachObject applies a Python operation to the elements of an object array.
func (th *Thread) eachObject(c vector.Column, f func(Value) Value) Value {
	items := columnValues(th, c)
	for i, v := range items {
		th.step()
		items[i] = f(v)
	}
	return Value{c: th.objectArray(items)}
}

func numpyIsin(th *Thread, args []Value, kws []Kw) Value {
	var a, values Value
	unique, invert := false, false
	th.Unpack("isin", args, kws, "element", &a, "test_elements", &values, "assume_unique?", &unique, "invert?", &invert)
	if _, isSet := values.o.(*Set); isSet {
		values = Obj(NewList(th.Collect(values)))
	}
	among := th.operand("isin", values)
	th.ofData("isin() among the rows", among)
	c := th.must(th.rules.IsIn(th.operand("isin", a), among))
	if invert {
		c = th.must(th.rules.Unary(vector.LogicalNot, c))
	}
	return Col(c)
}

func numpySearchsorted(th *Thread, args []Value, kws []Kw) Value {
	var a, v Value
	side := "left"
	th.Unpack("searchsorted", args, kws, "a", &a, "v", &v, "side?", &side)
	sorted := th.operand("searchsorted", a)
	th.ofData("searchsorted() among the rows", sorted)
	return Col(th.must(th.rules.SearchSorted(sorted, th.operand("searchsorted", v), side == "right")))
}

func numpyDigitize(th *Thread, args []Value, kws []Kw) Value {
	var x, bins Value
	right := false
	th.Unpack("digitize", args, kws, "x", &x, "bins", &bins, "right?", &right)
	limits := th.operand("digitize", bins)
	th.ofData("digitize() by the rows", limits)
	return Col(th.must(th.rules.Digitize(th.operand("digitize", x), limits, right)))
}

func numpySort(th *Thread, args []Value, kws []Kw) Value {
	var a Value
	axis, kind := None, None
	th.Unpack("sort", args, kws, "a", &a, "axis?", &axis, "kind?", &kind)
	return Value{c: th.must(th.rules.Sort(th.operand("sort", a)))}
}

func numpyUnique(th *Thread, args []Value, kws []Kw) Value {
	var a Value
	counts, inverse := false, false
	th.Unpack("unique", args, kws, "ar", &a, "*return_counts?", &counts, "*return_inverse?", &inverse)
	c := th.operand("unique", a)
	u := th.must(th.rules.Unique(c))
	out := []Value{{c: u}}
	if inverse {
		out = append(out, Value{c: th.must(th.rules.SearchSorted(u, c, false))})
	}
	if counts {
		at := th.must(th.rules.SearchSorted(u, c, false))
		index := make([]int32, at.Len())
		for i := range index {
			index[i] = int32(at.Int(i))
		}
		out = append(out, Value{c: vector.GroupCount(index, u.Len(), nil)})
	}
	if len(out) == 1 {
		return out[0]
	}
	return NewTuple(out)
}

func numpyNonzero(th *Thread, args []Value, _ []Kw) Value {
	c := th.operand("nonzero", th.one("nonzero", args))
	th.ofData("the places of rows", c)
	return NewTuple([]Value{{c: vector.FlatNonZero(c)}})
}

func numpyFlatnonzero(th *Thread, args []Value, _ []Kw) Value {
	return Value{c: vector.FlatNonZero(th.operand("flatnonzero", th.one("flatnonzero", args)))}
}

func numpyCountNonzero(th *Thread, args []Value, _ []Kw) Value {
	return Int(int64(vector.FlatNonZero(th.operand("count_nonzero", th.one("count_nonzero", args))).Len()))
}

func numpyBincount(th *Thread, args []Value, kws []Kw) Value {
	var x Value
	weights := None
	least := 0
	th.Unpack("bincount", args, kws, "x", &x, "weights?", &weights, "minlength?", &least)
	c := th.operand("bincount", x)
	th.work(c.Len())
	index := make([]int32, c.Len())
	for i := range index {
		v := c.Int(i)
		if v < 0 || v > maxElements {
			th.Raise(ValueError, "'list' argument must have no negative elements")
		}
		index[i] = int32(v)
		least = max(least, int(v)+1)
	}
	th.elements(least, 1)
	if weights.IsNone() {
		return Value{c: vector.GroupCount(index, least, nil)}
	}
	w := th.operand("bincount", weights)
	if w.Len() != len(index) {
		th.Raise(ValueError, "The weights and list don't have the same length.")
	}
	return Value{c: vector.GroupSum(w, index, least, nil)}
}

func numpyBusdayCount(th *Thread, args []Value, kws []Kw) Value {
	var from, to Value
	mask, ignored := String("1111100"), None
	th.Unpack("busday_count", args, kws, "begindates", &from, "enddates", &to, "weekmask?", &mask, "holidays?", &ignored)
	if !ignored.IsNone() && th.Len(ignored) > 0 {
		th.Raise(NotImplementedError, "busday_count: holidays are not supported")
	}
	day := vector.DType{Type: vector.Date, Unit: vector.Day}
	lo, hi := th.cast(th.operand("busday_count", from), day), th.cast(th.operand("busday_count", to), day)
	return Col(th.must(th.rules.BusDayCount(lo, hi, th.weekmask(mask))))
}

// weekmask reads "1111100", "Mon Tue" or a list of seven truths, Monday first.
func (th *Thread) weekmask(v Value) (mask [7]bool) {
	if s, ok := v.AsString(); ok {
		if len(s) == 7 && (s[0] == '0' || s[0] == '1') {
			for i := range mask {
				mask[i] = s[i] == '1'
			}
			return mask
		}
		for i, name := range []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"} {
			mask[i] = th.contains(v, String(name))
		}
		return mask
	}
	items := th.Collect(v)
	if len(items) != 7 {
		th.Raise(ValueError, "A business day weekmask array must have length 7")
	}
	for i, x := range items {
		mask[i] = th.Truth(x)
	}
	return mask
}

// numpyDot is the sum of products; of a table, row by row.
func numpyDot(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	th.Unpack("dot", args, kws, "a", &a, "b", &b)
	if t, ok := a.o.(*tableObject); ok {
		var out []Value
		t.Each(th, func(row Value) bool {
			th.step()
			out = append(out, numpyDot(th, []Value{row, b}, nil))
			return true
		})
		return Value{c: th.ToArray(out)}
	}
	x, y := th.operand("dot", a), th.operand("dot", b)
	if !x.IsArray() || !y.IsArray() {
		return Value{c: th.must(th.rules.Binary(vector.Multiply, x, y))}
	}
	return Value{c: th.must(th.rules.Dot(x, y))}
}

func numpyDiff(th *Thread, args []Value, _ []Kw) Value {
	c := th.operand("diff", th.one("diff", args))
	if c.Len() < 2 {
		return Value{c: vector.Zeros(0, c.DType())}
	}
	return Value{c: th.must(th.rules.Binary(vector.Subtract, c.Range(1, c.Len()), c.Range(0, c.Len()-1)))}
}

func numpyArrayEqual(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	th.Unpack("array_equal", args, kws, "a1", &a, "a2", &b)
	x, y := th.operand("array_equal", a), th.operand("array_equal", b)
	if x.Len() != y.Len() {
		return False
	}
	eq := th.must(th.rules.Binary(vector.Equal, x, y))
	all, err := th.rules.All(eq)
	if err != nil {
		th.Throw(err)
	}
	return Bool(all)
}

func numpyIsclose(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	rtol, atol := 1e-5, 1e-8
	th.Unpack("isclose", args, kws, "a", &a, "b", &b, "rtol?", &rtol, "atol?", &atol)
	gap := th.Binary(pysyntax.Sub, Value{c: th.operand("isclose", a)}, Value{c: th.operand("isclose", b)})
	distance := th.must(th.rules.Unary(vector.Absolute, th.operand("isclose", gap)))
	size := th.must(th.rules.Unary(vector.Absolute, th.operand("isclose", b)))
	limit := th.must(th.rules.Binary(vector.Multiply, size, vector.PyFloat(rtol)))
	limit = th.must(th.rules.Binary(vector.Add, limit, vector.PyFloat(atol)))
	return Col(th.must(th.rules.Binary(vector.LessEqual, distance, limit)))
}

func numpyNanToNum(th *Thread, args []Value, kws []Kw) Value {
	var x Value
	copied := true
	nan := 0.0
	th.Unpack("nan_to_num", args, kws, "x", &x, "copy?", &copied, "nan?", &nan)
	c := th.operand("nan_to_num", x)
	if !c.Type().Number() {
		return x
	}
	isNaN := th.must(th.rules.Unary(vector.IsNaN, c))
	return Col(th.cast(th.must(th.rules.Where(isNaN, vector.PyFloat(nan), c)), c.DType()))
}

func numpyIsscalar(th *Thread, args []Value, _ []Kw) Value {
	v := th.one("isscalar", args)
	_, text := v.AsString()
	return Bool(text || v.o == nil && !v.c.IsArray())
}

func numpyIssubdtype(th *Thread, args []Value, kws []Kw) Value {
	var a, b Value
	th.Unpack("issubdtype", args, kws, "arg1", &a, "arg2", &b)
	x := numpyScalarType(th.dtype(a).Type)
	if c, ok := b.o.(*Class); ok && (c == genericType || c == numberType || c == integerType || c == floatingType) {
		return Bool(x.IsSub(c))
	}
	return Bool(th.dtype(a) == th.dtype(b))
}

// numpyErrstate is a context manager that does nothing: floats never warn here.
func numpyErrstate(*Thread, []Value, []Kw) Value { return Obj(noContext{}) }

// noContext is a context manager without effect.
type noContext struct{}

// Type implements [Object].
func (noContext) Type() *Class { return objectType }

// Attr implements [Attrer].
func (c noContext) Attr(_ *Thread, name string) (Value, bool) {
	switch name {
	case "__enter__":
		return Pure(name, func(*Thread, []Value, []Kw) Value { return Obj(c) }), true
	case "__exit__":
		return Pure(name, func(*Thread, []Value, []Kw) Value { return None }), true
	}
	return Value{}, false
}

// numpyVectorize calls a Python function element by element.
func numpyVectorize(th *Thread, args []Value, kws []Kw) Value {
	fn, otypes, ignored := None, None, None
	th.Unpack("vectorize", args, kws, "pyfunc?", &fn, "otypes?", &otypes, "doc?", &ignored, "excluded?", &ignored, "cache?", &ignored)
	if fn.IsNone() {
		return Pure("vectorize", func(th *Thread, args []Value, _ []Kw) Value {
			return Obj(&vectorized{th.one("vectorize", args), otypes})
		})
	}
	return Obj(&vectorized{fn, otypes})
}

type vectorized struct{ fn, otypes Value }

// Type implements [Object].
func (*vectorized) Type() *Class { return functionType }

// Freeze implements [Freezer].
func (v *vectorized) Freeze(f func(Value)) {
	f(v.fn)
	f(v.otypes)
}

// Call implements [Callable]. Constant columns are computed once, which cannot be seen from outside unless the function
// has effects.
func (v *vectorized) Call(th *Thread, args []Value, kws []Kw) Value {
	cols := make([]vector.Column, len(args))
	n, array, constant := 1, false, true
	for i, a := range args {
		cols[i] = th.operand("vectorize", a)
		if v.otypes.IsNone() {
			th.ofData("vectorize(), whose first row says what type the others have", cols[i])
		}
		if cols[i].IsArray() {
			array = true
			if cols[i].Len() != 1 {
				n = cols[i].Len()
			}
		}
		constant = constant && cols[i].Constant()
	}
	for i, c := range cols {
		if cols[i] = c; c.Len() != 1 && c.Len() != n {
			th.Raise(ValueError, "operands could not be broadcast together: %d and %d elements", c.Len(), n)
		}
	}
	count := n
	if constant {
		count = min(n, 1)
	}
	th.allocMany(count, valueBytes)
	results := make([]Value, count)
	for i := range results {
		th.step()
		results[i] = th.call(v.fn, elementsAt(th, cols, i), kws)
	}
	return v.join(th, results, n, array)
}

func elementsAt(th *Thread, cols []vector.Column, i int) []Value {
	out := make([]Value, len(cols))
	for k, c := range cols {
		if c.Len() == 1 {
			out[k] = Col(th.must(c.At(0)))
		} else {
			out[k] = Col(th.must(c.At(i)))
		}
	}
	return out
}

// firstType reads otypes: a list of types, or a text with one letter for each.
func (th *Thread) firstType(otypes Value) Value {
	if s, ok := otypes.AsString(); ok && len(s) > 0 {
		return String(s[:1])
	}
	kinds := th.Collect(otypes)
	if len(kinds) != 1 {
		th.Raise(ValueError, "vectorize: otypes must name one type")
	}
	return kinds[0]
}

// join makes the array of the results; otypes, or else the first result, says of what type.
func (v *vectorized) join(th *Thread, results []Value, n int, array bool) Value {
	var c vector.Column
	switch {
	case !v.otypes.IsNone():
		c = th.cast(th.ToArray(results), th.dtype(th.firstType(v.otypes)))
	case len(results) == 0:
		th.Raise(ValueError, "cannot call `vectorize` on size 0 inputs unless `otypes` is set")
	default:
		first := th.operand("vectorize", results[0])
		c = th.cast(th.ToArray(results), first.DType())
		if first.Type() == vector.Str || first.Type() == vector.Bytes {
			c = th.ToArray(results)
		}
	}
	if c.Len() != n {
		c = th.must(c.Spread(n))
	}
	if !array {
		c = c.As(vector.NumpyScalar)
	}
	return Value{c: c}
}
