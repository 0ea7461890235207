package legislation

import (
	"context"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// Formula computes a variable. It is the seam between the rules and the engine: the engine knows no language, and
// whoever writes formulas knows no engine. A formula is used by many simulations at once and keeps no state.
//
// The result is an array with one element per member of the population, or a scalar that stands for all of them, of any
// type: the engine casts it to the type of the variable. [ErrNoValue] asks for the default value instead.
// An error of a Calculate must be returned, not swallowed, unless the rules themselves handle it.
//
// A formula that tells where its results hold again is a [Repeatable] too.
type Formula interface {
	Eval(population Population, at *period.Entry, law Law) (vector.Column, error)
}

// FormulaFunc is a formula written in Go.
type FormulaFunc func(population Population, at *period.Entry, law Law) (vector.Column, error)

// Eval calls the function.
func (f FormulaFunc) Eval(population Population, at *period.Entry, law Law) (vector.Column, error) {
	return f(population, at, law)
}

// Option says how a variable is asked for on a period that is not its own.
type Option uint8

// The options of Calculate.
const (
	Plain  Option = iota
	Add           // sum over the sub-periods
	Divide        // the share of a larger period
)

// Population is the members of one entity in a simulation, or a projection of them onto another population
// (person.household, household.first_parent): then every result is projected all the way back, and the methods marked
// "own" answer for the entity that is projected.
//
// A column argument that speaks of persons has one element per person; a role may be nil for everybody.
type Population interface {
	// Entity is the kind of the members (own).
	Entity() *Entity
	// Count is the number of members (own).
	Count() int
	// IDs are the names of the members (own), which may be missing.
	IDs() []string
	// Simulation is the simulation that the population belongs to.
	Simulation() Simulation

	// Calculate gives a variable of this entity.
	Calculate(v VariableID, at *period.Entry, how Option) (vector.Column, error)
	// Holder gives access to what is stored for a variable of this entity (own).
	Holder(name string) (Holder, error)

	// Shortcut resolves person.<entity>, group.first_person, group.<unique role>, group.<containing entity>.
	Shortcut(name string) (Population, bool)
	// Members are the persons (own), false for the person entity.
	Members() (Population, bool)

	// EmptyArray is zeros, of the float type in force (own).
	EmptyArray() vector.Column
	// FilledArray is the value for every member (own), of its natural type.
	FilledArray(v vector.Column) (vector.Column, error)

	HasRole(role *Role) (vector.Column, error)
	Sum(c vector.Column, role *Role) (vector.Column, error)
	Any(c vector.Column, role *Role) (vector.Column, error)
	All(c vector.Column, role *Role) (vector.Column, error)
	Min(c vector.Column, role *Role) (vector.Column, error)
	Max(c vector.Column, role *Role) (vector.Column, error)
	// Reduce folds the members of each group in order of position, starting from neutral.
	Reduce(c vector.Column, step Reducer, neutral vector.Column, role *Role) (vector.Column, error)
	// NbPersons counts the members of each group.
	NbPersons(role *Role) (vector.Column, error)
	// ValueFromPerson gives the value of the one person with a role, or otherwise.
	ValueFromPerson(c vector.Column, role *Role, otherwise vector.Column) (vector.Column, error)
	// ValueNthPerson gives the value of the person at position n, or otherwise.
	ValueNthPerson(n int, c vector.Column, otherwise vector.Column) (vector.Column, error)
	// ValueFromFirstPerson gives the value of the person at position 0.
	ValueFromFirstPerson(c vector.Column) (vector.Column, error)
	// ValueFromPartner gives each person with one of the two sub-roles of role the value of the other; group is the
	// projection person.<group>.
	ValueFromPartner(c vector.Column, group Population, role *Role) (vector.Column, error)
	// Rank numbers the persons of each group by increasing criteria from 0, -1 where condition is false.
	Rank(group Population, criteria, condition vector.Column) (vector.Column, error)
	// Project gives every person the value of its group (own), 0 to persons without the role.
	Project(c vector.Column, role *Role) (vector.Column, error)

	// MembersEntityID, MembersPosition and MembersRole tell for every person the index of its group (int64), its
	// position in it (int32) and its role (own; empty for the person entity).
	MembersEntityID() vector.Column
	MembersPosition() vector.Column
	MembersRole() []*Role
}

// Reducer combines the values gathered so far with those of the next position.
type Reducer func(sofar, next vector.Column) (vector.Column, error)

// Projector is a population that answers for another one; Up gives what was computed of it to that one.
type Projector interface {
	Population
	Up(c vector.Column) (vector.Column, error)
}

// Holder is what a simulation stores for one variable.
type Holder interface {
	Simulation() Simulation
	Variable() *Variable
	// Array gives the stored value, false if there is none.
	Array(at *period.Entry) (vector.Column, bool)
	// KnownPeriods lists the periods that have a value, in the order in which they were first stored.
	KnownPeriods() []*period.Entry
	// DefaultArray is the default value for every member.
	DefaultArray() vector.Column
	// SetInput stores an input by the rule of the variable.
	SetInput(at *period.Entry, c vector.Column) error
	// Delete forgets what is stored for the period and the periods it contains; nil forgets everything.
	Delete(at *period.Entry) error
}

// Simulation is a run of a system on populations. It belongs to one goroutine.
type Simulation interface {
	// Context ends the simulation when it is done.
	Context() context.Context
	System() *System
	Periods() *period.Table
	// Population finds a population by the key of its entity.
	Population(key string) (Population, bool)
	Calculate(v VariableID, at *period.Entry, how Option) (vector.Column, error)
	// CalculateOutput asks for a variable as its calculate_output attribute says.
	CalculateOutput(v VariableID, at *period.Entry) (vector.Column, error)
	// SetInput stores an input unless the variable has ended by then.
	SetInput(v VariableID, at *period.Entry, c vector.Column) error
	Holder(v VariableID) (Holder, error)
	// Clone makes a simulation that goes on with what is stored so far, and shares it: what either stores later for a variable
	// that was used before, both have. Formulas written for the original engine depend on that.
	Clone() Simulation
	// Rows is what to ask where a rule looks beyond single rows; nil if the simulation holds the whole population.
	Rows() Rows
	// Runtime is what the system's [Language] has made for this run, nil if the system has none; a clone has its own.
	Runtime() Runtime
}

// Forker is a [Simulation] that can be branched.
type Forker interface {
	// Fork gives the branch of that name, which begins with what is stored so far and goes on apart.
	Fork(name string) (Simulation, error)
	// Baseline gives the branch with the inputs alone that computes by the law without the reform at hand, nil if there is none.
	Baseline() (Simulation, error)
	// Inputs lists the variables that have inputs.
	Inputs() []VariableID
	// Given lists the variables that inputs were given for, which may since have been moved to others.
	Given() []VariableID
	// InputPeriods lists the periods of a variable whose values are inputs.
	InputPeriods(id VariableID) []*period.Entry
	// Branch gives the name of a branch and the simulation that it was made from, nil if it is none.
	Branch() (string, Simulation)
	// Branches lists the names of the branches made from this simulation; DropBranch forgets one.
	Branches() []string
	DropBranch(name string)
	// DropComputed forgets every value that is no input, DropValue one of them.
	DropComputed()
	DropValue(id VariableID, at *period.Entry)
	// Neutralize makes a variable of a branch keep its default value.
	Neutralize(id VariableID) error
	// Enact makes a branch compute by a copy of its system from then on.
	Enact(system *System) error
}

// Rows lets a simulation hold only some rows of a population, groups and all, and give them the numbers that they have in
// the whole. Whoever evaluates formulas asks it wherever a result would depend on rows of other groups, and on nothing else.
type Rows interface {
	// Agree gives the answer of the whole population to whether any row, or all of them, fulfil a condition; mine is the
	// answer of the rows at hand.
	Agree(all, mine bool) bool
	// Whole is the error that ends a calculation which cannot do without the other rows; what says which step it was.
	Whole(what string) error
}

// Language is what the formulas of a system are written in, if it keeps something of its own during a run. The provider of
// the formulas may give one with the [Profile].
type Language interface {
	// Enter makes what the language keeps during one simulation. It is called before the first formula or rule runs.
	Enter(sim Simulation) Runtime
}

// Runtime is what a language keeps during one simulation; it belongs to the simulation's goroutine.
type Runtime interface {
	// Objects says how to compute with the objects that the language puts into columns.
	Objects() vector.ObjectMath
}

// Law gives formulas the parameters.
type Law interface {
	// During gives the parameters in force on the first day of the period.
	During(at *period.Entry) (*View, error)
	// On gives the parameters in force on a day.
	On(day period.Instant) (*View, error)
	// Traced tells whether Record wants to know which parameters are read.
	Traced() bool
	// Record notes that a parameter was read; name is its full name. Of a node that was indexed with a column, name is
	// that of the node, and the scalar of value is an array with an element per row.
	Record(name string, day period.Instant, value Data)
}

// ScaleRecorder is a [Law] that wants to know which scales are read too, when it is traced. They are no values, so that the
// trace of the original does not have them.
type ScaleRecorder interface {
	// RecordScale notes that a scale was read; name is its full name.
	RecordScale(name string, day period.Instant)
}
