package pyeval

import (
	"strings"

	"edict/simulation/pysyntax"
)

// tableComp is a dict comprehension whose elements depend on nothing but the element and a few local
// texts: {row["code"]: float(row[column]) for row in reader}. Over the records of a file it gives the
// same dict each time, so the dict is kept with the table.
type tableComp struct {
	slots   []int     // local variables that it reads
	globals []*global // names of built-in functions that it calls
	// key and value are the columns, if keys are a column of their row, and values are one or are made of one, by made, and of nothing else of the row.
	key, value columnName
	made       eval                // nil if values are the column itself
	set        func(*Frame, Value) // gives made its row
}

// columnName is row["name"], or row[name] with the slot of a local variable.
type columnName struct {
	ok   bool
	text string
	slot int // or -1
}

// tableView names a dict made of a table: by which comprehension, from which row on, with which texts.
type tableView struct {
	comp *tableComp
	from int
	args string
}

// pureBuiltins are the functions whose result depends on nothing but their arguments.
var pureBuiltins = map[string]bool{"int": true, "float": true, "str": true, "len": true}

// viewOfTable recognises such a comprehension; c is the compiler of its inside. It has one clause, no
// test and nothing that is evaluated for some elements only.
func (c *compiler) viewOfTable(n *pysyntax.Comp, value eval) *tableComp {
	target, ok := n.For[0].Target.(*pysyntax.Name)
	if !ok || len(n.For) != 1 || len(n.For[0].Ifs) > 0 {
		return nil
	}
	t := &tableComp{}
	if !c.pure(t, target.ID, n.Elt) || !c.pure(t, target.ID, n.Value) {
		return nil
	}
	t.key, t.value = c.columnName(target.ID, n.Elt), c.columnName(target.ID, n.Value)
	if !t.value.ok {
		t.value, t.made, t.set = c.onlyColumn(target.ID, n.Value), value, c.target(target)
	}
	return t
}

// onlyColumn gives the column of the row that target is, if an expression has nothing else of it.
func (c *compiler) onlyColumn(target string, e pysyntax.Expr) columnName {
	var one columnName
	found, other := 0, false
	pysyntax.Walk(e, func(n pysyntax.Node) bool {
		if name, ok := n.(*pysyntax.Name); ok && name.ID == target {
			other = true // the row itself
		}
		part, ok := n.(*pysyntax.Subscript)
		if !ok {
			return true
		}
		column := c.columnName(target, part)
		if !column.ok {
			return true
		}
		found++
		other = other || found > 1 && column != one
		one = column
		return false
	})
	if found == 0 || other {
		return columnName{}
	}
	return one
}

// columnName recognises a column of the row that target is.
func (c *compiler) columnName(target string, e pysyntax.Expr) columnName {
	n, ok := e.(*pysyntax.Subscript)
	if !ok {
		return columnName{}
	}
	if row, ok := n.Value.(*pysyntax.Name); !ok || row.ID != target {
		return columnName{}
	}
	if v, ok := constantOf(n.Index); ok {
		text, ok := v.AsString()
		return columnName{ok, text, -1}
	}
	if name, ok := n.Index.(*pysyntax.Name); ok && name.ID != target {
		v := c.scope.lookup(mangle(c.scope.class, name.ID))
		return columnName{v.kind == varSlot, "", v.slot}
	}
	return columnName{}
}

// in gives the number of the column.
func (n *columnName) in(fr *Frame, h *csvHeader) (int, bool) {
	text := n.text
	if n.slot >= 0 {
		text, _ = fr.slots[n.slot].AsString()
	}
	i, ok := h.index[text]
	return i, ok && n.ok
}

// pair gives the columns of the comprehension, if it is made of nothing but columns.
func (t *tableComp) pair(fr *Frame, r *recordReader) *columnPair {
	if !t.key.ok || !t.value.ok {
		return nil
	}
	key, ok := t.key.in(fr, r.header)
	if !ok {
		return nil
	}
	value, ok := t.value.in(fr, r.header)
	if !ok {
		return nil
	}
	p := &columnPair{table: r.rows.table, from: r.rows.at, key: key, value: value}
	if t.made != nil && !p.make(func(fields []string) Value {
		fr.th.step()
		t.set(fr, Obj(&csvRecord{header: r.header, fields: fields}))
		return t.made(fr)
	}) {
		return nil
	}
	return p
}

