package vector

// doing gives what calls with a key of this package do; nil for a key that does not tell, or is of another package.
func doing(key any) func(r *Rules, in []Column) (Column, error) {
	switch k := key.(type) {
	case asKey:
		return func(_ *Rules, in []Column) (Column, error) { return in[0].As(Form(k)), nil }
	case unaryKey:
		return func(r *Rules, in []Column) (Column, error) { return r.Unary(Op(k), in[0]) }
	case intoKey:
		return func(r *Rules, in []Column) (Column, error) { return r.Into(Op(k), in[0], in[1]) }
	case roundKey:
		return func(r *Rules, in []Column) (Column, error) { return r.Round(in[0], int(k)) }
	case clipKey:
		return k.clip
	case selectKey:
		n := int(k)
		return func(r *Rules, in []Column) (Column, error) {
			return r.Select(in[:n], in[n:len(in)-1], in[len(in)-1])
		}
	case searchKey:
		return func(r *Rules, in []Column) (Column, error) { return r.SearchSorted(in[0], in[1], bool(k)) }
	case digitizeKey:
		return func(r *Rules, in []Column) (Column, error) { return r.Digitize(in[1], in[0], bool(k)) }
	case busDaysKey:
		return func(r *Rules, in []Column) (Column, error) { return r.BusDayCount(in[0], in[1], k.mask) }
	case namedKey:
		return named(k)
	}
	return rowOperation(key)
}

// named gives what calls with a key without anything else do.
func named(key namedKey) func(r *Rules, in []Column) (Column, error) {
	switch key {
	case "AllZero":
		return func(r *Rules, in []Column) (Column, error) { return r.AllZero(in[0]) }
	case "Codes":
		return func(_ *Rules, in []Column) (Column, error) { return codesOf(in[0]), nil }
	case "Compact":
		return func(_ *Rules, in []Column) (Column, error) { return in[0].Compact(), nil }
	case "DivideWhere":
		return func(r *Rules, in []Column) (Column, error) { return r.DivideWhere(in[0], in[1], in[2], in[3]) }
	case "IsIn":
		return func(r *Rules, in []Column) (Column, error) { return r.IsIn(in[0], in[1]) }
	case "Mask":
		return func(r *Rules, in []Column) (Column, error) { return in[0].masked(in[1], r.pool()) }
	case "SetMask":
		return func(r *Rules, in []Column) (Column, error) { return r.SetMask(in[0], in[1], in[2]) }
	case "Settled":
		return func(r *Rules, in []Column) (Column, error) { return r.Settled(in[0], in[1], in[2]) }
	case "Take":
		return func(_ *Rules, in []Column) (Column, error) { return in[0].Take(in[1]) }
	case "Where":
		return func(r *Rules, in []Column) (Column, error) { return r.Where(in[0], in[1], in[2]) }
	}
	return nil
}

// rowOperation gives what calls do that have groups as columns.
func rowOperation(key any) func(r *Rules, in []Column) (Column, error) {
	switch k := key.(type) {
	case rowFillKey:
		return func(_ *Rules, in []Column) (Column, error) { return in[0].Spread(in[1].Len()) }
	case rowGatherKey:
		return func(r *Rules, in []Column) (Column, error) {
			return in[0].gatherFrom(Slice[int32](in[1]), r.pool()), nil
		}
	case rowGroupKey:
		return k.aggregate
	case rowPlaceKey:
		return func(r *Rules, in []Column) (Column, error) { return r.Place(in[0], in[1], in[2]) }
	case rowRankKey:
		return func(_ *Rules, in []Column) (Column, error) {
			return GroupRank(in[0], in[1], Slice[int32](in[2]), in[3].Len(), 0) // nobody who counts is without a number
		}
	}
	return nil
}

func (k clipKey) clip(r *Rules, in []Column) (Column, error) {
	var lo, hi *Column
	if k.low {
		lo = &in[1]
	}
	if k.high {
		hi = &in[len(in)-1]
	}
	return r.Clip(in[0], lo, hi)
}

// aggregate computes over groups: of the values, the group of each person, as many as there are groups, and who counts.
func (k rowGroupKey) aggregate(r *Rules, in []Column) (Column, error) {
	index, n, mask := Slice[int32](in[1]), in[2].Len(), []bool(nil)
	if k.masked {
		mask = Slice[bool](in[3])
	}
	switch k.what {
	case "All":
		return GroupAll(in[0], index, n, mask), nil
	case "Any":
		return groupAny(r.pool(), in[0], index, n, mask), nil
	case "Max":
		return groupExtreme(r.pool(), Maximum, in[0], index, n, mask), nil
	case "Min":
		return groupExtreme(r.pool(), Minimum, in[0], index, n, mask), nil
	}
	return groupSums(r.pool(), in[0], index, n, mask), nil
}
