package population

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"edict/simulation/engine"
	"edict/simulation/legislation"
)

// chunk is consecutive rows whose groups are all of them whole.
type chunk struct {
	index   int
	spans   []span
	persons int
	first   int // the number of the first person in the file, from 0
	groups  []membership
	room    [][]int16 // for roles, by entity
}

// span is rows of a batch.
type span struct {
	batch
	from, to int
}

// membership is who belongs to the groups of an entity in one chunk.
type membership struct {
	groupOf []int32
	roles   []int16  // places among the flattened roles; nil if all have the first
	names   []uint64 // of groups, as words behind ends of lines; 0 of those that have none, or one in long. Of groups without a name only if they are shown
	long    [][]byte // names that are no words, by group, borrowed; it may end before the last group, and has something of others
}

// scattered says that the members of a group are not next to each other.
type scattered struct {
	group, entity, place string
}

func (e *scattered) Error() string {
	return fmt.Sprintf("%s: %s %s continues here, separated from its other members", e.place, e.entity, quoted(e.group))
}

// errDisorder says that the groups of an entity are not numbered in the order of the file, which would have been quick.
var errDisorder = errors.New("the groups are not numbered in the order of the file")

// cutter cuts the rows of a source into chunks. A chunk ends before a row that has only new groups, once it is large
// enough. It has at least two members of every entity, because columns of one element behave differently in Python: a rest
// of the file that has fewer joins the chunk before.
//
// Groups must lie together. In a file whose groups are numbered in order it is enough to look at the number before. For
// any other, the cutter has to remember the groups it has seen.
type cutter struct {
	layout *layout
	cutting
	yield func(*chunk) error

	guess           float64 // how many persons there are, if the size is what suits; 0 otherwise
	chunks, persons int     // so far
	open            *chunk
	ready           *chunk                // waits for the next one to be large enough
	index           []map[string]int32    // of the groups of the open chunk, by entity and name
	holders         []map[tally]int       // of roles that have a maximum, by entity
	closed          []map[uint64]struct{} // hashes of the names of groups of earlier chunks, by entity
	seed            maphash.Seed
	row             []rowGroup
	marks           []mark // of a run
	pause           int    // rows until the next run is tried
}

// cutting is how a file is cut.
type cutting struct {
	size     int      // persons of a chunk; 0 means what suits
	workers  int      // that share them
	whole    bool     // everything is one chunk
	remember bool     // groups need not be numbered in order
	census   []census // of the groups by entity, nil if nobody asks
	// expect is told about how many persons there are, as soon as that can be guessed.
	expect func(persons float64)
	// formulas tells whether formulas run for every chunk, which should be large then.
	formulas func() bool
}

// tally counts those who have a role in a group.
type tally struct {
	group int32
	role  *legislation.Role
}

// rowGroup is what a row says about one entity.
type rowGroup struct {
	name   []byte // nil for nothing; of the batch at hand, or in kept
	kept   []byte
	index  int32 // of the group in the open chunk, -1 if it is new
	number int64 // the highest so far
	roles  []knownRole
}

// keepName makes the name outlive its batch.
func (r *rowGroup) keepName() {
	if r.name != nil {
		r.kept = append(r.kept[:0], r.name...)
		r.name = r.kept
	}
}

// cut gives yield the chunks of a source in order.
func (l *layout) cut(s source, how cutting, yield func(*chunk) error) error {
	c := &cutter{layout: l, cutting: how, yield: yield, seed: maphash.MakeSeed(), row: make([]rowGroup, len(l.groups))}
	for i := range how.census {
		how.census[i] = census{} // of an earlier try
	}
	for i := range l.groups {
		c.closed = append(c.closed, map[uint64]struct{}{})
		c.row[i].number = -1
	}
	c.begin()
	for first := true; ; first = false {
		b, err := s.next()
		if errors.Is(err, io.EOF) {
			return c.finish()
		}
		if err != nil {
			return err
		}
		if guess := float64(b.rows()) / s.read(); first {
			c.expect(guess)
			if c.size == 0 {
				c.guess = guess
				c.measure()
			}
		}
		if err := c.add(b); err != nil {
			return err
		}
		for i := range c.row {
			c.row[i].keepName()
		}
		b.release()
	}
}

const (
	leastChunk = 2 << 10
	mostChunk  = 4 << 10
	mostAtOnce = 20 << 10 // persons in memory if formulas run for every chunk, and there are few workers
)

// measure chooses the size of chunks: as many persons as stay in the cache of a core, or as memory allows if formulas run for
// every chunk, and so that all workers get the same number of chunks.
func (c *cutter) measure() {
	most := mostChunk
	if c.formulas() {
		most = max(mostChunk, mostAtOnce/c.workers)
	}
	rounds := math.Ceil(c.guess / float64(most*c.workers))
	even := c.guess / (rounds * float64(c.workers))
	c.size = max(leastChunk, int(even*1.02)) // the number of persons is a guess: rather one chunk less than one more
}

