package yamltest_test

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// stateful are formulas that depend on more than what they ask for, or that affect later ones.
const stateful = `
from openfisca_core.model_api import *
from openfisca_core.errors import ParameterNotFoundError
from hostile.entities import Person

table = None

def load():
    global table
    if table is None:
        table = {'a': 5}

class pay(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

class lazy(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        load()
        return person('pay', period) + table['a']

class unloaded(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return person('pay', period) * 0 + (1 if table is None else 2)

class known(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period):
        return person('pay', period) * 0 + len(person.get_holder('lazy').get_known_periods())

class noting(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        pay = person('pay', period)
        if pay.sum() > 100:
            parameters(period).noted = 7
        return pay * 0

class noted(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        pay = person('pay', period)
        try:
            return pay * 0 + parameters(period).noted
        except ParameterNotFoundError:
            return pay * 0 - 1

class path(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH
    def formula(person, period, parameters):
        node = parameters(period).taxes
        total = person('pay', period) * 0
        for month in (period, period.offset(-24, 'month'), period.offset(24, 'month')):
            total = total + read(parameters(month).taxes)
        return total + node.low.rate + len(node._name)

def read(node):
    try:
        return node.low.late * 100
    except ParameterNotFoundError:
        return node.low.rate
`

// TestMemoryOfPackages computes the same with what earlier simulations taught and with every formula run: variables in
// changing order, for changing inputs.
func TestMemoryOfPackages(t *testing.T) {
	files := fstest.MapFS{
		"hostile/variables.py":              {Data: []byte(stateful)},
		"hostile/parameters/taxes/low.yaml": {Data: []byte("rate: {values: {2000-01-01: {value: 3}}}\nlate: {values: {2020-01-01: {value: 2}}}\n")},
	}
	for name, text := range hostileFiles {
		if _, ok := files[name]; !ok {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	names := []string{"unloaded", "lazy", "known", "noted", "noting", "path", "noted", "unloaded"}
	learned, afresh := loadToy(t, files), loadToy(t, files)
	for round, pay := range []float32{1, 1, 200, 1, 200, 1, 2, 200} {
		order := append(append([]string(nil), names[round:]...), names[:round]...)
		got := computeAll(t, learned, order, pay, engine.Options{})
		want := computeAll(t, afresh, order, pay, engine.Options{Forgetful: true})
		if got != want {
			t.Errorf("round %d, pay %v:\n got %s\nwant %s", round, pay, got, want)
		}
	}
}

func loadToy(t *testing.T, files fstest.MapFS) *legislation.System {
	t.Helper()
	src, err := country.OpenFS(files, "hostile")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(context.Background(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.System
}

func computeAll(t *testing.T, system *legislation.System, names []string, pay float32, o engine.Options) string {
	t.Helper()
	sim, err := engine.New(context.Background(), system, engine.Spec{Persons: 1}, o)
	if err != nil {
		t.Fatal(err)
	}
	at, err := sim.Periods().Parse("2021-01")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, name := range append([]string{"pay"}, names...) {
		v, err := system.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "pay" {
			if err := sim.SetInput(v.ID, at, vector.Of([]float32{pay})); err != nil {
				t.Fatal(err)
			}
			continue
		}
		c, err := sim.Calculate(v.ID, at, legislation.Plain)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text += fmt.Sprintf("%s %v; ", name, c.Float(0))
	}
	return text
}
