package legislation

// Preparation holds the changes that a package's code makes to a household before formulas run. PolicyEngine's packages make them in their class
// Simulation, which package policyengine reads. Package scenario applies them to every household; engine.New rejects simulations without.
type Preparation struct {
	// Moves give inputs to other variables, in this order.
	Moves []Move
	// AsGiven lists input variables by their names before the moves.
	AsGiven bool
	// OwnBaseline gives formulas a baseline also under the unreformed law.
	OwnBaseline bool
	// Partial names code with further changes; "" if there is none. Only POST /uk/calculate and its siblings compute such households, unless one
	// of Differing shows that values would be wrong.
	Partial   string
	Differing []Differing
	// Remedy completes the error [Unprepared].
	Remedy string
}

// Move takes the inputs of one variable for inputs of another.
type Move struct {
	From, To string
	// Spare leaves the inputs unmoved if the other variable has inputs too.
	Spare bool
}

// Differing is a variable to which the package's own simulation may give another value. A household is affected if the value is not 0.
type Differing struct {
	Variable string
	From     int // first year
	// Requested means that a household is affected if the variable is requested, whatever its value: nothing else follows from it.
	Requested bool
}

// Prepares returns the preparation of households. It is nil if the package computes with inputs as they are given, or without a readable class.
func (s *System) Prepares() *Preparation { return s.preparation }

// SetPreparation sets the preparation of households. Callers do so before they derive from the system.
func (s *System) SetPreparation(p *Preparation) { s.preparation = p }

// Baselines returns the systems of a household's baseline, of the baseline below it, and so on. The package's law is the baseline of its reforms,
// and of every system if the package makes a baseline always.
func (p *Preparation) Baselines(s *System) []*System {
	law := s
	for law.baseline != nil {
		law = law.baseline
	}
	var of []*System
	if law != s {
		of = append(of, law)
	}
	if p.OwnBaseline {
		of = append(of, law)
	}
	return of
}