func (c *cutter) begin() {
	if c.guess > 0 {
		c.measure()
	}
	c.open = newChunk(len(c.layout.groups), c.persons)
	c.index, c.holders = nil, nil
	for i := range c.layout.groups {
		m := &c.open.groups[i]
		m.groupOf = slices.Grow(m.groupOf, c.size+c.size/16)
		if c.ready != nil {
			m.names = slices.Grow(m.names, len(c.ready.groups[i].names)*9/8)
		}
		c.index, c.holders = append(c.index, map[string]int32{}), append(c.holders, map[tally]int{})
		c.row[i].index = -1
	}
}

// add takes the rows of a batch into the open chunk, and closes it where it may end.
func (c *cutter) add(b batch) error {
	from := 0
	plain, _ := b.(*csvBatch)
	for row := 0; row < b.rows(); row++ {
		if plain != nil {
			if n := c.takeRun(plain, row); n > 0 {
				row += n - 1
				continue
			}
		}
		apart, err := c.look(b, row)
		if err != nil {
			return err
		}
		if apart && !c.whole && c.open.persons >= c.size && c.enough() {
			c.extend(b, from, row)
			from = row
			if err := c.close(); err != nil {
				return err
			}
		}
		if err := c.join(b, row); err != nil {
			return err
		}
	}
	c.extend(b, from, b.rows())
	return nil
}

func (c *cutter) extend(b batch, from, to int) {
	if from < to {
		b.hold()
		c.open.spans = append(c.open.spans, span{b, from, to})
	}
}

// enough reports whether the open chunk has two members of every entity.
func (c *cutter) enough() bool {
	return c.open.persons > 1 && !slices.ContainsFunc(c.open.groups, func(m membership) bool { return len(m.names) < 2 })
}

func (c *cutter) close() error {
	// A hash takes a fraction of the memory of a name; should two ever be equal, everything is computed as one chunk.
	for i, known := range c.index {
		for name := range known {
			c.closed[i][maphash.String(c.seed, name)] = struct{}{}
		}
	}
	err := c.release()
	c.ready = c.open
	c.begin()
	return err
}

// release lets go of the chunk that waits.
func (c *cutter) release() error {
	if c.ready == nil {
		return nil
	}
	out := c.ready
	c.ready = nil
	out.index = c.chunks
	c.chunks++
	return c.yield(out)
}

func (c *cutter) finish() error {
	switch {
	case c.open.persons == 0:
	case c.ready != nil && !c.enough():
		c.ready.append(c.open)
	default:
		if err := c.release(); err != nil {
			return err
		}
		c.ready = c.open
	}
	return c.release()
}

// append adds the rows of another chunk, which has other groups.
func (c *chunk) append(d *chunk) {
	c.spans = append(c.spans, d.spans...)
	for i := range c.groups {
		m, n := &c.groups[i], d.groups[i]
		if (m.roles == nil) != (n.roles == nil) {
			m.roles, n.roles = m.allRoles(), n.allRoles()
		}
		for _, g := range n.groupOf {
			m.groupOf = append(m.groupOf, g+int32(len(m.names)))
		}
		m.roles = append(m.roles, n.roles...)
		m.addAll(n)
	}
	c.persons += d.persons
}

// look finds the groups of a row and reports whether the open chunk has none of them.
func (c *cutter) look(b batch, row int) (apart bool, err error) {
	apart = true
	for i := range c.layout.groups {
		g, r := &c.layout.groups[i], &c.row[i]
		if g.id < 0 {
			r.index = -1
			continue
		}
		name := b.name(row, g.id)
		if len(name) == 0 {
			r.name, r.index = nil, -1
			continue
		}
		if r.index < 0 || !bytes.Equal(name, r.name) {
			if r.index, err = c.find(i, name); err != nil {
				return false, err
			}
		}
		r.name = name
		apart = apart && r.index < 0
	}
	return apart, nil
}

// find returns the index of a group that is not that of the row before, -1 if it is new to the open chunk.
func (c *cutter) find(i int, name []byte) (int32, error) {
	if c.remember || c.whole {
		if at, ok := c.index[i][string(name)]; ok {
			return at, nil
		}
		return -1, nil
	}
	number, ok := serial(name)
	if !ok || number <= c.row[i].number {
		return -1, errDisorder
	}
	c.row[i].number = number
	return -1, nil
}

// serial reads a whole number without leading zeros, so that equal numbers are equal names.
func serial(name []byte) (int64, bool) {
	if len(name) > 18 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	n := int64(0)
	for _, d := range name {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = n*10 + int64(d-'0')
	}
	return n, true
}

