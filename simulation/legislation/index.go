package legislation

import (
	"slices"
	"sort"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// VectorNode is a node for every row of a population: the result of indexing a node with a column. Rows that were
// indexed alike share their node.
type VectorNode struct {
	nodes []*NodeAt
	rows  []int32 // of each row, the position in nodes; nil if there is only one node
	n     int
	name  string
	path  *keyPath // how it was found, if its keys are taped
}

// Name is the full name of the node that was indexed first.
func (v *VectorNode) Name() string { return v.name }

// Day is the day on which the values of the nodes hold.
func (v *VectorNode) Day() period.Instant { return v.nodes[0].Day() }

// Len is the number of rows.
func (v *VectorNode) Len() int { return v.n }

// Indexed is what indexing with a column gives: a VectorNode if the children are nodes, else a column of their values.
type Indexed struct {
	Node   *VectorNode
	Column vector.Column
}

// Index gives for every row the child that the row names: by text, by the name of an enumeration's member, by an
// integer, or by a date as of which the child named before_… or after_… is in force. The children of the node, and
// theirs, must be alike.
func (n *NodeAt) Index(keys vector.Column, rules *vector.Rules) (Indexed, error) {
	if err := n.checkHomogeneous(); err != nil {
		return Indexed{}, err
	}
	if keys.Taped() {
		return (&keyPath{start: n, rules: rules}).by(keys)
	}
	names, rows, err := n.keyNames(keys, rules)
	if err != nil {
		return Indexed{}, err
	}
	v := &VectorNode{n: keys.Len(), name: n.Name(), rows: rows}
	values := make([]Value, len(names))
	for i, name := range names {
		if values[i], err = n.Child(name); err != nil {
			return Indexed{}, err
		}
	}
	return v.gather(values, rules)
}

// Field gives for every row the child with the same name.
func (v *VectorNode) Field(name string) (Indexed, error) {
	if v.path != nil {
		return v.path.to(name)
	}
	values := make([]Value, len(v.nodes))
	for i, node := range v.nodes {
		var err error
		if values[i], err = node.Child(name); err != nil {
			return Indexed{}, err
		}
	}
	return (&VectorNode{n: v.n, name: v.name, rows: v.rows}).gather(values, nil)
}

// Index gives for every row the child that the row names, by text or by the name of an enumeration's member.
func (v *VectorNode) Index(keys vector.Column, rules *vector.Rules) (Indexed, error) {
	switch {
	case v.path != nil:
		return v.path.by(keys)
	case keys.Taped():
		return (&keyPath{start: v, rules: rules}).by(keys)
	}
	if keys.Len() != v.n && !keys.Constant() {
		return Indexed{}, valueError("'%s' has %d rows and cannot be indexed with %d keys", v.name, v.n, keys.Len())
	}
	names, keyRows, err := textKeys(keys, rules)
	if err != nil {
		return Indexed{}, err
	}
	out := &VectorNode{n: v.n, name: v.name, rows: make([]int32, v.n)}
	var values []Value
	seen := newNumbers(0, int64(len(v.nodes)*len(names))-1)
	for row := range v.n {
		node, key := at(v.rows, row), at(keyRows, row)
		both := int64(node)*int64(len(names)) + int64(key)
		i, ok := seen.known(both)
		if !ok {
			i = seen.add(both)
			value, err := v.nodes[node].Child(names[key])
			if err != nil {
				return Indexed{}, err
			}
			values = append(values, value)
		}
		out.rows[row] = i
	}
	if len(values) == 1 {
		out.rows = nil
	}
	return out.gather(values, rules)
}

func at(rows []int32, row int) int32 {
	if rows == nil {
		return 0
	}
	return rows[row]
}

// gather makes the result of the values that the rows of v point to.
func (v *VectorNode) gather(values []Value, rules *vector.Rules) (Indexed, error) {
	if len(values) == 0 {
		return Indexed{Column: vector.Of([]float64{})}, nil
	}
	if values[0].Node == nil {
		c, err := columnOf(values, v, rules)
		return Indexed{Column: c}, err
	}
	for _, value := range values {
		v.nodes = append(v.nodes, value.Node)
	}
	return Indexed{Node: v}, nil
}

// columnOf makes the array that numpy.array makes of the values of all rows: the type that holds them all.
func columnOf(values []Value, v *VectorNode, rules *vector.Rules) (vector.Column, error) {
	kind := vector.Bool
	for _, value := range values {
		if value.Leaf == nil || value.Leaf.Kind != Scalar {
			return vector.Column{}, &Error{"NotImplementedError", "the children of '" + v.name + "' are scales or lists, and those cannot be indexed with a column"}
		}
		kind = max(kind, value.Leaf.Scalar.Type())
	}
	distinct := distinctColumn(values, kind)
	if v.rows == nil {
		return distinct.Spread(v.n)
	}
	return rules.Gather(distinct, v.rows), nil
}

func distinctColumn(values []Value, kind vector.Type) vector.Column {
	switch kind {
	case vector.Bool:
		return vector.Of(mapped(values, func(c vector.Column) bool { return c.Bool(0) }))
	case vector.Int64:
		return vector.Of(mapped(values, func(c vector.Column) int64 { return c.Int(0) }))
	case vector.Float64:
		return vector.Of(mapped(values, func(c vector.Column) float64 { return c.Float(0) }))
	}
	return vector.Strs(mapped(values, func(c vector.Column) string { return c.Format(0) }))
}

func mapped[T any](values []Value, f func(vector.Column) T) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = f(v.Leaf.Scalar)
	}
	return out
}

