package numpy

// This file defines the functions of numpy that choose, search and count.

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

func numpyWhere(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	if len(args) == 1 && len(kws) == 0 {
		return numpyNonzero(th, args, nil)
	}
	var cond, x, y py.Value
	th.Unpack("where", args, kws, "condition", &cond, "x", &x, "y", &y)
	if anyGridded(cond, x, y) {
		return elementwise(th, "where", func(c []vector.Column) vector.Column { return th.Must(th.Rules().Where(c[0], c[1], c[2])) }, cond, x, y)
	}
	return py.Col(th.Must(th.Rules().Where(operand(th, "where", cond), operand(th, "where", x), operand(th, "where", y))))
}

func numpySelect(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var conds, choices py.Value
	otherwise := py.Int(0)
	th.Unpack("select", args, kws, "condlist", &conds, "choicelist", &choices, "default?", &otherwise)
	if all := slices.Concat(th.Collect(conds), th.Collect(choices), []py.Value{otherwise}); anyGridded(all...) {
		return selectGrids(th, all)
	}
	cs, vs := operands(th, "select", conds), operands(th, "select", choices)
	return py.Col(th.Must(th.Rules().Select(cs, vs, operand(th, "select", otherwise))))
}

// selectGrids is numpy.select of conditions, as many choices, and what is chosen otherwise.
func selectGrids(th *py.Thread, all []py.Value) py.Value {
	n := len(all) / 2
	return elementwise(th, "select", func(c []vector.Column) vector.Column {
		return th.Must(th.Rules().Select(c[:n], c[n:len(c)-1], c[len(c)-1]))
	}, all...)
}

func operands(th *py.Thread, fn string, list py.Value) []vector.Column {
	items := th.Collect(list)
	out := make([]vector.Column, len(items))
	for i, v := range items {
		out[i] = operand(th, fn, v)
	}
	return out
}

// numpyPiecewise is numpy.piecewise with values or functions of one array.
func numpyPiecewise(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var x, conds, funcs py.Value
	th.Unpack("piecewise", args, kws, "x", &x, "condlist", &conds, "funclist", &funcs)
	if g, ok := gridded(x); ok {
		flat := th.Collect(conds)
		for i, c := range flat {
			flat[i] = py.Raw(gridOf(th, "piecewise", c).flat)
		}
		return g.with(numpyPiecewise(th, []py.Value{py.Raw(g.flat), py.Obj(py.NewList(flat)), funcs}, nil).Raw())
	}
	cs, fs := operands(th, "piecewise", conds), th.Collect(funcs)
	if len(fs) != len(cs) && len(fs) != len(cs)+1 {
		th.Raise(py.ValueError, "with %d condition(s), either %d or %d functions are expected", len(cs), len(cs), len(cs)+1)
	}
	c := operand(th, "piecewise", x)
	result := vector.Zeros(c.Len(), c.DType())
	if len(fs) == len(cs)+1 {
		result = castColumn(th, th.Must(piece(th, fs[len(cs)], x).Spread(c.Len())), c.DType())
	}
	for i := range cs {
		result = castColumn(th, th.Must(th.Rules().Where(cs[i], piece(th, fs[i], x), result)), c.DType())
	}
	return py.Raw(result)
}

func piece(th *py.Thread, f, x py.Value) vector.Column {
	if _, ok := f.Object().(py.Callable); ok {
		f = th.InvokeKw(f, []py.Value{x}, nil)
	}
	return operand(th, "piecewise", f)
}

func numpyClip(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	lo, hi, out := py.None, py.None, py.None
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
	bound := func(v py.Value) *vector.Column {
		if v.IsNone() {
			return nil
		}
		c := operand(th, "clip", v)
		return &c
	}
	if anyGridded(a, lo, hi) {
		return clipGrid(th, a, lo, hi)
	}
	return py.Col(th.Must(th.Rules().Clip(operand(th, "clip", a), bound(lo), bound(hi))))
}

