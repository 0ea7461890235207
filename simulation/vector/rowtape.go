package vector

import "unsafe"

// A tape of rows is played on columns of other lengths: what was recorded of some rows of a population is done to the
// rest of it. So it takes only what treats rows one by one, or groups one by one. Who belongs to which group is a column
// among the inputs (Bind), and so is whatever else a formula can know of the rows. A constant that is as long as
// a population is as long as the columns that it is computed with.
//
// Questions about all rows are asked again when the tape is played (Ask): it holds for rows of which the answers are
// the same. A formula that looks at single rows, or does anything else that no tape of rows can tell, ends it.

// rowTape is what a tape of rows knows beyond a tape.
type rowTape struct {
	groups map[unsafe.Pointer]boundGroups
	who    map[unsafe.Pointer]Column
	side   uint8
	why    string
}

// boundGroups is the columns that an index of groups, or of persons, is taken from.
type boundGroups struct {
	index Column
	count Column // as long as there are groups
}

// asked is a question about all rows that a formula went on with the answer of.
type asked struct {
	all  bool // about all of them, not any
	told bool // what the answer was
	side uint8
}

// askStep is a question whose answer does not depend on what is taped.
const (
	askStep   stepKind = 200 + iota
	constStep          // a promise: the operand is the constant that the result is
)

// NewRowTape makes a tape of rows that takes so many steps.
func NewRowTape(limit int) *Tape {
	t := NewTape(limit)
	t.rowTape = &rowTape{groups: make(map[unsafe.Pointer]boundGroups), who: make(map[unsafe.Pointer]Column)}
	return t
}

// OfRows tells whether the tape is played on columns of other lengths.
func (t *Tape) OfRows() bool { return t.rowTape != nil }

// Refusal tells why a tape of rows was closed, "" if it was not.
func (t *Tape) Refusal() string {
	if t.closed && t.why == "" {
		return "there are too many steps"
	}
	return t.why
}

// Refuse closes a tape of rows and keeps why.
func (t *Tape) Refuse(why string) { t.refuse(why) }

func (t *Tape) refuse(why string) {
	if !t.closed {
		t.closed, t.why = true, why
	}
}

// Side tells whose questions the next ones are: a tape may record several simulations of the same rows.
func (t *Tape) Side(n int) { t.side = uint8(n) }

// Bind makes an index that operations on groups are given known as a taped column; count is as long as there are groups.
func (t *Tape) Bind(index []int32, c, count Column) {
	t.groups[unsafe.Pointer(unsafe.SliceData(index))] = boundGroups{c, count}
}

// BindMask is Bind for who counts.
func (t *Tape) BindMask(mask []bool, c Column) { t.who[unsafe.Pointer(unsafe.SliceData(mask))] = c }

// Ask records a question about all rows, and the answer that was gone on with. mine is that of the rows at hand; Asked
// tells what it depends on.
func (t *Tape) Ask(all, mine, told bool) {
	t.add(step{kind: askStep, in: []operand{t.operand(PyBool(mine))}, asked: &asked{all, told, t.side}})
}

// Asked tells that the last question was about a column: what Any or All said of it just before.
func Asked(c Column) {
	t := tapeOf(c)
	if t == nil || t.rowTape == nil {
		return
	}
	last := len(t.steps) - 1
	if last < 1 || t.steps[last].kind != askStep || t.steps[last-1].asked != nil || len(t.steps[last-1].in) != 1 || t.steps[last-1].in[0] != t.operand(c) {
		t.refuse("a question cannot be distinguished from another")
		return
	}
	question := t.steps[last].asked
	t.steps = t.steps[:last]
	t.steps[last-1].asked = question
}

