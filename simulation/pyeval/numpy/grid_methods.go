package numpy

// This file defines the methods and attributes of arrays of two or more dimensions.

import (
	"slices"

	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// gridMethod is a method of arrays of two or more dimensions.
type gridMethod func(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value

// gridMethods are their methods, in alphabetical order; [arrayTable] has those of one dimension.
var gridMethods map[string]gridMethod

func init() {
	gridMethods = map[string]gridMethod{
		"__abs__":      gridFunction("absolute"),
		"all":          truthMethod("all"),
		"any":          truthMethod("any"),
		"argmax":       placeMethod("argmax", vector.Maximum),
		"argmin":       placeMethod("argmin", vector.Minimum),
		"argpartition": gridFunction("argpartition"),
		"argsort":      orderMethod("argsort", (*vector.Rules).ArgSort),
		"astype":       gridAstype,
		"choose":       gridFunction("choose"),
		"clip":         gridFunction("clip"),
		"compress": func(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
			return arrayCompress(th, append([]py.Value{g.value()}, args...), kws)
		},
		"conj":      gridFunction("conj"),
		"conjugate": gridFunction("conj"),
		"copy":      func(_ *py.Thread, g grid, _ []py.Value, _ []py.Kw) py.Value { return g.value() },
		"cumprod":   gridFunction("cumprod"),
		"cumsum":    gridCumsum,
		"diagonal":  gridFunction("diagonal"),
		"dot":       gridFunction("dot"),
		"fill":      gridFunction("full_like"),
		"flatten":   gridFlat,
		"item":      gridItem,
		"max":       foldMethod("max", vector.Maximum),
		"mean":      meanMethod,
		"min":       foldMethod("min", vector.Minimum),
		"nonzero":   func(th *py.Thread, g grid, _ []py.Value, _ []py.Kw) py.Value { return g.nonzeroValue(th) },
		"partition": gridFunction("partition"),
		"prod":      gridFunction("prod"),
		"ptp":       gridFunction("ptp"),
		"ravel":     gridFlat,
		"repeat":    gridFunction("repeat"),
		"reshape":   gridReshape,
		"round":     gridFunction("round"),
		"sort":      gridFunction("sort"),
		"squeeze":   gridFunction("squeeze"),
		"std":       gridFunction("std"),
		"sum":       foldMethod("sum", vector.Add),
		"swapaxes":  gridFunction("swapaxes"),
		"take":      gridFunction("take"),
		"tolist":    gridTolist,
		"trace":     gridFunction("trace"),
		"transpose": gridTranspose,
		"var":       gridFunction("var"),
	}
}

// attr is an attribute of an array of two or more dimensions.
func (g grid) attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "T":
		return g.transpose(th, reversed(len(g.shape))).value(), true
	case "mT":
		return g.transpose(th, moved(len(g.shape), len(g.shape)-1, len(g.shape)-2)).value(), true
	case "flat":
		return gridFlat(th, g, nil, nil), true
	case "real":
		return g.value(), true
	case "imag":
		return g.with(zerosLike(g.flat)), true
	case "itemsize":
		return itemsize(g.flat.DType()), true
	case "dtype":
		return py.Obj(dtypeObject{g.flat.DType()}), true
	case "ndim":
		return py.Int(int64(len(g.shape))), true
	case "shape":
		return shapeValue(th, g.value()), true
	case "size":
		g.needsAll(th, "the size of a table of rows")
		return py.Int(int64(g.flat.Len())), true
	case "nbytes":
		g.needsAll(th, "nbytes")
		return py.Int(elementBytes(g.flat.DType()) * int64(g.flat.Len())), true
	}
	f, ok := gridMethods[name]
	if !ok {
		return py.Value{}, false
	}
	return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value { return f(th, g, args, kws) }), true
}

// isData tells that an axis is that of the data, in a run that holds only some rows.
func (g grid) isData(th *py.Thread) bool {
	t, ok := g.value().Object().(py.Tabular)
	return ok && th.IsDataTable(t)
}

// needsAll ends a run that holds only some rows if an axis is theirs.
func (g grid) needsAll(th *py.Thread, what string) {
	if g.isData(th) {
		th.NeedsAll(what)
	}
}

// gridFunction is the method a.f(...) for a function numpy.f(a, ...).
func gridFunction(name string) gridMethod {
	return func(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
		f := th.GetAttr(py.Obj(th.MustImport("numpy")), name)
		return th.InvokeKw(f, append([]py.Value{g.value()}, args...), kws)
	}
}

// flatMethod calls the method of the flat array.
func (g grid) flatMethod(th *py.Thread, name string) py.Value {
	g.needsAll(th, name+"()")
	return th.InvokeKw(th.GetAttr(py.Raw(g.flat), name), nil, nil)
}

// reduceArgs reads the arguments of a method that reduces.
func reduceArgs(th *py.Thread, name string, g *grid, args []py.Value, kws []py.Kw) (axis py.Value, keep bool, r reduction) {
	axis, r = py.None, reduction{name, py.None, py.None}
	dtype, ignored := py.None, py.None
	th.Unpack(name, args, kws, "axis?", &axis, "dtype?", &dtype, "out?", &ignored, "keepdims?", &keep, "initial?", &r.initial, "where?", &r.where)
	g.flat = castSummed(th, name, g.flat, dtype)
	if name != "mean" {
		*g = r.masked(th, *g)
	}
	return axis, keep, r
}

