package population

import (
	"bytes"
	"slices"

	"edict/simulation/legislation"
)

// In most files groups are numbered in order and roles may be had by any number of persons. Rows of such a file are put into
// their groups some hundred at a time, entity by entity. Where one of them is otherwise, all of them are looked at one by one.

const (
	runRows  = 256          // rows that are taken at a time
	leastRun = 16           // fewer are not worth it
	runPause = 16 * runRows // rows that are looked at one by one after some that could not be taken together
)

// mark is how far a group was before a run.
type mark struct {
	groups, persons, roles int
	row                    rowGroup
}

// takeRun puts the persons of the next rows into their groups and returns how many there are: 0 if those that come next need to be
// looked at one by one.
func (c *cutter) takeRun(b *csvBatch, row int) int {
	n := min(runRows, b.rows()-row, c.size-c.open.persons)
	if c.remember || c.whole || c.census != nil || n < leastRun {
		return 0
	}
	if c.pause > 0 {
		c.pause--
		return 0
	}
	c.marks = c.marks[:0]
	for i := range c.layout.groups {
		m := &c.open.groups[i]
		c.marks = append(c.marks, mark{len(m.names), len(m.groupOf), len(m.roles), c.row[i]})
		if !c.takeGroups(i, b, row, row+n) || !c.takeRoles(i, b, row, row+n) {
			c.undo()
			c.pause = runPause
			return 0
		}
	}
	c.open.persons += n
	c.persons += n
	return n
}

// undo takes back what a run has done.
func (c *cutter) undo() {
	for i, was := range c.marks {
		m := &c.open.groups[i]
		m.names, m.groupOf, c.row[i] = m.names[:was.groups], m.groupOf[:was.persons], was.row
		if was.roles == 0 {
			m.roles = nil
			continue
		}
		m.roles = m.roles[:was.roles]
	}
}

func (c *cutter) takeGroups(i int, b *csvBatch, from, to int) bool {
	g, m, r := &c.layout.groups[i], &c.open.groups[i], &c.row[i]
	if g.id < 0 {
		return false
	}
	from = c.takeShort(i, b, from, to)
	name, index, number := r.name, r.index, r.number
	for row := from; row < to; row++ {
		id := b.field(row, g.id)
		if len(id) == 0 {
			return false
		}
		if index < 0 || !bytes.Equal(id, name) {
			n, ok := serial(id)
			if !ok || n <= number {
				return false
			}
			number, index = n, int32(len(m.names))
			m.add(id)
		}
		name = id
		m.groupOf = append(m.groupOf, index)
	}
	r.name, r.index, r.number = name, index, number
	return true
}

// takeShort is takeGroups as long as the groups have short numbers. It returns the first row that has something else.
func (c *cutter) takeShort(i int, b *csvBatch, from, to int) int {
	g, m, r := &c.layout.groups[i], &c.open.groups[i], &c.row[i]
	var words [1 + runRows]uint64
	n := b.words(words[1:1+to-from], from, g.id, newlines)
	if r.index >= 0 {
		words[0] = wordOf(r.name, newlines)
	}
	if n == 0 || words[0] == 0 {
		return from
	}
	taken := len(m.groupOf)
	m.groupOf = slices.Grow(m.groupOf, n)[:taken+n]
	var begins [runRows]int32
	n, groups := serials(m.groupOf[taken:], begins[:], words[:n+1], r.index)
	m.groupOf = m.groupOf[:taken+n]
	m.names = slices.Grow(m.names, groups)
	for _, k := range begins[:groups] {
		m.names = append(m.names, words[k+1])
	}
	if groups > 0 {
		r.number, _ = serialWord(words[n])
		r.index += int32(groups)
	}
	if n > 0 {
		r.name = b.field(from+n-1, g.id)
	}
	return from + n
}

