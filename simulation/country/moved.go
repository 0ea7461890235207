package country

import (
	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// Move is an input that a package wants for another variable than the one it is given for.
type Move struct{ From, To string }

// Moved lists the inputs that the package's class Simulation gives to other variables once it has a household, in its order:
// what move_values(from, to) is told, and what a loop over the known periods of a holder sets.
func (p *Package) Moved() ([]Move, error) {
	r := moveReader{holders: make(map[string]string)}
	if !p.core.policy {
		return nil, nil
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
			return nil, err
		}
		pysyntax.WalkAll(tree.Body, r.visit)
	}
	return r.moves, nil
}

// moveReader finds the moves in the constructor of a class Simulation.
type moveReader struct {
	holders map[string]string // variable by the name that its holder has
	moves   []Move
}

func (r *moveReader) visit(n pysyntax.Node) bool {
	switch n := n.(type) {
	case *pysyntax.ClassDef:
		return n.Name == "Simulation"
	case *pysyntax.FunctionDef:
		return n.Name == "__init__"
	case *pysyntax.Assign:
		if name, ok := n.Targets[0].(*pysyntax.Name); ok {
			if of, ok := told(n.Value, "get_holder", 1); ok {
				r.holders[name.ID] = of[0]
			}
		}
	case *pysyntax.For:
		if of, ok := r.known(n.Iter); ok {
			pysyntax.WalkAll(n.Body, func(inner pysyntax.Node) bool {
				if e, ok := inner.(pysyntax.Expr); ok {
					if to, ok := told(e, "set_input", 1); ok {
						r.moves = append(r.moves, Move{of, to[0]})
					}
				}
				return true
			})
		}
	case *pysyntax.ExprStmt:
		if names, ok := told(n.Value, "move_values", 2); ok {
			r.moves = append(r.moves, Move{names[0], names[1]})
		}
	}
	return true
}

// known is the variable of a holder whose known periods an expression stands for.
func (r *moveReader) known(e pysyntax.Expr) (string, bool) {
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

// told reads the first texts that a method of self is called with.
func told(e pysyntax.Expr, method string, count int) ([]string, bool) {
	call, ok := e.(*pysyntax.Call)
	if !ok || len(call.Args) < count {
		return nil, false
	}
	of, ok := call.Func.(*pysyntax.Attribute)
	if !ok || of.Attr != method {
		return nil, false
	}
	if self, ok := of.Value.(*pysyntax.Name); !ok || self.ID != "self" {
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
