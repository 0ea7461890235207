package vector

// Element-wise, with promotion. Operands broadcast: same length, or length 1. Results of scalars are numpy scalars.

// Binary computes a op b.
func (r *Rules) Binary(op Op, a, b Column) (Column, error) { return Column{}, pending }

// BinaryReuse computes a op b and may write the result into the storage of an operand that the caller declares free:
// a fresh result nobody else holds.
func (r *Rules) BinaryReuse(op Op, a, b Column, freeA, freeB bool) (Column, error) {
	return Column{}, pending
}

// Into computes a op b as a op= b does: the result has a's type, "same kind" casts only.
func (r *Rules) Into(op Op, a, b Column) (Column, error) { return Column{}, pending }

// Unary computes op a.
func (r *Rules) Unary(op Op, a Column) (Column, error) { return Column{}, pending }

// Where is numpy.where(cond, a, b).
func (r *Rules) Where(cond, a, b Column) (Column, error) { return Column{}, pending }

// Select is numpy.select(conds, choices, default).
func (r *Rules) Select(conds, choices []Column, otherwise Column) (Column, error) {
	return Column{}, pending
}

// Clip is numpy.clip(a, lo, hi); either bound may be nil.
func (r *Rules) Clip(a Column, lo, hi *Column) (Column, error) { return Column{}, pending }

// Round is numpy.round(a, decimals).
func (r *Rules) Round(a Column, decimals int) (Column, error) { return Column{}, pending }

// DivideWhere is numpy.divide(a, b, out=out, where=where).
func (r *Rules) DivideWhere(a, b, out, where Column) (Column, error) { return Column{}, pending }

// Cast is a.astype(d). Str and Bytes of width 0 are as wide as needed.
func (r *Rules) Cast(a Column, d DType) (Column, error) { return Column{}, pending }

// Promote is numpy.result_type of the columns.
func (r *Rules) Promote(cs ...Column) (DType, error) { return DType{}, pending }

// Moving elements, without promotion.

// Mask returns the elements where mask is true.
func (c Column) Mask(mask Column) (Column, error) { return Column{}, pending }

// SetMask returns c with the elements where mask is true replaced by v, cast to c's type: one value, or one per element
// replaced.
func (r *Rules) SetMask(c, mask, v Column) (Column, error) { return Column{}, pending }

// SetAt returns c with element i replaced by v, cast to c's type.
func (r *Rules) SetAt(c Column, i int, v Column) (Column, error) { return Column{}, pending }

// Take returns the elements at index, which may count from the end.
func (c Column) Take(index Column) (Column, error) { return Column{}, pending }

// Gather returns the elements at index, all known to be in range; a constant stays one.
func (c Column) Gather(index []int32) Column { return Column{} }

// Scatter returns an array of n zeros with c's element i at index[i]; later ones win. Indexes are known to be in range.
func (c Column) Scatter(n int, index []int32) Column { return Column{} }

// Range returns elements lo to hi-1, sharing storage.
func (c Column) Range(lo, hi int) Column { return Column{} }

// Stride returns elements lo, lo+step, ... up to but not including hi, as a[lo:hi:step]; step may be negative.
func (c Column) Stride(lo, hi, step int) Column { return Column{} }

// RepeatEach is numpy.repeat(c, k): every element k times in a row.
func (c Column) RepeatEach(k int) Column { return Column{} }

// Tile is numpy.tile(c, k): the whole column k times.
func (c Column) Tile(k int) Column { return Column{} }

// Concat is numpy.concatenate: the columns one after the other, promoted.
func (r *Rules) Concat(cs ...Column) (Column, error) { return Column{}, pending }

// Zeros gives n zeros of a type: 0, false, "", 1970-01-01, Python's None... as numpy.zeros does.
func Zeros(n int, d DType) Column { return Column{} }

// Full is numpy.full(n, v, dtype).
func (r *Rules) Full(n int, v Column, d DType) (Column, error) { return Column{}, pending }

// Compact returns c as a constant if all its elements have the same bits, else c.
func (c Column) Compact() Column { return c }

