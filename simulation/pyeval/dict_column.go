package pyeval

// columnPair is the entries of a dict {row["code"]: row["rate"] for row in reader}, as long as they are only looked up: two
// columns of the table. Packages make a dozen such dicts of tables with tens of thousands of rows to look up a few.
type columnPair struct {
	table      *csvTable
	from       int // row
	key, value int // columns
}

// dict is the dict of the pair. It is false if rows lack one of the columns, or if two have the same key; the lock of the table is held.
func (p columnPair) dict() (*Dict, bool) {
	last := max(p.key, p.value)
	for i := p.from; i < len(p.table.ends); i++ {
		if len(p.table.row(i)) <= last {
			return nil, false
		}
	}
	at := keyColumn{p.from, p.key}
	texts, known := p.table.keys[at]
	if !known {
		texts = make(map[string]int, len(p.table.ends)-p.from)
		for i := p.from; i < len(p.table.ends); i++ {
			texts[p.table.row(i)[p.key]] = i - p.from
		}
		if p.table.keys == nil {
			p.table.keys = map[keyColumn]map[string]int{}
		}
		p.table.keys[at] = texts
	}
	if len(texts) != len(p.table.ends)-p.from {
		return nil, false
	}
	return &Dict{texts: texts, of: &p, shared: true}, true
}

// keyColumn is a column from some row on.
type keyColumn struct{ from, column int }

func (p *columnPair) at(i int) Value { return String(p.table.row(p.from + i)[p.value]) }

// fill makes the entries of a dict that had none so far. A dict that threads share has been filled when it was frozen.
func (d *Dict) fill() {
	if d.of == nil {
		return
	}
	d.entries = make([]entry, len(d.texts))
	for i := range d.entries {
		d.entries[i] = entry{text: Str(d.of.table.row(d.of.from + i)[d.of.key]), v: d.of.at(i)}
	}
	d.of = nil
}
