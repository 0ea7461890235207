package legislation

import (
	"edict/simulation/period"
	"edict/simulation/vector"
	"maps"
)

// Builder makes a [System], from nothing or as a reform of another. It belongs to one goroutine and is done after Build.
type Builder struct {
	system *System
	// fresh is set once the variables are no longer shared with the baseline.
	fresh bool
	root  *ParameterNode
}

// Profile says how the formulas of a system compute.
type Profile struct {
	// Wide selects 64-bit floats and integers.
	Wide bool
	// LenientPeriods lets months and days of periods have one digit.
	LenientPeriods bool
	// Converts lets variables by the month be asked for on years, and those by the year on months, without an option: a flow is
	// summed or shared, a stock ([Variable.Stock]) is that of the last month or of the year.
	Converts bool
	// OneGroup has a situation that says nothing of the groups of an entity mean one of everybody; without it everybody has their own.
	OneGroup bool
	// SpiralLoops is how often a variable may ask for itself on other periods, unless a simulation says otherwise; 0 means 1.
	SpiralLoops int
	// TestMargin is how far a number may be from what a test of the legislation expects, unless the test says. Above 0, numbers
	// of 64 bits are compared as such, and names of parameters among the inputs of a test are changes of the law.
	TestMargin float64
	// Unprepared rejects simulations whose inputs were not prepared as the package's own code prepares them. It names what works instead;
	// "" means that the package computes with inputs as they are given.
	Unprepared string
	// Rules are the rules of arithmetic; nil means numpy 1.x without objects.
	Rules *vector.Rules
	// Language is that of the formulas, nil if they keep nothing during a run.
	Language Language
}

// NewBuilder starts a system with the given entities, exactly one of which is the person.
func NewBuilder(names *Names, profile Profile, entities ...*Entity) (*Builder, error) {
	persons := 0
	for _, e := range entities {
		if e.IsPerson {
			persons++
		}
	}
	if persons != 1 {
		return nil, valueError("a legislation needs exactly one person entity; %d are defined", persons)
	}
	rules := profile.Rules
	if rules == nil {
		rules = &vector.Rules{}
	}
	s := &System{names: names, entities: entities, rules: rules, wide: profile.Wide, lenient: profile.LenientPeriods, converts: profile.Converts, oneGroup: profile.OneGroup, spiralLoops: max(profile.SpiralLoops, 1), testMargin: profile.TestMargin, unprepared: profile.Unprepared, language: profile.Language, byName: make(map[string]*Variable), memory: &memory{}}
	return &Builder{system: s, fresh: true, root: NewParameterNode("")}, nil
}

// Reform starts a system that differs from this one only in what is done to the builder.
func (s *System) Reform(key string) *Builder {
	reformed := *s
	reformed.Key = key
	reformed.baseline = s
	reformed.derived, reformed.origin, reformed.memory = nil, nil, &memory{}
	return &Builder{system: &reformed}
}

// Names is the numbering of the system to be.
func (b *Builder) Names() *Names { return b.system.names }

// Entity finds an entity by key, or returns nil.
func (b *Builder) Entity(key string) *Entity { return b.system.Entity(key) }

// Describe sets the title, the description and the origin of the system.
func (b *Builder) Describe(title, description string, source Source, origin Package) {
	b.system.Title, b.system.Description, b.system.Source, b.system.Package = title, description, source, origin
}

// Variable finds a variable that was added so far, or returns nil.
func (b *Builder) Variable(name string) *Variable { return b.system.byName[name] }

// Variables lists the variables added so far; the caller must not change the list.
func (b *Builder) Variables() []*Variable { return b.system.order }

// AddVariable adds a variable whose name is not taken.
func (b *Builder) AddVariable(d Definition) (*Variable, error) {
	if known := b.Variable(d.Name); known != nil {
		return nil, &Error{"VariableNameConflictError", "variable '" + d.Name + "' is already defined (" + known.Source.File + "): use update_variable to change it"}
	}
	return b.define(d, nil)
}

// UpdateVariable changes the attributes that are given, and adds formulas: those of the variable that start before the
// first new one stay. A variable that does not exist yet is added.
func (b *Builder) UpdateVariable(d Definition) (*Variable, error) {
	return b.define(d, b.Variable(d.Name))
}

// ReplaceVariable puts a variable in the place of the one with its name, if there is one.
func (b *Builder) ReplaceVariable(d Definition) (*Variable, error) { return b.define(d, nil) }

func (b *Builder) define(d Definition, baseline *Variable) (*Variable, error) {
	v, err := d.define(b.system.names.Variable(d.Name), baseline)
	if err != nil {
		return nil, err
	}
	if b.system.Entity(v.Entity.Key) == nil {
		return nil, d.fail("its entity '%s' is not one of the legislation's", v.Entity.Key)
	}
	b.put(v)
	return v, nil
}

// NeutralizeVariable makes a variable keep its default value for ever.
func (b *Builder) NeutralizeVariable(name string) error {
	v := b.Variable(name)
	if v == nil {
		return b.system.NotFound(name)
	}
	neutral := *v
	neutral.Neutralized = true
	neutral.Label = "[Neutralized]"
	if v.Label != "" {
		neutral.Label += " " + v.Label
	}
	b.put(&neutral)
	return nil
}

