package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"edict/platform/heap"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Situation is what a document describes: who there is, what is known about them, and what varies. It does not change
// as long as its workspace is not given back.
type Situation struct {
	System *legislation.System
	// Spec has the people and their groups, before axes multiply them.
	Spec engine.Spec
	// Inputs are set in this order.
	Inputs []Input
	// Axes are dimensions that vary independently, each with the axes that vary together.
	Axes [][]Axis
	// Partial computes even if the package's code makes further changes to the household.
	Partial bool
	// Unnamed says that the copies along the axes need no ids, of which there would be millions.
	Unnamed bool
}

// Input is a variable whose values are given for a period.
type Input struct {
	Variable *legislation.Variable
	Period   period.Period
	// Values has an element per member of the variable's entity. If it is shorter it is repeated as often as it fits.
	Values vector.Column
	// Path is the place in the document that problems are reported at.
	Path []string

	silent []bool // by member: says nothing and has the default; nil if all say something

	item int32 // the element of the list at Path that is meant, counted from 1; 0 for none

	// What makes up the place of an input that has no Path: what leads to the entities, the member, the period if there
	// is one.
	under           []string
	member, written string

	rank rank
}

// rank is the place of an input among others, but for its period.
type rank struct{ entity, met int32 }

// path is the place in the document.
func (in *Input) path() []string {
	if in.item > 0 {
		return append(slices.Clip(in.Path), position(int(in.item)-1))
	}
	if in.Path != nil {
		return in.Path
	}
	path := append(slices.Clip(in.under), in.Variable.Entity.Plural, in.member, in.Variable.Name)
	if in.written != "" {
		path = append(path, in.written)
	}
	return path
}

// Axis makes a variable of one member vary over copies of the situation.
type Axis struct {
	engine.Axis
	Variable *legislation.Variable
	Period   period.Period
	// Path is the place in the document that problems with its values are reported at.
	Path []string
}

// MaxCells bounds the copies that axes may make of a situation.
const MaxCells = 1_000_000

// Cells is the number of copies of the situation that its axes make, 1 without axes.
func (s *Situation) Cells() (int, error) {
	n, err := s.grid().Cells(MaxCells)
	if err != nil {
		return 0, problem(err.Error(), "axes")
	}
	return n, nil
}

func (s *Situation) grid() engine.Axes {
	grid := make(engine.Axes, len(s.Axes))
	for d, parallel := range s.Axes {
		for _, axis := range parallel {
			grid[d] = append(grid[d], axis.Axis)
		}
	}
	return grid
}

