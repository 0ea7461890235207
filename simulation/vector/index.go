package vector

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"
)

// Moving elements: masks, indexes, repetition, concatenation. Nothing here computes.

// like makes an array of c's type from new storage.
func like[T Element](c Column, out []T) Column {
	if c.typ == Enum {
		index := unsafe.Slice((*int16)(unsafe.Pointer(unsafe.SliceData(out))), len(out))
		return Enums(c.Domain(), index)
	}
	return raw(c.typ, c.unit, out)
}

// Mask is c[mask]: the elements where mask is true.
func (c Column) Mask(mask Column) (Column, error) {
	if (c.form|mask.form)&boxed != 0 {
		return record(step{each: true, moves: true, picks: true, key: namedKey("Mask")}, nil, c, mask)
	}
	return c.masked(mask, nil)
}

func (c Column) masked(mask Column, p *Pool) (Column, error) {
	if c.constant && isMask(c, mask) {
		c.n, c.form = int32(trues(mask)), Array
		return c, nil
	}
	index, err := maskIndex(c, mask, p)
	if err != nil {
		return Column{}, err
	}
	defer giveBack(p, index)
	return c.gatherFrom(index, p), nil
}

// maskIndex gives the places of what is chosen, in storage that is to be given back.
func maskIndex(c, mask Column, p *Pool) ([]int32, error) {
	if mask.typ != Bool {
		return nil, indexError("arrays used as indices must be of integer (or boolean) type")
	}
	if mask.n != c.n {
		return nil, indexError("boolean index did not match indexed array along dimension 0; dimension is %d but corresponding boolean dimension is %d", c.n, mask.n)
	}
	index := lend[int32](p, int(c.n))[:0]
	for i, chosen := range Slice[bool](mask) {
		if chosen {
			index = append(index, int32(i))
		}
	}
	return index, nil
}

// isMask tells whether a mask is one, and as long as a column.
func isMask(c, mask Column) bool { return mask.typ == Bool && mask.n == c.n }

// trues counts the elements that are true.
func trues(mask Column) (n int) {
	all := bytesOf(Slice[bool](mask))
	for ; len(all) >= 8; all = all[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(all))
	}
	for _, one := range all {
		n += int(one)
	}
	return n
}

// SetMask gives c after c[mask] = v: one value for all, or one for each element replaced. v is cast to c's type.
func (r *Rules) SetMask(c, mask, v Column) (Column, error) {
	if (c.form|mask.form|v.form)&boxed != 0 {
		return record(step{moves: true, key: namedKey("SetMask")}, r, c, mask, v)
	}
	if v.constant && c.typ.pooled() && !mask.constant && isMask(c, mask) && (v.n == 1 || int(v.n) == trues(mask)) {
		return r.setConstant(c, mask, v)
	}
	index, err := maskIndex(c, mask, r.pool())
	if err != nil {
		return Column{}, err
	}
	defer giveBack(r.pool(), index)
	if v.n != 1 && int(v.n) != len(index) {
		return Column{}, valueError("NumPy boolean array indexing assignment cannot assign %d input values to the %d output values where the mask is true", v.n, len(index))
	}
	return r.store(c, v, index)
}

// setConstant is SetMask of one value.
func (r *Rules) setConstant(c, mask, v Column) (Column, error) {
	v, err := r.Cast(v, c.DType())
	if err != nil {
		return Column{}, err
	}
	return choose(c.DType(), elems[bool](mask), v, c, shape{n: c.n, form: Array, pool: r.pool()}), nil
}

// SetAt gives c after c[i] = v; i may count from the end. v is cast to c's type.
func (r *Rules) SetAt(c Column, i int, v Column) (Column, error) {
	if (c.form|v.form)&boxed != 0 {
		return record(step{moves: true, do: func(r *Rules, in []Column) (Column, error) { return r.SetAt(in[0], i, in[1]) }}, r, c, v)
	}
	n := int(c.n)
	if i < -n || i >= n {
		return Column{}, indexError("index %d is out of bounds for axis 0 with size %d", i, n)
	}
	if i < 0 {
		i += n
	}
	if v.n != 1 {
		return Column{}, valueError("setting an array element with a sequence.")
	}
	return r.store(c, v, []int32{int32(i)})
}

// SetTake gives c after c[index] = v.
func (r *Rules) SetTake(c, index, v Column) (Column, error) {
	if (c.form|index.form|v.form)&boxed != 0 {
		return record(step{moves: true, do: func(r *Rules, in []Column) (Column, error) { return r.SetTake(in[0], in[1], in[2]) }}, r, c, index, v)
	}
	at, err := c.positions(index)
	if err != nil {
		return Column{}, err
	}
	if v.n != 1 && int(v.n) != len(at) {
		return Column{}, valueError("shape mismatch: value array of shape (%d,) could not be broadcast to indexing result of shape (%d,)", v.n, len(at))
	}
	return r.store(c, v, at)
}

