package simapi_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"edict/simulation/country"
	"edict/simulation/simapi"
)

// villagePackage is a small country package without a decomposition. Its headline variable is what the test says it is.
func villagePackage(headline string) fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"village/__init__.py": file(`
import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from village import entities

class CountryTaxBenefitSystem(TaxBenefitSystem):
    headline_variable = "` + headline + `"

    def __init__(self):
        super().__init__(entities.entities)
        self.add_variables_from_file(os.path.join(os.path.dirname(os.path.abspath(__file__)), "variables.py"))
`),
		"village/entities.py": file(`
from openfisca_core.entities import build_entity

Person = build_entity(key="person", plural="persons", label="A person", is_person=True)
Household = build_entity(key="household", plural="households", label="A household", roles=[{"key": "member", "plural": "members", "label": "Members"}])
entities = [Person, Household]
`),
		"village/variables.py": file(`
from openfisca_core.model_api import *
from village.entities import Household, Person

class salary(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "Salary"

class pension(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR

class rent(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "Rent"

class earnings(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR
    label = "Earnings"

    def formula(person, period):
        """What a person has."""
        pensions = person("pension", period)
        return person("salary", period) + pensions

class income(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "Income"

    def formula(household, period):
        earned = household.members("earnings", period)
        return household.sum(earned) + household("rent", period)

class last(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household("income", period.last_year) + household("rent", period)

class shared(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household("income", period, [DIVIDE]) + household("rent", period)

class left(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "What is left"

    def formula(household, period):
        return household("income", period) - household("rent", period)
`),
	}
}

func village(t *testing.T, headline string) http.Handler {
	t.Helper()
	src, err := country.OpenFS(villagePackage(headline), "village")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	api := simapi.New(simapi.Options{})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	return handler(t, api)
}

const villagers = `{"scenarios": [{"period": 2024, "test_case": {"persons": [{"id": "a", "salary": 100, "pension": 1}, {"id": "b", "salary": 20}], "households": [{"members": ["a", "b"], "rent": 1000}]}}]}`

// TestDerived: without a decomposition the headline variable's formula gives one, as far down as formulas only add.
func TestDerived(t *testing.T) {
	w := send(village(t, "income"), http.MethodPost, "/api/1/simulate", villagers)
	want := `"value":{"@context":"http://openfisca.fr/contexts/decomposition.jsonld","@type":"Node","code":"income","name":"Income","short_name":"Income","children":[` +
		`{"@type":"Node","code":"earnings","name":"Earnings","short_name":"Earnings","children":[` +
		`{"@type":"Node","code":"salary","name":"Salary","short_name":"Salary","values":[120.0]},{"@type":"Node","code":"pension","name":"pension","short_name":"pension","values":[1.0]}],"values":[121.0]},` +
		`{"@type":"Node","code":"rent","name":"Rent","short_name":"Rent","values":[1000.0]}],"values":[1121.0]}`
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
		t.Errorf("%d %s\nwant %s", w.Code, w.Body, want)
	}
}

// TestNotDerived: a formula that does anything but add variables of its own period has no parts; the answer says what to
// supply.
func TestNotDerived(t *testing.T) {
	for _, headline := range []string{"left", "last", "shared", "salary", "nothing"} {
		w := send(village(t, headline), http.MethodPost, "/api/1/simulate", villagers)
		if w.Code != http.StatusNotImplemented || !strings.Contains(w.Body.String(), "decomposition_file_path") {
			t.Errorf("%s: %d %s", headline, w.Code, w.Body)
		}
	}
}
