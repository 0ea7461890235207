package policyengine

import (
	"cmp"

	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// Simulation describes the constructor of a class Simulation.
type Simulation struct {
	legislation.Preparation
	// Switches makes the reforms that parameters switch on; nil if the constructor looks for none.
	Switches *Switches
	// Yearly means that the constructor writes a policy into the statutory parameters, and samples them once a year.
	Yearly bool
}

// Switches is the call that makes the reforms that parameters switch on: a function of the module with the parameters of the system and a day.
type Switches struct {
	Function string
	// Day is a constant of the module, or an attribute of the class if Own.
	Day string
	Own bool
	// Through is the function of the module that the day goes through; "" for none.
	Through string
}

// Read reads the constructor of a module's class Simulation. It finds inputs that move to other variables, by move_values(from, to) or in a loop
// over the known periods of a holder, also in functions of the module that take the simulation. It finds an additional baseline, a new list of
// inputs, calls of other modules with the simulation, and the reforms that parameters switch on.
func Read(module *pysyntax.Module) Simulation {
	r := reader{functions: map[string]*pysyntax.FunctionDef{}, defaults: map[string]string{}, imported: map[string]bool{}}
	for _, n := range module.Body {
		if f, ok := n.(*pysyntax.FunctionDef); ok {
			r.functions[f.Name] = f
		}
	}
	r.read("self", module.Body)
	return Simulation{
		Preparation: legislation.Preparation{Moves: r.moves, AsGiven: !r.relists && len(r.moves) > 0, OwnBaseline: r.baseline, Partial: r.beyond},
		Switches:    r.switches,
		Yearly:      r.yearly,
	}
}

// reader reads a constructor, or a function that it hands itself to.
type reader struct {
	moves             []legislation.Move
	relists, baseline bool
	yearly            bool
	beyond            string // code of another module that the simulation is handed to; "" for none
	switches          *Switches
	defaults          map[string]string // constant of the module by the name of an argument that has it by default
	imported          map[string]bool

	functions map[string]*pysyntax.FunctionDef // by name
	self      string                           // the name of the simulation
	holders   map[string]string                // variable by the name of its holder
	spared    string                           // the variable whose inputs end the function
}

// read reads statements in which the simulation has a name.
func (r *reader) read(self string, body []pysyntax.Stmt) {
	inner := *r
	inner.self, inner.holders, inner.spared = self, map[string]string{}, ""
	pysyntax.WalkAll(body, inner.visit)
	r.moves, r.relists, r.baseline, r.yearly, r.beyond, r.switches = inner.moves, inner.relists, inner.baseline, inner.yearly, inner.beyond, inner.switches
}

func (r *reader) visit(n pysyntax.Node) bool {
	switch n := n.(type) {
	case *pysyntax.ClassDef:
		return n.Name == "Simulation"
	case *pysyntax.FunctionDef:
		return n.Name == "__init__"
	case *pysyntax.Assign:
		switch target := n.Targets[0].(type) {
		case *pysyntax.Name:
			if of, ok := r.told(n.Value, "get_holder", 1); ok {
				r.holders[target.ID] = of[0]
			}
			if name, ok := byDefault(n.Value); ok {
				r.defaults[target.ID] = name
			}
		case *pysyntax.Attribute:
			r.baseline = r.baseline || target.Attr == "baseline" && r.isSelf(target.Value)
			r.relists = r.relists || target.Attr == "input_variables" && r.isSelf(target.Value)
		}
	case *pysyntax.AnnAssign:
		if target, ok := n.Target.(*pysyntax.Name); ok {
			if name, ok := byDefault(n.Value); ok {
				r.defaults[target.ID] = name
			}
		}
	case *pysyntax.If:
		if of, ok := r.known(n.Test); ok && len(n.Body) > 0 {
			if _, ends := n.Body[len(n.Body)-1].(*pysyntax.Return); ends {
				r.spared = of
			}
		}
	case *pysyntax.For:
		if of, ok := r.known(n.Iter); ok {
			r.move(of, n.Body)
		}
	case *pysyntax.ExprStmt:
		if names, ok := r.told(n.Value, "move_values", 2); ok {
			r.moves = append(r.moves, legislation.Move{From: names[0], To: names[1]})
		} else if f, self := r.handed(n.Value); f != nil {
			r.read(self, f.Body)
		} else if at, imported := r.leaves(n.Value); at != "" && (r.beyond == "" || imported) {
			r.beyond = at
		}
	case *pysyntax.ImportFrom:
		for _, name := range n.Names {
			r.imported[cmp.Or(name.As, name.Name)] = true
		}
	case *pysyntax.Call:
		r.switched(n)
		if method, ok := n.Func.(*pysyntax.Attribute); ok && method.Attr == "apply_scenario_parameters" && r.isSelf(method.Value) {
			r.yearly = true
		}
	}
	return true
}

// move reads the body of a loop over the known periods of a variable.
func (r *reader) move(of string, body []pysyntax.Stmt) {
	pysyntax.WalkAll(body, func(n pysyntax.Node) bool {
		if e, ok := n.(pysyntax.Expr); ok {
			if to, ok := r.told(e, "set_input", 1); ok {
				r.moves = append(r.moves, legislation.Move{From: of, To: to[0], Spare: r.spared == to[0]})
			}
		}
		return true
	})
}

// handed returns the function of the module that a call gives the simulation to as its only argument, and the argument's name.
func (r *reader) handed(e pysyntax.Expr) (*pysyntax.FunctionDef, string) {
	call, ok := e.(*pysyntax.Call)
	if !ok || len(call.Args) != 1 || !r.isSelf(call.Args[0]) {
		return nil, ""
	}
	name, ok := call.Func.(*pysyntax.Name)
	if !ok {
		return nil, ""
	}
	f := r.functions[name.ID]
	if f == nil || len(f.Params.Args) != 1 {
		return nil, ""
	}
	return f, f.Params.Args[0].Name
}

// leaves returns the callee of name.function(self), and whether the name is imported: other names hold reforms, and a household has none. It
// returns "" for other expressions.
func (r *reader) leaves(e pysyntax.Expr) (at string, imported bool) {
	call, ok := e.(*pysyntax.Call)
	if !ok || len(call.Args) != 1 || !r.isSelf(call.Args[0]) {
		return "", false
	}
	method, ok := call.Func.(*pysyntax.Attribute)
	if !ok {
		return "", false
	}
	of, ok := method.Value.(*pysyntax.Name)
	if !ok || r.isSelf(of) {
		return "", false
	}
	return of.ID + "." + method.Attr, r.imported[of.ID]
}

// switches is the function that makes the reforms that parameters switch on, in every package of the family.
const switches = "create_structural_reforms_from_parameters"

func (r *reader) switched(call *pysyntax.Call) {
	name, ok := call.Func.(*pysyntax.Name)
	if !ok || name.ID != switches || len(call.Args) != 2 {
		return
	}
	found, day := &Switches{Function: switches}, call.Args[1]
	if inner, ok := day.(*pysyntax.Call); ok && len(inner.Args) == 1 {
		if through, ok := inner.Func.(*pysyntax.Name); ok {
			found.Through, day = through.ID, inner.Args[0]
		}
	}
	switch day := day.(type) {
	case *pysyntax.Name:
		found.Day = r.defaults[day.ID]
	case *pysyntax.Attribute:
		found.Day, found.Own = day.Attr, r.isSelf(day.Value)
	}
	r.switches = found
}

// byDefault is the constant that an argument has by default: kwargs.pop("name", CONSTANT).
func byDefault(e pysyntax.Expr) (string, bool) {
	call, ok := e.(*pysyntax.Call)
	if !ok || len(call.Args) != 2 {
		return "", false
	}
	method, ok := call.Func.(*pysyntax.Attribute)
	if !ok || method.Attr != "pop" {
		return "", false
	}
	name, ok := call.Args[1].(*pysyntax.Name)
	if !ok {
		return "", false
	}
	return name.ID, true
}

// known is the variable of a holder whose known periods an expression stands for.
func (r *reader) known(e pysyntax.Expr) (string, bool) {
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

func (r *reader) isSelf(e pysyntax.Expr) bool {
	name, ok := e.(*pysyntax.Name)
	return ok && name.ID == r.self
}

// told reads the first texts that a method of the simulation is called with.
func (r *reader) told(e pysyntax.Expr, method string, count int) ([]string, bool) {
	call, ok := e.(*pysyntax.Call)
	if !ok || len(call.Args) < count {
		return nil, false
	}
	of, ok := call.Func.(*pysyntax.Attribute)
	if !ok || of.Attr != method || !r.isSelf(of.Value) {
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
