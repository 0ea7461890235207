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

// addends are the variables that a function returns the sum of; nil if it returns anything else.
func addends(def *pysyntax.FunctionDef) []string {
	names := map[string]pysyntax.Expr{}
	for _, stmt := range def.Body {
		switch s := stmt.(type) {
		case *pysyntax.Assign:
			if target, ok := s.Targets[0].(*pysyntax.Name); ok && len(s.Targets) == 1 {
				names[target.ID] = s.Value
			}
		case *pysyntax.Return:
			out, ok := terms(s.Value, names, nil, 0)
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

// terms walks a sum of calls such as person("salary", period), or household.sum(…) of one.
func terms(e pysyntax.Expr, names map[string]pysyntax.Expr, sofar []string, depth int) ([]string, bool) {
	if depth > 100 {
		return nil, false
	}
	switch e := e.(type) {
	case *pysyntax.Binary:
		if e.Op != pysyntax.Add {
			return nil, false
		}
		left, ok := terms(e.Left, names, sofar, depth+1)
		if !ok {
			return nil, false
		}
		return terms(e.Right, names, left, depth+1)
	case *pysyntax.Name:
		value, ok := names[e.ID]
		if !ok {
			return nil, false
		}
		return terms(value, names, sofar, depth+1)
	case *pysyntax.Call:
		if len(e.Args) == 0 {
			return nil, false
		}
		if c, ok := e.Args[0].(*pysyntax.Constant); ok {
			name, isText := c.Value.(string)
			return append(sofar, name), isText
		}
		method, ok := e.Func.(*pysyntax.Attribute)
		if !ok || method.Attr != "sum" || len(e.Args) > 1 || len(e.Keywords) > 0 {
			return nil, false
		}
		return terms(e.Args[0], names, sofar, depth+1)
	}
	return nil, false
}
