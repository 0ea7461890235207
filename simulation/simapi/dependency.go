package simapi

import (
	"slices"
	"strings"

	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// dependencies are what the text of a formula mentions, without running it: variables and parameters, sorted by name.
//
// A variable is any text literal that is a variable's name, in the formula or in functions of the same file that it
// calls. A parameter is an attribute path that starts at parameters(…), directly or through names that were assigned
// such a path. Names that are put together while a formula runs are not found.
type dependencies struct {
	variables  []string
	parameters []string
}

// dependenciesOf returns the dependencies of every formula of a variable, in their order.
func (l *law) dependenciesOf(system *legislation.System, v *legislation.Variable) []dependencies {
	if found, ok := l.dependencies.Load(v); ok {
		return found.([]dependencies)
	}
	out := make([]dependencies, len(v.Formulas))
	for i, f := range v.Formulas {
		file, b, ok := l.sources.Find(f.Source)
		if !ok {
			continue
		}
		s := search{system: system, file: file, seen: map[string]bool{}, variables: map[string]bool{}, parameters: map[string]bool{}}
		s.function(b.Stmt)
		out[i] = dependencies{sorted(s.variables), sorted(s.parameters)}
	}
	l.dependencies.Store(v, out)
	return out
}

// inputsOf are the variables that any formula of a variable mentions.
func (l *law) inputsOf(system *legislation.System, v *legislation.Variable) []string {
	all := map[string]bool{}
	for _, d := range l.dependenciesOf(system, v) {
		for _, name := range d.variables {
			all[name] = true
		}
	}
	return sorted(all)
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// search walks the trees of one formula.
type search struct {
	system                *legislation.System
	file                  *lawgraph.File
	seen                  map[string]bool // functions of the file
	variables, parameters map[string]bool
}

func (s *search) function(stmt pysyntax.Stmt) {
	def, ok := stmt.(*pysyntax.FunctionDef)
	if !ok || s.seen[def.Name] {
		return
	}
	s.seen[def.Name] = true
	law, paths := "parameters", map[string][]string{}
	if def.Params != nil && len(def.Params.Args) > 2 {
		law = def.Params.Args[2].Name
	}
	body := def.Body
	// A docstring is a text like those that name variables, and asks for nothing.
	if lawgraph.Docstring(def) != "" {
		body = body[1:]
	}
	pysyntax.WalkAll(body, func(n pysyntax.Node) bool {
		switch n := n.(type) {
		case *pysyntax.Assign:
			s.assign(n, law, paths)
		case *pysyntax.Constant:
			if name, ok := n.Value.(string); ok {
				if _, err := s.system.Lookup(name); err == nil {
					s.variables[name] = true
				}
			}
		case *pysyntax.Call:
			if name, ok := n.Func.(*pysyntax.Name); ok {
				s.call(name.ID)
			}
		case *pysyntax.Attribute:
			if path, ok := pathOf(n, law, paths); ok {
				s.parameter(path)
				// What is below are beginnings of the same path.
				return false
			}
		}
		return true
	})
}

// call follows a function of the same file.
func (s *search) call(name string) {
	if def := s.file.Function(name); def != nil {
		s.function(def)
	}
}

// assign remembers that a name stands for a path.
func (s *search) assign(n *pysyntax.Assign, law string, paths map[string][]string) {
	path, ok := pathOf(n.Value, law, paths)
	for _, target := range n.Targets {
		if name, isName := target.(*pysyntax.Name); isName && ok {
			paths[name.ID] = path
		}
	}
}

// pathOf reads law(…).a.b, or x.b where x stands for a path.
func pathOf(e pysyntax.Expr, law string, paths map[string][]string) ([]string, bool) {
	switch e := e.(type) {
	case *pysyntax.Attribute:
		path, ok := pathOf(e.Value, law, paths)
		// Clipped: a name may stand for path, and must stay so.
		return append(slices.Clip(path), e.Attr), ok
	case *pysyntax.Call:
		name, ok := e.Func.(*pysyntax.Name)
		return nil, ok && name.ID == law
	case *pysyntax.Subscript:
		return pathOf(e.Value, law, paths)
	case *pysyntax.Name:
		path, ok := paths[e.ID]
		return path, ok
	}
	return nil, false
}

// parameter notes the longest beginning of a path that is a parameter: what follows may be a method of a scale.
func (s *search) parameter(path []string) {
	for n := len(path); n > 0; n-- {
		if _, ok := s.system.Parameters().Root.Find(path[:n]...); ok {
			s.parameters[strings.Join(path[:n], ".")] = true
			return
		}
	}
}
