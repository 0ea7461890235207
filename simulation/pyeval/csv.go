package pyeval

// This file defines tables of csv files. They are not in package stdlib because the compiler makes dicts of them (compile_table.go).

import (
	"strings"
	"sync"
)

// csvDialect is how a csv text is written.
type csvDialect struct{ delimiter, quote byte }

// CSVRows is csv_rows(lines, delimiter, quotechar): a reader of the rows of a text, or of an iterable of lines. A
// quoted field may go on over several lines.
func CSVRows(th *Thread, args []Value, kws []Kw) Value {
	var lines Value
	delimiter, quote := ",", `"`
	th.Unpack("csv_rows", args, kws, "lines", &lines, "delimiter?", &delimiter, "quotechar?", &quote)
	if len(delimiter) != 1 || len(quote) != 1 {
		th.Raise(TypeError, "\"delimiter\" and \"quotechar\" must be 1-character strings")
	}
	dialect := csvDialect{delimiter[0], quote[0]}
	if text, ok := lines.AsString(); ok {
		return Obj(&csvReader{table: th.prog.library.table(text, dialect, func() *csvTable {
			p := csvParser{csvDialect: dialect, table: &csvTable{}}
			rows := strings.Count(text, "\n")
			p.table.ends = make([]int, 0, rows+1)
			p.table.fields = make([]string, 0, rows+1+strings.Count(text, delimiter))
			for line := range strings.Lines(text) {
				p.next(th, line)
			}
			return p.end()
		})})
	}
	p := csvParser{csvDialect: dialect, table: &csvTable{}}
	for _, line := range th.Collect(lines) {
		p.next(th, th.MustString(line, "the iterator given to csv.reader"))
	}
	return Obj(&csvReader{table: p.end()})
}

// CSVTexts is the rows of a csv text.
func (th *Thread) CSVTexts(text, delimiter, quote string) [][]string {
	table := CSVRows(th, []Value{String(text), String(delimiter), String(quote)}, nil).o.(*csvReader).table
	rows := make([][]string, len(table.ends))
	for i := range rows {
		rows[i] = table.row(i)
	}
	return rows
}

// csvTable is the rows of a csv text. It does not change; readers of many threads share it.
type csvTable struct {
	fields []string
	ends   []int // where each row ends in fields

	mu    sync.Mutex
	dicts map[tableView]*Dict
	keys  map[keyColumn]map[string]int // rows by the text of a column, the last if there are several
}

func (t *csvTable) row(i int) []string {
	from := 0
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.fields[from:t.ends[i]:t.ends[i]]
}

// size is about how many bytes the table takes beside its text.
func (t *csvTable) size() int { return 16*cap(t.fields) + 8*cap(t.ends) }

// csvParser follows CPython's reader in its lenient way: a quote inside an unquoted field is text.
type csvParser struct {
	csvDialect
	table   *csvTable
	field   strings.Builder
	quoted  bool // inside quotes
	started bool // the field has a character or a quote
}

func (p *csvParser) next(th *Thread, line string) {
	th.AllocMany(len(line), 16)
	th.Tick(1)
	if p.quoted || !p.plainLine(line) {
		p.line(line)
	}
}

// plainLine reads a line whose fields are pieces of it, within quotes or without. It is false, and has read nothing, if one is not.
func (p *csvParser) plainLine(text string) bool {
	text = strings.TrimRight(text, "\r\n")
	if strings.IndexByte(text, '\r') >= 0 || strings.IndexByte(text, '\n') >= 0 {
		return false
	}
	fields, more := p.table.fields, text != ""
	for more {
		var field string
		quoted := text != "" && text[0] == p.quote
		if quoted {
			end := strings.IndexByte(text[1:], p.quote) + 1
			if end == 0 || end+1 < len(text) && text[end+1] != p.delimiter {
				return false
			}
			field, text = text[1:end], text[end+1:]
		}
		end := strings.IndexByte(text, p.delimiter)
		if more = end >= 0; !more {
			end = len(text)
		}
		if !quoted {
			field = text[:end]
		}
		text = text[min(end+1, len(text)):]
		fields = append(fields, field)
	}
	p.table.fields, p.table.ends = fields, append(p.table.ends, len(fields))
	return true
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
			p.started = p.started || p.inRow()
		}
	}
	if !p.quoted {
		p.endRow()
	}
}

// inRow tells whether the row under way has fields.
func (p *csvParser) inRow() bool {
	begin := 0
	if n := len(p.table.ends); n > 0 {
		begin = p.table.ends[n-1]
	}
	return len(p.table.fields) > begin
}

func (p *csvParser) endField() {
	p.table.fields = append(p.table.fields, p.field.String())
	p.field.Reset()
}

func (p *csvParser) endRow() {
	if p.started || p.inRow() {
		p.endField()
	}
	p.table.ends = append(p.table.ends, len(p.table.fields))
	p.quoted, p.started = false, false
}

func (p *csvParser) end() *csvTable {
	if p.quoted {
		p.endRow()
	}
	return p.table
}

// csvReader is csv.reader(): the rows as lists of str, one at a time.
type csvReader struct {
	table *csvTable
	at    int
}

// Type implements [Object].
func (*csvReader) Type() *Class { return iteratorType }

func (r *csvReader) take() ([]string, bool) {
	if r.at >= len(r.table.ends) {
		return nil, false
	}
	r.at++
	return r.table.row(r.at - 1), true
}

// Next implements [Iterator].
func (r *csvReader) Next(th *Thread) (Value, bool) {
	fields, ok := r.take()
	if !ok {
		return Value{}, false
	}
	th.Alloc(56 * len(fields))
	return Obj(NewList(StringValues(fields))), true
}

// CSVRecords is csv_records(reader, names, restkey, restval): a record for every row that is not empty.
func CSVRecords(th *Thread, args []Value, kws []Kw) Value {
	var rows, header Value
	restKey, restValue := None, None
	th.Unpack("csv_records", args, kws, "rows", &rows, "names", &header, "restkey?", &restKey, "restval?", &restValue)
	reader, ok := rows.o.(*csvReader)
	if !ok {
		th.Raise(TypeError, "csv_records needs a reader, not %s", TypeName(rows))
	}
	h := &csvHeader{index: map[string]int{}, restKey: restKey, restValue: restValue}
	for _, name := range th.Collect(header) {
		text := th.MustString(name, "a field name")
		h.index[text] = len(h.names)
		h.names = append(h.names, text)
	}
	return Obj(&recordReader{reader, h})
}

// recordReader is csv.DictReader(): the rows that are left in a reader, as records.
type recordReader struct {
	rows   *csvReader
	header *csvHeader
}

// Type implements [Object].
func (*recordReader) Type() *Class { return iteratorType }

// Next implements [Iterator].
func (r *recordReader) Next(th *Thread) (Value, bool) {
	for {
		fields, ok := r.rows.take()
		if !ok {
			return Value{}, false
		}
		if len(fields) > 0 {
			th.Alloc(48)
			return Obj(&csvRecord{header: r.header, fields: fields}), true
		}
	}
}
