package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Scenario is a scenario of /api/1: a test case or plain variables, on a period, with axes.
type Scenario struct {
	Sent      legislation.Data // as it came
	Period    period.Period
	Situation *Situation
	// Suggestions are values that the legislation assumes for what the test case leaves out; they are among the inputs.
	Suggestions []Suggestion

	entities []*roster        // nil without a test case
	normal   legislation.Data // see normalized
	slabs    slabs            // of the documents that are made of the test case
}

// Suggestion is a value that depends on the test case and is used because the test case does not give one.
type Suggestion struct {
	Entity, Variable, Period string
	ID, Value                legislation.Data
}

// Breach is a rule of the legislation that a test case breaks: a person should not hold a role of a group, or, if Person
// is null, somebody should.
type Breach struct {
	Entity, Role, Message string
	ID, Person            legislation.Data
}

// ScenarioOptions are the choices of ParseScenarios.
type ScenarioOptions struct {
	// Repair puts persons who are in no group of some entity into one; without it they are a problem.
	Repair bool
	// Suggest asks the legislation for suggestions; nil means there are none. It gets the test case with every entity as a
	// list, every member with an id, and the year in which the period starts.
	Suggest func(testCase legislation.Data, year int) ([]Suggestion, error)
	// Check asks the legislation which of its rules a test case breaks; nil means there are none. It gets what Suggest gets.
	Check func(testCase legislation.Data, year int) ([]Breach, error)
	// Adult reports whether a person whom Repair puts into a new group is an adult of it; nil means everybody is.
	Adult func(person legislation.Data, year int) (bool, error)
	// MaxPoints bounds the points of the axes of all scenarios together.
	MaxPoints int
	// Bounds end the reading when their context does, and hold what scenarios take of their share of memory. Values are
	// those of a document, and not counted here.
	Bounds Bounds
	// Workspace is where scenarios are read; nil: nothing of it serves again.
	Workspace *Workspace
}

type inputKey struct {
	variable *legislation.Variable
	at       period.Period
}

// ParseScenarios reads scenarios in stages: their shape; names, values and memberships; rules. All problems of a stage
// are reported at once, for all scenarios, with paths that start at the position of the scenario.
//
// It ends early, with what it has found, where so much is wrong that nobody would read on.
func ParseScenarios(system *legislation.System, docs []legislation.Data, o ScenarioOptions) (_ []*Scenario, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			err = p.err
		default:
			panic(p)
		}
	}()
	readers := make([]*reader, len(docs))
	out := make([]*Scenario, len(docs))
	for i, doc := range docs {
		out[i] = &Scenario{Sent: doc, Situation: &Situation{System: system, Unnamed: true}}
		under := []string{strconv.Itoa(i), "test_case"}
		readers[i] = &reader{system: system, o: o, s: out[i], at: under[:1:1], under: under, known: new(inputTable[inputKey])}
		if i == 0 && o.Workspace != nil {
			readers[i].known = &o.Workspace.inputs
		}
		readers[i].known.memory = o.Bounds.Memory
	}
	for _, stage := range []func(*reader){(*reader).shape, (*reader).contents, (*reader).rules} {
		var wrong Problems
		for _, r := range readers {
			stage(r)
			wrong = append(wrong, r.wrong...)
			if r.failed != nil {
				return nil, r.failed
			}
		}
		if len(wrong) > 0 {
			return nil, wrong
		}
	}
	points := 0
	for _, r := range readers {
		r.look()
		if err := r.finish(); err != nil {
			return nil, err
		}
		cells, err := r.s.Situation.Cells()
		points += cells
		if err != nil || o.MaxPoints > 0 && points > o.MaxPoints {
			return nil, Problems{{Path: append(r.at, "axes"), Msg: fmt.Sprintf("the axes of a request may have %d points in all: ask for fewer", o.MaxPoints)}}
		}
	}
	return out, nil
}

// CheckShapes reports the problems of the first stage alone, for requests that are refused for other reasons already.
func CheckShapes(docs []legislation.Data) Problems {
	var wrong Problems
	for i, doc := range docs {
		r := &reader{s: &Scenario{Sent: doc}, at: []string{strconv.Itoa(i)}}
		r.shape()
		wrong = append(wrong, r.wrong...)
	}
	return wrong
}

// reader reads one scenario.
type reader struct {
	system  *legislation.System
	o       ScenarioOptions
	s       *Scenario
	at      []string
	under   []string              // where the entities of the test case are
	known   *inputTable[inputKey] // until the inputs are put together
	wrong   Problems
	missing [][]string // by person: the entities in no group of which they are
	broken  bool       // a member is no object, so that nothing can be said about who is where
	failed  error      // of the legislation
}

func (r *reader) refuse(msg string, path ...string) {
	r.note(Problem{Path: append(slices.Clone(r.at), path...), Msg: msg})
}

// mostProblems is how many problems of a scenario are looked for.
const mostProblems = 500