// reduced is the result of a method that reduces along axes, which stay with one place if they are kept.
func (g grid) reduced(th *py.Thread, name string, axis py.Value, keep bool, one func(g grid, axis int) grid) py.Value {
	if axis.IsNone() {
		v := g.flatMethod(th, name)
		if keep {
			return grid{operand(th, name, v).As(vector.Array), slices.Repeat([]int{1}, len(g.shape))}.value()
		}
		return v
	}
	axes := axesOf(th, axis, len(g.shape))
	out := g.alongAxes(th, name, axes, one)
	if keep {
		for _, axis := range axes {
			out = out.expanded(axis)
		}
	}
	return out.value()
}

func foldMethod(name string, op vector.Op) gridMethod {
	return func(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
		axis, keep, r := reduceArgs(th, name, &g, args, kws)
		return r.started(th, g.reduced(th, name, axis, keep, func(g grid, axis int) grid { return g.fold(th, op, axis) }))
	}
}

func meanMethod(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
	axis, keep, r := reduceArgs(th, "mean", &g, args, kws)
	if !r.where.IsNone() {
		return meanWhere(th, g.value(), axis, py.None, keep, r.where)
	}
	return g.reduced(th, "mean", axis, keep, func(g grid, axis int) grid { return g.mean(th, axis) })
}

func truthMethod(name string) gridMethod {
	return func(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
		axis, keep, _ := reduceArgs(th, name, &g, args, kws)
		return g.reduced(th, name, axis, keep, func(g grid, axis int) grid { return g.truths(th, name, axis) })
	}
}

func placeMethod(name string, op vector.Op) gridMethod {
	return func(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
		axis, ignored, keep := py.None, py.None, false
		th.Unpack(name, args, kws, "axis?", &axis, "out?", &ignored, "*keepdims?", &keep)
		if axis.IsNone() {
			g.needsAll(th, name+"()")
			if g.flat.Len() == 0 {
				th.Raise(py.ValueError, "attempt to get %s of an empty sequence", name)
			}
			place := argExtreme(th, g.flat, op)
			if keep {
				return grid{place.Raw().As(vector.Array), slices.Repeat([]int{1}, len(g.shape))}.value()
			}
			return place
		}
		at := axisOf(th, axis, len(g.shape))
		th.AlongData(name+"() along the rows", g.shape[at])
		out := g.extremePlaces(th, name, at)
		if keep {
			out = out.expanded(at)
		}
		return out.value()
	}
}

func orderMethod(name string, f func(*vector.Rules, vector.Column) (vector.Column, error)) gridMethod {
	return func(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
		axis, ignored := py.Int(-1), py.None
		th.Unpack(name, args, kws, "axis?", &axis, "kind?", &ignored)
		return g.ordered(th, axis, f)
	}
}

// ordered is numpy.sort and argsort along an axis; with None, of everything.
func (g grid) ordered(th *py.Thread, axis py.Value, f func(*vector.Rules, vector.Column) (vector.Column, error)) py.Value {
	if axis.IsNone() {
		g, axis = gridOfColumn(g.flat), py.Int(0)
	}
	lane := func(c vector.Column) vector.Column { return th.Must(f(th.Rules(), c)) }
	return g.eachLane(th, axisOf(th, axis, len(g.shape)), lane).value()
}

func gridCumsum(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
	axis, dtype := py.None, py.None
	th.Unpack("cumsum", args, kws, "axis?", &axis, "dtype?", &dtype)
	g.flat = castSummed(th, "cumsum", g.flat, dtype)
	if axis.IsNone() {
		return g.flatMethod(th, "cumsum")
	}
	return g.accumulate(th, vector.Add, axisOf(th, axis, len(g.shape))).value()
}

func gridAstype(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
	return g.with(arrayAstype(th, append([]py.Value{py.Raw(g.flat)}, args...), kws).Raw())
}

func gridItem(th *py.Thread, g grid, args []py.Value, _ []py.Kw) py.Value {
	g.needsAll(th, "item()")
	if len(args) == 1 {
		if t, ok := args[0].Object().(*py.Tuple); ok {
			args = t.Items()
		}
	}
	if len(args) != len(g.shape) {
		return arrayItem(th, append([]py.Value{py.Raw(g.flat)}, args...), nil)
	}
	return arrayItem(th, []py.Value{g.item(th, py.NewTuple(args))}, nil)
}

func gridTranspose(th *py.Thread, g grid, args []py.Value, kws []py.Kw) py.Value {
	for _, kw := range kws {
		args = append(slices.Clone(args), kw.Value)
	}
	return g.transpose(th, transposeArgs(th, args, len(g.shape))).value()
}

func gridTolist(th *py.Thread, g grid, _ []py.Value, _ []py.Kw) py.Value {
	g.needsAll(th, "tolist()")
	return g.list(th)
}

func (g grid) list(th *py.Thread) py.Value {
	if len(g.shape) == 1 {
		return arrayTolist(th, []py.Value{py.Raw(g.flat)}, nil)
	}
	var parts []py.Value
	for i := range g.shape[0] {
		th.Tick(1)
		parts = py.Grown(th, parts, g.part(i).list(th))
	}
	return py.Obj(py.NewList(parts))
}

// nonzeroValue is numpy.nonzero: the places axis by axis.
func (g grid) nonzeroValue(th *py.Thread) py.Value {
	g.needsAll(th, "the places of rows")
	var out []py.Value
	for _, c := range nonzero(th, g) {
		out = append(out, py.Raw(c))
	}
	return py.NewTuple(out)
}