// keyNames gives the distinct names that the keys stand for, and which of them each row has; nil rows mean the first.
func (n *NodeAt) keyNames(keys vector.Column, rules *vector.Rules) (names []string, rows []int32, err error) {
	switch keys.Type() {
	case vector.Int16:
		names, rows = distinctInts(keys, vector.Slice[int16](keys), keys.Format, rules)
		return names, rows, nil
	case vector.Int32:
		names, rows = distinctInts(keys, vector.Slice[int32](keys), keys.Format, rules)
		return names, rows, nil
	case vector.Int64:
		names, rows = distinctInts(keys, vector.Slice[int64](keys), keys.Format, rules)
		return names, rows, nil
	case vector.Date:
		return n.dateKeys(keys, rules)
	}
	return textKeys(keys, rules)
}

func textKeys(keys vector.Column, rules *vector.Rules) (names []string, rows []int32, err error) {
	switch keys.Type() {
	case vector.Str:
		names, rows = distinct(keys, keys.Text, keys.Text)
		return names, rows, nil
	case vector.Enum:
		return enumKeys(keys)
	case vector.Object:
		text := func(i int) string {
			name, failed := objectKey(keys.Object(i), rules)
			if failed != nil {
				err = failed
			}
			return name
		}
		names, rows = distinct(keys, text, text)
		return names, rows, err
	}
	return nil, nil, typeError("parameters cannot be indexed with a column of %s: use text, an enumeration, integers or dates", keys.DType())
}

func objectKey(v any, rules *vector.Rules) (string, error) {
	switch v := v.(type) {
	case EnumMember:
		domain, index := v.EnumMember()
		return domain.Members[index], nil
	case string:
		return v, nil
	}
	if rules != nil && rules.Objects != nil {
		if u := rules.Objects.Unbox(v); u.Type() == vector.Str {
			return u.Text(0), nil
		}
	}
	return "", typeError("parameters can be indexed with objects only if they are texts or members of an enumeration")
}

// distinct numbers the texts of a column, which are told apart by what is the same in rows that have the same, in order of appearance.
func distinct[T comparable](keys vector.Column, same func(int) T, text func(int) string) (names []string, rows []int32) {
	n := keys.Len()
	if n == 0 {
		return nil, nil
	}
	if keys.Constant() {
		return []string{text(0)}, nil
	}
	var few []T // the first ones, by number
	seen := make(map[T]int32)
	rows = make([]int32, n)
	for i := range n {
		key := same(i)
		number := int32(slices.Index(few, key))
		if number < 0 && len(names) > len(few) {
			if k, ok := seen[key]; ok {
				number = k
			}
		}
		if number < 0 {
			number = int32(len(names))
			names = append(names, text(i))
			if len(few) < 8 {
				few = append(few, key)
			} else {
				seen[key] = number
			}
		}
		rows[i] = number
	}
	return names, rows
}

