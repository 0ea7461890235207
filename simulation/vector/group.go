package vector

import "math"

// Group aggregates: index[i] in [0, n) is the group of person i, in the order of persons; mask, if not nil, says who
// counts. Indexes out of range panic.

// GroupSum is numpy.bincount(index, weights=c, minlength=n): float64 sums in the order of persons.
func GroupSum(c Column, index []int32, n int, mask []bool) Column {
	if c.Traced() {
		return recordGroups("Sum", GroupSum, c, index, n, mask)
	}
	out := make([]float64, n)
	if v, ok := groupSource(c); ok {
		for i, g := range index {
			if mask == nil || mask[i] {
				out[g] += v
			}
		}
		return Of(out)
	}
	switch c.typ {
	case Bool:
		bytes := bytesOf(elems[bool](c))
		for i, g := range index {
			if mask == nil || mask[i] {
				out[g] += float64(bytes[i])
			}
		}
	case Float32:
		groupSum(out, elems[float32](c), index, mask)
	case Float64:
		groupSum(out, elems[float64](c), index, mask)
	case Int32:
		groupSum(out, elems[int32](c), index, mask)
	default:
		for i, g := range index {
			if mask == nil || mask[i] {
				out[g] += c.Float(i)
			}
		}
	}
	return Of(out)
}

func groupSource(c Column) (float64, bool) {
	if !c.constant {
		return 0, false
	}
	return c.Float(0), true
}

func groupSum[T number](out []float64, in []T, index []int32, mask []bool) {
	if mask == nil {
		for i, g := range index {
			out[g] += float64(in[i])
		}
		return
	}
	for i, g := range index {
		if mask[i] {
			out[g] += float64(in[i])
		}
	}
}

// GroupCount counts persons: int64.
func GroupCount(index []int32, n int, mask []bool) Column {
	out := make([]int64, n)
	for i, g := range index {
		if mask == nil || mask[i] {
			out[g]++
		}
	}
	return Of(out)
}

// GroupMin gives the smallest value as float64, +inf for groups without anybody; NaN wins.
func GroupMin(c Column, index []int32, n int, mask []bool) Column {
	if c.Traced() {
		return recordGroups("Min", GroupMin, c, index, n, mask)
	}
	return groupExtreme(Minimum, math.Inf(1), c, index, n, mask)
}

// GroupMax gives the greatest value as float64, -inf for groups without anybody; NaN wins.
func GroupMax(c Column, index []int32, n int, mask []bool) Column {
	if c.Traced() {
		return recordGroups("Max", GroupMax, c, index, n, mask)
	}
	return groupExtreme(Maximum, math.Inf(-1), c, index, n, mask)
}

func groupExtreme(op Op, neutral float64, c Column, index []int32, n int, mask []bool) Column {
	out := make([]float64, n)
	for g := range out {
		out[g] = neutral
	}
	for i, g := range index {
		if mask == nil || mask[i] {
			out[g] = floatOp(op, out[g], c.Float(i))
		}
	}
	return Of(out)
}

// GroupAll gives bool, true for groups without anybody.
func GroupAll(c Column, index []int32, n int, mask []bool) Column {
	if c.Traced() {
		return recordGroups("All", GroupAll, c, index, n, mask)
	}
	out := make([]bool, n)
	for g := range out {
		out[g] = true
	}
	for i, g := range index {
		if (mask == nil || mask[i]) && !c.Bool(i) {
			out[g] = false
		}
	}
	return Of(out)
}

// GroupAny gives bool, false for groups without anybody: numpy's sum of truths above zero.
func GroupAny(c Column, index []int32, n int, mask []bool) Column {
	if c.Traced() {
		return recordGroups("Any", GroupAny, c, index, n, mask)
	}
	out := make([]bool, n)
	if truths := Slice[bool](c); mask == nil && len(truths) == len(index) {
		for i, g := range index {
			out[g] = out[g] || truths[i]
		}
		return Of(out)
	}
	for i, g := range index {
		if (mask == nil || mask[i]) && c.Bool(i) {
			out[g] = true
		}
	}
	return Of(out)
}

// GroupRank ranks persons of a group by increasing criteria, ties in the order of persons, those whose mask is false
// after all others: int64 from 0 on, -1 where mask is false. NaN ranks last.
func GroupRank(criteria Column, index []int32, n int, mask []bool) Column {
	if criteria.Traced() {
		return recordGroups("Rank", GroupRank, criteria, index, n, mask)
	}
	members := make([][]int32, n)
	for i, g := range index {
		if mask == nil || mask[i] {
			members[g] = append(members[g], int32(i))
		}
	}
	out := make([]int64, len(index))
	for i := range out {
		out[i] = -1
	}
	for _, group := range members {
		sortBy(group, criteria)
		for rank, i := range group {
			out[i] = int64(rank)
		}
	}
	return Of(out)
}
