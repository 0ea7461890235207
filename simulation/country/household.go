package country

import (
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// Household is what the class Simulation of a package for PolicyEngine makes of a household, besides computing it.
type Household struct {
	// Moves are pairs of variables: inputs of the first are taken for inputs of the second, in this order.
	Moves [][2]string
	// Relists says that input_variables has the variables that inputs were moved to; else it has those that they were given for.
	Relists bool
	// Baseline says that there is a baseline, whether or not the law is reformed.
	Baseline bool
}

// Household reads the constructor of the package's class Simulation: what move_values(from, to) is told, what a loop over the known periods of a
// holder sets, whether it makes a baseline of its own and a list
// of its inputs anew.
func (p *Package) Household() (Household, error) {
	r := householdReader{holders: make(map[string]string)}
	if !p.core.policy {
		return r.Household, nil
	}
	for _, m := range p.core.modulesOf(p.Source.Name) {
		v, _ := m.Get("Simulation")
		if class, ok := v.Object().(*py.Class); !ok || class.Module != m.Name {
			continue
		}
		text, err := p.core.program.ReadFile(m.File)
		if err != nil {
			continue // it has no file
		}
		tree, err := pysyntax.ParseText(m.File, string(text))
		if err != nil {
			return r.Household, err
		}
		pysyntax.WalkAll(tree.Body, r.visit)
	}
	return r.Household, nil
}

// householdReader reads the constructor of a class Simulation.
type householdReader struct {
	Household
	holders map[string]string // variable by the name that its holder has
}

func (r *householdReader) visit(n pysyntax.Node) bool {
	switch n := n.(type) {
	case *pysyntax.ClassDef:
		return n.Name == "Simulation"
	case *pysyntax.FunctionDef:
		return n.Name == "__init__"
	case *pysyntax.Assign:
		switch target := n.Targets[0].(type) {
		case *pysyntax.Name:
			if of, ok := told(n.Value, "get_holder", 1); ok {
				r.holders[target.ID] = of[0]
			}
		case *pysyntax.Attribute:
			r.Baseline = r.Baseline || target.Attr == "baseline" && isSelf(target.Value)
			r.Relists = r.Relists || target.Attr == "input_variables" && isSelf(target.Value)
		}
	case *pysyntax.For:
		if of, ok := r.known(n.Iter); ok {
			pysyntax.WalkAll(n.Body, func(inner pysyntax.Node) bool {
				if e, ok := inner.(pysyntax.Expr); ok {
					if to, ok := told(e, "set_input", 1); ok {
						r.Moves = append(r.Moves, [2]string{of, to[0]})
					}
				}
				return true
			})
		}
	case *pysyntax.ExprStmt:
		if names, ok := told(n.Value, "move_values", 2); ok {
			r.Moves = append(r.Moves, [2]string(names))
		}
	}
	return true
}

// known is the variable of a holder whose known periods an expression stands for.
func (r *householdReader) known(e pysyntax.Expr) (string, bool) {
	call, ok := e.(*pysyntax.Call)
	if !ok {
		return "", false
	}
	method, ok := call.Func.(*pysyntax.Attribute)
	if !ok || method.Attr != "get_known_periods" {
		return "", false
	}
	name, ok := method.Value.(*pysyntax.Name)
	if !ok {
		return "", false
	}
	of, ok := r.holders[name.ID]
	return of, ok
}

func isSelf(e pysyntax.Expr) bool {
	name, ok := e.(*pysyntax.Name)
	return ok && name.ID == "self"
}

// told reads the first texts that a method of self is called with.
func told(e pysyntax.Expr, method string, count int) ([]string, bool) {
	call, ok := e.(*pysyntax.Call)
	if !ok || len(call.Args) < count {
		return nil, false
	}
	of, ok := call.Func.(*pysyntax.Attribute)
	if !ok || of.Attr != method || !isSelf(of.Value) {
		return nil, false
	}
	texts := make([]string, count)
	for i := range texts {
		c, ok := call.Args[i].(*pysyntax.Constant)
		if !ok {
			return nil, false
		}
		if texts[i], ok = c.Value.(string); !ok {
			return nil, false
		}
	}
	return texts, true
}
