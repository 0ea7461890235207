package vector

import (
	"cmp"
	"slices"
	"sort"
)

// Order and sets. Sorting is stable, NaN and NaT come last, as in numpy.

// compareAt orders elements i of a and j of b, which have the same type.
func compareAt(a Column, i int, b Column, j int) int {
	switch {
	case a.typ.text():
		return cmp.Compare(a.Text(i), b.Text(j))
	case a.typ.float():
		return compareFloats(a.Float(i), b.Float(j))
	case a.typ.time():
		return cmp.Compare(a.Int(i)-1, b.Int(j)-1) // NaT, the smallest integer, wraps to the greatest
	}
	return cmp.Compare(a.Int(i), b.Int(j))
}

func compareFloats(x, y float64) int {
	switch {
	case x < y || y != y && x == x:
		return -1
	case x > y || x != x && y == y:
		return 1
	}
	return 0
}

// sortBy sorts indexes by the elements of c, stably.
func sortBy(index []int32, c Column) {
	slices.SortStableFunc(index, func(i, j int32) int { return compareAt(c, int(i), c, int(j)) })
}

// ArgSort is numpy.argsort(a, kind="stable"): int64 indexes.
func (r *Rules) ArgSort(a Column) (Column, error) {
	a = a.Looked()
	if a.typ == Object {
		return Column{}, typeError("objects are not sorted")
	}
	index := make([]int32, a.n)
	for i := range index {
		index[i] = int32(i)
	}
	sortBy(index, a)
	out := make([]int64, a.n)
	for i, k := range index {
		out[i] = int64(k)
	}
	return Of(out), nil
}

// Sort is numpy.sort(a).
func (r *Rules) Sort(a Column) (Column, error) {
	a = a.Looked()
	index, err := r.ArgSort(a)
	if err != nil {
		return Column{}, err
	}
	return a.Take(index)
}

// Unique is numpy.unique(a): sorted, without repetition.
func (r *Rules) Unique(a Column) (Column, error) {
	a = a.Looked()
	sorted, err := r.Sort(a)
	if err != nil {
		return Column{}, err
	}
	var keep []int32
	for i := range int(sorted.n) {
		if i == 0 || compareAt(sorted, i-1, sorted, i) != 0 {
			keep = append(keep, int32(i))
		}
	}
	return sorted.Gather(keep), nil
}

// IsIn is numpy.isin(a, values).
func (r *Rules) IsIn(a, values Column) (Column, error) {
	if (a.form|values.form)&boxed != 0 {
		return record(step{key: namedKey("IsIn")}, r, a, values)
	}
	s := unaryShape(a)
	if a.typ == Object || values.typ == Object {
		return r.isInObjects(a, values)
	}
	if a.typ.text() && values.typ.text() && a.typ != values.typ {
		return constColumn(s, Bool, false), nil
	}
	d, err := r.Promote(a.As(Array), values.As(Array))
	if err != nil {
		return Column{}, err
	}
	if a, err = r.Cast(a, d); err != nil {
		return Column{}, err
	}
	if values, err = r.Cast(values, d); err != nil {
		return Column{}, err
	}
	sorted, err := r.Sort(values)
	if err != nil {
		return Column{}, err
	}
	isIn := func(i int) bool {
		k := sort.Search(int(sorted.n), func(k int) bool { return compareAt(sorted, k, a, i) >= 0 })
		return k < int(sorted.n) && compareAt(sorted, k, a, i) == 0 && !isNaN(a, i)
	}
	if s.constant {
		return constColumn(s, Bool, a.n > 0 && isIn(0)), nil
	}
	out := make([]bool, a.n)
	for i := range out {
		out[i] = isIn(i)
	}
	return finish(s, out), nil
}

func isNaN(c Column, i int) bool {
	if c.typ.time() {
		return c.Int(i) == NaT
	}
	return c.typ.float() && c.Float(i) != c.Float(i)
}

func (r *Rules) isInObjects(a, values Column) (Column, error) {
	result := Const(int(a.n), false).As(resultForm(a))
	for i := range int(values.n) {
		eq, err := r.Binary(Equal, a, values.at(values.index(i)))
		if err != nil {
			return Column{}, err
		}
		if result, err = r.Binary(LogicalOr, result, eq); err != nil {
			return Column{}, err
		}
	}
	return result, nil
}

// SearchSorted is numpy.searchsorted(a, v, side): int64 indexes where v would be inserted, before its equals, or after
// them if right.
func (r *Rules) SearchSorted(a, v Column, right bool) (Column, error) {
	if (a.form|v.form)&boxed != 0 {
		return record(step{each: !a.Taped(), key: searchKey(right)}, r, a, v)
	}
	d, err := r.Promote(a.As(Array), v.As(Array))
	if err != nil {
		return Column{}, err
	}
	form := resultForm(v)
	if a, err = r.Cast(a, d); err != nil {
		return Column{}, err
	}
	if v, err = r.Cast(v, d); err != nil {
		return Column{}, err
	}
	find := func(i int) int64 {
		return int64(sort.Search(int(a.n), func(k int) bool {
			order := compareAt(a, k, v, i)
			return order > 0 || order == 0 && !right
		}))
	}
	s := shape{n: v.n, form: form, constant: v.constant}
	if s.constant && v.n > 0 {
		return constColumn(s, Int64, find(0)), nil
	}
	out := make([]int64, v.n)
	for i := range out {
		out[i] = find(i)
	}
	return finish(s, out), nil
}

// Digitize is numpy.digitize(v, bins, right). Bins increase or decrease.
func (r *Rules) Digitize(v, bins Column, right bool) (Column, error) {
	if (v.form|bins.form)&boxed != 0 {
		return record(step{each: !bins.Taped(), key: digitizeKey(right)}, r, bins, v)
	}
	up, down := true, true
	for i := 1; i < int(bins.n); i++ {
		order := compareAt(bins, i-1, bins, i)
		up, down = up && order <= 0, down && order >= 0
	}
	if up {
		return r.SearchSorted(bins, v, !right)
	}
	if !down {
		return Column{}, valueError("bins must be monotonically increasing or decreasing")
	}
	places := make([]int32, bins.n)
	for i := range places {
		places[i] = int32(len(places) - 1 - i)
	}
	found, err := r.SearchSorted(bins.Gather(places), v, !right)
	if err != nil {
		return Column{}, err
	}
	return r.Binary(Subtract, PyInt(int64(len(places))), found)
}