// serials puts rows into groups whose numbers are words, as long as they rise; the row before the first has the first word, and the group last. It
// returns how many rows there are, and lists the groups that they begin. Which rows begin one is found without a question that processors would have to
// guess the answer of.
func serials(groupOf, begins []int32, words []uint64, last int32) (rows, groups int) {
	rows, groups = manySerials(groupOf, begins, words, last)
	number, _ := serialWord(words[rows])
	first := groups
	for k := rows; k < len(groupOf); k++ {
		begins[groups] = int32(k)
		if words[k+1] != words[k] {
			groups++
		}
		groupOf[k] = last + int32(groups)
	}
	for j, k := range begins[first:groups] {
		n, ok := serialWord(words[k+1])
		if !ok || n <= number {
			return int(k), first + j
		}
		number = n
	}
	return len(groupOf), groups
}

// takeRoles gives the persons of a run, who are in their groups already, their roles.
func (c *cutter) takeRoles(i int, b *csvBatch, from, to int) bool {
	g, m, r := &c.layout.groups[i], &c.open.groups[i], &c.row[i]
	first := g.entity.Roles[0]
	if g.role < 0 {
		if first.Max == 0 && m.roles != nil {
			m.roles = append(m.roles, make([]int16, to-from)...)
		}
		return first.Max == 0
	}
	var words [runRows]uint64
	short := b.words(words[:to-from], from, g.role, newlines)
	var known [runRows]int16
	n := r.knownRoles(known[:short], words[:short])
	c.addRoles(i, known[:n], len(m.groupOf)-(to-from))
	for k := n; k < to-from; k++ {
		role := r.roleAt(b, from+k, g.role, words[k], first)
		if role == nil || role.Max != 0 {
			return false
		}
		c.addRoles(i, []int16{int16(role.Index)}, len(m.groupOf)-(to-from)+k)
	}
	return true
}

// addRoles gives roles to persons that follow on so many.
func (c *cutter) addRoles(i int, roles []int16, persons int) {
	m := &c.open.groups[i]
	if m.roles == nil {
		if !slices.ContainsFunc(roles, func(r int16) bool { return r > 0 }) {
			return
		}
		m.roles = c.firstRoles(i, persons)
	}
	m.roles = append(m.roles, roles...)
}

// knownRoles gives the roles that are called by words, as long as they are among the first that are known and anybody may have them.
func (r *rowGroup) knownRoles(out []int16, words []uint64) int {
	var texts, places [3]uint64 // places are counted from 1, 0 is none
	for i := range r.roles[:min(len(texts), len(r.roles))] {
		if one := &r.roles[i]; one.word != 0 && one.role.Max == 0 {
			texts[i], places[i] = one.word, uint64(one.role.Index)+1
		}
	}
	for i := manyRoles(out, words, &texts, &places); i < len(words); i++ {
		word := words[i]
		place := places[0]&whereSame(word, texts[0]) | places[1]&whereSame(word, texts[1]) | places[2]&whereSame(word, texts[2])
		if place == 0 {
			return i
		}
		out[i] = int16(place - 1)
	}
	return len(words)
}

// whereSame has all bits if two words are the same, none otherwise.
func whereSame(a, b uint64) uint64 { return ((a^b)|-(a^b))>>63 - 1 }

// roleAt is the role that a row has, whose word may be known, the first if it has none; nil if it is not known yet.
func (r *rowGroup) roleAt(b *csvBatch, row, column int, word uint64, first *legislation.Role) *legislation.Role {
	if word != 0 {
		for i := range r.roles {
			if known := &r.roles[i]; known.word == word {
				return known.role
			}
		}
		return nil
	}
	given := b.field(row, column)
	if len(given) == 0 {
		return first
	}
	return r.known(given)
}

// knownRole is a role and what the file calls it.
type knownRole struct {
	text []byte
	word uint64 // the text if it is short, 0 of any other
	role *legislation.Role
}

// known is the role that a text was found to mean, nil if that is not known yet.
func (r *rowGroup) known(text []byte) *legislation.Role {
	for i := range r.roles {
		if bytes.Equal(r.roles[i].text, text) {
			return r.roles[i].role
		}
	}
	return nil
}

// firstRoles is the first role for as many persons, with room for the rest of a chunk.
func (c *cutter) firstRoles(i, persons int) []int16 {
	room := slices.Grow(c.open.room[i], max(persons, c.size+c.size/16))[:persons]
	clear(room)
	return room
}
