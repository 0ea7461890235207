package legislation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// Definition declares a variable to a [Builder]. What is not given (zero) keeps its usual value, or in an update the
// value of the variable that is updated.
type Definition struct {
	Name      string
	Type      ValueType
	Entity    *Entity
	Period    *period.Unit
	Default   *vector.Column // a Python scalar, a date, or a member of Enum
	Enum      *Enum
	MaxLength int

	Label         string
	Unit          string
	Documentation string
	References    []string
	CerfaField    any
	End           string // 2015-12-31

	Input           InputRule
	CustomInput     CustomInput
	Output          OutputRule
	CustomOutput    CustomOutput
	Missing         *MissingRule
	SizeIndependent *bool
	Stock           *bool
	DefinedFor      string
	Uprating        string

	Formulas []NamedFormula
	Declared any // see Variable
	Source   Source
}

// NamedFormula is a formula under the name that tells when it starts: formula, formula_2015, formula_2015_06,
// formula_2015_06_15.
type NamedFormula struct {
	Name    string
	Formula Formula
	Source  Source
}

var formulaName = regexp.MustCompile(`^formula_(\d{4})(?:_(\d{2}))?(?:_(\d{2}))?$`)

// define makes the variable, on top of a baseline that may be nil.
func (d Definition) define(id VariableID, baseline *Variable) (*Variable, error) {
	v := &Variable{}
	if baseline != nil {
		*v = *baseline
		v.Neutralized = false
	}
	v.ID, v.Name, v.Declared, v.Source = id, d.Name, d.Declared, d.Source
	d.describe(v)
	for _, step := range []func(*Variable, *Variable) error{d.setType, d.setDefault, d.setPlace, d.setEnd, d.setFormulas} {
		if err := step(v, baseline); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (d Definition) fail(format string, args ...any) error {
	return valueError("variable '%s': %s", d.Name, fmt.Sprintf(format, args...))
}

func (d Definition) describe(v *Variable) {
	for _, t := range []struct {
		given string
		into  *string
	}{{d.Label, &v.Label}, {d.Unit, &v.Unit}, {Dedent(d.Documentation), &v.Documentation}, {d.DefinedFor, &v.DefinedFor}, {d.Uprating, &v.Uprating}} {
		if t.given != "" {
			*t.into = t.given
		}
	}
	if d.References != nil {
		v.References = d.References
	}
	if d.CerfaField != nil {
		v.CerfaField = d.CerfaField
	}
	if d.Input != AsGiven {
		v.Input, v.CustomInput = d.Input, d.CustomInput
	}
	if d.Output != AsDefined {
		v.Output, v.CustomOutput = d.Output, d.CustomOutput
	}
}

func (d Definition) setType(v, baseline *Variable) error {
	if d.Type != NoType {
		v.Type = d.Type
	}
	if v.Type == NoType {
		return d.fail("it has no value_type; give it bool, int, float, str, date or Enum")
	}
	if d.Enum != nil {
		v.Enum = d.Enum
	}
	if v.Type == EnumType && v.Enum == nil {
		return d.fail("an Enum needs possible_values")
	}
	if d.MaxLength != 0 {
		v.MaxLength = d.MaxLength
	}
	if d.Missing != nil {
		v.Missing = *d.Missing
	}
	if d.Stock != nil {
		v.Stock = *d.Stock
	}
	switch {
	case d.SizeIndependent != nil:
		v.SizeIndependent = *d.SizeIndependent
	case baseline == nil:
		v.SizeIndependent = v.Type != Int && v.Type != Float
	}
	return nil
}

func (d Definition) setDefault(v, baseline *Variable) error {
	if d.Default == nil {
		if baseline != nil && baseline.Type == v.Type {
			return nil
		}
		return d.usualDefault(v)
	}
	given := *d.Default
	fits := false
	switch v.Type {
	case Bool:
		fits = given.Type() == vector.Bool
	case Int:
		fits = given.Type() == vector.Int64 || given.Type() == vector.Bool
	case Float:
		fits = given.Type() == vector.Float64 || given.Type() == vector.Int64 || given.Type() == vector.Bool
	case Date:
		fits = given.Type() == vector.Date
	case String:
		fits = given.Type() == vector.Str
	case EnumType:
		fits = given.Type() == vector.Enum && given.Domain() == v.Enum.Domain
	}
	if !fits {
		return d.fail("the default value %s does not fit the type %s", given.Repr(0), v.Type)
	}
	v.Default = given
	return nil
}

func (d Definition) usualDefault(v *Variable) error {
	switch v.Type {
	case Bool:
		v.Default = vector.PyBool(false)
	case Int:
		v.Default = vector.PyInt(0)
	case Float:
		v.Default = vector.PyFloat(0)
	case Date:
		v.Default = vector.DateScalar(vector.Day, 0)
	case String:
		v.Default = vector.PyStr("")
	case EnumType:
		return d.fail("an Enum needs a default_value")
	}
	return nil
}

func (d Definition) setPlace(v, baseline *Variable) error {
	if d.Entity != nil {
		v.Entity = d.Entity
	}
	if v.Entity == nil {
		return d.fail("it has no entity")
	}
	if d.Period == nil && baseline == nil {
		return d.fail("it has no definition_period")
	}
	if d.Period != nil {
		v.Period = *d.Period
	}
	return nil
}

func (d Definition) setEnd(v, _ *Variable) error {
	if d.End == "" {
		return nil
	}
	end, err := period.Parse(d.End)
	if err != nil || end.Unit != period.Day || end.Size != 1 {
		return d.fail("its end '%s' is not a day: write it as 2015-12-31", d.End)
	}
	v.End = end.Start
	return nil
}

// setFormulas keeps the formulas of the baseline that start before the first new one.
func (d Definition) setFormulas(v, baseline *Variable) error {
	var formulas []DatedFormula
	for _, f := range d.Formulas {
		start, err := d.formulaStart(f.Name)
		if err != nil {
			return err
		}
		if v.Ended(start) {
			return d.fail("it ends on %s, before %s starts", v.End, f.Name)
		}
		formulas = append(formulas, DatedFormula{start, f.Formula, f.Source})
	}
	slices.SortStableFunc(formulas, func(a, b DatedFormula) int { return a.Start.Compare(b.Start) })
	formulas = lastOfEachDay(formulas)
	if baseline != nil {
		var kept []DatedFormula
		for _, f := range baseline.Formulas {
			if len(formulas) == 0 || f.Start.Before(formulas[0].Start) {
				kept = append(kept, f)
			}
		}
		formulas = append(kept, formulas...)
	}
	v.Formulas = formulas
	return nil
}

// lastOfEachDay drops a formula that a later one with the same start replaces: formula_2015 and formula_2015_01_01.
func lastOfEachDay(formulas []DatedFormula) []DatedFormula {
	var kept []DatedFormula
	for i, f := range formulas {
		if i+1 == len(formulas) || formulas[i+1].Start != f.Start {
			kept = append(kept, f)
		}
	}
	return kept
}

func (d Definition) formulaStart(name string) (period.Instant, error) {
	if name == "formula" {
		return FirstDay, nil
	}
	m := formulaName.FindStringSubmatch(name)
	if m == nil {
		return period.Instant{}, d.fail("'%s' is not a name for a formula: use formula, formula_YYYY, formula_YYYY_MM or formula_YYYY_MM_DD", name)
	}
	parts := [3]int{1, 1, 1}
	for i, text := range m[1:] {
		if text != "" {
			parts[i], _ = strconv.Atoi(text)
		}
	}
	start, err := period.NewInstant(parts[0], parts[1], parts[2])
	if err != nil {
		return start, d.fail("the name %s does not end in a day of the calendar (%s)", name, strings.ReplaceAll(name[8:], "_", "-"))
	}
	return start, nil
}
