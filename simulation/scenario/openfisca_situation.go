package scenario

import (
	"slices"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// ParseSituation reads a situation in OpenFisca's form, in any of its three ways: entities by their singular name, entities
// by their plural name with members by id, or nothing but variables. Values without a period are for byDefault, if it is
// not nil. What is wrong is returned as Problems; as in the original it is the first problem only.
func ParseSituation(system *legislation.System, doc legislation.Data, byDefault *period.Period) (*Situation, error) {
	if doc.Kind != legislation.Mapping {
		return nil, problem(textType("Object"), "error")
	}
	if explicit, short := singular(system, doc); short {
		return new(Workspace).parseEntities(system, explicit, byDefault, loose{codes: true}, nil)
	}
	if doc.Map.Len() > 0 && all(doc, func(key string) bool { return key == "axes" || system.EntityByPlural(key) != nil }) {
		return new(Workspace).parseEntities(system, doc, byDefault, loose{codes: true}, nil)
	}
	if doc.Map.Len() > 0 && all(doc, func(key string) bool { _, err := system.Lookup(key); return err != nil }) {
		return nil, unknownKeys(system, doc)
	}
	return parseVariables(system, doc, byDefault)
}

// ParseEntities reads a situation in the form of the web API: entities by their plural name, every value with a period.
func ParseEntities(system *legislation.System, doc legislation.Data) (*Situation, error) {
	return new(Workspace).ParseEntities(nil, system, doc)
}

func all(doc legislation.Data, holds func(key string) bool) bool {
	return !slices.ContainsFunc(doc.Map.Keys(), func(key string) bool { return !holds(key) })
}

// unknownKeys says which keys are neither entities nor variables.
func unknownKeys(system *legislation.System, doc legislation.Data) error {
	var unknown, known []string
	for _, key := range doc.Map.Keys() {
		if key != "axes" && system.EntityByPlural(key) == nil {
			unknown = append(unknown, key)
		}
	}
	for _, e := range system.Entities() {
		known = append(known, e.Plural)
	}
	return problem(textUnexpectedEntities(unknown, known), unknown[0])
}

// singular rewrites the short form: an entity by its singular name has one member, of that name. Everything that is not
// an entity is left out, as in the original.
func singular(system *legislation.System, doc legislation.Data) (legislation.Data, bool) {
	out, short := mapping(), false
	for key, value := range doc.Map.All() {
		if system.EntityByPlural(key) != nil {
			out.Set(key, value)
		}
	}
	for key, value := range doc.Map.All() {
		if e := system.Entity(key); e != nil {
			one := mapping()
			one.Set(key, value)
			out.Set(e.Plural, legislation.Data{Kind: legislation.Mapping, Map: one, Line: value.Line})
			short = true
		}
	}
	return legislation.Data{Kind: legislation.Mapping, Map: out, Line: doc.Line}, short
}

// parseVariables reads a situation of variables only: as many persons as the first list has values, each alone in its
// groups. Values are set in the order of the document, those without a period last.
func parseVariables(system *legislation.System, doc legislation.Data, byDefault *period.Period) (*Situation, error) {
	s := &Situation{System: system, Spec: loners(personCount(doc))}
	var undated []Input
	for name, value := range doc.Map.All() {
		v, err := system.Lookup(name)
		if err != nil {
			return nil, notFound(textUnknownVariable(name, system), name)
		}
		if value.Kind != legislation.Mapping {
			if byDefault == nil {
				return nil, problem(textNoPeriod, name)
			}
			in, err := s.variable(v, *byDefault, value, name)
			if err != nil {
				return nil, err
			}
			undated = append(undated, in)
			continue
		}
		for key, dated := range value.Map.All() {
			at, err := system.ParsePeriod(key)
			if err != nil {
				return nil, problem(textPeriod(key, err), name)
			}
			in, err := s.variable(v, at, dated, name, key)
			if err != nil {
				return nil, err
			}
			s.Inputs = append(s.Inputs, in)
		}
	}
	s.Inputs = append(s.Inputs, undated...)
	return s, nil
}

// variable makes an input of the value of a variable, one element per person.
func (s *Situation) variable(v *legislation.Variable, at period.Period, value legislation.Data, path ...string) (Input, error) {
	elements := []legislation.Data{value}
	if value.Kind == legislation.List {
		elements = value.List
	}
	if len(elements) != s.Spec.Persons {
		return Input{}, problem(textLength(v, value, len(elements), s.Spec.Persons), path...)
	}
	if v.Type == legislation.Float || v.Type == legislation.Int {
		if raw, ok := rawNumbers(elements); ok {
			return Input{Variable: v, Period: at, Values: raw, Path: path}, nil
		}
	}
	cells := make([]vector.Column, len(elements))
	for i, e := range elements {
		c, err := check(v, e, loose{names: v.Enum != nil && v.Enum.Lenient})
		if err != nil {
			return Input{}, problem(err.Error(), path...)
		}
		cells[i] = c
	}
	return Input{Variable: v, Period: at, Values: assemble(v, s.System.Wide(), cells), Path: path}, nil
}

// rawNumbers keeps numbers in the type that numpy gives them, because shares of a longer period are computed in it.
func rawNumbers(elements []legislation.Data) (vector.Column, bool) {
	floats, ints, whole := make([]float64, len(elements)), make([]int64, len(elements)), true
	for i, e := range elements {
		c := e.Scalar
		if text, ok := e.Text(); ok && len(elements) == 1 {
			value, ok, err := Evaluate(text)
			if !ok || err != nil {
				return vector.Column{}, false
			}
			c = value
		} else if e.Kind != legislation.Scalar || ok {
			return vector.Column{}, false
		}
		floats[i], ints[i] = c.Float(0), c.Int(0)
		whole = whole && c.Type() != vector.Float64
	}
	if whole {
		return vector.Of(ints), true
	}
	return vector.Of(floats), true
}

func personCount(doc legislation.Data) int {
	keys := doc.Map.Keys()
	if len(keys) == 0 {
		return 1
	}
	first, _ := doc.Map.Get(keys[0])
	if dated := first.Map.Keys(); len(dated) > 0 {
		first, _ = first.Map.Get(dated[0])
	}
	if first.Kind == legislation.List {
		return len(first.List)
	}
	return 1
}

// loners describes persons who are alone in every group, with numbers for names.
func loners(n int) engine.Spec {
	spec := engine.Spec{Persons: n, PersonIDs: make([]string, n)}
	for i := range spec.PersonIDs {
		spec.PersonIDs[i] = position(i)
	}
	return spec
}
