package why

// A value of zero is explained by the text of its formula. The formula is run once more, what every expression gave is noted,
// and the zero is followed from what was returned down to where it began: a product is zero where a factor is, what where
// chooses is zero because of the condition that chose it, a name is what was assigned to it. It ends at a comparison, whose two
// sides are told, or at what a formula asks for.

import (
	"slices"

	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// Condition is an expression that made a value zero.
type Condition struct {
	// Of is the figure whose formula has it: the one that is explained, or one that it is zero because of.
	Of   Figure
	File string
	Line int
	Text string // the expression
	Is   Element
	// Sides are the numbers in it: the two sides of a comparison, the terms of a sum, the arguments of a function.
	Sides []Side
}

// equal tells whether two conditions say the same of two rows.
func (c *Condition) equal(d *Condition) bool {
	same := func(a, b Element) bool { return a.Format() == b.Format() }
	return c.Of.Variable == d.Of.Variable && c.Of.Period == d.Of.Period && c.Line == d.Line && c.Text == d.Text && same(c.Is, d.Is) &&
		slices.EqualFunc(c.Sides, d.Sides, func(a, b Side) bool {
			return a.Text == b.Text && same(a.Value, b.Value) && slices.EqualFunc(a.Values, b.Values, same)
		})
}

// Side is a part of a condition.
type Side struct {
	Text string
	// Value is what it is for the row; Values, if the part has one for each person in the group.
	Value  Element
	Values []Element
	// Variable and Parameter name what stands there, if it is one of them.
	Variable, Parameter string
}

const (
	// maxConditions bounds what is told of one zero, maxSides what is told of one condition, maxText one text, and maxSteps how
	// far a zero is followed.
	maxConditions = 4
	maxSides      = 8
	maxText       = 160
	maxSteps      = 60
	// maxFollowed bounds through how many variables a zero is followed, maxRuns the formulas that are run once more.
	maxFollowed = 6
	maxRuns     = 300
)

// ran is a formula that was run once more: what its expressions gave, for all rows.
type ran struct {
	def    *pysyntax.FunctionDef
	values map[pysyntax.Expr]vector.Column
	result vector.Column
}

// observation follows a zero of one row through a formula that ran.
type observation struct {
	*ran
	x     *explanation
	node  *Node
	steps int
	out   []Condition
}

// explainZero says what made a value zero that a formula computed. What cannot be told is not.
func (x *explanation) explainZero(n *Node) {
	if x.Figures || !n.zero() {
		return
	}
	n.Because = x.conditions(n, 0)
	for _, c := range n.Because {
		x.bytes += c.length()
	}
}

// conditions are what made a node zero. If that is another variable alone, it is followed further.
func (x *explanation) conditions(n *Node, followed int) []Condition {
	if n.Origin != Computed || !n.Value.Zero() {
		return nil
	}
	r := x.run(n)
	// Where a formula asks for itself on other periods, a second run may be another one.
	if r == nil || r.result.Len() == 0 || !(Element{r.result, n.Row}).Zero() {
		return nil
	}
	o := &observation{ran: r, x: x, node: n}
	o.returned(r.def.Body)
	if len(o.out) != 1 || followed >= maxFollowed {
		return o.out
	}
	if next, ok := x.cause(n, o.out[0]); ok {
		return append(o.out, x.conditions(next, followed+1)...)
	}
	return o.out
}

// cause is the branch of a node that a condition is nothing but; false if it is more.
func (x *explanation) cause(n *Node, c Condition) (*Node, bool) {
	if len(c.Sides) != 1 || c.Sides[0].Variable == "" || c.Sides[0].Text != c.Text {
		return nil, false
	}
	for _, group := range x.groups(n) {
		if f := group[0]; f.Variable.Name == c.Sides[0].Variable {
			return x.node(f)
		}
	}
	return nil, false
}

// run runs the formula of a node once more, nil if that cannot be done. It is for all rows.
func (x *explanation) run(n *Node) *ran {
	known := key(n.Variable, n.Period)
	if r, ok := x.runs[known]; ok {
		return r
	}
	x.runs[known] = nil
	if len(x.runs) > maxRuns || !n.Formula.AsWritten() {
		return nil
	}
	def := x.Text(n.Formula)
	if def == nil {
		return nil
	}
	x.complete(n.trace)
	r := &ran{def: def, values: map[pysyntax.Expr]vector.Column{}}
	at := x.Sim.Periods().Intern(n.Period)
	var err error
	r.result, err = x.Sim.Again(n.Variable.ID, at, func(p legislation.Population, law legislation.Law) (vector.Column, error) {
		return x.Observe(n.Formula.Formula, def, p, at, law, func(e pysyntax.Expr, c vector.Column) { r.values[e] = c })
	})
	if err == nil {
		x.runs[known] = r
	}
	return x.runs[known]
}

// returned follows the statement that returned, through the branches that it stands in; it tells whether it was found.
func (o *observation) returned(body []pysyntax.Stmt) bool {
	for _, stmt := range body {
		switch s := stmt.(type) {
		case *pysyntax.Return:
			if _, ran := o.values[s.Value]; s.Value != nil && ran {
				o.zero(s.Value)
				return true
			}
		case *pysyntax.If:
			if _, ran := o.values[tested(s.Test)]; !ran {
				continue
			}
			if o.returned(s.Body) || o.returned(s.Else) {
				o.either(s.Test)
				return true
			}
		case *pysyntax.For:
			if o.returned(s.Body) {
				return true
			}
		}
	}
	return false
}

// tested is what is evaluated of a test: not is none of it.
func tested(e pysyntax.Expr) pysyntax.Expr {
	for {
		u, ok := e.(*pysyntax.Unary)
		if !ok || u.Op != pysyntax.Not {
			return e
		}
		e = u.Operand
	}
}

// at is the value of an expression for the row; false if it has none, or one that is not for rows of the entity.
func (o *observation) at(e pysyntax.Expr) (Element, bool) {
	c, ok := o.values[e]
	if !ok || c.Len() == 0 {
		return Element{}, false
	}
	if !c.IsArray() {
		return Element{c, 0}, true
	}
	return Element{c, o.node.Row}, c.Len() == o.x.Sim.PopulationOf(o.node.Variable.Entity.Key).Count()
}

// isZero and isTrue tell what an expression is for the row, false if that is not known.
func (o *observation) isZero(e pysyntax.Expr) bool { v, ok := o.at(e); return ok && v.Zero() }

func (o *observation) isTrue(e pysyntax.Expr) bool {
	v, ok := o.at(e)
	return ok && v.Column.Type().Number() && !v.Zero()
}

// isTruth tells a condition from an amount.
func (o *observation) isTruth(e pysyntax.Expr) bool {
	c, ok := o.values[e]
	return ok && c.Type() == vector.Bool
}

// zero follows an expression that is zero, or false.
func (o *observation) zero(e pysyntax.Expr) {
	if o.steps++; o.steps > maxSteps || len(o.out) >= maxConditions {
		return
	}
	switch e := e.(type) {
	case *pysyntax.Name:
		if of, ok := o.assigned(e); ok && o.isZero(of) {
			o.zero(of)
			return
		}
	case *pysyntax.Unary:
		if e.Op == pysyntax.Not || e.Op == pysyntax.Invert {
			o.truth(e.Operand)
		} else {
			o.zero(e.Operand)
		}
		return
	case *pysyntax.Binary:
		if o.zeroBinary(e) {
			return
		}
	case *pysyntax.Bool:
		if o.zeroOf(e.Values, e.Or) {
			return
		}
	case *pysyntax.IfExp:
		if chosen, ok := o.chosen(e); ok {
			o.either(e.Test)
			o.unlessLiteral(chosen)
			return
		}
	case *pysyntax.Call:
		if o.zeroCall(e) {
			return
		}
	}
	o.tell(e)
}

// chosen is the branch of body if test else other that was evaluated.
func (o *observation) chosen(e *pysyntax.IfExp) (pysyntax.Expr, bool) {
	for _, branch := range []pysyntax.Expr{e.Body, e.Else} {
		if _, ran := o.values[branch]; ran {
			return branch, true
		}
	}
	return nil, false
}

// either follows a condition, whichever it is.
func (o *observation) either(e pysyntax.Expr) {
	if u, ok := e.(*pysyntax.Unary); ok && u.Op == pysyntax.Not {
		e = u.Operand
	}
	if o.isTrue(e) {
		o.truth(e)
	} else {
		o.zero(e)
	}
}

func (o *observation) unlessLiteral(e pysyntax.Expr) {
	if _, literal := e.(*pysyntax.Constant); !literal && o.isZero(e) {
		o.zero(e)
	}
}

// zeroOf follows the parts that are zero: all of them, or those that are conditions if there are any, else the first. It
// returns false if only literals are.
func (o *observation) zeroOf(parts []pysyntax.Expr, all bool) bool {
	var zeros, truths []pysyntax.Expr
	for _, p := range parts {
		if _, literal := p.(*pysyntax.Constant); literal || !o.isZero(p) {
			continue
		}
		zeros = append(zeros, p)
		if o.isTruth(p) {
			truths = append(truths, p)
		}
	}
	if all {
		truths = zeros
	} else if len(truths) == 0 && len(zeros) > 0 {
		truths = zeros[:1]
	}
	for _, p := range truths {
		o.zero(p)
	}
	return len(truths) > 0
}

// zeroBinary follows an operation that is zero; false if nothing is known of it.
func (o *observation) zeroBinary(e *pysyntax.Binary) bool {
	switch e.Op {
	case pysyntax.Mult, pysyntax.BitAnd:
		return o.zeroOf(operands(e, e.Op), false)
	case pysyntax.BitOr:
		return o.zeroOf(operands(e, e.Op), true)
	case pysyntax.Div, pysyntax.FloorDiv:
		return o.zeroOf([]pysyntax.Expr{e.Left}, false)
	case pysyntax.Sub:
		if one, literal := e.Left.(*pysyntax.Constant); literal && one.Value == int64(1) && o.isTrue(e.Right) {
			o.truth(e.Right)
			return true
		}
		return o.sum(e)
	case pysyntax.Add:
		return o.sum(e)
	}
	return false
}

// sum tells the terms of a sum that is zero, and follows those that are zero and more than a variable.
func (o *observation) sum(e *pysyntax.Binary) bool {
	if e.Op == pysyntax.Add && o.isTruth(e) { // + of conditions means or
		return o.zeroOf(operands(e, e.Op), true)
	}
	var on []pysyntax.Expr
	terms := termsOf(e)
	variables := 0
	for _, t := range terms {
		side, known := o.side(t)
		_, literal := t.(*pysyntax.Constant)
		if known && side.Variable == "" && !literal && o.isZero(t) {
			on = append(on, t)
		} else if !literal || !o.isZero(t) {
			variables++
		}
	}
	if variables > 0 {
		o.tell(e, terms...)
	}
	for _, t := range on {
		o.zero(t)
	}
	return true
}

// operands are the parts of a * b * c.
func operands(e pysyntax.Expr, op pysyntax.BinaryOp) []pysyntax.Expr {
	if b, ok := e.(*pysyntax.Binary); ok && b.Op == op {
		return append(operands(b.Left, op), operands(b.Right, op)...)
	}
	return []pysyntax.Expr{e}
}

// termsOf are the parts of a + b - c.
func termsOf(e pysyntax.Expr) []pysyntax.Expr {
	if b, ok := e.(*pysyntax.Binary); ok && (b.Op == pysyntax.Add || b.Op == pysyntax.Sub) {
		return append(termsOf(b.Left), b.Right)
	}
	return []pysyntax.Expr{e}
}

// zeroCall follows functions that choose, bound, round or negate; false for others.
func (o *observation) zeroCall(e *pysyntax.Call) bool {
	if len(e.Args) == 0 {
		return false
	}
	switch name := calledName(e); {
	case name == "where" && len(e.Args) == 3:
		return o.where(e)
	case name == "select" && len(e.Args) >= 2:
		return o.selected(e)
	case slices.Contains([]string{"not_", "logical_not"}, name):
		o.truth(e.Args[0])
		return true
	case slices.Contains([]string{"and_", "logical_and"}, name):
		return o.zeroOf(e.Args, false)
	case slices.Contains([]string{"or_", "logical_or"}, name):
		return o.zeroOf(e.Args, true)
	case slices.Contains([]string{"min_", "minimum"}, name):
		return o.zeroOf(e.Args, false)
	case slices.Contains([]string{"round_", "round", "around", "floor", "ceil", "abs", "absolute", "clip", "int", "float"}, name):
		return o.zeroOf(e.Args[:1], false)
	case name == "astype":
		method, ok := e.Func.(*pysyntax.Attribute)
		return ok && o.zeroOf([]pysyntax.Expr{method.Value}, false)
	}
	return false
}

// calledName is the last name of what is called.
func calledName(e *pysyntax.Call) string {
	switch f := e.Func.(type) {
	case *pysyntax.Name:
		return f.ID
	case *pysyntax.Attribute:
		return f.Attr
	}
	return ""
}

// where follows what where(condition, a, b) chose. The condition is what made it zero, unless the other is zero too.
func (o *observation) where(e *pysyntax.Call) bool {
	chosen, other := e.Args[2], e.Args[1]
	if o.isTrue(e.Args[0]) {
		chosen, other = other, chosen
	}
	_, literal := chosen.(*pysyntax.Constant)
	if literal || !o.isZero(other) {
		o.either(e.Args[0])
	}
	o.unlessLiteral(chosen)
	return true
}

// selected follows what select([conditions], [values]) chose.
func (o *observation) selected(e *pysyntax.Call) bool {
	conditions, ok := e.Args[0].(*pysyntax.List)
	values, isList := e.Args[1].(*pysyntax.List)
	if !ok || !isList || len(conditions.Elts) != len(values.Elts) {
		return false
	}
	for i, c := range conditions.Elts {
		if o.isTrue(c) {
			o.truth(c)
			o.unlessLiteral(values.Elts[i])
			return true
		}
	}
	for _, c := range conditions.Elts {
		o.zero(c)
	}
	return true
}

// truth follows a condition that is true.
func (o *observation) truth(e pysyntax.Expr) {
	if o.steps++; o.steps > maxSteps || len(o.out) >= maxConditions {
		return
	}
	switch e := e.(type) {
	case *pysyntax.Name:
		if of, ok := o.assigned(e); ok && o.isTrue(of) {
			o.truth(of)
			return
		}
	case *pysyntax.Unary:
		if e.Op == pysyntax.Not || e.Op == pysyntax.Invert {
			o.zero(e.Operand)
			return
		}
	case *pysyntax.Binary:
		switch e.Op {
		case pysyntax.Mult, pysyntax.BitAnd:
			o.truths(operands(e, e.Op), true)
			return
		case pysyntax.BitOr, pysyntax.Add:
			o.truths(operands(e, e.Op), false)
			return
		}
	case *pysyntax.Bool:
		o.truths(e.Values, !e.Or)
		return
	case *pysyntax.Call:
		if name := calledName(e); (name == "not_" || name == "logical_not") && len(e.Args) == 1 {
			o.zero(e.Args[0])
			return
		}
	}
	o.tell(e)
}

// truths follows the parts that are true: all of them, or the first.
func (o *observation) truths(parts []pysyntax.Expr, all bool) {
	for _, p := range parts {
		if o.isTrue(p) {
			o.truth(p)
			if !all {
				return
			}
		}
	}
}
