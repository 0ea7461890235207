// Package why tells how one figure of a simulation came about: the tree behind it, folded where it is zero.
//
//   - [Question] is a figure of a traced simulation, and how much is wanted of the tree behind it.
//   - [Node] is a variable of one row on one period: its value, the formula in force, the parameters it read, the branches it
//     is made of. A branch that is zero has no branches of its own but conditions: what made it zero, with the numbers.
//   - [Condition] comes from running the formula once more and looking at what its expressions gave (condition.go).
//
// Values are those of the trace. Formulas are read, never changed; what is asked more than once, what is too deep and what would
// make the answer too long is left out, and the node says so.
package why

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"edict/platform/nearest"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Figure is a value of a simulation.
type Figure struct {
	Variable *legislation.Variable
	Period   period.Period
	Row      int // of the variable's entity
}

// String is the figure as a step of a path: name<period>[row].
func (f Figure) String() string { return fmt.Sprintf("%s<%s>[%d]", f.Variable.Name, f.Period, f.Row) }

// Question asks for the tree behind a figure that a simulation has computed.
type Question struct {
	Sim    *engine.Simulation
	Tracer *engine.Tracer
	// Given tells whether values of a figure's variable on its period were put in, so that no formula ran, and whether its row's was.
	Given func(f Figure) (any, own bool)
	// Text is the tree of a formula's text, nil if there is none.
	Text func(f *legislation.DatedFormula) *pysyntax.FunctionDef
	// Observe runs a formula once more and tells what its expressions give.
	Observe func(f legislation.Formula, def *pysyntax.FunctionDef, p legislation.Population, at *period.Entry, law legislation.Law, see func(pysyntax.Expr, vector.Column)) (vector.Column, error)
	// Depth is how many levels of branches are opened.
	Depth int
	// Bytes is about how long the tree may be as text.
	Bytes int
	// Figures says that figures and parameters are all that is wanted: what made a value zero is not looked for, which takes running its
	// formula once more, and rows that are zero for the same reason are branches of their own.
	Figures bool
}

// Origin is where a value comes from.
type Origin string

// The origins.
const (
	Computed    Origin = "formula"
	Given       Origin = "input"       // the request has it
	Default     Origin = "default"     // nobody says anything else
	Neutralized Origin = "neutralized" // a reform took it out
)

// Cut says why a branch that goes on is not opened.
type Cut string

// The cuts.
const (
	CutDepth Cut = "depth" // it is as deep as was asked for
	CutSize  Cut = "size"  // the tree would be too long
	CutShown Cut = "shown" // it is opened in another place of the tree
)

// Node is a branch of the tree.
type Node struct {
	Figure
	ID     string // of the row, "" if it has none
	Value  Element
	Origin Origin
	// Formula is the one in force, nil if there is none.
	Formula *legislation.DatedFormula
	// Others are the values of further periods that the same formula asked for, for the same row.
	Others     []Other
	Parameters []Parameter
	Branches   []*Node
	// Also are further rows of which all of it is true as well, if the branch is zero.
	Also []Row
	// Zeros are the names of variables that the formula asked for too, and that are zero because nobody gave them a value.
	Zeros []string
	// Because is what made the value zero, if it is and a formula computed it.
	Because []Condition
	Cut     Cut
	// More counts branches that were left out because there are too many.
	More int

	trace  *engine.Trace
	beside bool // other rows were put in, this one has the default
}

// Element is one element of a column.
type Element struct {
	Column vector.Column
	Row    int
}

// Zero tells whether it is the number 0 or false.
func (e Element) Zero() bool { return e.Column.Type().Number() && e.Column.Float(e.at()) == 0 }

func (e Element) at() int { return min(e.Row, e.Column.Len()-1) }

// Scalar is the column of the element alone, and where it is there.
func (e Element) Scalar() (vector.Column, int) { return e.Column, e.at() }

// Format writes the element; "" if there is none.
func (e Element) Format() string {
	if e.Column.Len() == 0 {
		return ""
	}
	return e.Column.Format(e.at())
}

// Row is a member of an entity.
type Row struct {
	Row int
	ID  string // "" if it has none
}

// Other is a value of another period.
type Other struct {
	Period period.Period
	Value  Element
}

// maxBranches bounds the branches of one node.
const maxBranches = 200

// explanation makes one answer.
type explanation struct {
	*Question
	flat   map[calculation]*engine.Trace // each calculation, the first time that it was made
	stale  bool                          // a formula does not repeat its computation
	opened map[string]bool
	runs   map[string]*ran // formulas that were run once more, by the name of the calculation
	bytes  int
}

// calculation is a variable on a period.
type calculation struct {
	variable string
	at       period.Period
}

// ErrStale says that a formula that was recalled in a sparse trace cannot be run once more as it would have been: the question
// has to be asked of a simulation that is traced in full.
var ErrStale = errors.New("a formula does not repeat its computation")

