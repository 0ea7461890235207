package pyeval

import "strings"

// csvRows is csv_rows(lines, delimiter, quotechar): the rows of the lines as lists of str. A quoted
// field may go on over several lines.
func csvRows(th *Thread, args []Value, kws []Kw) Value {
	var lines Value
	delimiter, quote := ",", `"`
	th.Unpack("csv_rows", args, kws, "lines", &lines, "delimiter?", &delimiter, "quotechar?", &quote)
	if len(delimiter) != 1 || len(quote) != 1 {
		th.Raise(TypeError, "\"delimiter\" and \"quotechar\" must be 1-character strings")
	}
	p := csvParser{delimiter: delimiter[0], quote: quote[0]}
	for _, line := range th.Collect(lines) {
		text := th.mustString(line, "the iterator given to csv.reader")
		th.Alloc(2 * len(text))
		th.Tick(1)
		p.line(text)
	}
	if p.quoted {
		p.endRow()
	}
	return Obj(NewList(p.rows))
}

// csvParser follows CPython's reader in its lenient way: a quote inside an unquoted field is text.
type csvParser struct {
	delimiter, quote byte
	rows             []Value
	row              []Value
	field            strings.Builder
	quoted           bool // inside quotes
	started          bool // the field has a character or a quote
}

func (p *csvParser) line(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case p.quoted && c == p.quote:
			if i+1 < len(text) && text[i+1] == p.quote {
				p.field.WriteByte(c)
				i++
			} else {
				p.quoted = false
			}
		case p.quoted:
			p.field.WriteByte(c)
		case c == p.quote && !p.started:
			p.quoted, p.started = true, true
		case c == p.delimiter:
			p.endField()
			p.started = false
			if i == len(text)-1 {
				p.started = true // a delimiter at the end has an empty field behind it
			}
		case c != '\n' && c != '\r':
			p.field.WriteByte(c)
			p.started = true
		default:
			p.started = p.started || len(p.row) > 0
		}
	}
	if !p.quoted {
		p.endRow()
	}
}

func (p *csvParser) endField() {
	p.row = append(p.row, String(p.field.String()))
	p.field.Reset()
}

func (p *csvParser) endRow() {
	if p.started || len(p.row) > 0 {
		p.endField()
	}
	p.rows = append(p.rows, Obj(NewList(p.row)))
	p.row, p.quoted, p.started = nil, false, false
}

// csvRecords is csv_records(rows, names, restkey, restval): a record for every row that is not empty.
func csvRecords(th *Thread, args []Value, kws []Kw) Value {
	var rows, header Value
	restKey, restValue := None, None
	th.Unpack("csv_records", args, kws, "rows", &rows, "names", &header, "restkey?", &restKey, "restval?", &restValue)
	h := &csvHeader{index: map[string]int{}, restKey: restKey, restValue: restValue}
	for _, name := range th.Collect(header) {
		text := th.mustString(name, "a field name")
		h.index[text] = len(h.names)
		h.names = append(h.names, text)
	}
	var records []Value
	th.Each(rows, func(row Value) bool {
		th.Tick(1)
		if fields := th.Collect(row); len(fields) > 0 {
			records = append(records, Obj(&csvRecord{h, fields}))
		}
		return true
	})
	return Obj(NewList(records))
}

// csvHeader is what the records of a file share.
type csvHeader struct {
	names              []string
	index              map[string]int
	restKey, restValue Value
}

// csvRecord is a row of a DictReader: a dict that only reads. Tables have tens of thousands of rows
// of which a few fields are looked at, so no dict is made until something else is asked for.
type csvRecord struct {
	header *csvHeader
	fields []Value
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
	return r.fields[i], true
}

// Item implements [Indexer].
func (r *csvRecord) Item(th *Thread, key Value) Value {
	if name, ok := key.AsString(); ok {
		if v, ok := r.get(name); ok {
			return v
		}
	}
	return th.index(Obj(r.dict(th)), key)
}

// Contains implements [Container].
func (r *csvRecord) Contains(th *Thread, key Value) bool { return th.contains(Obj(r.dict(th)), key) }

// Each implements [Iterable].
func (r *csvRecord) Each(th *Thread, yield func(Value) bool) { th.Each(Obj(r.dict(th)), yield) }

// Len implements [Lener].
func (r *csvRecord) Len(th *Thread) int { return r.dict(th).Len() }

// Repr implements [Reprer].
func (r *csvRecord) Repr(th *Thread) string { return th.Repr(Obj(r.dict(th))) }

// Attr gives the methods of the dict that the record stands for.
func (r *csvRecord) Attr(th *Thread, name string) (Value, bool) {
	return th.Attr(Obj(r.dict(th)), name)
}

func (r *csvRecord) dict(th *Thread) *Dict {
	d := NewDict()
	for _, name := range r.header.names {
		v, _ := r.get(name)
		d.Set(String(name), v)
	}
	if n := len(r.header.names); len(r.fields) > n {
		th.SetKey(d, r.header.restKey, Obj(NewList(r.fields[n:])))
	}
	return d
}
