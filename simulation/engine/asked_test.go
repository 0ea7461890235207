package engine

import (
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// periodSystem has a variable of every period, without formulas, one that has no value unless it is given one, one that knows its last
// value, and outputs of their own.
func periodSystem(t *testing.T) *legislation.System {
	t.Helper()
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, legislation.NewPerson("person", "persons", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	day, month, year, eternity := period.Day, period.Month, period.Year, period.Eternity
	needed, last, nearest := legislation.NoValue, legislation.LastValue, legislation.NearestValue
	for _, d := range []legislation.Definition{
		{Name: "daily", Period: &day}, {Name: "monthly", Period: &month, Input: legislation.DivideEqual}, {Name: "yearly", Period: &year}, {Name: "birth", Period: &eternity, Input: legislation.Dispatch},
		{Name: "needed", Period: &month, Missing: &needed}, {Name: "last", Period: &month, Missing: &last}, {Name: "nearest", Period: &month, Missing: &nearest},
		{Name: "summed", Period: &month, Output: legislation.OutputAdd}, {Name: "shared", Period: &year, Output: legislation.OutputDivide},
		{Name: "dispatched", Period: &month, Input: legislation.Dispatch},
	} {
		d.Type, d.Entity = legislation.Float, b.Entity("person")
		if _, err := b.AddVariable(d); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

// TestPeriodsAsked: a variable is summed over longer periods, shared among shorter ones, and neither where there is no sum or share; the error says
// which variable, which period and what to ask instead.
func TestPeriodsAsked(t *testing.T) {
	system := periodSystem(t)
	for _, c := range []struct {
		name, when string
		how        legislation.Option
		want       float64
		err        string
	}{
		{"monthly", "2016", legislation.Add, 12, ""},
		{"monthly", "2016-02", legislation.Add, 1, ""},
		{"monthly", "month:2016-02:3", legislation.Add, 3, ""},
		{"yearly", "2016-02", legislation.Add, 0, "yearly cannot be summed over 2016-02: it is defined by the year. Use the DIVIDE option"},
		{"birth", "2016", legislation.Add, 0, "cannot be summed"},
		{"yearly", "2016-02", legislation.Divide, 0.1, ""},
		{"yearly", "2016", legislation.Divide, 1.2, ""},
		{"yearly", "year:2016:2", legislation.Divide, 0, "yearly cannot be divided for year:2016:2: it is defined by the year. Use the ADD option"},
		{"monthly", "2016", legislation.Divide, 0, "monthly cannot be divided for 2016: it is defined by the month. Use the ADD option"},
		{"birth", "2016-02", legislation.Divide, 0, "what never changes has no share"},
		{"yearly", "2016-02", legislation.Plain, 0, "Use the DIVIDE option to get a share of the year"},
		{"monthly", "2016", legislation.Plain, 0, "Use the ADD option to sum over the period, or ask for period.first_month"},
		{"needed", "2016-02", legislation.Plain, 0, "needed has no value for 2016-02, and no formula"},
		{"needed", "2016", legislation.Add, 0, "needed has no value for 2016-01, and no formula"},
		{"last", "2016-02", legislation.Plain, 0, ""},
		{"last", "2016-04", legislation.Plain, 3, ""},
		{"last", "2016-06", legislation.Plain, 5, ""},
		{"nearest", "2016-02", legislation.Plain, 3, ""},
		{"nearest", "2016-04", legislation.Plain, 3, ""},
		{"nearest", "2016-06", legislation.Plain, 5, ""},
	} {
		sim := newSim(t, system, 1, Options{})
		for i := range 12 {
			set(t, sim, "monthly", period.OfMonth(2016, i+1).String(), vector.Of([]float32{1}))
		}
		set(t, sim, "yearly", "2016", vector.Of([]float32{1.2}))
		for _, name := range []string{"last", "nearest"} {
			set(t, sim, name, "2016-05", vector.Of([]float32{5}))
			set(t, sim, name, "2016-03", vector.Of([]float32{3}))
		}
		got, err := sim.Calculate(variable(sim, c.name), entry(sim, c.when), c.how)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s on %s: %v (%v), want %s", c.name, c.when, got, err, c.err)
		case c.err == "" && (err != nil || float32(got.Float(0)) != float32(c.want)):
			t.Errorf("%s on %s: %v (%v), want %v", c.name, c.when, got, err, c.want)
		}
	}
}

// TestOutputsAsked: a variable that says how it is asked for as a result is asked so.
func TestOutputsAsked(t *testing.T) {
	sim := newSim(t, periodSystem(t), 1, Options{})
	set(t, sim, "shared", "2016", vector.Of([]float32{12}))
	set(t, sim, "summed", "2016-02", vector.Of([]float32{3}))
	for name, c := range map[string]struct {
		when string
		want float64
	}{"shared": {"2016-02", 1}, "summed": {"2016", 3}} {
		if got, err := sim.CalculateOutput(variable(sim, name), entry(sim, c.when)); err != nil || got.Float(0) != c.want {
			t.Errorf("%s: %v (%v), want %v", name, got, err, c.want)
		}
	}
}

// TestInputsGiven: what is given for several periods is stored for the short ones first, the first that cannot be stored is told of, and what
// never changes is not spread over periods.
func TestInputsGiven(t *testing.T) {
	sim := newSim(t, periodSystem(t), 1, Options{})
	of := func(when string, x float32) Input { return Input{entry(sim, when), vector.Of([]float32{x})} }
	if err := sim.SetInputs(variable(sim, "monthly"), []Input{of("2016", 24), of("2016-02", 13)}); err != nil {
		t.Fatal(err)
	}
	for when, want := range map[string]float64{"2016-01": 1, "2016-02": 13, "2016-12": 1} {
		if c, err := ask(t, sim, "monthly", when); err != nil || c.Float(0) != want {
			t.Errorf("%s is %v (%v), want %v", when, c, err, want)
		}
	}
	for name, c := range map[string]struct {
		variable string
		inputs   []Input
		want     string
	}{
		"does not add up":      {"monthly", []Input{of("2016", 25)}, "do not add up to"},
		"the second":           {"yearly", []Input{of("2015", 1), {entry(sim, "2016"), vector.Of([]float32{1, 2})}}, "a value of 2 elements was given for yearly"},
		"eternity by the year": {"birth", []Input{of("2016", 1)}, "birth never changes"},
		"a month for ever":     {"monthly", []Input{of("ETERNITY", 1)}, "monthly"},
		"two for one":          {"dispatched", []Input{{entry(sim, "2016"), vector.Of([]float32{1, 2})}}, "a value of 2 elements"},
		"texts":                {"yearly", []Input{{entry(sim, "2017"), vector.Strs([]string{"a"})}}, "yearly takes values of type"},
	} {
		if err := sim.SetInputs(variable(sim, c.variable), c.inputs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if c, err := ask(t, sim, "yearly", "2015"); err != nil || c.Float(0) != 1 {
		t.Errorf("the one before that went wrong: %v (%v)", c, err)
	}
}
