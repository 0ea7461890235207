package vector

import (
	"cmp"
	"math"
	"slices"
)

// Group aggregates: index[i] in [0, n) is the group of person i, in the order of persons; mask, if not nil, says who
// counts. Indexes out of range panic.

// GroupSum is numpy.bincount(index, weights=c, minlength=n): float64 sums in the order of persons.
func GroupSum(c Column, index []int32, n int, mask []bool) Column {
	if c.Taped() {
		return recordGroups("Sum", GroupSum, c, index, n, mask)
	}
	return groupSums(nil, c, index, n, mask)
}

// groupSums is GroupSum into storage of a pool.
func groupSums(p *Pool, c Column, index []int32, n int, mask []bool) Column {
	out := lendZeros[float64](p, n)
	if v, ok := groupSource(c); ok {
		if v == 0 {
			return Of(out) // whatever the sign
		}
		for i, g := range index {
			if mask == nil || mask[i] {
				out[g] += v
			}
		}
		return Of(out)
	}
	switch c.typ {
	case Bool:
		truths := bytesOf(elems[bool](c))[:len(index)]
		if mask == nil {
			mask = elems[bool](c)
		}
		who := bytesOf(mask)[:len(index)]
		room := lend[bool](p, n)
		defer giveBack(p, room)
		if counts := bytesOf(room); countRuns(p, counts, truths, who, index) {
			for g, k := range counts {
				out[g] = float64(k)
			}
			return Of(out)
		}
		for i, g := range index {
			out[g] += float64(truths[i] & who[i])
		}
	case Float32:
		in := elems[float32](c)
		if begins := runsOf(p, index, n); begins != nil {
			if mask != nil {
				in = chooseFrom[float32](p, mask[:len(index)], c, Const(len(index), float32(0)))
				defer giveBack(p, in)
			}
			sumRuns(out, in[:len(index)], begins)
			return Of(out)
		}
		groupSum(out, in, index, mask)
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
	// Who does not count adds a zero, which changes no sum: none is a negative zero.
	in, who := in[:len(index)], bytesOf(mask)[:len(index)]
	for i, g := range index {
		out[g] += math.Float64frombits(math.Float64bits(float64(in[i])) & -uint64(who[i]))
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
	if c.Taped() {
		return recordGroups("Min", GroupMin, c, index, n, mask)
	}
	return groupExtreme(nil, Minimum, c, index, n, mask)
}

// GroupMax gives the greatest value as float64, -inf for groups without anybody; NaN wins.
func GroupMax(c Column, index []int32, n int, mask []bool) Column {
	if c.Taped() {
		return recordGroups("Max", GroupMax, c, index, n, mask)
	}
	return groupExtreme(nil, Maximum, c, index, n, mask)
}

// groupExtreme is GroupMin or GroupMax into storage of a pool.
func groupExtreme(p *Pool, op Op, c Column, index []int32, n int, mask []bool) Column {
	neutral := math.Inf(1)
	if op == Maximum {
		neutral = math.Inf(-1)
	}
	out := lend[float64](p, n)
	for g := range out {
		out[g] = neutral
	}
	in := lend[float64](p, len(index))
	defer giveBack(p, in)
	if v, ok := groupSource(c); ok {
		for i := range in {
			in[i] = v
		}
	} else {
		convert(in, c, 0)
	}
	if mask != nil {
		in = chooseFrom[float64](p, mask, Of(in), Const(len(in), neutral))
		defer giveBack(p, in)
	}
	if op == Minimum {
		for i, g := range index {
			out[g] = minOf(out[g], in[i])
		}
		return Of(out)
	}
	for i, g := range index {
		out[g] = maxOf(out[g], in[i])
	}
	return Of(out)
}

// GroupAll gives bool, true for groups without anybody.
func GroupAll(c Column, index []int32, n int, mask []bool) Column {
	if c.Taped() {
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
	if c.Taped() {
		return recordGroups("Any", GroupAny, c, index, n, mask)
	}
	return groupAny(nil, c, index, n, mask)
}

// groupAny is GroupAny into storage of a pool.
func groupAny(p *Pool, c Column, index []int32, n int, mask []bool) Column {
	out := lend[bool](p, n)
	truths := Slice[bool](c)
	plain := len(truths) == len(index)
	if plain && mask == nil {
		mask = truths
	}
	if plain && countRuns(p, bytesOf(out), bytesOf(truths), bytesOf(mask)[:len(index)], index) {
		truthsOf(bytesOf(out))
		return Of(out)
	}
	clear(out)
	if plain {
		any, each, who := bytesOf(out), bytesOf(truths), bytesOf(mask)[:len(index)] // without questions that processors would have to guess the answer of
		for i, g := range index {
			any[g] |= each[i] & who[i]
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

// GroupRank numbers the persons of each of n groups by increasing criteria from 0, ties in the order of persons: int64, -1
// where the condition is false. index is the group of each person, largest how many persons the largest group has.
//
// The original sorts a table with a row per group and a column per position, in which persons who do not count and
// places without a person are infinite. So those come before a person who counts and has no number (NaN), and an
// infinite criterion takes its place among them by position.
func GroupRank(criteria, condition Column, index []int32, n, largest int) (Column, error) {
	if criteria.Taped() || condition.Taped() {
		return recordRank(criteria, condition, index, n, largest)
	}
	if !criteria.typ.Number() {
		return Column{}, typeError("ranks need numbers, not %s", criteria.DType())
	}
	values := make([]float64, len(index))
	members := make([][]int32, n)
	for i, g := range index {
		values[i] = math.Inf(1)
		if condition.Bool(i) {
			values[i] = criteria.Float(i)
		}
		members[g] = append(members[g], int32(i))
	}
	ranks := make([]int64, len(index))
	for _, group := range members {
		slices.SortStableFunc(group, func(a, b int32) int { return compareNaNLast(values[a], values[b]) })
		for rank, i := range group {
			switch {
			case !condition.Bool(int(i)):
				rank = -1
			case math.IsNaN(values[i]):
				rank += largest - len(group)
			}
			ranks[i] = int64(rank)
		}
	}
	return Of(ranks), nil
}

// rankKey tells calls of GroupRank apart.
type rankKey struct {
	index      string
	n, largest int
}

func recordRank(criteria, condition Column, index []int32, n, largest int) (Column, error) {
	if t := tapeOf(criteria, condition); t != nil && t.rowTape != nil {
		return t.recordRowRank(criteria, condition, index)
	}
	key := rankKey{keyOf(index), n, largest}
	if t := tapeOf(criteria, condition); t != nil {
		index = kept(t.indexes, key.index, index)
	}
	return record(step{key: key, do: func(_ *Rules, in []Column) (Column, error) {
		return GroupRank(in[0], in[1], index, n, largest)
	}}, nil, criteria, condition)
}

func compareNaNLast(a, b float64) int {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	}
	return cmp.Compare(a, b)
}
