package vector

import "slices"

import "unsafe"

// Where is numpy.where(cond, a, b): a where cond is true, else b, in their common type.
func (r *Rules) Where(cond, a, b Column) (Column, error) {
	if (cond.form|a.form|b.form)&boxed != 0 {
		return record(step{moves: true, key: namedKey("Where")}, r, cond, a, b)
	}
	d, err := r.Promote(a, b)
	if err != nil {
		return Column{}, err
	}
	s, err := shapeOf(a, b)
	if err == nil {
		s, err = s.with(cond)
	}
	if err != nil {
		return Column{}, err
	}
	mask, err := r.condition(cond)
	if err != nil {
		return Column{}, err
	}
	if mask.constant {
		chosen := b
		if mask.bits != 0 {
			chosen = a
		}
		return r.spreadAs(chosen, d, s)
	}
	if a, err = r.Cast(a, d); err != nil {
		return Column{}, err
	}
	if b, err = r.Cast(b, d); err != nil {
		return Column{}, err
	}
	s.pool = r.pool()
	return choose(d, elems[bool](mask), a, b, s), nil
}

// with widens a shape by one more operand.
func (s shape) with(c Column) (shape, error) {
	if c.n != s.n {
		switch {
		case s.n == 1:
			s.n = c.n
		case c.n != 1:
			return s, shapeError(int(c.n), int(s.n))
		}
	}
	if c.form == Array {
		s.form = Array
	}
	s.constant = s.constant && c.constant
	return s, nil
}

// condition gives the truth of cond as a bool column.
func (r *Rules) condition(cond Column) (Column, error) {
	switch {
	case cond.typ.Number():
		return truth(cond), nil
	case cond.typ == Str || cond.typ == Bytes:
		return r.Cast(cond, DType{Type: Bool}) // the number that a text is, not whether there is text
	case cond.typ != Object:
		s := unaryShape(cond)
		if s.constant {
			return constColumn(s, Bool, cond.Bool(0)), nil
		}
		out := make([]bool, cond.n)
		for i := range out {
			out[i] = cond.Bool(i)
		}
		return finish(s, out), nil
	}
	math, err := r.objects()
	if err != nil {
		return Column{}, err
	}
	n := int(cond.n)
	if cond.constant {
		n = min(n, 1)
	}
	vs := make([]any, n)
	for i := range vs {
		vs[i] = cond.Object(i)
	}
	return truths(math, vs, unaryShape(cond))
}

// spreadAs casts c to d and gives it the shape s.
func (r *Rules) spreadAs(c Column, d DType, s shape) (Column, error) {
	c, err := r.Cast(c, d)
	if err != nil {
		return Column{}, err
	}
	c.n, c.form = s.n, s.form
	return c, nil
}

// choose merges two columns of type d by mask.
func choose(d DType, mask []bool, a, b Column, s shape) Column {
	var c Column
	switch storageType(d.Type) {
	case Bool:
		c = finish(s, chooseFrom[bool](s.pool, mask, a, b))
	case Int16:
		c = finish(s, chooseFrom[int16](nil, mask, a, b))
	case Int32:
		c = finish(s, chooseFrom[int32](s.pool, mask, a, b))
	case Int64:
		c = finish(s, chooseFrom[int64](s.pool, mask, a, b))
	case Float32:
		c = finish(s, chooseFrom[float32](s.pool, mask, a, b))
	case Float64:
		c = finish(s, chooseFrom[float64](s.pool, mask, a, b))
	case Object:
		return Objects(chooseObjects(mask, a, b))
	default:
		return Texts(d, chooseAny(mask, a, b, Column.Text))
	}
	c.typ, c.unit = d.Type, d.Unit
	return c
}

func chooseFrom[T Element](p *Pool, mask []bool, a, b Column) []T {
	out := lend[T](p, len(mask))
	var bufA, bufB [lanes]T
	done := wideChoose(out, mask, chosenFrom(a, len(out), &bufA), chosenFrom(b, len(out), &bufB))
	rest, mask := out[done:], mask[done:]
	switch {
	case a.constant && b.constant:
		pick := [2]T{fromBits[T](b.bits), fromBits[T](a.bits)}
		for i, k := range bytesOf(mask) {
			rest[i] = pick[k&1]
		}
	case a.constant:
		overwrite(rest, elems[T](b)[done:], mask, true, fromBits[T](a.bits))
	case b.constant:
		overwrite(rest, elems[T](a)[done:], mask, false, fromBits[T](b.bits))
	default:
		chooseLoop(rest, mask, elems[T](a)[done:], elems[T](b)[done:])
	}
	return out
}

