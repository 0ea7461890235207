package vector

// Gather returns the elements at index, all known to be in range; a constant stays one. It panics on an index out of
// range.
func (c Column) Gather(index []int32) Column {
	if c.Taped() {
		return recordGather(c, index)
	}
	return c.gatherFrom(index, nil)
}

// gatherFrom is Gather of a column that is not taped, into storage of a pool.
func (c Column) gatherFrom(index []int32, p *Pool) Column {
	if c.constant {
		c.n, c.form = int32(len(index)), Array
		return c
	}
	switch storageType(c.typ) {
	case Bool:
		return like(c, gatheredWide(lend[bool](p, len(index)), storage[bool](c), index))
	case Int16:
		return like(c, gathered(lend[int16](p, len(index)), storage[int16](c), index))
	case Int32:
		return like(c, gatheredWide(lend[int32](p, len(index)), storage[int32](c), index))
	case Int64:
		return like(c, gathered(lend[int64](p, len(index)), storage[int64](c), index))
	case Float32:
		return like(c, gatheredWide(lend[float32](p, len(index)), storage[float32](c), index))
	case Float64:
		return like(c, gathered(lend[float64](p, len(index)), storage[float64](c), index))
	case Object:
		return Objects(gathered(make([]any, len(index)), elems[any](c), index))
	}
	return Texts(c.DType(), gathered(make([]string, len(index)), elems[string](c), index))
}

// gatheredWide is gathered, many elements at a time where this processor has a way of its own, and 16 of them one by one where it stops.
func gatheredWide[T Element](out, in []T, index []int32) []T {
	if !hasGather {
		return gathered(out, in, index)
	}
	for i := 0; i < len(index); {
		i += wideGather(out[i:], in, index[i:])
		end := min(i+16, len(index))
		gathered(out[i:end], in, index[i:end])
		i = end
	}
	return out
}

func gathered[T any](out, in []T, index []int32) []T {
	for i, k := range index {
		out[i] = in[k]
	}
	return out
}