// clipGrid is numpy.clip where something has two dimensions or more.
func clipGrid(th *py.Thread, a, lo, hi py.Value) py.Value {
	args := []py.Value{a}
	for _, bound := range []py.Value{lo, hi} {
		if !bound.IsNone() {
			args = append(args, bound)
		}
	}
	return elementwise(th, "clip", func(c []vector.Column) vector.Column {
		var low, high *vector.Column
		if !lo.IsNone() {
			low = &c[1]
		}
		if !hi.IsNone() {
			high = &c[len(c)-1]
		}
		return th.Must(th.Rules().Clip(c[0], low, high))
	}, args...)
}

func numpyRound(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	decimals := 0
	out := py.None
	th.Unpack("round", args, kws, "a", &a, "decimals?", &decimals, "out?", &out)
	if g, ok := gridded(a); ok {
		return g.with(th.Must(th.Rules().Round(g.flat, decimals)))
	}
	c := operand(th, "round", a)
	if c.Type() == vector.Object {
		return eachObject(th, c, func(v py.Value) py.Value { return th.Round(v, py.Int(int64(decimals))) })
	}
	return py.Col(th.Must(th.Rules().Round(c, decimals)))
}

// eachObject applies a Python operation to the elements of an object array.
func eachObject(th *py.Thread, c vector.Column, f func(py.Value) py.Value) py.Value {
	items := py.ColumnValues(th, c)
	for i, v := range items {
		th.Tick(1)
		items[i] = f(v)
	}
	return py.Raw(th.ObjectArray(items))
}

// numpyIsin is numpy.isin. What is no sequence, such as a set, is one thing to numpy, which no element is.
func numpyIsin(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, values py.Value
	unique, invert := false, false
	th.Unpack("isin", args, kws, "element", &a, "test_elements", &values, "assume_unique?", &unique, "invert?", &invert)
	if _, isSet := values.Object().(*py.Set); isSet {
		values = py.Obj(py.NewList(nil))
	}
	among := gridOf(th, "isin", numpyArray(th, []py.Value{values}, nil)).flat
	th.OfData("isin() among the rows", among)
	return elementwise(th, "isin", func(a []vector.Column) vector.Column {
		c := th.Must(th.Rules().IsIn(a[0], among))
		if invert {
			c = th.Must(th.Rules().Unary(vector.LogicalNot, c))
		}
		return c
	}, a)
}

// numpyIn1d is numpy.in1d: isin of an array that is made flat.
func numpyIn1d(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	if len(args) > 0 {
		if g, ok := gridded(numpyArray(th, args[:1], nil)); ok {
			args = append([]py.Value{py.Raw(g.flat)}, args[1:]...)
		}
	}
	return numpyIsin(th, args, kws)
}

func numpySearchsorted(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, v py.Value
	side := "left"
	th.Unpack("searchsorted", args, kws, "a", &a, "v", &v, "side?", &side)
	sorted := operand(th, "searchsorted", a)
	th.OfData("searchsorted() among the rows", sorted)
	return elementwise(th, "searchsorted", func(c []vector.Column) vector.Column {
		return th.Must(th.Rules().SearchSorted(sorted, c[0], side == "right"))
	}, v)
}

func numpyDigitize(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var x, bins py.Value
	right := false
	th.Unpack("digitize", args, kws, "x", &x, "bins", &bins, "right?", &right)
	limits := operand(th, "digitize", bins)
	th.OfData("digitize() by the rows", limits)
	return elementwise(th, "digitize", func(c []vector.Column) vector.Column { return th.Must(th.Rules().Digitize(c[0], limits, right)) }, x)
}

