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

// Requests lists what a document in OpenFisca's form, entities by plural name, asks for, in its order.
func Requests(system *legislation.System, doc legislation.Data) []Request {
	found := make([]Request, 0, 4)
	for i, plural := range doc.Map.Keys() {
		e := system.EntityByPlural(plural)
		if e == nil {
			continue
		}
		members := doc.Map.Ref(i).Map
		for index, id := range members.Keys() {
			member := members.Ref(index).Map
			for k, name := range member.Keys() {
				found = appendRequests(found, system, Request{Entity: e, Member: id, index: index}, name, member.Ref(k))
			}
		}
	}
	return found
}

// appendRequests adds the nulls among the values of one variable of a member.
func appendRequests(found []Request, system *legislation.System, of Request, name string, values *legislation.Data) []Request {
	if values.Kind != legislation.Mapping {
		return found
	}
	for i, at := range values.Map.Keys() {
		place := values.Map.Ref(i)
		if place.Kind != legislation.Null {
			continue
		}
		if of.Variable == nil {
			v, err := system.Lookup(name)
			if err != nil {
				return found
			}
			of.Variable = v
		}
		of.Period, of.place = at, place
		found = append(found, of)
	}
	return found
}

// Calculate answers a document in OpenFisca's form: every null is replaced, in the document itself, by the value that was
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

// Column computes the variable for everybody. Everybody's value is finite.
func (r Request) Column(sim *engine.Simulation) (vector.Column, error) {
	column, err := r.column(sim)
	if err != nil {
		return column, err
	}
	ids := sim.PopulationOf(r.Entity.Key).IDs()
	for i := range min(column.Len(), len(ids)) {
		r.Member = ids[i]
		if err := r.finite(column, i); err != nil {
			return vector.Column{}, err
		}
	}
	return column, nil
}

func (r Request) column(sim *engine.Simulation) (vector.Column, error) {
	at, err := sim.System().ParsePeriod(r.Period)
	if err != nil {
		return vector.Column{}, problem(textPeriod(r.Period, err), r.path()...)
	}
	column, err := sim.Calculate(r.Variable.ID, sim.Periods().Intern(at), legislation.Plain)
	if err != nil {
		return vector.Column{}, &CalculationError{r.Variable.Name, r.Period, err}
	}
	return AsText(r.Variable, column)
}

// AsText makes text of the values of a variable for text, which formulas may have given numbers.
func AsText(v *legislation.Variable, c vector.Column) (vector.Column, error) {
	if v.Type != legislation.String || c.Type() == vector.Str || c.Type() == vector.Bytes {
		return c, nil
	}
	return (*vector.Rules)(nil).Cast(c, vector.DType{Type: vector.Str})
}

// Value computes what is asked for. It can only be told where no axes make many of the member.
func (r Request) Value(sim *engine.Simulation) (legislation.Data, error) {
	ids := sim.PopulationOf(r.Entity.Key).IDs()
	if r.index >= len(ids) || ids[r.index] != r.Member {
		return legislation.Data{}, problem(fmt.Sprintf("%s stands for many values because of the axes: ask /trace, or /api/1/calculate with output_format \"variables\".", r.Member), r.path()...)
	}
	column, err := r.column(sim)
	if err != nil {
		return legislation.Data{}, err
	}
	if r.index >= column.Len() {
		return legislation.Data{}, problem(fmt.Sprintf("%s has no value for %s", r.Variable.Name, r.Member), r.path()...)
	}
	return r.scalar(column, r.index)
}

func (r Request) scalar(column vector.Column, index int) (legislation.Data, error) {
	if err := r.finite(column, index); err != nil {
		return legislation.Data{}, err
	}
	return ScalarOf(column, index), nil
}

func (r Request) finite(column vector.Column, index int) error {
	if column.Type() == vector.Float32 || column.Type() == vector.Float64 {
		if f := column.Float(index); math.IsNaN(f) || math.IsInf(f, 0) {
			return &NonFiniteError{r, f}
		}
	}
	return nil
}

// ScalarOf returns an element of a result as a document shows it: enumerations by name, dates as text.
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
	return NonFiniteText(e.Request.Variable, e.Request.Period, e.Request.Member, e.Value)
}

// NonFiniteText says of whom a variable is no number that can be shown, and what to do about it.
func NonFiniteText(v *legislation.Variable, at, member string, value float64) string {
	what := "infinite"
	if math.IsNaN(value) {
		what = "not a number"
	}
	return fmt.Sprintf("%s for %s of %s %s is %s: check the values it is computed from", v.Name, at, v.Entity.Key, member, what)
}