// AnnualizeVariable makes a monthly variable keep the value of January for the whole year; within limits if they are
// given.
func (b *Builder) AnnualizeVariable(name string, within *period.Period) error {
	v := b.Variable(name)
	if v == nil {
		return b.system.NotFound(name)
	}
	annual := *v
	annual.Formulas = make([]DatedFormula, len(v.Formulas))
	for i, f := range v.Formulas {
		annual.Formulas[i] = DatedFormula{f.Start, annualFormula{v.ID, f.Formula, within}, f.Source}
	}
	b.put(&annual)
	return nil
}

type annualFormula struct {
	id     VariableID
	inner  Formula
	within *period.Period
}

func (f annualFormula) Eval(population Population, at *period.Entry, law Law) (vector.Column, error) {
	c, _, err := f.EvalRepeatable(population, at, law)
	return c, err
}

// EvalRepeatable never moves: which month it is decides what is asked.
func (f annualFormula) EvalRepeatable(population Population, at *period.Entry, law Law) (vector.Column, Validity, error) {
	own, err := f.own(at)
	if err != nil {
		return vector.Column{}, Validity{}, err
	}
	if own {
		c, valid, err := Run(f.inner, population, at, law)
		valid.Moves = false
		return c, valid, err
	}
	year, err := at.ThisYear()
	if err != nil {
		return vector.Column{}, Validity{}, err
	}
	january, err := year.FirstMonth()
	if err != nil {
		return vector.Column{}, Validity{}, err
	}
	c, err := population.Calculate(f.id, january, Plain)
	return c, Validity{Where: SameAnswers}, err
}

// own tells whether the month has a value of its own.
func (f annualFormula) own(at *period.Entry) (bool, error) {
	if at.Start.Month == 1 || f.within == nil {
		return at.Start.Month == 1, nil
	}
	inside, err := f.within.Contains(at.Period)
	return !inside, err
}

// put makes v the variable of its name; the first change of a reform stops sharing the tables of the baseline.
func (b *Builder) put(v *Variable) {
	s := b.system
	if !b.fresh {
		byName := make(map[string]*Variable, len(s.byName)+1)
		maps.Copy(byName, s.byName)
		s.byName = byName
		s.order = append([]*Variable(nil), s.order...)
		b.fresh = true
	}
	if _, known := s.byName[v.Name]; known {
		for i, old := range s.order {
			if old.Name == v.Name {
				s.order[i] = v
				break
			}
		}
	} else {
		s.order = append(s.order, v)
	}
	s.byName[v.Name] = v
}

// SetParameters makes root the parameter tree.
func (b *Builder) SetParameters(root *ParameterNode) { b.root = root }

// MergeParameters adds the children of a node to the root of the tree, as extensions do.
func (b *Builder) MergeParameters(n *ParameterNode) error {
	return b.OwnParameters().Merge(n)
}

// ModifyParameters hands a copy of the parameter tree to a function, which may change it and returns the new tree. As in the original, that of a
// reform is a copy of what it reforms: what an earlier function has changed is lost.
func (b *Builder) ModifyParameters(change func(*ParameterNode) (*ParameterNode, error)) error {
	if b.system.baseline != nil {
		b.root = nil
	}
	root, err := change(b.OwnParameters())
	if err != nil {
		return err
	}
	if root == nil {
		return valueError("the function that modifies the parameters returned no parameters")
	}
	b.root = root
	return nil
}

// Parameters is the tree as it stands. A reform must not change it: see ModifyParameters.
func (b *Builder) Parameters() *ParameterNode {
	if b.root != nil {
		return b.root
	}
	return b.system.tree.Root
}

// Changed gives the parameter tree if it may be another one than that of the system that is reformed, else nil.
func (b *Builder) Changed() *ParameterNode { return b.root }

// OwnParameters gives the parameter tree to change it in place: a reform gets a copy of the one that it reforms.
func (b *Builder) OwnParameters() *ParameterNode {
	if b.root == nil {
		b.root = b.system.tree.Root.Clone()
	}
	return b.root
}

// Build freezes the system.
func (b *Builder) Build() *System {
	s := b.system
	b.abolish(b.Parameters(), nil)
	s.variables = make([]*Variable, s.names.variableCount())
	for _, v := range s.order {
		s.variables[v.ID] = v
	}
	switch {
	case b.root != nil:
		putInForce(b.root)
		s.tree = NewTree(b.root, s.names)
	case s.tree.derivation != nil:
		// What formulas read of a derived tree is known to the tree that it was derived from; this one is to know by itself.
		s.tree = NewTree(s.tree.Root, s.names)
	}
	return s
}

// putInForce marks an item and everything below it.
func putInForce(item ParameterItem) {
	info := item.Info()
	if info.InForce {
		return
	}
	info.InForce = true
	switch item := item.(type) {
	case *ParameterNode:
		for _, child := range item.Children.All() {
			putInForce(child)
		}
	case *ParameterScale:
		for _, bracket := range item.Brackets {
			putInForce(bracket)
		}
	}
}