func numpySort(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	axis, ignored := py.Int(-1), py.None
	th.Unpack("sort", args, kws, "a", &a, "axis?", &axis, "kind?", &ignored, "order?", &ignored, "*stable?", &ignored)
	if g, ok := gridded(a); ok {
		return g.ordered(th, axis, (*vector.Rules).Sort)
	}
	return py.Raw(th.Must(th.Rules().Sort(operand(th, "sort", a))))
}

func numpyUnique(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	index, inverse, counts := false, false, false
	axis, equal := py.None, true
	th.Unpack("unique", args, kws, "ar", &a, "return_index?", &index, "return_inverse?", &inverse, "return_counts?", &counts, "axis?", &axis, "*equal_nan?", &equal)
	if !equal {
		th.Raise(py.NotImplementedError, "unique takes NaN for one value here: equal_nan=False is not there")
	}
	g := gridOf(th, "unique", a)
	if !axis.IsNone() && len(g.shape) > 1 {
		return th.InvokeKw(th.GetAttr(py.Obj(th.MustImport("_numpy_count")), "_unique_along"), []py.Value{a, axis, py.Bool(index), py.Bool(inverse), py.Bool(counts)}, nil)
	}
	u := th.Must(th.Rules().Unique(g.flat))
	out := []py.Value{py.Raw(u)}
	if !index && !inverse && !counts {
		return out[0]
	}
	at := th.Must(th.Rules().SearchSorted(u, g.flat, false))
	places := make([]int32, th.Elements(at.Len(), 1))
	first := make([]int64, th.Elements(u.Len(), 1))
	for i := len(places) - 1; i >= 0; i-- {
		places[i] = int32(at.Int(i))
		first[places[i]] = int64(i)
	}
	if index {
		out = append(out, py.Raw(vector.Of(first)))
	}
	if inverse {
		out = append(out, g.with(at.As(vector.Array)))
	}
	if counts {
		out = append(out, py.Raw(vector.GroupCount(places, u.Len(), nil)))
	}
	return py.NewTuple(out)
}

func numpyNonzero(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	a := th.OnlyArg("nonzero", args)
	if g, ok := gridded(a); ok {
		return g.nonzeroValue(th)
	}
	c := operand(th, "nonzero", a)
	th.OfData("the places of rows", c)
	return py.NewTuple([]py.Value{py.Raw(vector.FlatNonZero(c))})
}

func numpyFlatnonzero(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	return py.Raw(vector.FlatNonZero(gridOf(th, "flatnonzero", th.OnlyArg("flatnonzero", args)).flat))
}

// numpyCountNonzero is the sum of truths.
func numpyCountNonzero(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	axis, keep := py.None, false
	th.Unpack("count_nonzero", args, kws, "a", &a, "axis?", &axis, "*keepdims?", &keep)
	g := gridOf(th, "count_nonzero", a)
	truths := g.with(castColumn(th, g.flat, vector.DType{Type: vector.Bool}))
	return th.InvokeKw(th.GetAttr(truths, "sum"), nil, []py.Kw{{Name: "axis", Value: axis}, {Name: "keepdims", Value: py.Bool(keep)}})
}

func numpyBincount(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var x py.Value
	weights := py.None
	least := 0
	th.Unpack("bincount", args, kws, "x", &x, "weights?", &weights, "minlength?", &least)
	c := operand(th, "bincount", x)
	if c.Len() == 0 {
		return py.Raw(vector.Const(th.Elements(max(least, 0), 1), int64(0)))
	}
	th.Work(c.Len())
	index := make([]int32, c.Len())
	for i := range index {
		v := c.Int(i)
		if v < 0 || v > py.MaxElements {
			th.Raise(py.ValueError, "'list' argument must have no negative elements")
		}
		index[i] = int32(v)
		least = max(least, int(v)+1)
	}
	th.Elements(least, 1)
	if weights.IsNone() {
		return py.Raw(vector.GroupCount(index, least, nil))
	}
	w := operand(th, "bincount", weights)
	if w.Len() != len(index) {
		th.Raise(py.ValueError, "The weights and list don't have the same length.")
	}
	return py.Raw(vector.GroupSum(w, index, least, nil))
}