// join puts the person of a row into its groups.
func (c *cutter) join(b batch, row int) error {
	for i := range c.layout.groups {
		if err := c.joinGroup(i, b, row); err != nil {
			return err
		}
	}
	c.open.persons++
	c.persons++
	return nil
}

func (c *cutter) joinGroup(i int, b batch, row int) error {
	g, m, r := &c.layout.groups[i], &c.open.groups[i], &c.row[i]
	if r.index < 0 {
		r.index = int32(len(m.names))
		name := r.name
		switch {
		case name == nil && g.shown:
			name = c.layout.personName(b, row, c.persons)
		case name != nil && (c.remember || c.whole):
			if _, before := c.closed[i][maphash.Bytes(c.seed, name)]; before {
				return &scattered{string(name), g.entity.Key, b.place(row)}
			}
			c.index[i][string(name)] = r.index
		}
		m.add(name)
		if c.census != nil && r.name != nil {
			c.census[i].add(r.name)
		}
	}
	role, err := c.role(i, b, row)
	if err != nil {
		return err
	}
	if role.Index > 0 && m.roles == nil {
		m.roles = c.firstRoles(i, len(m.groupOf))
	}
	m.groupOf = append(m.groupOf, r.index)
	if m.roles != nil {
		m.roles = append(m.roles, int16(role.Index))
	}
	if r.name == nil {
		// Without a name nobody else belongs to the group: the next row begins another.
		r.index = -1
	}
	return nil
}

// role is what the person of a row is in its group.
func (c *cutter) role(i int, b batch, row int) (*legislation.Role, error) {
	g, r := &c.layout.groups[i], &c.row[i]
	role := g.entity.Roles[0]
	if g.role >= 0 {
		name := b.name(row, g.role)
		if known := r.known(name); known != nil {
			role = known
		} else if given := b.cell(row, g.role); given.given(legislation.String) {
			found, err := g.find(given)
			if err != nil {
				return nil, fmt.Errorf("%s, column %q: %w", b.place(row), roleName(g.entity), err)
			}
			role = found
			r.roles = append(r.roles, knownRole{bytes.Clone(name), wordOf(name, newlines), found})
		}
	}
	if role.Max == 0 {
		return role, nil
	}
	holders := c.holders[i]
	for _, one := range role.Subroles {
		if holders[tally{r.index, one}] == 0 {
			role = one
			break
		}
	}
	if holders[tally{r.index, role}]++; holders[tally{r.index, role}] > role.Max || len(role.Subroles) > 0 {
		return nil, fmt.Errorf("%s: at most %s may have the role %s, but %s %s has more: set the roles in column %s",
			b.place(row), upTo(role.Max), role.Key, g.entity.Key, quoted(r.name), roleName(g.entity))
	}
	return role, nil
}

func upTo(n int) string {
	if n == 1 {
		return "one person"
	}
	return fmt.Sprintf("%d persons", n)
}

// find finds a role by its key, its plural, or its number among the roles that a person can have.
func (g *grouping) find(c cell) (*legislation.Role, error) {
	name := string(c.name())
	if role, ok := g.roles[name]; ok {
		return role, nil
	}
	hint := ""
	if near := legislation.Nearest(name, maps.Keys(g.roles)); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	var known []string
	for _, r := range g.entity.Flattened {
		known = append(known, r.Key)
	}
	return nil, fmt.Errorf("%s is no role of a %s%s (%s)", c, g.entity.Key, hint, listed(known))
}

// rolesOf finds the roles of an entity by what a file may call them.
func rolesOf(e *legislation.Entity) map[string]*legislation.Role {
	roles := map[string]*legislation.Role{}
	for _, r := range e.Roles {
		roles[r.Key], roles[r.Plural] = r, r
		for _, sub := range r.Subroles {
			roles[sub.Key] = sub
		}
	}
	for i, r := range e.Flattened {
		roles[strconv.Itoa(i)] = r
	}
	delete(roles, "")
	return roles
}

// allRoles returns the role of each person, who so far all have the first.
func (m *membership) allRoles() []int16 {
	if m.roles != nil {
		return m.roles
	}
	return make([]int16, len(m.groupOf))
}

// personName is what the person of a row is called; n counts persons from 0.
func (l *layout) personName(b batch, row, n int) []byte {
	if l.personID >= 0 {
		if name := b.cell(row, l.personID).name(); len(name) > 0 {
			return name
		}
	}
	return strconv.AppendInt(nil, l.before.rows()+int64(n)+1, 10)
}

// spec describes the chunk to the engine.
func (c *chunk) spec(l *layout) engine.Spec {
	s := engine.Spec{Persons: c.persons, Groups: map[string]engine.Groups{}}
	for i, g := range l.groups {
		m := c.groups[i]
		s.Groups[g.entity.Key] = engine.Groups{Count: len(m.names), GroupOf: m.groupOf, Held: m.roles, Sound: true}
	}
	return s
}