func (r *Rules) store(c, v Column, index []int32) (Column, error) {
	if c.typ == Enum {
		return storedCodes(c, v, index)
	}
	d := c.DType()
	v, err := r.Cast(v, d)
	if err != nil {
		return Column{}, err
	}
	if len(index) == 0 {
		return c, nil
	}
	switch storageType(c.typ) {
	case Bool:
		return stored[bool](r.pool(), c, v, index), nil
	case Int16:
		return stored[int16](r.pool(), c, v, index), nil
	case Int32:
		return stored[int32](r.pool(), c, v, index), nil
	case Int64:
		return stored[int64](r.pool(), c, v, index), nil
	case Float32:
		return stored[float32](r.pool(), c, v, index), nil
	case Float64:
		return stored[float64](r.pool(), c, v, index), nil
	case Object:
		return Objects(storedAny(c, v, index, Column.Object)), nil
	}
	return Texts(d, storedAny(c, v, index, Column.Text)), nil
}

// storedCodes is store for members of an enumeration: v has members, or their numbers.
func storedCodes(c, v Column, index []int32) (Column, error) {
	d, codes := c.Domain(), make([]int16, c.n)
	if v.typ != Enum && !v.typ.integer() {
		return Column{}, typeError("members of %s are stored by an enumeration, or by their numbers, not by %s", d.Name, v.DType())
	}
	for i := range codes {
		codes[i] = int16(c.Int(i))
	}
	for k, i := range index {
		code := v.Int(min(k, int(v.n)-1))
		if code < 0 || code >= int64(len(d.Members)) {
			return Column{}, valueError("%s has no member %d", d.Name, code)
		}
		codes[i] = int16(code)
	}
	return Enums(d, codes).As(c.form), nil
}

func stored[T Element](p *Pool, c, v Column, index []int32) Column {
	out := lend[T](p, int(c.n))
	if !c.constant {
		copy(out, storage[T](c))
	} else {
		for i := range out {
			out[i] = fromBits[T](c.bits)
		}
	}
	for k, i := range index {
		if v.constant {
			out[i] = fromBits[T](v.bits)
		} else {
			out[i] = storage[T](v)[k]
		}
	}
	return like(c, out)
}

func storedAny[T any](c, v Column, index []int32, at func(Column, int) T) []T {
	out := make([]T, c.n)
	for i := range out {
		out[i] = at(c, i)
	}
	for k, i := range index {
		out[i] = at(v, k)
	}
	return out
}

// Take is c[index]: the elements at index, which may count from the end.
func (c Column) Take(index Column) (Column, error) {
	if (c.form|index.form)&boxed != 0 {
		return record(step{moves: true, key: namedKey("Take")}, nil, c, index)
	}
	at, err := c.positions(index)
	if err != nil {
		return Column{}, err
	}
	return c.Gather(at), nil
}

// positions checks and wraps an integer index.
func (c Column) positions(index Column) ([]int32, error) {
	if !index.typ.Indexes() {
		return nil, indexError("arrays used as indices must be of integer (or boolean) type")
	}
	at := make([]int32, index.n)
	for i := range at {
		k := index.Int(i)
		if k < -int64(c.n) || k >= int64(c.n) {
			return nil, indexError("index %d is out of bounds for axis 0 with size %d", k, c.n)
		}
		if k < 0 {
			k += int64(c.n)
		}
		at[i] = int32(k)
	}
	return at, nil
}

// Scatter returns an array of n zeros with c's element i at index[i]; later ones win. It panics on an index out of range.
func (c Column) Scatter(n int, index []int32) Column {
	if c.Taped() {
		index = slices.Clone(index)
		return recordOne(nil, func(c Column) Column { return c.Scatter(n, index) }, c)
	}
	zero := Zeros(n, c.DType())
	if c.typ == Enum {
		zero = EnumConst(n, c.Domain(), 0)
	}
	out, err := (*Rules)(nil).store(zero, c, index)
	if err != nil {
		return zero // same type: store has nothing to refuse
	}
	return out
}

// Range returns elements lo to hi-1, sharing storage. It panics unless 0 <= lo <= hi <= Len.
func (c Column) Range(lo, hi int) Column {
	if lo < 0 || hi < lo || hi > c.Len() {
		panic("vector: range out of bounds")
	}
	if c.Taped() {
		return recordOne(nil, func(c Column) Column { return c.Range(lo, hi) }, c)
	}
	if c.constant {
		c.n, c.form = int32(hi-lo), Array
		return c
	}
	switch storageType(c.typ) {
	case Bool:
		return like(c, storage[bool](c)[lo:hi])
	case Int16:
		return like(c, storage[int16](c)[lo:hi])
	case Int32:
		return like(c, storage[int32](c)[lo:hi])
	case Int64:
		return like(c, storage[int64](c)[lo:hi])
	case Float32:
		return like(c, storage[float32](c)[lo:hi])
	case Float64:
		return like(c, storage[float64](c)[lo:hi])
	case Object:
		return Objects(elems[any](c)[lo:hi])
	}
	return Texts(c.DType(), elems[string](c)[lo:hi])
}