func (r *reader) note(p Problem) {
	r.wrong = append(r.wrong, p.clipped())
	if r.look(); len(r.wrong) >= mostProblems {
		panic(stopped{r.wrong})
	}
}

// stopped ends the reading of scenarios with an error.
type stopped struct{ err error }

// look ends the reading if nobody waits for it any more.
func (r *reader) look() {
	if ctx := r.o.Bounds.Context; ctx != nil && ctx.Err() != nil {
		panic(stopped{ctx.Err()})
	}
}

// tick looks now and then, for loops.
func (r *reader) tick(i int) {
	if i%256 == 255 {
		r.look()
	}
}

// hold takes memory.
func (r *reader) hold(n int64) {
	if err := r.o.Bounds.Memory.Take(n); err != nil {
		panic(stopped{err})
	}
}

var scenarioKeys = []string{"axes", "date", "input_variables", "period", "test_case", "year"}

// shape checks what kind of thing is where, without looking at names.
func (r *reader) shape() {
	doc := r.s.Sent
	if doc.Kind != legislation.Mapping {
		msg := "expected an object, got " + KindInWords(doc)
		if doc.Kind == legislation.Null {
			msg = "Missing value"
		}
		r.refuse(msg)
		return
	}
	for _, key := range doc.Map.Keys() {
		if !slices.Contains(scenarioKeys, key) {
			r.refuse("Unexpected item: a scenario has period, test_case or input_variables, and axes"+nearest(key, scenarioKeys), key)
		}
	}
	r.period()
	_, cased := doc.Get("test_case")
	_, plain := doc.Get("input_variables")
	if cased && plain {
		r.refuse("Items input_variables and test_case can't both exist", "input_variables")
		r.refuse("Items input_variables and test_case can't both exist", "test_case")
	}
	for _, key := range []string{"test_case", "input_variables"} {
		if d, ok := doc.Get(key); ok && d.Kind != legislation.Mapping {
			r.refuse("expected an object, got "+KindInWords(d), key)
		}
	}
	if axes, ok := doc.Get("axes"); ok && axes.Kind != legislation.List {
		r.refuse("expected a list, got "+KindInWords(axes), "axes")
	} else if ok && !cased && len(axes.List) > 0 {
		r.refuse("Axes can't be used with input_variables: they need a test_case", "axes")
	}
}

func (r *reader) period() {
	for _, key := range []string{"period", "date", "year"} {
		d, ok := r.s.Sent.Get(key)
		if !ok {
			continue
		}
		p, err := ParsePeriod(d)
		if err != nil {
			r.refuse(err.Error(), key)
			return
		}
		if key == "date" {
			p, err = period.Parse(period.Of(period.Year, p.Start, 1).String())
		}
		r.s.Period = p
		if err != nil {
			r.refuse(err.Error(), key)
		}
		return
	}
	r.refuse("Missing value", "period")
}

// contents reads members, variables and axes.
func (r *reader) contents() {
	if plain, ok := r.s.Sent.Get("input_variables"); ok {
		r.inputVariables(plain)
		return
	}
	testCase, ok := r.s.Sent.Get("test_case")
	if !ok {
		r.s.Situation.Spec = loners(1)
		return
	}
	for _, key := range testCase.Map.Keys() {
		if r.system.EntityByPlural(key) == nil {
			r.refuse("Unexpected item"+nearest(key, r.plurals()), "test_case", key)
		}
	}
	for _, e := range r.system.Entities() {
		d, _ := testCase.Get(e.Plural)
		r.s.entities = append(r.s.entities, r.roster(e, d))
	}
	persons := r.persons()
	if len(persons.members) == 0 {
		r.refuse("Missing value: a test case has at least one person", "test_case", persons.entity.Plural)
	}
	for _, c := range r.s.entities {
		r.members(c)
	}
	if r.broken {
		return
	}
	r.attach()
	r.spec()
	if r.values(); len(r.wrong) > 0 {
		r.failed = nil // the repair met what is wrong
	}
	r.unattached()
	if axes, ok := r.s.Sent.Get("axes"); ok {
		r.axes(axes)
	}
}

func (r *reader) plurals() []string {
	var known []string
	for _, e := range r.system.Entities() {
		known = append(known, e.Plural)
	}
	return known
}

func nearest(name string, known []string) string {
	if len(name) < 3 {
		return "" // everything short is close to everything else that is short
	}
	if near := legislation.Nearest(name, slices.Values(known)); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

func (r *reader) persons() *roster { return r.s.persons() }

// finish asks for suggestions and puts the inputs together.
func (r *reader) finish() error {
	s := r.s
	if s.entities != nil && r.o.Suggest != nil && !s.Period.IsEternal() {
		if err := r.suggest(); err != nil {
			return err
		}
	}
	s.Situation.Inputs = r.known.appendInputs(nil, r.system)
	*r.known = r.known.emptied()
	s.Situation.sort(s.Situation.Inputs)
	return nil
}
