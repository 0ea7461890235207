package simapi

import (
	"edict/simulation/decomposition"
	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// derive makes a decomposition of the headline variable: if its formula adds up other variables and does nothing else,
// those are its parts, and so on down. False if there is no headline variable or its formula does something else.
func (l *law) derive(system *legislation.System) (*decomposition.Node, bool) {
	v, err := system.Lookup(l.headline)
	if l.headline == "" || err != nil {
		return nil, false
	}
	root := l.branch(system, v, map[string]bool{})
	return root, len(root.Children) > 0
}

func (l *law) branch(system *legislation.System, v *legislation.Variable, above map[string]bool) *decomposition.Node {
	n := &decomposition.Node{Code: v.Name, Name: labelOf(v), ShortName: labelOf(v)}
	above[v.Name] = true
	defer delete(above, v.Name)
	if len(v.Formulas) != 1 {
		return n
	}
	_, b, ok := l.sources.find(v.Formulas[0].Source)
	def, isFunction := b.stmt.(*pysyntax.FunctionDef)
	if !ok || !isFunction {
		return n
	}
	var parts []*legislation.Variable
	for _, name := range addends(def) {
		part, err := system.Lookup(name)
		if err != nil || above[name] || part.Type != legislation.Float && part.Type != legislation.Int {
			return n
		}
		parts = append(parts, part)
	}
	if len(parts) < 2 {
		return n
	}
	for _, part := range parts {
		n.Children = append(n.Children, l.branch(system, part, above))
	}
	return n
}

// addends are the variables that a formula returns the sum of, for its own period; nil if it returns anything else.
func addends(def *pysyntax.FunctionDef) []string {
	if def.Params == nil || len(def.Params.Args) < 2 {
		return nil
	}
	sum := addition{names: map[string]pysyntax.Expr{}, period: def.Params.Args[1].Name}
	for _, stmt := range def.Body {
		switch s := stmt.(type) {
		case *pysyntax.Assign:
			if target, ok := s.Targets[0].(*pysyntax.Name); ok && len(s.Targets) == 1 {
				sum.names[target.ID] = s.Value
			}
		case *pysyntax.Return:
			out, ok := sum.terms(s.Value, nil, 0)
			if ok {
				return out
			}
			return nil
		case *pysyntax.ExprStmt:
		default:
			return nil
		}
	}
	return nil
}

// addition is what is known about a formula whose terms are looked for.
type addition struct {
	names  map[string]pysyntax.Expr // what was assigned to them
	period string                   // the parameter
}

// terms walks a sum of calls such as person("salary", period), or household.sum(…) of one.
func (a addition) terms(e pysyntax.Expr, sofar []string, depth int) ([]string, bool) {
	if depth > 100 {
		return nil, false
	}
	switch e := e.(type) {
	case *pysyntax.Binary:
		if e.Op != pysyntax.Add {
			return nil, false
		}
		left, ok := a.terms(e.Left, sofar, depth+1)
		if !ok {
			return nil, false
		}
		return a.terms(e.Right, left, depth+1)
	case *pysyntax.Name:
		value, ok := a.names[e.ID]
		if !ok {
			return nil, false
		}
		return a.terms(value, sofar, depth+1)
	case *pysyntax.Call:
		if len(e.Args) == 0 || len(e.Keywords) > 0 {
			return nil, false
		}
		if c, ok := e.Args[0].(*pysyntax.Constant); ok {
			name, isText := c.Value.(string)
			return append(sofar, name), isText && a.plain(e.Args[1:])
		}
		method, ok := e.Func.(*pysyntax.Attribute)
		if !ok || method.Attr != "sum" || len(e.Args) > 1 {
			return nil, false
		}
		return a.terms(e.Args[0], sofar, depth+1)
	}
	return nil, false
}

// plain tells whether a variable is asked for the formula's own period, without options.
func (a addition) plain(args []pysyntax.Expr) bool {
	if len(args) != 1 {
		return false
	}
	name, ok := args[0].(*pysyntax.Name)
	_, other := a.names[a.period]
	return ok && name.ID == a.period && !other
}
