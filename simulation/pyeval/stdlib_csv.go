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
