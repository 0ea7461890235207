package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// recorded is one case of testdata/cases.json: a legislation, a situation, questions, and what OpenFisca-Core answered
// and stored. testdata/generate.py made them.
type recorded struct {
	Name      string
	Variables []recordedVariable
	Persons   int
	Groups    map[string]struct {
		Count int
		Of    []int32
		Roles []string
	}
	Loops   int
	Wide    bool
	Steps   [][]json.RawMessage
	Answers []json.RawMessage
	Stored  map[string][][]json.RawMessage
}

type recordedVariable struct {
	Name, Type, Entity, Unit, End string
	Default                       json.RawMessage
	MaxLength                     int    `json:"max_length"`
	SetInput                      string `json:"set_input"`
	Neutralized                   bool
	Formulas                      map[string]json.RawMessage
}

var zone = legislation.NewEnum("Zone", []string{"z1", "z2"}, []string{"one", "two"}, nil)

func recordedEntities() []*legislation.Entity {
	return []*legislation.Entity{
		legislation.NewPerson("person", "persons", "", ""),
		legislation.NewGroup("family", "families", "", "", []legislation.RoleSpec{
			{Key: "parent", Plural: "parents", Subroles: []string{"first_parent", "second_parent"}}, {Key: "child", Plural: "children"},
		}, "household"),
		legislation.NewGroup("household", "households", "", "", []legislation.RoleSpec{{Key: "head", Max: 1}, {Key: "other"}}),
	}
}

func testLaw(t failing) *legislation.ParameterNode {
	t.Helper()
	item, err := legislation.LoadParameters(context.Background(), os.DirFS("../legislation/testdata"), "parameters", "", nil, legislation.KnownKeys)
	if err != nil {
		t.Fatal(err)
	}
	return item.(*legislation.ParameterNode)
}

func TestRecorded(t *testing.T) {
	law := testLaw(t)
	for _, c := range recordedCases(t) {
		t.Run(c.Name, func(t *testing.T) { c.check(t, c.system(t, law)) })
	}
}