// distinctInts is distinct of integers.
func distinctInts[T int16 | int32 | int64](keys vector.Column, all []T, text func(int) string, rules *vector.Rules) (names []string, rows []int32) {
	if len(all) == 0 {
		return nil, nil
	}
	if keys.Constant() {
		return []string{text(0)}, nil
	}
	seen := newNumbers(int64(slices.Min(all)), int64(slices.Max(all)))
	rows = rules.Places(len(all))
	for i, key := range all {
		number, ok := seen.known(int64(key))
		if !ok {
			number = seen.add(int64(key))
			names = append(names, text(i))
		}
		rows[i] = number
	}
	return names, rows
}

// numbers gives integers numbers, from 0 on, in the order in which they come.
type numbers struct {
	least int64
	few   []int32 // by integer, one more than the number
	many  map[int64]int32
	count int32
}

// newNumbers is for integers from one to another.
func newNumbers(least, most int64) numbers {
	if spread := uint64(most - least); spread < 1<<14 {
		return numbers{least: least, few: make([]int32, spread+1)}
	}
	return numbers{many: make(map[int64]int32)}
}

// known gives the number of an integer, if it has one.
func (n *numbers) known(of int64) (number int32, ok bool) {
	if n.few != nil {
		number = n.few[of-n.least] - 1
		return number, number >= 0
	}
	number, ok = n.many[of]
	return number, ok
}

// add gives an integer the next number.
func (n *numbers) add(of int64) int32 {
	number := n.count
	n.count++
	if n.few != nil {
		n.few[of-n.least] = n.count
	} else {
		n.many[of] = number
	}
	return number
}

func enumKeys(keys vector.Column) (names []string, rows []int32, err error) {
	members := keys.Domain().Members
	number := make([]int32, len(members))
	codes := vector.Slice[int16](keys)
	if keys.Constant() && len(codes) > 0 {
		codes = codes[:1]
	}
	for _, code := range codes {
		if code < 0 || int(code) >= len(members) {
			return nil, nil, valueError("%d is not the index of a member of %s", code, keys.Domain().Name)
		}
		if number[code] == 0 {
			names = append(names, members[code])
			number[code] = int32(len(names))
		}
	}
	if keys.Constant() {
		return names, nil, nil
	}
	rows = make([]int32, len(codes))
	for i, code := range codes {
		rows[i] = number[code] - 1
	}
	return names, rows, nil
}

// dateKeys finds for each date the child after_YYYY_MM_DD with the latest day that is not later, or the child before_….
func (n *NodeAt) dateKeys(keys vector.Column, rules *vector.Rules) ([]string, []int32, error) {
	type point struct {
		name string
		day  int64
	}
	var before string
	var points []point
	for _, name := range n.Children().Keys() {
		if strings.HasPrefix(name, "before") {
			before = name
			continue
		}
		text := strings.ReplaceAll(name[min(len("after_"), len(name)):], "_", "-")
		date, err := vector.ParseDate(text)
		if err == nil {
			date, err = rules.Cast(date, vector.DType{Type: vector.Date, Unit: vector.Day})
		}
		if err != nil {
			return nil, nil, valueError("the children of '%s' must be named before_ or after_ and a day to be indexed with dates; '%s' is not", n.Name(), name)
		}
		points = append(points, point{name, date.Int(0)})
	}
	slices.SortStableFunc(points, func(a, b point) int { return int(a.day - b.day) })
	days, err := rules.Cast(keys, vector.DType{Type: vector.Date, Unit: vector.Day})
	if err != nil {
		return nil, nil, err
	}
	later := make([]int32, days.Len())
	for i, day := range vector.Slice[int64](days) {
		later[i] = int32(sort.Search(len(points), func(k int) bool { return points[k].day > day }))
	}
	names, rows := distinctInts(days, later, func(i int) string {
		if k := later[i]; k > 0 {
			return points[k-1].name
		}
		return before
	}, rules)
	return names, rows, nil
}
