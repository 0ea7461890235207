package numpy

// This file defines arrays of three dimensions and more.

import (
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// cubeObject is an array of three dimensions or more.
type cubeObject struct{ grid }

// Type implements [py.Object].
func (*cubeObject) Type() *py.Class { return py.ArrayType }

// Cells implements [py.Tabular].
func (a *cubeObject) Cells() vector.Column { return a.flat }

// Shape implements [py.Tabular].
func (a *cubeObject) Shape() []int { return a.shape }

// Stored implements [py.Tabular].
func (a *cubeObject) Stored(th *py.Thread, k, x py.Value) py.Value { return a.store(th, k, x) }

// Attr implements [py.Attrer].
func (a *cubeObject) Attr(th *py.Thread, name string) (py.Value, bool) { return a.attr(th, name) }

// Len implements [py.Lener].
func (a *cubeObject) Len(th *py.Thread) int {
	th.AlongData("the number of rows", a.shape[0])
	return a.shape[0]
}

// Truth implements [py.Truther].
func (a *cubeObject) Truth(th *py.Thread) bool { return th.Truth(py.Raw(a.flat)) }

// Each implements [py.Iterable]: the arrays along the first axis.
func (a *cubeObject) Each(th *py.Thread, yield func(py.Value) bool) {
	th.AlongData("going through the rows one by one", a.shape[0])
	for i := range a.shape[0] {
		if !yield(a.part(i).value()) {
			return
		}
	}
}

// Item implements [py.Indexer].
func (a *cubeObject) Item(th *py.Thread, k py.Value) py.Value { return a.item(th, k) }

// Binary implements [py.Binarier].
func (a *cubeObject) Binary(th *py.Thread, op pysyntax.BinaryOp, other py.Value, swapped bool) (py.Value, bool) {
	return binaryGrid(th, op, py.Obj(a), other, swapped)
}

// Compare implements [py.Comparer].
func (a *cubeObject) Compare(th *py.Thread, op pysyntax.CompareOp, other py.Value) (py.Value, bool) {
	return compareGrid(th, op, py.Obj(a), other)
}

// Unary implements [py.Unarier].
func (a *cubeObject) Unary(th *py.Thread, op pysyntax.UnaryOp) (py.Value, bool) {
	return a.with(th.Unary(op, py.Raw(a.flat)).Raw()), true
}

// Repr implements [py.Reprer].
func (a *cubeObject) Repr(th *py.Thread) string {
	return "array(" + a.text(th, "\n       ", ", ") + ")"
}

// Str implements [py.Strer].
func (a *cubeObject) Str(th *py.Thread) string { return a.text(th, "\n ", " ") }

// part is g[i] of a grid with at least one axis; i must be in range.
func (g grid) part(i int) grid {
	size := product(g.shape[1:])
	return grid{g.flat.Range(i*size, (i+1)*size), g.shape[1:]}
}

// longest is how many elements are written in full; edge is what is written of either end of an axis in longer arrays.
const (
	longest = 1000
	edge    = 3
)

// text writes a grid as numpy does, but for the width of numbers, which is that of their row. Between rows there is a line's
// end with the indent, between elements what comma says.
func (g grid) text(th *py.Thread, between, comma string) string {
	return g.written(th, between, comma, g.flat.Len() > longest)
}

func (g grid) written(th *py.Thread, between, comma string, short bool) string {
	n, dots := g.shape[0], short && g.shape[0] > 2*edge
	if len(g.shape) == 1 {
		if dots {
			head, tail := g.flat.Range(0, edge), g.flat.Range(n-edge, n)
			return strings.TrimSuffix(rowText(th, head, comma), "]") + comma + "..." + comma + strings.TrimPrefix(rowText(th, tail, comma), "[")
		}
		return rowText(th, g.flat, comma)
	}
	var parts []string
	for i := 0; i < n; i++ {
		th.Tick(1)
		if dots && i == edge {
			parts = append(parts, "...")
			i = n - edge
		}
		parts = append(parts, g.part(i).written(th, between+" ", comma, short))
	}
	return "[" + strings.Join(parts, strings.TrimRight(comma, " ")+strings.Repeat("\n", len(g.shape)-2)+between) + "]"
}

// rowText writes one row. Each text counts four times: in its row, and in the arrays around it.
func rowText(th *py.Thread, c vector.Column, comma string) string {
	row := c.As(vector.Array).String()
	th.AllocText(4 * len(row))
	if comma == " " {
		return row
	}
	return "[" + strings.Join(strings.Fields(strings.Trim(row, "[]")), comma) + "]"
}

// binaryGrid is a op b for an array of two or more dimensions and something else.
func binaryGrid(th *py.Thread, op pysyntax.BinaryOp, a, b py.Value, swapped bool) (py.Value, bool) {
	if op == pysyntax.MatMult || op == pysyntax.LShift || op == pysyntax.RShift {
		return py.Value{}, false
	}
	if swapped {
		a, b = b, a
	}
	return gridsOp(th, py.ArrayOps[op], a, b), true
}

func compareGrid(th *py.Thread, op pysyntax.CompareOp, a, b py.Value) (py.Value, bool) {
	return gridsOp(th, py.ArrayComparisons[op], a, b), true
}
