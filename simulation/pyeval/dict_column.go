package pyeval

// columnPair is the entries of a dict {row["code"]: row["rate"] for row in reader}, as long as they are only looked up: two
// columns of the table, or what is made of them. Packages make a dozen such dicts of tables with tens of thousands of rows to look up a few.
type columnPair struct {
	table      *csvTable
	from       int // row
	key, value int // columns
	// made is what values are by the text of the column, nil if they are the text.
	made map[string]Value
}

// make makes values of the texts of the column, each once. It is false if rows lack a column, or if a value may change.
func (p *columnPair) make(of func(fields []string) Value) bool {
	p.made = make(map[string]Value)
	for i := p.from; i < len(p.table.ends); i++ {
		fields := p.table.row(i)
		if len(fields) <= max(p.key, p.value) {
			return false
		}
		if _, ok := p.made[fields[p.value]]; ok {
			continue
		}
		v := of(fields)
		if !v.fixed() {
			return false
		}
		p.made[fields[p.value]] = v
	}
	return true
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

func (p *columnPair) at(i int) Value {
	text := p.table.row(p.from + i)[p.value]
	if p.made != nil {
		return p.made[text]
	}
	return String(text)
}

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
