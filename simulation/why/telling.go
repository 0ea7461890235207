package why

// How a condition is told: what its names stand for, and the numbers on its sides.

import (
	"slices"
	"strings"

	"edict/simulation/pysyntax"
)

// assigned is what a name stood for: the last expression above that was assigned to it when the formula ran.
func (o *observation) assigned(name *pysyntax.Name) (found pysyntax.Expr, ok bool) {
	pysyntax.WalkAll(o.def.Body, func(n pysyntax.Node) bool {
		s, isAssign := n.(*pysyntax.Assign)
		if !isAssign || s.Line >= name.Line {
			return true
		}
		for _, target := range s.Targets {
			if t, isName := target.(*pysyntax.Name); isName && t.ID == name.ID {
				if _, ran := o.values[s.Value]; ran && !contains(s.Value, name) {
					found, ok = s.Value, true
				}
			}
		}
		return true
	})
	return found, ok
}

func contains(e pysyntax.Expr, name *pysyntax.Name) bool {
	found := false
	pysyntax.Walk(e, func(n pysyntax.Node) bool {
		found = found || n == pysyntax.Node(name)
		return !found
	})
	return found
}

// tell notes an expression with the numbers in it: those of its parts, or of the parts that are named.
func (o *observation) tell(e pysyntax.Expr, parts ...pysyntax.Expr) {
	is, ok := o.at(e)
	if !ok || len(o.out) >= maxConditions {
		return
	}
	c := Condition{Of: o.node.Figure, File: o.node.Formula.Source.File, Line: int(e.Position().Line), Text: shortened(pysyntax.Text(e)), Is: is}
	if slices.ContainsFunc(o.out, func(told Condition) bool { return told.Line == c.Line && told.Text == c.Text }) {
		return
	}
	if parts == nil {
		parts = partsOf(e)
	}
	for _, p := range parts {
		if side, ok := o.side(p); ok && len(c.Sides) < maxSides {
			c.Sides = append(c.Sides, side)
		}
	}
	if len(parts) == 0 {
		if side, ok := o.side(e); ok && side.Variable+side.Parameter != "" {
			c.Sides = []Side{side}
		}
	}
	o.out = append(o.out, c)
}

// partsOf are the parts of an expression whose values explain it.
func partsOf(e pysyntax.Expr) []pysyntax.Expr {
	switch e := e.(type) {
	case *pysyntax.Compare:
		return append([]pysyntax.Expr{e.Left}, e.Rights...)
	case *pysyntax.Binary:
		return []pysyntax.Expr{e.Left, e.Right}
	case *pysyntax.Call:
		if _, variable := literalName(e); variable {
			return nil
		}
		return e.Args
	}
	return nil
}

// literalName is the name of the variable that person("salary", period) asks for.
func literalName(e *pysyntax.Call) (string, bool) {
	if len(e.Args) < 2 {
		return "", false
	}
	c, ok := e.Args[0].(*pysyntax.Constant)
	if !ok {
		return "", false
	}
	name, ok := c.Value.(string)
	return name, ok
}

// side is a part with its value: for the row, or for each person of a group.
func (o *observation) side(e pysyntax.Expr) (Side, bool) {
	s := Side{Text: shortened(pysyntax.Text(e))}
	if v, ok := o.at(e); ok {
		s.Value = v
	} else if s.Values = o.members(e); s.Values == nil {
		return s, false
	}
	of := e
	if name, isName := e.(*pysyntax.Name); isName {
		if assigned, ok := o.assigned(name); ok {
			of = assigned
		}
	}
	switch of := of.(type) {
	case *pysyntax.Call:
		if name, ok := literalName(of); ok {
			if _, err := o.x.Sim.System().Lookup(name); err == nil {
				s.Variable = name
			}
		}
	case *pysyntax.Attribute:
		s.Parameter = o.parameter(of)
	}
	return s, true
}

// members are the values of an expression for the persons of a group, nil if it has none.
func (o *observation) members(e pysyntax.Expr) []Element {
	c, ok := o.values[e]
	if !ok || o.node.Variable.Entity.IsPerson || c.Len() != o.x.Sim.Persons().Count() {
		return nil
	}
	var out []Element
	for _, person := range o.x.rows(o.node.Variable.Entity, o.node.Row, o.x.Sim.System().Person()) {
		if len(out) < maxSides {
			out = append(out, Element{c, person})
		}
	}
	return out
}

// parameter is the name of the parameter that an attribute is, if the formula read one of that name alone.
func (o *observation) parameter(e *pysyntax.Attribute) string {
	found := ""
	for _, read := range o.node.trace.Parameters {
		if !strings.HasSuffix("."+read.Name, "."+e.Attr) || read.Name == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = read.Name
	}
	return found
}

func shortened(text string) string {
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return text
}