// Simulation makes a simulation with the inputs set, prepared as the package's code prepares them. Inputs that cannot be set are Problems.
func (s *Situation) Simulation(ctx context.Context, o engine.Options) (*engine.Simulation, error) {
	spec, inputs := s.Spec, s.Inputs
	if len(s.Axes) > 0 {
		cells, err := s.Cells()
		if err != nil {
			return nil, err
		}
		if err := s.afford(cells, o.Memory); err != nil {
			return nil, err
		}
		if s.Unnamed {
			spec = unnamed(spec)
		}
		spec = spec.Replicate(cells)
		if inputs, err = s.varied(cells); err != nil {
			return nil, err
		}
	}
	given := inputs
	inputs, err := s.prepare(inputs, &o)
	if err != nil {
		return nil, err
	}
	sim, err := engine.New(ctx, s.System, spec, o)
	if err != nil {
		return nil, err
	}
	if p := s.System.Prepares(); p != nil && p.AsGiven {
		sim.Give(variablesOf(given))
	}
	for i := range inputs {
		if err := set(sim, &inputs[i]); err != nil {
			return nil, err
		}
		if i%256 == 255 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return sim, nil
}

func variablesOf(inputs []Input) []legislation.VariableID {
	ids := make([]legislation.VariableID, len(inputs))
	for i := range inputs {
		ids[i] = inputs[i].Variable.ID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// MaxPersons bounds the persons that axes make of a situation.
const MaxPersons = 20_000_000

// Members is how many persons and groups there are, copies along the axes included.
func (s *Situation) Members(cells int) int64 {
	n := int64(s.Spec.Persons)
	for _, g := range s.Spec.Groups {
		n += int64(g.Count)
	}
	return n * int64(cells)
}

// afford makes sure that there may be so many copies of the situation, and holds what they take.
func (s *Situation) afford(cells int, memory *heap.Share) error {
	if persons := int64(s.Spec.Persons) * int64(cells); persons > MaxPersons {
		return problem(fmt.Sprintf("%d points of %d persons each are %d persons: a simulation may have %d. Ask for fewer points, or of fewer persons.", cells, s.Spec.Persons, persons, MaxPersons), "axes")
	}
	const named, unnamed = 64, 24 // bytes
	each := int64(named)
	if s.Unnamed {
		each = unnamed
	}
	return memory.Take(s.Members(cells) * each)
}

// unnamed is the same people without their ids.
func unnamed(spec engine.Spec) engine.Spec {
	out := engine.Spec{Persons: spec.Persons, Groups: make(map[string]engine.Groups, len(spec.Groups))}
	for key, g := range spec.Groups {
		g.IDs = nil
		out.Groups[key] = g
	}
	return out
}

// Name is the id of a member of an entity; along axes, that of the member it is a copy of.
func (s *Situation) Name(e *legislation.Entity, member int) string {
	ids := s.Spec.PersonIDs
	if g, ok := s.Spec.Groups[e.Key]; ok && !e.IsPerson {
		ids = g.IDs
	}
	if len(ids) == 0 {
		return position(member)
	}
	return ids[member%len(ids)]
}

func set(sim *engine.Simulation, in *Input) error {
	count := sim.PopulationOf(in.Variable.Entity.Key).Count()
	values := in.Values
	if n := values.Len(); n > 0 && n < count && values.IsArray() {
		values = values.Tile(count / n)
	}
	err := sim.SetInput(in.Variable.ID, sim.Periods().Intern(in.Period), values)
	if err == nil {
		return nil
	}
	if mismatch, ok := errors.AsType[*engine.PeriodMismatch](err); ok {
		return problem(textMismatch(mismatch), in.path()...)
	}
	if _, ok := errors.AsType[*engine.LimitError](err); !ok {
		return problem(err.Error(), in.path()...)
	}
	return err
}

// varied returns the inputs with the values of the axes put in.
func (s *Situation) varied(cells int) ([]Input, error) {
	inputs, grid, rules := slices.Clone(s.Inputs), s.grid(), s.System.Rules()
	for d, parallel := range s.Axes {
		for k, axis := range parallel {
			at := slices.IndexFunc(inputs, func(in Input) bool { return in.Variable == axis.Variable && in.Period == axis.Period })
			if at < 0 {
				at = len(inputs)
				inputs = append(inputs, s.unknown(axis))
			}
			in := &inputs[at]
			if count := s.count(axis.Variable.Entity); in.Values.Len() == count {
				in.Values = in.Values.Tile(cells)
			}
			varied, err := axis.along(in.Values, grid.Values(d, k), rules)
			if err != nil {
				return nil, problem(err.Error(), axis.Path...)
			}
			in.Values = varied
		}
	}
	s.sort(inputs)
	return inputs, nil
}

// varies reports whether a variable can vary along an axis.
func varies(v *legislation.Variable) bool {
	return v.Type == legislation.Float || v.Type == legislation.Int || v.Type == legislation.EnumType
}

// along puts the values of the axis into a column; those of an enumeration are the numbers of its members.
func (x Axis) along(c vector.Column, values []float64, rules *vector.Rules) (vector.Column, error) {
	if x.Variable.Type != legislation.EnumType {
		return x.Along(c, values, rules)
	}
	codes, step := make([]int16, c.Len()), c.Len()/len(values)
	for i := range codes {
		codes[i] = int16(c.Int(i))
		if i%step == x.Index {
			codes[i] = int16(values[i/step])
		}
	}
	return vector.Enums(x.Variable.Enum.Domain, codes), nil
}

// Says reports whether the document has the value of a row, which else is the default.
func (in *Input) Says(row int) bool { return in.silent == nil || !in.silent[row%len(in.silent)] }

// unknown is the input that an axis makes of a variable nothing is said about.
func (s *Situation) unknown(axis Axis) Input {
	cells := make([]vector.Column, s.count(axis.Variable.Entity))
	for i := range cells {
		cells[i] = axis.Variable.Default
	}
	return Input{Variable: axis.Variable, Period: axis.Period, Values: assemble(axis.Variable, s.System.Wide(), cells), Path: axis.Path}
}

// count is the number of members of an entity in one copy of the situation.
func (s *Situation) count(e *legislation.Entity) int {
	if g, ok := s.Spec.Groups[e.Key]; ok && !e.IsPerson {
		return g.Count
	}
	return s.Spec.Persons
}

// sort puts inputs in the order in which they are set: by entity, persons first, then in the order in which the
// variables were met, small periods before the large ones that are divided or dispatched around them.
func (s *Situation) sort(inputs []Input) {
	s.rank(inputs)
	slices.SortStableFunc(inputs, func(a, b Input) int {
		return cmp.Or(cmp.Compare(a.rank.entity, b.rank.entity), cmp.Compare(a.rank.met, b.rank.met), a.Period.CompareSize(b.Period))
	})
}

// rank notes the entities of inputs and where their variables were first met.
func (s *Situation) rank(inputs []Input) {
	order := s.System.Entities()
	var met map[*legislation.Variable]int
	if len(inputs) > fewKeys {
		met = make(map[*legislation.Variable]int, len(inputs))
	}
	for i := range inputs {
		in, first := &inputs[i], i
		if at, seen := met[in.Variable]; seen {
			first = at
		} else if met != nil {
			met[in.Variable] = i
		} else {
			first = firstOf(inputs, in.Variable)
		}
		in.rank = rank{entity: -1, met: int32(first)}
		if !in.Variable.Entity.IsPerson {
			in.rank.entity = int32(slices.Index(order, in.Variable.Entity))
		}
	}
}

// firstOf is the position of the first input of a variable that has one.
func firstOf(inputs []Input, v *legislation.Variable) int {
	i := 0
	for inputs[i].Variable != v {
		i++
	}
	return i
}

// assemble makes a column of a variable from one scalar per member.
func assemble(v *legislation.Variable, wide bool, cells []vector.Column) vector.Column {
	dtype := v.DType(wide)
	switch dtype.Type {
	case vector.Bool:
		return array(cells, vector.Column.Bool)
	case vector.Int32:
		return array(cells, func(c vector.Column, i int) int32 { return int32(c.Int(i)) })
	case vector.Int64:
		return array(cells, vector.Column.Int)
	case vector.Float32:
		return array(cells, func(c vector.Column, i int) float32 { return float32(c.Float(i)) })
	case vector.Date:
		if len(cells) == 1 {
			return vector.DateConst(1, vector.Day, cells[0].Int(0))
		}
		return vector.Dates(vector.Day, gather(cells, vector.Column.Int))
	case vector.Enum:
		if len(cells) == 1 {
			return vector.EnumConst(1, v.Enum.Domain, int16(cells[0].Int(0)))
		}
		return vector.Enums(v.Enum.Domain, gather(cells, func(c vector.Column, i int) int16 { return int16(c.Int(i)) }))
	case vector.Bytes:
		return vector.Texts(dtype, gather(cells, func(c vector.Column, i int) string { return cut(c.Text(i), v.MaxLength) }))
	case vector.Str:
		return texts(cells)
	}
	return array(cells, vector.Column.Float)
}

// array makes an array of one element per member; one alone needs no storage.
func array[T vector.Element](cells []vector.Column, get func(vector.Column, int) T) vector.Column {
	if len(cells) == 1 {
		return vector.Const(1, get(cells[0], 0))
	}
	return vector.Of(gather(cells, get))
}

// texts makes a column of a variable for text: of numbers if that is all there is.
func texts(cells []vector.Column) vector.Column {
	var t vector.Type
	for i, c := range cells {
		if i > 0 && c.Type() != t {
			t = vector.Str
			break
		}
		t = c.Type()
	}
	switch t {
	case vector.Bool:
		return vector.Of(gather(cells, vector.Column.Bool))
	case vector.Int64:
		return vector.Of(gather(cells, vector.Column.Int))
	case vector.Float64:
		return vector.Of(gather(cells, vector.Column.Float))
	}
	return vector.Strs(gather(cells, vector.Column.Format))
}

func cut(s string, n int) string { return s[:min(n, len(s))] }

func gather[T any](cells []vector.Column, get func(vector.Column, int) T) []T {
	out := make([]T, len(cells))
	for i, c := range cells {
		out[i] = get(c, 0)
	}
	return out
}
