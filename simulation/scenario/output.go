package scenario

import (
	"context"
	"fmt"
	"math"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Request asks for the value of a variable of one member: a null in a document.
type Request struct {
	Entity   *legislation.Entity
	Member   string
	Variable *legislation.Variable
	Period   string // as written

	index int               // of the member among those of its entity
	place *legislation.Data // in the document
}

func (r Request) path() []string {
	return []string{r.Entity.Plural, r.Member, r.Variable.Name, r.Period}
}

// Requests lists what a document in today's form, entities by plural name, asks for, in its order.
func Requests(system *legislation.System, doc legislation.Data) []Request {
	var found []Request
	for plural, members := range doc.Map.All() {
		e := system.EntityByPlural(plural)
		if e == nil {
			continue
		}
		index := 0
		for id, member := range members.Map.All() {
			for name, values := range member.Map.All() {
				if values.Kind != legislation.Mapping {
					continue
				}
				for i, at := range values.Map.Keys() {
					place := values.Map.Ref(i)
					if place.Kind != legislation.Null {
						continue
					}
					if v, err := system.Lookup(name); err == nil {
						found = append(found, Request{e, id, v, at, index, place})
					}
				}
			}
			index++
		}
	}
	return found
}

// Calculate answers a document in today's form: every null is replaced, in the document itself, by the value that was
// computed for it. After an error some may be.
func Calculate(ctx context.Context, system *legislation.System, doc legislation.Data, o engine.Options) error {
	s, err := ParseEntities(system, doc)
	if err != nil {
		return err
	}
	sim, err := s.Simulation(ctx, o)
	if err != nil {
		return err
	}
	for _, r := range Requests(system, doc) {
		value, err := r.Value(sim)
		if err != nil {
			return err
		}
		r.Fill(value)
	}
	return nil
}

// Fill puts the answer in the place of the null.
func (r Request) Fill(answer legislation.Data) { *r.place = answer }

// Value computes what is asked for.
func (r Request) Value(sim *engine.Simulation) (legislation.Data, error) {
	at, err := sim.System().ParsePeriod(r.Period)
	if err != nil {
		return legislation.Data{}, problem(textPeriod(r.Period), r.path()...)
	}
	ids := sim.PopulationOf(r.Entity.Key).IDs()
	if r.index >= len(ids) || ids[r.index] != r.Member {
		return legislation.Data{}, problem(fmt.Sprintf("%s stands for many values because of the axes: a null can only be filled in a situation without axes.", r.Member), r.path()...)
	}
	column, err := sim.Calculate(r.Variable.ID, sim.Periods().Intern(at), legislation.Plain)
	if err != nil {
		return legislation.Data{}, &CalculationError{r.Variable.Name, r.Period, err}
	}
	if r.index >= column.Len() {
		return legislation.Data{}, problem(fmt.Sprintf("%s has no value for %s", r.Variable.Name, r.Member), r.path()...)
	}
	return r.scalar(column, r.index)
}

func (r Request) scalar(column vector.Column, index int) (legislation.Data, error) {
	if column.Type() == vector.Float32 || column.Type() == vector.Float64 {
		if f := column.Float(index); math.IsNaN(f) || math.IsInf(f, 0) {
			return legislation.Data{}, &NonFiniteError{r, f}
		}
	}
	return ScalarOf(column, index), nil
}

// ScalarOf gives an element of a result as a document shows it: enumerations by name, dates as text.
func ScalarOf(column vector.Column, index int) legislation.Data {
	switch column.Type() {
	case vector.Enum, vector.Str, vector.Bytes:
		return legislation.DataOf(vector.PyStr(column.Text(index)))
	case vector.Date:
		return legislation.DataOf(vector.PyStr(column.Format(index)))
	}
	return legislation.DataOf(column.Range(index, index+1).As(vector.NumpyScalar))
}

// CalculationError says that a variable of a request could not be computed.
type CalculationError struct {
	Variable, Period string
	Err              error
}

func (e *CalculationError) Error() string {
	return fmt.Sprintf("%s on %s cannot be computed: %v", e.Variable, e.Period, e.Err)
}

func (e *CalculationError) Unwrap() error { return e.Err }

// NonFiniteError says that a result is no number that can be shown.
type NonFiniteError struct {
	Request Request
	Value   float64
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("%s on %s is %v for %s %s", e.Request.Variable.Name, e.Request.Period, e.Value, e.Request.Entity.Key, e.Request.Member)
}