// overwrite gives v where the mask is so, and what is in elsewhere.
func overwrite[T Element](out, in []T, mask []bool, so bool, v T) {
	copy(out, in)
	for i, m := range mask {
		if m == so {
			out[i] = v
		}
	}
}

func chooseLoop[T Element](out []T, mask []bool, a, b []T) {
	mask, a, b = mask[:len(out)], a[:len(out)], b[:len(out)]
	for i := range out {
		v := b[i]
		if mask[i] {
			v = a[i]
		}
		out[i] = v
	}
}

// chooseObjects is chooseAny of objects, most of which are members of an enumeration: one for those whom a condition holds for,
// another for the rest.
func chooseObjects(mask []bool, a, b Column) []any {
	if !a.constant || !b.constant || len(mask) == 0 {
		return chooseAny(mask, a, b, Column.Object)
	}
	pick := [2]any{b.Object(0), a.Object(0)}
	out := make([]any, len(mask))
	for i, m := range bytesOf(mask) {
		out[i] = pick[m&1]
	}
	return out
}

func chooseAny[T any](mask []bool, a, b Column, at func(Column, int) T) []T {
	out := make([]T, len(mask))
	for i, m := range mask {
		if m {
			out[i] = at(a, i)
		} else {
			out[i] = at(b, i)
		}
	}
	return out
}

// Select is numpy.select(conds, choices, otherwise): for every element the choice of the first true condition.
func (r *Rules) Select(conds, choices []Column, otherwise Column) (Column, error) {
	if anyTaped(conds) || anyTaped(choices) || otherwise.Taped() {
		return r.recordSelect(conds, choices, otherwise)
	}
	switch {
	case len(conds) != len(choices):
		return Column{}, valueError("list of cases must be same length as list of conditions")
	case len(conds) == 0:
		return Column{}, valueError("select with an empty condition list is not possible")
	}
	d, err := r.selectType(choices, otherwise)
	if err != nil {
		return Column{}, err
	}
	s := shape{n: 1, form: NumpyScalar, constant: true}
	for i, c := range conds {
		if c.typ != Bool {
			return Column{}, typeError("invalid entry %d in condlist: should be boolean ndarray", i)
		}
		if s, err = s.with(c); err != nil {
			return Column{}, err
		}
		if s, err = s.with(choices[i]); err != nil {
			return Column{}, err
		}
	}
	if s, err = s.with(otherwise); err != nil {
		return Column{}, err
	}
	return r.selectInto(d, conds, choices, otherwise, s)
}

// selectType promotes as numpy.select does: the choices among themselves, then the default, weak if it is a scalar.
func (r *Rules) selectType(choices []Column, otherwise Column) (DType, error) {
	d, err := r.Promote(choices...)
	if err != nil {
		return d, err
	}
	if otherwise.form != Array && (otherwise.form == PyScalar || !r.nep50()) && kinds[otherwise.typ] <= kinds[d.Type] {
		return r.promoteWeak(d, otherwise)
	}
	return promoteTypes(d, plain(otherwise))
}

// selectInto fills from the first condition on, keeping count of what is still open; a constant condition decides all
// the rest at once.
func (r *Rules) selectInto(d DType, conds, choices []Column, otherwise Column, s shape) (Column, error) {
	last := otherwise
	for i, c := range conds {
		if c.constant && c.bits != 0 {
			last, conds, choices = choices[i], conds[:i], choices[:i]
			break
		}
	}
	result, err := r.Cast(last, d)
	if err != nil {
		return Column{}, err
	}
	if d.Type == Object || !d.Type.pooled() && varying(conds) > 4 {
		return r.selectMany(d, conds, choices, result, s)
	}
	made := false // result is nobody else's
	for i, cond := range slices.Backward(conds) {
		if cond.constant {
			continue
		}
		v, err := r.Cast(choices[i], d)
		if err != nil {
			return Column{}, err
		}
		before := result
		result = choose(d, elems[bool](cond), v, before, shape{n: cond.n, pool: r.pool()})
		if made && r.pool() != nil {
			r.pool().Put(before)
		}
		made = true
	}
	result.n, result.form = s.n, s.form
	return result, nil
}

func varying(conds []Column) int {
	n := 0
	for _, c := range conds {
		if !c.constant {
			n++
		}
	}
	return n
}