func numpyBusdayCount(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var from, to py.Value
	mask, ignored := py.String("1111100"), py.None
	th.Unpack("busday_count", args, kws, "begindates", &from, "enddates", &to, "weekmask?", &mask, "holidays?", &ignored)
	if !ignored.IsNone() && th.Len(ignored) > 0 {
		th.Raise(py.NotImplementedError, "busday_count: holidays are not supported")
	}
	day := vector.DType{Type: vector.Date, Unit: vector.Day}
	lo, hi := castColumn(th, operand(th, "busday_count", from), day), castColumn(th, operand(th, "busday_count", to), day)
	return py.Col(th.Must(th.Rules().BusDayCount(lo, hi, weekmask(th, mask))))
}

// weekmask reads "1111100", "Mon Tue" or a list of seven truths, Monday first.
func weekmask(th *py.Thread, v py.Value) (mask [7]bool) {
	if s, ok := v.AsString(); ok {
		if len(s) == 7 && (s[0] == '0' || s[0] == '1') {
			for i := range mask {
				mask[i] = s[i] == '1'
			}
			return mask
		}
		for i, name := range []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"} {
			mask[i] = th.Contains(v, py.String(name))
		}
		return mask
	}
	items := th.Collect(v)
	if len(items) != 7 {
		th.Raise(py.ValueError, "A business day weekmask array must have length 7")
	}
	for i, x := range items {
		mask[i] = th.Truth(x)
	}
	return mask
}

// dotArg reads lists of lists as arrays.
func dotArg(th *py.Thread, v py.Value) py.Value {
	if rows, ok := nested(th, v); ok {
		return gridOfRows(th, rows).value()
	}
	return v
}

// numpyDot is the sum of products; of a table, row by row.
func numpyDot(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, b py.Value
	th.Unpack("dot", args, kws, "a", &a, "b", &b)
	a, b = dotArg(th, a), dotArg(th, b)
	t, ok := a.Object().(*tableObject)
	if anyGridded(b) && !scalar(a) || anyGridded(a) && !ok && !scalar(b) {
		return th.InvokeKw(th.GetAttr(py.Obj(th.MustImport("_numpy_algebra")), "_dot"), []py.Value{a, b}, nil)
	}
	if ok && !scalar(b) {
		var out []py.Value
		t.Each(th, func(row py.Value) bool {
			th.Tick(1)
			out = append(out, numpyDot(th, []py.Value{row, b}, nil))
			return true
		})
		return py.Raw(th.ToArray(out))
	}
	if anyGridded(a, b) {
		return apply2(th, vector.Multiply, a, b)
	}
	x, y := operand(th, "dot", a), operand(th, "dot", b)
	if !x.IsArray() || !y.IsArray() {
		return py.Raw(th.Must(th.Rules().Binary(vector.Multiply, x, y)))
	}
	return py.Raw(th.Must(th.Rules().Dot(x, y)))
}

// numpyDiff is what is between neighbours along an axis, n times over.
func numpyDiff(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a py.Value
	n, axis, before, after := 1, py.Int(-1), py.None, py.None
	th.Unpack("diff", args, kws, "a", &a, "n?", &n, "axis?", &axis, "prepend?", &before, "append?", &after)
	g := gridOf(th, "diff", a)
	if len(g.shape) == 0 || n < 0 {
		th.Raise(py.ValueError, "diff requires input that is at least one dimensional, and an order that is not negative")
	}
	along := axisOf(th, axis, len(g.shape))
	if len(g.shape) > 1 {
		th.AlongData("diff() along the rows", g.shape[along])
	}
	g = g.between(th, along, before, after).toFront(th, along)
	op := vector.Subtract
	if g.flat.Type() == vector.Bool {
		op = vector.NotEqual
	}
	for ; n > 0 && g.shape[0] > 0; n-- {
		th.Tick(1)
		size := product(g.shape[1:])
		flat := th.Must(th.Rules().Binary(op, g.flat.Range(size, g.flat.Len()), g.flat.Range(0, g.flat.Len()-size)))
		g = grid{flat, append([]int{g.shape[0] - 1}, g.shape[1:]...)}
	}
	return g.fromFront(th, along).value()
}

