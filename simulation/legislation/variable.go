package legislation

import (
	"edict/simulation/period"
	"edict/simulation/vector"
)

// ValueType is what a variable's values are.
type ValueType uint8

// The value types. The zero value means that a definition does not give one.
const (
	NoType ValueType = iota
	Bool
	Int
	Float
	Date
	EnumType
	String
)

var valueTypeNames = [...]string{"nothing", "bool", "int", "float", "date", "Enum", "str"}

// String gives the Python name of the type.
func (t ValueType) String() string { return valueTypeNames[t] }

// JSONType gives the name that web interfaces use.
func (t ValueType) JSONType() string {
	return [...]string{"", "boolean", "integer", "number", "string", "string", "string"}[t]
}

// InputRule says what to do with an input for a period that is not the variable's own.
type InputRule uint8

// The input rules.
const (
	AsGiven      InputRule = iota // refuse it
	Dispatch                      // the same value for every sub-period
	DivideEqual                   // an equal share for every sub-period
	InputByRules                  // ask Variable.CustomInput
)

// MissingRule says what a variable is for a period that has neither an input nor a formula. Those from the second to the
// fourth are of OpenFisca-Core before version 31, the last is PolicyEngine's.
type MissingRule uint8

// The rules for what is missing.
const (
	DefaultValue MissingRule = iota // its default
	LastValue                       // what it was last, else its default
	NearestValue                    // what it was last, else what it is first, else its default
	NoValue                         // an error
	LatestInput                     // the latest input that began by then, else its default
)

// OutputRule says how a variable is computed when it is asked for as an output.
type OutputRule uint8

// The output rules.
const (
	AsDefined     OutputRule = iota // as any other
	OutputAdd                       // sum over sub-periods
	OutputDivide                    // share of a larger period
	OutputByRules                   // ask Variable.CustomOutput
)

// Variable is a quantity that every member of an entity has for every period. It never changes once it is part of a
// system.
type Variable struct {
	ID     VariableID
	Name   string
	Type   ValueType
	Entity *Entity
	// Period is the unit that the variable is defined for; Eternity for what never changes.
	Period period.Unit
	// Default is the value where nothing else is known: a numpy scalar of the narrow (32-bit) type, or of an enumeration.
	Default vector.Column
	// Enum is the enumeration of an enumerated variable, else nil.
	Enum *Enum
	// MaxLength makes a text variable one of bytes of at most that length; 0 means text of any length.
	MaxLength int

	Label         string
	Unit          string // "currency", "/1"…
	Documentation string
	References    []string
	CerfaField    any // text, or texts by person: map[string]string

	// End is the last day on which the variable exists; zero if it does not end.
	End          period.Instant
	Input        InputRule
	CustomInput  CustomInput
	Output       OutputRule
	CustomOutput CustomOutput
	Missing      MissingRule
	// Stock says that on a period of another unit the variable is what it is at its end, not a sum or a share, if the system
	// converts ([Profile.Converts]).
	Stock bool
	// DefinedFor names a variable: where that is not above 0 this one has its default, whatever its formula gives. Empty for none.
	DefinedFor string
	// Uprating names a parameter: what is missing is the latest input, as much higher as the parameter is. Empty for none.
	Uprating string
	// SizeIndependent says that the value does not depend on the length of the period.
	SizeIndependent bool
	// Neutralized variables always have their default value.
	Neutralized bool
	// Abolished is a parameter: on periods that begin while it is true the variable has its default value. nil for none.
	Abolished *Parameter

	// Formulas are ordered by start.
	Formulas []DatedFormula
	// Declared is what the variable was declared by, for those who declare: a class of Python.
	Declared any
	Source   Source
}

// Neutral tells whether the variable has its default value on a period, whatever its formulas and inputs say.
func (v *Variable) Neutral(at period.Period) bool {
	return v.Neutralized || v.Abolished != nil && truth(*v.Abolished.ValueAt(at.Start))
}

// DatedFormula is a formula and the first day it is in force.
type DatedFormula struct {
	Start   period.Instant
	Formula Formula
	Source  Source
}

// AsWritten tells whether the formula does what its source says on every period, which one that was made annual does not.
func (f *DatedFormula) AsWritten() bool {
	_, annual := f.Formula.(annualFormula)
	return !annual
}

// Written is the formula whose text the source is, which one that was made annual has inside.
func (f *DatedFormula) Written() Formula {
	if annual, ok := f.Formula.(annualFormula); ok {
		return annual.inner
	}
	return f.Formula
}

// Source tells where something was defined.
type Source struct {
	File string
	Line int
	Text string // the source code, if it is kept
}

// FirstDay is the start of a formula without a date.
var FirstDay = period.Instant{Year: 1, Month: 1, Day: 1}

// IsInput tells whether the variable has no formula at all.
func (v *Variable) IsInput() bool { return len(v.Formulas) == 0 }

// Ended tells whether the variable no longer exists on a day.
func (v *Variable) Ended(day period.Instant) bool {
	return v.End != period.Instant{} && v.End.Before(day)
}

// FormulaAt gives the formula in force on a day, or nil: the one that started last, nothing once the variable has ended.
func (v *Variable) FormulaAt(day period.Instant) *DatedFormula {
	if v.Ended(day) {
		return nil
	}
	for i := len(v.Formulas) - 1; i >= 0; i-- {
		if f := &v.Formulas[i]; !day.Before(f.Start) {
			return f
		}
	}
	return nil
}

// DType is the type of the variable's columns in a profile: wide means 64 bits.
// Text without a length limit is kept as text, where numpy keeps objects.
func (v *Variable) DType(wide bool) vector.DType {
	switch v.Type {
	case Int:
		if wide {
			return vector.DType{Type: vector.Int64}
		}
		return vector.DType{Type: vector.Int32}
	case Float:
		if wide {
			return vector.DType{Type: vector.Float64}
		}
		return vector.DType{Type: vector.Float32}
	case Date:
		return vector.DType{Type: vector.Date, Unit: vector.Day}
	case EnumType:
		return vector.DType{Type: vector.Enum}
	case String:
		if v.MaxLength > 0 {
			return vector.DType{Type: vector.Bytes, Width: int32(v.MaxLength)}
		}
		return vector.DType{Type: vector.Str}
	}
	return vector.DType{Type: vector.Bool}
}