// Stride returns elements lo, lo+step, ... before hi, as a[lo:hi:step] does once its bounds are resolved; step may be
// negative, and hi then -1. It panics on an index out of range.
func (c Column) Stride(lo, hi, step int) Column {
	if step == 1 {
		return c.Range(lo, max(lo, hi))
	}
	count := 0
	switch {
	case step > 0 && hi > lo:
		count = (hi-lo-1)/step + 1
	case step < 0 && hi < lo:
		count = (lo-hi-1)/-step + 1
	}
	return c.Gather(indexes(count, func(i int) int { return lo + i*step }))
}

func indexes(n int, at func(i int) int) []int32 {
	index := make([]int32, n)
	for i := range index {
		index[i] = int32(at(i))
	}
	return index
}

// RepeatEach is numpy.repeat(c, k): every element k times in a row.
func (c Column) RepeatEach(k int) Column {
	return c.Gather(indexes(c.Len()*k, func(i int) int { return i / k }))
}

// Tile is numpy.tile(c, k): the whole column k times.
func (c Column) Tile(k int) Column {
	n := c.Len()
	return c.Gather(indexes(n*k, func(i int) int { return i % n }))
}

// Repeat is numpy.repeat(c, counts): element i counts[i] times.
func (c Column) Repeat(counts []int) Column {
	var index []int32
	for i, k := range counts {
		for range k {
			index = append(index, int32(i))
		}
	}
	return c.Gather(index)
}

// Concat is numpy.concatenate: the columns one after the other, in their common type. Enum columns of one domain stay
// enums.
func (r *Rules) Concat(cs ...Column) (Column, error) {
	if len(cs) == 0 {
		return Column{}, valueError("need at least one array to concatenate")
	}
	if anyTaped(cs) {
		return record(step{moves: true, do: func(r *Rules, in []Column) (Column, error) { return r.Concat(in...) }}, r, cs...)
	}
	if d := cs[0].Domain(); d != nil && !slices.ContainsFunc(cs, func(c Column) bool { return c.Domain() != d }) {
		return join(cs[0].DType(), cs), nil
	}
	arrays := make([]Column, len(cs))
	for i, c := range cs {
		arrays[i] = c.As(Array)
	}
	d, err := r.Promote(arrays...)
	if err != nil {
		return Column{}, err
	}
	for i, c := range arrays {
		if arrays[i], err = r.Cast(c, d); err != nil {
			return Column{}, err
		}
	}
	return join(d, arrays), nil
}

// join puts columns of the same type one after the other.
func join(d DType, cs []Column) Column {
	if len(cs) == 0 {
		return Zeros(0, d)
	}
	switch storageType(d.Type) {
	case Bool:
		return like(cs[0].as(d), joined[bool](cs))
	case Int16:
		return like(cs[0].as(d), joined[int16](cs))
	case Int32:
		return like(cs[0].as(d), joined[int32](cs))
	case Int64:
		return like(cs[0].as(d), joined[int64](cs))
	case Float32:
		return like(cs[0].as(d), joined[float32](cs))
	case Float64:
		return like(cs[0].as(d), joined[float64](cs))
	case Object:
		return Objects(joinedAny(cs, Column.Object))
	}
	return Texts(d, joinedAny(cs, Column.Text))
}

func (c Column) as(d DType) Column {
	c.unit = d.Unit
	return c
}

func joined[T Element](cs []Column) []T {
	n := 0
	for _, c := range cs {
		n += int(c.n)
	}
	out := make([]T, 0, n)
	for _, c := range cs {
		if c.constant {
			v := fromBits[T](c.bits)
			for range c.n {
				out = append(out, v)
			}
		} else {
			out = append(out, storage[T](c)...)
		}
	}
	return out
}

func joinedAny[T any](cs []Column, at func(Column, int) T) []T {
	var out []T
	for _, c := range cs {
		for i := range int(c.n) {
			out = append(out, at(c, i))
		}
	}
	return out
}

// Zeros gives n zeros of a type as numpy.zeros does: false, 0, "", 1970-01-01. Objects are the integer 0 as int64.
func Zeros(n int, d DType) Column {
	switch {
	case d.Type.text():
		c := textConst(d.Type, Array, n, "")
		c.bits = uint64(max(d.Width, 1))
		return c
	case d.Type == Object:
		return ObjectConst(n, int64(0))
	case d.Type == Enum:
		return EnumConst(n, &Domain{}, 0)
	}
	return Column{n: int32(n), tag: tag{typ: d.Type, unit: d.Unit, constant: true}}
}

// Full is numpy.full(n, v, dtype): n times v, cast.
func (r *Rules) Full(n int, v Column, d DType) (Column, error) {
	if v.Len() != 1 && v.Len() != n {
		return Column{}, valueError("could not broadcast input array from shape (%d,) into shape (%d,)", v.n, n)
	}
	c, err := r.Cast(v, d)
	if err != nil {
		return Column{}, err
	}
	return c.Spread(n)
}

// FlatNonZero is numpy.flatnonzero(a): int64 positions of what is not zero.
func FlatNonZero(a Column) Column {
	a = a.Looked()
	out := []int64{}
	for i := range int(a.n) {
		if a.Bool(i) {
			out = append(out, int64(i))
		}
	}
	return Of(out)
}