// takes tells whether a step can be played on columns of another length, and ends the tape if not.
func (t *Tape) takes(s *step, in []Column) bool {
	if s.kind == callStep && !s.each && !byRow(s.key) {
		t.refuse("a step does not go row by row")
		return false
	}
	if s.key == namedKey("IsIn") && in[1].Taped() {
		t.refuse("a step compares rows with rows")
		return false
	}
	if s.key == namedKey("Take") && in[0].Taped() {
		t.refuse("rows are picked by their places")
		return false
	}
	for _, c := range in {
		if c.Taped() || c.n == 1 || c.form != Array {
			continue
		}
		if like := lengthFrom(in, c.n); (like >= 0) != c.constant {
			// An array that is no constant and as long as the rows is about them, and nobody knows where it comes from; a constant
			// that is as long as nothing else may be as long as the rows.
			t.refuse("a column of unknown origin")
			return false
		}
	}
	return true
}

// lengthFrom is which operand a constant of n elements is as long as, -1 for none.
func lengthFrom(in []Column, n int32) int {
	for i, c := range in {
		if c.Taped() && c.n == n {
			return i
		}
	}
	return -1
}

// lengthsFrom tells of operands that are constants which one they are as long as.
func lengthsFrom(in []Column) []int8 {
	var out []int8
	for i, c := range in {
		if !c.Taped() && c.constant && c.n > 1 {
			for len(out) <= i {
				out = append(out, -1)
			}
			out[i] = int8(lengthFrom(in, c.n))
		}
	}
	return out
}

// outside is a column without its elements, which a tape of rows does not need and cannot afford to keep.
func outside(c Column) Column {
	if c.typ == Enum {
		return EnumConst(int(c.n), c.Domain(), 0).As(c.form)
	}
	if !c.typ.text() {
		c.bits = 0
	}
	c.data, c.constant = nil, true
	return c
}

// byRow tells whether the operation of a key treats rows one by one. Keys of other packages do: a function that
// they record sees nothing but its columns.
func byRow(key any) bool {
	switch key.(type) {
	case nil, spreadKey, atKey, gatherKey, groupKey, rankKey, searchKey, digitizeKey:
		return false
	}
	return true
}

// Keys of operations on groups that are columns.
type (
	rowGatherKey struct{}
	rowRankKey   struct{}
	rowPlaceKey  struct{}
	rowFillKey   struct{}
	rowGroupKey  struct {
		what   string
		masked bool
	}
)

func (t *Tape) recordRowGather(c Column, index []int32) Column {
	b, ok := t.groups[unsafe.Pointer(unsafe.SliceData(index))]
	if !ok {
		t.refuse("rows are picked by their places")
		return c.Plain().Gather(index)
	}
	out, _ := record(step{moves: true, key: rowGatherKey{}}, nil, c, b.index)
	return out
}

func (t *Tape) recordRowGroups(what string, do func(Column, []int32, int, []bool) Column, c Column, index []int32, n int, mask []bool) Column {
	b, ok := t.groups[unsafe.Pointer(unsafe.SliceData(index))]
	in := []Column{c, b.index, b.count}
	if mask != nil && ok {
		var m Column
		m, ok = t.who[unsafe.Pointer(unsafe.SliceData(mask))]
		in = append(in, m)
	}
	if !ok {
		t.refuse("groups are not those of a population")
		return do(c.Plain(), index, n, mask)
	}
	out, _ := record(step{moves: true, key: rowGroupKey{what, mask != nil}}, nil, in...)
	return out
}

func (t *Tape) recordRowRank(criteria, condition Column, index []int32) (Column, error) {
	b, ok := t.groups[unsafe.Pointer(unsafe.SliceData(index))]
	if !ok {
		t.refuse("groups are not those of a population")
		return GroupRank(criteria.Plain(), condition.Plain(), index, 1+int(maxOfIndex(index)), 0)
	}
	return record(step{moves: true, key: rowRankKey{}}, nil, criteria, condition, b.index, b.count)
}

func maxOfIndex(index []int32) int32 {
	most := int32(-1)
	for _, k := range index {
		most = max(most, k)
	}
	return most
}