// selectMany finds, for every element, which choice decides, then copies each once.
func (r *Rules) selectMany(d DType, conds, choices []Column, otherwise Column, s shape) (Column, error) {
	s.pool = r.pool()
	which := lendZeros[int32](s.pool, int(s.n))
	defer giveBack(s.pool, which)
	open := int(s.n)
	used := []Column{otherwise}
	for i, c := range conds {
		if c.constant {
			continue
		}
		if open == 0 {
			break
		}
		hit := false
		k := int32(len(used))
		for j, on := range elems[bool](c) {
			if on && which[j] == 0 {
				which[j], hit = k, true
				open--
			}
		}
		if hit {
			v, err := r.Cast(choices[i], d)
			if err != nil {
				return Column{}, err
			}
			used = append(used, v)
		}
	}
	return pick(d, which, used, s), nil
}

// pick gives used[which[i]] element i.
func pick(d DType, which []int32, used []Column, s shape) Column {
	var c Column
	switch storageType(d.Type) {
	case Bool:
		c = finish(s, pickFrom[bool](s.pool, which, used))
	case Int16:
		c = finish(s, pickFrom[int16](s.pool, which, used))
	case Int32:
		c = finish(s, pickFrom[int32](s.pool, which, used))
	case Int64:
		c = finish(s, pickFrom[int64](s.pool, which, used))
	case Float32:
		c = finish(s, pickFrom[float32](s.pool, which, used))
	case Float64:
		c = finish(s, pickFrom[float64](s.pool, which, used))
	case Object:
		return Objects(pickObjects(which, used))
	default:
		out := make([]string, len(which))
		for i, k := range which {
			out[i] = used[k].Text(i)
		}
		return Texts(d, out)
	}
	c.typ, c.unit = d.Type, d.Unit
	return c
}

// pickObjects is pick of objects, most of which are members of an enumeration: constants.
func pickObjects(which []int32, used []Column) []any {
	constants := make([]any, len(used))
	for k, c := range used {
		if c.constant {
			constants[k] = c.Object(0)
		}
	}
	out := make([]any, len(which))
	for i, k := range which {
		if used[k].constant {
			out[i] = constants[k]
		} else {
			out[i] = used[k].Object(i)
		}
	}
	return out
}

func pickFrom[T Element](p *Pool, which []int32, used []Column) []T {
	out := lend[T](p, len(which))
	for i, k := range which {
		c := &used[k]
		if c.constant {
			out[i] = fromBits[T](c.bits)
		} else {
			out[i] = *(*T)(unsafe.Add(c.data, uintptr(i)*unsafe.Sizeof(out[i])))
		}
	}
	return out
}

// Clip is numpy.clip(a, lo, hi); either bound may be nil, not both.
func (r *Rules) Clip(a Column, lo, hi *Column) (Column, error) {
	if a.Taped() || lo != nil && lo.Taped() || hi != nil && hi.Taped() {
		return r.recordClip(a, lo, hi)
	}
	switch {
	case lo == nil && hi == nil:
		return Column{}, valueError("One of max or min must be given")
	case lo == nil:
		return r.Binary(Minimum, a, *hi)
	case hi == nil:
		return r.Binary(Maximum, a, *lo)
	}
	d, err := r.Promote(a, *lo, *hi)
	if err != nil {
		return Column{}, err
	}
	if a, err = r.Cast(a, d); err != nil {
		return Column{}, err
	}
	low, err := r.Cast(*lo, d)
	if err != nil {
		return Column{}, err
	}
	high, err := r.Cast(*hi, d)
	if err != nil {
		return Column{}, err
	}
	raised, err := r.Binary(Maximum, a, low)
	if err != nil {
		return Column{}, err
	}
	return r.BinaryReuse(Minimum, raised, high, true, false)
}

// DivideWhere is numpy.divide(a, b, out=out, where=where): out where where is false. The result has out's type.
func (r *Rules) DivideWhere(a, b, out, where Column) (Column, error) {
	if (a.form|b.form|out.form|where.form)&boxed != 0 {
		return record(step{each: true, key: namedKey("DivideWhere")}, r, a, b, out, where)
	}
	q, err := r.Binary(Divide, a, b)
	if err != nil {
		return Column{}, err
	}
	if !sameKind(q.typ, out.typ) {
		return Column{}, typeError("Cannot cast ufunc 'divide' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'", q.DType(), out.DType())
	}
	if q, err = r.Cast(q, out.DType()); err != nil {
		return Column{}, err
	}
	return r.Where(where, q, out)
}