// Explain makes the tree behind a figure, or behind the branch that a path leads to from there; the first step of a path is
// the figure itself. It computes the figure. A sparse trace may turn out to be too little ([ErrStale]).
func (q *Question) Explain(f Figure, path []string) (*Node, error) {
	if _, err := q.Sim.Calculate(f.Variable.ID, q.Sim.Periods().Intern(f.Period), legislation.Plain); err != nil {
		return nil, err
	}
	x := &explanation{Question: q, flat: flat(q.Tracer), opened: map[string]bool{}, runs: map[string]*ran{}}
	f, err := x.follow(f, path)
	if err != nil {
		return nil, err
	}
	root, ok := x.node(f)
	if !ok {
		return nil, fmt.Errorf("%s was not computed", f)
	}
	x.opened[f.String()] = true
	level := []*Node{root}
	x.explainZero(root)
	for depth := 0; depth < q.Depth && len(level) > 0; depth++ {
		var next []*Node
		for _, n := range level {
			next = append(next, x.open(n)...)
		}
		level = next
	}
	for _, n := range level {
		x.shut(n, CutDepth)
	}
	if x.stale {
		return nil, ErrStale
	}
	return root, nil
}

// flat has each calculation once. The first time counts: later ones only read what it stored.
func flat(t *engine.Tracer) map[calculation]*engine.Trace {
	out := make(map[calculation]*engine.Trace)
	t.Walk(func(n *engine.Trace, _ int) {
		if at := (calculation{n.Variable, n.Period}); out[at] == nil {
			out[at] = n
		}
	})
	return out
}

// find is the calculation of a figure, nil if there was none that came to a value.
func (x *explanation) find(f Figure) *engine.Trace {
	if t := x.flat[calculation{f.Variable.Name, f.Period}]; t != nil && t.Err == nil {
		return t
	}
	return nil
}

// complete notes what the formula of a calculation read of the law, if that is not known yet.
func (x *explanation) complete(t *engine.Trace) {
	if !x.stale && !x.Sim.Reread(t) {
		x.stale = true
	}
}

// shut notes why a branch that goes on is not opened.
func (x *explanation) shut(n *Node, why Cut) {
	if !leaf(n.trace) {
		n.Cut = why
	}
}

// leaf tells whether a calculation asked for nothing.
func leaf(t *engine.Trace) bool {
	return len(t.Children) == 0 && len(t.Parameters) == 0 && len(t.Scales) == 0
}

// key is the name of a calculation in the trace.
func key(v *legislation.Variable, at period.Period) string { return v.Name + "<" + at.String() + ">" }

// node tells of a figure what is told without opening it; false if the trace does not have it.
func (x *explanation) node(f Figure) (*Node, bool) {
	t := x.find(f)
	if t == nil {
		return nil, false
	}
	if len(t.Children) == 0 {
		x.complete(t) // whether it asked for anything
	}
	n := &Node{Figure: f, Value: Element{t.Value, f.Row}, Origin: Default, trace: t}
	if ids := x.Sim.PopulationOf(f.Variable.Entity.Key).IDs(); f.Row < len(ids) {
		n.ID = ids[f.Row]
	}
	given, own := x.Given(f)
	switch v := f.Variable; {
	case leaf(t) && own:
		n.Origin = Given
	case leaf(t) && given:
		n.beside = true
	case v.Neutral(f.Period):
		n.Origin = Neutralized
	case f.Period.Start.Valid():
		if n.Formula = v.FormulaAt(f.Period.Start); n.Formula != nil {
			n.Origin = Computed
		}
	}
	x.bytes += n.length()
	return n, true
}

// open finds the branches and the parameters of a node, and returns the branches that can be opened in turn.
func (x *explanation) open(n *Node) (further []*Node) {
	if x.bytes > x.Bytes {
		x.shut(n, CutSize)
		return nil
	}
	n.Parameters = x.parameters(n)
	for _, group := range x.groups(n) {
		if len(n.Branches) >= maxBranches || x.bytes > x.Bytes {
			n.More++
			continue
		}
		b, ok := x.branch(group)
		switch {
		case !ok:
		case b.zero() && b.Origin == Default && !b.beside:
			if !slices.Contains(n.Zeros, b.Variable.Name) {
				n.Zeros = append(n.Zeros, b.Variable.Name)
			}
		case b.zero():
			x.explainZero(b)
			n.fold(b)
		case x.opened[b.String()]:
			n.Branches = append(n.Branches, b)
			x.shut(b, CutShown)
		default:
			x.opened[b.String()] = true
			n.Branches = append(n.Branches, b)
			further = append(further, b)
		}
	}
	return further
}