// pure notes what an expression reads, and refuses what may depend on or change anything else.
func (c *compiler) pure(t *tableComp, target string, e pysyntax.Expr) bool {
	switch n := e.(type) {
	case *pysyntax.Constant:
		return true
	case *pysyntax.Name:
		if n.ID == target {
			return true
		}
		v := c.scope.lookup(mangle(c.scope.class, n.ID))
		t.slots = append(t.slots, v.slot)
		return v.kind == varSlot
	case *pysyntax.Subscript:
		return c.pure(t, target, n.Value) && c.pure(t, target, n.Index)
	case *pysyntax.Binary:
		return c.pure(t, target, n.Left) && c.pure(t, target, n.Right)
	case *pysyntax.Call:
		return c.pureCall(t, target, n)
	}
	return false
}

func (c *compiler) pureCall(t *tableComp, target string, n *pysyntax.Call) bool {
	name, ok := n.Func.(*pysyntax.Name)
	if !ok || !pureBuiltins[name.ID] || len(n.Keywords) > 0 || c.scope.lookup(name.ID) != (variable{}) {
		return false
	}
	t.globals = append(t.globals, c.slot(name.ID))
	for _, a := range n.Args {
		if !c.pure(t, target, a) {
			return false
		}
	}
	return true
}

// eval looks for the dict where its records come from a table, and builds it otherwise.
func (t *tableComp) eval(first eval, build func(*Frame, Value, *Dict) *Dict) eval {
	return func(fr *Frame) Value {
		over := fr.th.begin(first(fr))
		records, ok := over.o.(*recordReader)
		if !ok || len(records.header.names) == 0 || !records.header.restValue.IsNone() {
			return Obj(build(fr, over, NewDict()))
		}
		args, ok := t.args(fr, records.header.names)
		if !ok {
			return Obj(build(fr, over, NewDict()))
		}
		table := records.rows.table
		d, shared := table.view(fr.th.prog, tableView{t, records.rows.at, args}, func() *columnPair { return t.pair(fr, records) }, func(room int) *Dict { return build(fr, over, NewDictFor(room)) })
		if !shared {
			return Obj(d)
		}
		records.rows.at = len(table.ends)
		return Obj(d.share())
	}
}

// begin calls __iter__ of an object of a Python class, as a loop does first.
func (th *Thread) begin(v Value) Value {
	if _, ok := v.o.(*Instance); !ok {
		return v
	}
	it, ok := th.Special(v, "__iter__")
	if !ok {
		return v
	}
	if _, own := it.o.(*Instance); own {
		return Obj(&iterator{next: func(th *Thread) (Value, bool) { return th.next(it) }})
	}
	return it
}

// args joins the texts that the comprehension reads, the names of the columns among them. False means
// that something else than texts and built-in functions is behind the names.
func (t *tableComp) args(fr *Frame, names []string) (string, bool) {
	for _, g := range t.globals {
		if g.lazy || !g.v.isUnbound() {
			return "", false
		}
	}
	var all strings.Builder
	all.WriteString(strings.Join(names, "\x00"))
	for _, i := range t.slots {
		text, ok := fr.slots[i].o.(Str)
		if !ok {
			return "", false
		}
		all.WriteString("\x00\x00" + string(text))
	}
	return all.String(), true
}

// view gives a dict made of the table, and whether it is one that is kept. Of threads that want it at the same time one
// builds it. Nothing that a [tableComp] evaluates comes back here, so the lock is held meanwhile.
func (t *csvTable) view(p *Program, view tableView, columns func() *columnPair, build func(room int) *Dict) (d *Dict, shared bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.dicts[view]; d != nil {
		return d, true
	}
	if pair := columns(); pair != nil {
		if d, ok := pair.dict(); ok {
			p.library.remember(64 * (d.Len() + len(pair.made)))
			t.remember(view, d)
			return d, true
		}
	}
	d = build(len(t.ends) - view.from)
	return d, t.keep(p, view, d)
}

func (t *csvTable) remember(view tableView, d *Dict) {
	if t.dicts == nil {
		t.dicts = map[tableView]*Dict{}
	}
	t.dicts[view] = d
}

// keep remembers a dict if its values cannot change; the lock is held.
func (t *csvTable) keep(p *Program, view tableView, d *Dict) bool {
	for i := range d.entries {
		if !d.entries[i].v.fixed() {
			return false
		}
	}
	p.library.remember(200 * len(d.entries))
	d.shared = true
	t.remember(view, d)
	return true
}

// fixed tells whether a value is a text or a number, which cannot change.
func (v Value) fixed() bool {
	_, ok := v.o.(Str)
	return ok || v.IsPy()
}