// between is an array with something before and after it along an axis: arrays, or one value throughout.
func (g grid) between(th *py.Thread, axis int, before, after py.Value) grid {
	parts := []grid{g}
	for i, v := range []py.Value{before, after} {
		if v.IsNone() {
			continue
		}
		p := gridOf(th, "diff", v)
		if len(p.shape) == 0 {
			shape := slices.Clone(g.shape)
			shape[axis] = 1
			p = grid{th.Must(p.flat.As(vector.Array).Spread(sizeOf(th, shape))), shape}
		}
		parts = slices.Insert(parts, i*len(parts), p)
	}
	if len(parts) == 1 {
		return g
	}
	return concat(th, parts, axis)
}

func numpyArrayEqual(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, b py.Value
	th.Unpack("array_equal", args, kws, "a1", &a, "a2", &b)
	x, y := gridOf(th, "array_equal", a), gridOf(th, "array_equal", b)
	if !slices.Equal(x.shape, y.shape) {
		return py.False
	}
	eq := th.Must(th.Rules().Binary(vector.Equal, x.flat, y.flat))
	all, err := th.Rules().All(eq)
	if err != nil {
		th.Throw(err)
	}
	return py.Bool(all)
}

func numpyIsclose(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var a, b py.Value
	rtol, atol := 1e-5, 1e-8
	th.Unpack("isclose", args, kws, "a", &a, "b", &b, "rtol?", &rtol, "atol?", &atol)
	return elementwise(th, "isclose", func(c []vector.Column) vector.Column {
		gap := th.Binary(pysyntax.Sub, py.Raw(c[0]), py.Raw(c[1]))
		distance := th.Must(th.Rules().Unary(vector.Absolute, operand(th, "isclose", gap)))
		size := th.Must(th.Rules().Unary(vector.Absolute, c[1]))
		limit := th.Must(th.Rules().Binary(vector.Multiply, size, vector.PyFloat(rtol)))
		limit = th.Must(th.Rules().Binary(vector.Add, limit, vector.PyFloat(atol)))
		return th.Must(th.Rules().Binary(vector.LessEqual, distance, limit))
	}, a, b)
}

func numpyNanToNum(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var x py.Value
	copied := true
	nan := 0.0
	th.Unpack("nan_to_num", args, kws, "x", &x, "copy?", &copied, "nan?", &nan)
	if !gridOf(th, "nan_to_num", x).flat.Type().Number() {
		return x
	}
	return elementwise(th, "nan_to_num", func(c []vector.Column) vector.Column {
		isNaN := th.Must(th.Rules().Unary(vector.IsNaN, c[0]))
		return castColumn(th, th.Must(th.Rules().Where(isNaN, vector.PyFloat(nan), c[0])), c[0].DType())
	}, x)
}

func numpyIsscalar(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	v := th.OnlyArg("isscalar", args)
	_, text := v.AsString()
	_, bytes := v.Object().(py.Bytes)
	return py.Bool(text || bytes || v.Object() == nil && !v.Raw().IsArray())
}

// numpyErrstate is a context manager that does nothing: floats never warn here.
func numpyErrstate(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Obj(noContext{}) }

// noContext is a context manager without effect.
type noContext struct{}

// Type implements [py.Object].
func (noContext) Type() *py.Class { return py.BaseObject() }

// Attr implements [py.Attrer].
func (c noContext) Attr(_ *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "__enter__":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.Obj(c) }), true
	case "__exit__":
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.None }), true
	}
	return py.Value{}, false
}
