package pyeval

// This file defines the records that csv.DictReader gives.

// csvHeader is what the records of a file share.
type csvHeader struct {
	names              []string
	index              map[string]int
	restKey, restValue Value
}

// csvRecord is a row of a DictReader. Tables have tens of thousands of rows of which a few fields are
// looked at, so it becomes a dict only when something else is asked of it.
type csvRecord struct {
	header *csvHeader
	fields []string
	dict   *Dict // what the record became
	frozen bool
}

// Type implements [Object].
func (*csvRecord) Type() *Class { return dictType }

func (r *csvRecord) get(name string) (Value, bool) {
	i, ok := r.header.index[name]
	if !ok {
		return Value{}, false
	}
	if i >= len(r.fields) {
		return r.header.restValue, true
	}
	return String(r.fields[i]), true
}

// Item implements [Indexer].
func (r *csvRecord) Item(th *Thread, key Value) Value {
	if name, ok := key.AsString(); ok && r.dict == nil {
		if v, ok := r.get(name); ok {
			return v
		}
	}
	return r.whole(th).Item(th, key)
}

// SetItem implements [ItemSetter].
func (r *csvRecord) SetItem(th *Thread, key Value, v *Value) { r.whole(th).SetItem(th, key, v) }

// Contains implements [Container].
func (r *csvRecord) Contains(th *Thread, key Value) bool { return th.Contains(Obj(r.whole(th)), key) }

// Each implements [Iterable].
func (r *csvRecord) Each(th *Thread, yield func(Value) bool) { th.Each(Obj(r.whole(th)), yield) }

// Len implements [Lener].
func (r *csvRecord) Len(th *Thread) int { return r.whole(th).Len() }

// Repr implements [Reprer].
func (r *csvRecord) Repr(th *Thread) string { return th.Repr(Obj(r.whole(th))) }

// Attr gives the methods of the dict that the record is.
func (r *csvRecord) Attr(th *Thread, name string) (Value, bool) {
	return th.Attr(Obj(r.whole(th)), name)
}

// Freeze implements [Freezer].
func (r *csvRecord) Freeze(f func(Value)) {
	r.frozen = true
	if r.dict != nil {
		f(Obj(r.dict))
	}
}

// whole is the dict. A frozen record, which threads share, makes a new one each time.
func (r *csvRecord) whole(th *Thread) *Dict {
	if r.dict != nil {
		return r.dict
	}
	d := NewDict()
	for _, name := range r.header.names {
		v, _ := r.get(name)
		d.Set(String(name), v)
	}
	if n := len(r.header.names); len(r.fields) > n {
		th.SetKey(d, r.header.restKey, Obj(NewList(StringValues(r.fields[n:]))))
	}
	if r.frozen {
		freeze(Obj(d))
	} else {
		r.dict = d
	}
	return d
}