// fold adds a branch that is zero, to the one before it if that is the same for another row.
func (n *Node) fold(b *Node) {
	if len(n.Branches) > 0 {
		last := n.Branches[len(n.Branches)-1]
		same := func(c, d Condition) bool { return c.equal(&d) }
		if last.Variable == b.Variable && last.Period == b.Period && last.Origin == b.Origin && last.zero() && len(b.Because) > 0 && slices.EqualFunc(last.Because, b.Because, same) {
			last.Also = append(last.Also, Row{b.Row, b.ID})
			return
		}
	}
	n.Branches = append(n.Branches, b)
}

// zero tells whether a branch is zero on all periods.
func (n *Node) zero() bool {
	for _, o := range n.Others {
		if !o.Value.Zero() {
			return false
		}
	}
	return n.Value.Zero()
}

// Folded tells whether a branch goes on and is not opened because it is zero.
func (n *Node) Folded() bool {
	return n.zero() && n.Origin == Computed && n.Branches == nil && n.Parameters == nil && !leaf(n.trace)
}

// groups puts together what a formula asked for of one variable and one row, on all periods.
func (x *explanation) groups(n *Node) [][]Figure {
	type of struct {
		variable legislation.VariableID
		row      int
	}
	var out [][]Figure
	at := map[of]int{}
	for _, c := range n.trace.Children {
		v, err := x.Sim.System().Lookup(c.Variable)
		if err != nil {
			continue
		}
		for _, row := range x.rows(n.Variable.Entity, n.Row, v.Entity) {
			f := Figure{v, c.Period, row}
			i, known := at[of{v.ID, row}]
			switch {
			case !known:
				at[of{v.ID, row}] = len(out)
				out = append(out, []Figure{f})
			case !slices.Contains(out[i], f):
				out[i] = append(out[i], f)
			}
		}
	}
	return out
}

// branch is the node of a group: of the first period on which it is not zero, with the values of the others.
func (x *explanation) branch(group []Figure) (*Node, bool) {
	main := 0
	for i, f := range group {
		if t := x.find(f); t != nil && !(Element{t.Value, f.Row}).Zero() {
			main = i
			break
		}
	}
	n, ok := x.node(group[main])
	if !ok {
		return nil, false
	}
	for i, f := range group {
		if t := x.find(f); t != nil && i != main {
			n.Others = append(n.Others, Other{f.Period, Element{t.Value, f.Row}})
			x.bytes += 24
		}
	}
	return n, true
}

// rows are those of an entity that a row of another one is made of or belongs to.
func (x *explanation) rows(from *legislation.Entity, row int, to *legislation.Entity) []int {
	if from == to {
		return []int{row}
	}
	persons := []int{row}
	if !from.IsPerson {
		persons = persons[:0]
		groups := x.Sim.PopulationOf(from.Key).MembersEntityID()
		for person := range groups.Len() {
			if int(groups.Int(person)) == row {
				persons = append(persons, person)
			}
		}
	}
	if to.IsPerson {
		return persons
	}
	var out []int
	groups := x.Sim.PopulationOf(to.Key).MembersEntityID()
	for _, person := range persons {
		if g := int(groups.Int(person)); !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// PathError says which step of a path leads nowhere.
type PathError struct {
	Step int
	Msg  string
}

func (e *PathError) Error() string { return e.Msg }

// follow finds the figure that a path leads to. A step is name, name<period>, name[row] or name<period>[row].
func (x *explanation) follow(f Figure, path []string) (Figure, error) {
	for i, text := range path {
		step, err := parseStep(text)
		if err != nil {
			return f, &PathError{i, err.Error()}
		}
		if i == 0 {
			if !step.is(f) {
				return f, &PathError{i, fmt.Sprintf("a path begins with the figure itself, %s", f)}
			}
			continue
		}
		next, msg := x.next(f, step)
		if msg != "" {
			return f, &PathError{i, msg}
		}
		f = next
	}
	return f, nil
}

// next finds the branch of a figure that a step means.
func (x *explanation) next(f Figure, s step) (next Figure, msg string) {
	n, ok := x.node(f)
	if !ok {
		return f, fmt.Sprintf("%s was not computed", f)
	}
	var names, keys []string
	for _, group := range x.groups(n) {
		for _, b := range group {
			if s.is(b) {
				return b, ""
			}
			names = append(names, b.Variable.Name)
			if b.Variable.Name == s.name {
				keys = append(keys, b.String())
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch {
	case len(keys) > 0:
		return f, fmt.Sprintf("the formula of %s asked for %s as %s", f, s.name, someOf(keys))
	case len(names) == 0:
		return f, fmt.Sprintf("%s has no branches", f)
	}
	msg = fmt.Sprintf("%s has no branch %s; it has %s", f, s.name, someOf(names))
	if near := nearest.Name(s.name, slices.Values(names)); near != "" {
		msg += fmt.Sprintf("; did you mean %q?", near)
	}
	return f, msg
}

// someOf lists the first words.
func someOf(words []string) string {
	const most = 12
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	return strings.Join(words, ", ")
}