// Same reports whether c and d have the same type, form, length and the same bits element by element.
func (c Column) Same(d Column) bool { return false }

// Reductions. Results are numpy scalars.

// Sum is a.sum(), in numpy's pairwise order.
func (r *Rules) Sum(a Column) (Column, error) { return Column{}, pending }

// Mean is a.mean().
func (r *Rules) Mean(a Column) (Column, error) { return Column{}, pending }

// Min is a.min().
func (r *Rules) Min(a Column) (Column, error) { return Column{}, pending }

// Max is a.max().
func (r *Rules) Max(a Column) (Column, error) { return Column{}, pending }

// Any is a.any().
func (r *Rules) Any(a Column) (bool, error) { return false, pending }

// All is a.all().
func (r *Rules) All(a Column) (bool, error) { return false, pending }

// CumSum is numpy.cumsum(a).
func (r *Rules) CumSum(a Column) (Column, error) { return Column{}, pending }

// Sets and order.

// IsIn is numpy.isin(a, values).
func (r *Rules) IsIn(a, values Column) (Column, error) { return Column{}, pending }

// Unique is numpy.unique(a).
func (r *Rules) Unique(a Column) (Column, error) { return Column{}, pending }

// SearchSorted is numpy.searchsorted(a, v, side): int64 indexes.
func (r *Rules) SearchSorted(a, v Column, right bool) (Column, error) { return Column{}, pending }

// Digitize is numpy.digitize(v, bins, right) for increasing bins.
func (r *Rules) Digitize(v, bins Column, right bool) (Column, error) { return Column{}, pending }

// ArgSort is a stable numpy.argsort(a): int64 indexes, NaN last.
func (r *Rules) ArgSort(a Column) (Column, error) { return Column{}, pending }

// FlatNonZero is numpy.flatnonzero(a): int64 indexes.
func FlatNonZero(a Column) Column { return Column{} }

// Text.

// StartsWith is numpy.char.startswith(a, prefix).
func StartsWith(a, prefix Column) (Column, error) { return Column{}, pending }

// Dates.

// BusDayCount is numpy.busday_count(from, to, weekmask): mask is Monday first.
func (r *Rules) BusDayCount(from, to Column, mask [7]bool) (Column, error) { return Column{}, pending }

// ParseDate reads numpy's ISO dates: "2020", "2020-03", "2020-03-05" with its unit.
func ParseDate(s string) (Column, error) { return Column{}, pending }

// Groups: index[i] in [0, n) is the group of person i.

// GroupSum is numpy.bincount(index, weights=c): float64 sums in the order of persons. A nil mask takes everybody.
func GroupSum(c Column, index []int32, n int, mask []bool) Column { return Column{} }

// GroupCount counts persons: int64.
func GroupCount(index []int32, n int, mask []bool) Column { return Column{} }

// GroupMin and GroupMax give float64, +inf and -inf for groups without anybody.
func GroupMin(c Column, index []int32, n int, mask []bool) Column { return Column{} }
func GroupMax(c Column, index []int32, n int, mask []bool) Column { return Column{} }

// GroupAll gives bool, true for groups without anybody.
func GroupAll(c Column, index []int32, n int, mask []bool) Column { return Column{} }

// GroupAny gives bool, false for groups without anybody.
func GroupAny(c Column, index []int32, n int, mask []bool) Column { return Column{} }

// GroupRank ranks criteria within groups by increasing value, ties in the order of persons: int64, 0 first, -1 where
// mask is false.
func GroupRank(criteria Column, index []int32, n int, mask []bool) Column { return Column{} }

// Text of values.

// Format gives str() of element i as numpy prints a scalar of that type or Python its own.
func (c Column) Format(i int) string { return "" }

// Repr gives repr() of element i, as Python prints it inside a list.
func (c Column) Repr(i int) string { return "" }

// String prints the whole column as str(array) does, shortened beyond 1000 elements.
func (c Column) String() string { return "" }

var pending = typeError("not yet")

func floatToInt64(f float64) int64 { return int64(f) }