// Place gives the elements of c at index, and otherwise, in the type of c, where that is negative.
func (r *Rules) Place(c, otherwise, index Column) (Column, error) {
	if (c.form|otherwise.form|index.form)&boxed != 0 {
		return record(step{moves: true, key: rowPlaceKey{}}, r, c, otherwise, index)
	}
	at := Slice[int32](index)
	found := 0
	for _, k := range at {
		if k >= 0 {
			found++
		}
	}
	if found == len(at) {
		return c.gatherFrom(at, r.pool()), nil
	}
	if c.typ == Enum {
		return placeEnum(c, int16(otherwise.Int(0)), at), nil
	}
	base, err := r.Full(len(at), otherwise, c.DType())
	if err != nil || found == 0 {
		return base, err
	}
	if !base.constant {
		return r.placeAny(c, base, at)
	}
	switch storageType(c.typ) {
	case Bool:
		return placed[bool](r.pool(), c, base, at), nil
	case Int16:
		return placed[int16](r.pool(), c, base, at), nil
	case Int32:
		return placed[int32](r.pool(), c, base, at), nil
	case Int64:
		return placed[int64](r.pool(), c, base, at), nil
	case Float32:
		return placed[float32](r.pool(), c, base, at), nil
	case Float64:
		return placed[float64](r.pool(), c, base, at), nil
	}
	return r.placeAny(c, base, at)
}

// placed is Place of columns that are not text; otherwise is a constant.
func placed[T Element](p *Pool, c, otherwise Column, index []int32) Column {
	out := lend[T](p, len(index))
	for i, k := range index {
		switch {
		case k < 0:
			out[i] = fromBits[T](otherwise.bits)
		case c.constant:
			out[i] = fromBits[T](c.bits)
		default:
			out[i] = storage[T](c)[k]
		}
	}
	return like(c, out)
}

func (r *Rules) placeAny(c, base Column, index []int32) (Column, error) {
	found, present := make([]int32, 0, len(index)), make([]bool, len(index))
	for i, k := range index {
		if present[i] = k >= 0; present[i] {
			found = append(found, k)
		}
	}
	return r.SetMask(base, Of(present), c.Gather(found))
}

func placeEnum(c Column, otherwise int16, index []int32) Column {
	codes := make([]int16, len(index))
	for i, k := range index {
		codes[i] = otherwise
		if k >= 0 {
			codes[i] = int16(c.Int(int(k)))
		}
	}
	return Enums(c.Domain(), codes)
}

// Fill gives a constant as often as another column has elements.
func Fill(c, like Column) (Column, error) {
	if like.Taped() {
		one := c
		one.n = 1
		return record(step{moves: true, key: rowFillKey{}}, nil, one.As(NumpyScalar), like)
	}
	c.n = like.n
	return c.As(Array), nil
}

// CountsNaN tells whether a condition holds for an element that is not a number.
func (r *Rules) CountsNaN(c, condition Column) (bool, error) {
	strange, err := r.Unary(IsNaN, c)
	if err != nil {
		return false, err
	}
	if strange, err = r.Binary(LogicalAnd, strange, condition); err != nil {
		return false, err
	}
	return r.Any(strange)
}

// AllZero gives whether all elements of a column of numbers are positive zeros, as a scalar.
func (r *Rules) AllZero(c Column) (Column, error) {
	if c.Taped() {
		return record(step{key: namedKey("AllZero")}, r, c)
	}
	return Scalar(c.Compact().As(Array).Same(Zeros(int(c.n), c.DType()))), nil
}

// Settled gives, as a scalar, whether a step of a fold changed nothing, or somebody was there for it: who is chosen of each
// group, negative for nobody.
func (r *Rules) Settled(before, after, who Column) (Column, error) {
	if (before.form|after.form|who.form)&boxed != 0 {
		return record(step{key: namedKey("Settled")}, r, before, after, who)
	}
	for _, k := range Slice[int32](who) {
		if k >= 0 {
			return Scalar(true), nil
		}
	}
	return Scalar(before.Same(after)), nil
}