func recordedCases(t *testing.T) []recorded {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []recorded
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// simulation makes the situation of the case, without inputs.
func (c recorded) simulation(t *testing.T, system *legislation.System) *Simulation {
	spec := Spec{Persons: c.Persons, Groups: make(map[string]Groups)}
	for key, g := range c.Groups {
		groups := Groups{Count: g.Count, GroupOf: g.Of}
		for _, role := range g.Roles {
			groups.Roles = append(groups.Roles, system.Entity(key).Role(role))
		}
		spec.Groups[key] = groups
	}
	sim, err := New(context.Background(), system, spec, Options{MaxSpiralLoops: c.Loops})
	if err != nil {
		t.Fatal(err)
	}
	return sim
}

// check does what was recorded and compares answers and stored values.
func (c recorded) check(t *testing.T, system *legislation.System) {
	sim := c.simulation(t, system)
	for i, step := range c.Steps {
		got := doStep(t, sim, step)
		if got != string(c.Answers[i]) {
			t.Errorf("step %d %s:\n got %s\nwant %s", i, step, got, c.Answers[i])
		}
	}
	c.checkStored(t, sim)
}

// checkStored compares everything that is stored, and the order in which it was.
func (c recorded) checkStored(t *testing.T, sim *Simulation) {
	for _, v := range sim.system.Variables() {
		var got, want []string
		if h := sim.holders[v.ID]; h != nil {
			for _, at := range h.KnownPeriods() {
				column, _ := h.stored(at.ID)
				text := columnJSON(column)
				got = append(got, fmt.Sprintf(`["%s",%s`, at, text[1:]))
			}
		}
		for _, row := range c.Stored[v.Name] {
			line, _ := json.Marshal(row)
			want = append(want, string(line))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s stores\n%s\nwant\n%s", v.Name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func (c recorded) system(t *testing.T, law *legislation.ParameterNode) *legislation.System {
	entities := recordedEntities()
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{Wide: c.Wide, Rules: &vector.Rules{Objects: memberMath{}}}, entities...)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(law)
	types := map[string]legislation.ValueType{"float": legislation.Float, "int": legislation.Int, "bool": legislation.Bool, "enum": legislation.EnumType, "date": legislation.Date, "str": legislation.String}
	for _, v := range c.Variables {
		unit, _ := period.ParseUnit(v.Unit)
		d := legislation.Definition{Name: v.Name, Type: types[v.Type], Entity: b.Entity(v.Entity), Period: &unit, MaxLength: v.MaxLength, End: v.End,
			Input: map[string]legislation.InputRule{"dispatch": legislation.Dispatch, "divide": legislation.DivideEqual}[v.SetInput]}
		if v.Type == "enum" {
			d.Enum = zone
			first := vector.EnumConst(1, zone.Domain, 0)
			d.Default = &first
		} else if v.Default != nil {
			value := scalarOf(v.Default)
			if v.Type == "date" {
				i, _ := period.ParseInstant(value.Text(0))
				value = vector.DateScalar(vector.Day, int64(i.Days()))
			}
			d.Default = &value
		}
		for name, tree := range v.Formulas {
			var e expr
			if err := json.Unmarshal(tree, &e); err != nil {
				t.Fatal(err)
			}
			d.Formulas = append(d.Formulas, legislation.NamedFormula{Name: name, Formula: e})
		}
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range c.Variables {
		if v.Neutralized {
			if err := b.NeutralizeVariable(v.Name); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Build()
}

func doStep(t *testing.T, sim *Simulation, step []json.RawMessage) string {
	name, when := str(step[1]), str(step[2])
	v, err := sim.system.Lookup(name)
	if err != nil {
		return errorJSON(err)
	}
	var at *period.Entry
	if when != "" {
		if at, err = sim.periods.Parse(when); err != nil {
			t.Fatal(err)
		}
	}
	var c vector.Column
	switch str(step[0]) {
	case "set":
		err = sim.SetInput(v.ID, at, inputColumn(t, step[3]))
	case "delete":
		h, _ := sim.Holder(v.ID)
		err = h.Delete(at)
	case "calculate":
		c, err = sim.Calculate(v.ID, at, legislation.Plain)
	case "add":
		c, err = sim.Calculate(v.ID, at, legislation.Add)
	case "divide":
		c, err = sim.Calculate(v.ID, at, legislation.Divide)
	}
	switch {
	case err != nil:
		return errorJSON(err)
	case str(step[0]) == "set" || str(step[0]) == "delete":
		return `"ok"`
	}
	return columnJSON(c)
}

func str(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

func scalarOf(raw json.RawMessage) vector.Column {
	text := string(raw)
	switch {
	case text == "true" || text == "false":
		return vector.PyBool(text == "true")
	case text[0] == '"':
		return vector.PyStr(str(raw))
	}
	var n json.Number
	_ = json.Unmarshal(raw, &n)
	if i, err := n.Int64(); err == nil {
		return vector.PyInt(i)
	}
	f, _ := n.Float64()
	return vector.PyFloat(f)
}

// inputColumn makes the array that the generator makes: dates by their look, all floats in 32 bits, else integers.
func inputColumn(t *testing.T, raw json.RawMessage) vector.Column {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		t.Fatal(err)
	}
	var bools []bool
	var dates, ints []int64
	var texts []string
	var floats []float32
	for _, item := range items {
		c := scalarOf(item)
		switch c.Type() {
		case vector.Bool:
			bools = append(bools, c.Bool(0))
		case vector.Str:
			texts = append(texts, c.Text(0))
			if i, err := period.ParseInstant(c.Text(0)); err == nil {
				dates = append(dates, int64(i.Days()))
			}
		case vector.Int64:
			ints = append(ints, c.Int(0))
			floats = append(floats, float32(c.Float(0)))
		default:
			floats = append(floats, float32(c.Float(0)))
		}
	}
	switch {
	case bools != nil:
		return vector.Of(bools)
	case dates != nil:
		return vector.Dates(vector.Day, dates)
	case texts != nil:
		return vector.Strs(texts)
	case len(ints) == len(items) && !strings.Contains(string(raw), "."):
		return vector.Of(ints)
	}
	return vector.Of(floats)
}

func errorJSON(err error) string {
	var cycle *CycleError
	var mismatch *PeriodMismatch
	var variable *legislation.VariableNotFound
	var parameter *legislation.ParameterNotFound
	var law *legislation.Error
	var limit *LimitError
	class := "ValueError"
	switch {
	case errors.As(err, &cycle):
		class = "CycleError"
	case errors.As(err, &mismatch):
		class = "PeriodMismatchError"
	case errors.As(err, &variable):
		class = "VariableNotFoundError"
	case errors.As(err, &parameter):
		class = "ParameterNotFoundError"
	case errors.As(err, &limit):
		class = "RecursionError"
	case errors.As(err, &law):
		class = law.Class
	}
	switch {
	case class == "IndexError":
		class = "EnumMemberNotFoundError"
	case strings.Contains(err.Error(), "value_from_person needs a role"):
		class = "AttributeError" // the original stumbles over its own message
	}
	return `["error","` + class + `"]`
}

func columnJSON(c vector.Column) string {
	name := c.DType().String()
	parts := make([]string, c.Len())
	for i := range parts {
		switch c.Type() {
		case vector.Float32, vector.Float64:
			parts[i] = floatJSON(c.Float(i))
		case vector.Bool:
			parts[i] = fmt.Sprint(c.Bool(i))
		case vector.Enum, vector.Str, vector.Bytes:
			quoted, _ := json.Marshal(c.Text(i))
			parts[i] = string(quoted)
			name = map[vector.Type]string{vector.Enum: "enum", vector.Str: "str", vector.Bytes: "bytes"}[c.Type()]
		case vector.Date:
			day, _ := period.FromDays(int(c.Int(i)))
			parts[i] = `"` + day.String() + `"`
			name = "date"
		default:
			parts[i] = fmt.Sprint(c.Int(i))
		}
	}
	return `["` + name + `",[` + strings.Join(parts, ",") + `]]`
}

func floatJSON(f float64) string {
	switch {
	case math.IsNaN(f):
		return `"nan"`
	case math.IsInf(f, 1):
		return `"inf"`
	case math.IsInf(f, -1):
		return `"-inf"`
	}
	return vector.PyFloat(f).Repr(0)
}
