package simapi_test

import (
	"fmt"
	"net/http"
	"reflect"
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
Household = build_entity(key="household", plural="households", label="A household", roles=[
    {"key": "head", "plural": "heads", "label": "Head", "max": 1}, {"key": "member", "plural": "others", "label": "Members"}])
entities = [Person, Household]
`),
		"village/variables.py": file(`
from openfisca_core import populations
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

class left(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    label = "What is left"

    def formula(household, period):
        return household("income", period) - household("rent", period)

class benefit(Variable):
    value_type = float
    entity = Person
    definition_period = MONTH

class meals(Variable):
    value_type = int
    entity = Household
    definition_period = MONTH

class bills(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        """Every way in which a formula can ask."""
        rent, unused = household("rent", period), 12
        rent = household("rent", period)
        benefits = household.sum(household.members("benefit", period, [ADD]) - household.members("salary", period))
        due = rent - benefits
        return -(+due) - household("meals", period, options = ADD)

class month(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH

    def formula(household, period):
        return household("meals", period) - household("left", period, populations.DIVIDE)

class changed(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        rent = household("rent", period)
        twice = rent
        rent = household("income", period)
        return twice + rent

class changing(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula_2020(household, period):
        return household("income", period) + household("rent", period)

    def formula_2024(household, period):
        return household("income", period) - household("rent", period)

class ended(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR
    end = "2020-12-31"

    def formula(household, period):
        return household("income", period) + household("rent", period)

class rounded(Variable):
    value_type = int
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household("income", period) + household("rent", period)

class projected(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR

    def formula(person, period):
        return person("salary", period) + person.household("rent", period)

class some(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household.sum(household.members("salary", period), role = Household.MEMBER) + household("rent", period)

class spread(Variable):
    value_type = float
    entity = Person
    definition_period = YEAR

    def formula(person, period):
        household = person.household
        return person("salary", period) + (household("rent", period) - household("left", period)) * person.has_role(Household.HEAD)

class gathered(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        total = 0
        for name in ["salary", "pension"]:
            total += household.head(name, period)
        of_all = household.members.household("rent", period)
        return total + household.sum(of_all, role = Household.HEAD) + household.value_from_person(household.members("spread", period), Household.HEAD)

class monthly(Variable):
    value_type = float
    entity = Household
    definition_period = MONTH

    def formula(household, period):
        return household("meals", period) + household("meals", period.last_month)

class yearly(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household("monthly", period, options = [ADD])

class forked(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        if period.start.year > 2020:
            return household("rent", period)
        return household("income", period)

class ending(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household("income", period) + household("halved", period) + household("forked", period)

class other(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        period = period.last_year
        return household("income", period) + household("rent", period)

class mutated(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        rent = household("rent", period)
        rent[0] = 5
        return household("income", period) + rent

class noted(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household("rent", period) + len("""
# no comment""")
    # a comment

class halved(Variable):
    value_type = float
    entity = Household
    definition_period = YEAR

    def formula(household, period):
        return household("income", period) + household("rent", period) / 2
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

const villagers = `{"scenarios": [{"period": 2024, "test_case": {"persons": [{"id": "a", "salary": 100, "pension": 1}, {"id": "b", "salary": 20}], "households": [{"heads": ["a"], "others": ["b"], "rent": 1000}]}}]}`

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

// figuresOf are the figures of a tree: a node is its code and values, and its children in brackets.
func figuresOf(tree any) string {
	n := tree.(map[string]any)
	out := fmt.Sprint(n["code"], n["values"])
	children, _ := n["children"].([]any)
	for i, c := range children {
		out += map[bool]string{true: "(", false: " "}[i == 0] + figuresOf(c)
	}
	if len(children) > 0 {
		out += ")"
	}
	return out
}

const villageOf = `{"scenarios": [{"period": "%s", "test_case": {"persons": [{"id": "a", "salary": {"2024": 100}, "pension": {"2024": 1}, "benefit": {"2024-02": 7, "2024-03": 8}}, {"id": "b", "salary": {"2024": 20}}],
	"households": [{"heads": ["a"], "others": ["b"], "meals": {"2024-02": 3}, "rent": {"2024": 1000} %s}]}}]}`

// TestDerivedSigns: what is subtracted counts with the other sign, down to the leaves; a part is asked for as the formula
// asks for it; a variable whose value the request gives has no parts.
func TestDerivedSigns(t *testing.T) {
	const income = "income[1121](earnings[121](salary[120] pension[1]) rent[1000])"
	for _, test := range []struct{ headline, period, given, want string }{
		{"left", "2024", "", "left[121](" + income + " rent[-1000])"},
		{"bills", "2024", "", "bills[-1108](rent[-1000] benefit[15] salary[-120] meals[-3])"},
		{"month", "2024-02", "", "month[-7.083333](meals[3] left[-10.083333])"},
		{"changed", "2024", "", "changed[2121](rent[1000] " + income + ")"},
		{"changing", "2024", "", "changing[121](" + income + " rent[-1000])"},
		{"changing", "2021", "", "changing[0](income[0](earnings[0](salary[0] pension[0]) rent[0]) rent[0])"},
		{"left", "2024", `, "income": {"2024": 50}`, "left[-950](income[50] rent[-1000])"},
		{"left", "2024", `, "left": {"2024": 50}`, "left[50]"},
		{"last", "2024", "", "last[1000](income[0](earnings[0](salary[0] pension[0]) rent[0]) rent[1000])"},
		{"other", "2024", "", "other[0](income[0](earnings[0](salary[0] pension[0]) rent[0]) rent[0])"},
		{"projected", "2024", "", "projected[2120](salary[120] rent[2000])"},
		{"some", "2024", "", "some[1020](salary[20] rent[1000])"},
		{"spread", "2024", "", "spread[999](salary[120] rent[1000] left[-121](income[-1121](earnings[-121](salary[-120] pension[-1]) rent[-1000]) rent[1000]))"},
		{"gathered", "2024", "", "gathered[2080](salary[100] pension[1] rent[1000] spread[979](salary[100] rent[1000] left[-121](income[-1121](earnings[-121](salary[-120] pension[-1]) rent[-1000]) rent[1000])))"},
		{"yearly", "2024", "", "yearly[6](monthly[6](meals[3] meals[3]))"},
	} {
		w := send(village(t, test.headline), http.MethodPost, "/api/1/simulate", fmt.Sprintf(villageOf, test.period, test.given))
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", test.headline, w.Code, w.Body)
			continue
		}
		if got := figuresOf(decode(t, w)["value"]); got != test.want {
			t.Errorf("%s: %s, want %s", test.headline, got, test.want)
		}
	}
}

// TestDerivedAgrees: the figure of the root is what the formula computes.
func TestDerivedAgrees(t *testing.T) {
	for headline, period := range map[string]string{
		"income": "2024", "left": "2024", "bills": "2024", "month": "2024-02", "changed": "2024", "changing": "2024", "last": "2024", "other": "2024",
		"projected": "2024", "some": "2024", "spread": "2024", "gathered": "2024", "yearly": "2024", "monthly": "2024-03",
	} {
		h, body := village(t, headline), fmt.Sprintf(villageOf, period, "")
		tree := decode(t, send(h, http.MethodPost, "/api/1/simulate", body))["value"].(map[string]any)
		asked := strings.Replace(body, "{", `{"output_format": "variables", "variables": ["`+headline+`"], `, 1)
		value := decode(t, send(h, http.MethodPost, "/api/1/calculate", asked))["value"].([]any)[0].(map[string]any)
		var want float64
		for _, one := range value[headline].([]any) {
			want += one.(float64)
		}
		if !reflect.DeepEqual(tree["values"], []any{want}) {
			t.Errorf("%s: %v, calculate says %v", headline, tree["values"], want)
		}
	}
}

// TestDerivedEnds: a branch that goes no further says why; what has no formula has nothing to say.
func TestDerivedEnds(t *testing.T) {
	tree := decode(t, send(village(t, "ending"), http.MethodPost, "/api/1/simulate", strings.Replace(villagers, `"rent"`, `"left": 3, "rent"`, 1)))["value"].(map[string]any)
	ends := map[string]any{}
	var walk func(n map[string]any)
	walk = func(n map[string]any) {
		if end, ok := n["end"]; ok {
			ends[n["code"].(string)] = end
		}
		children, _ := n["children"].([]any)
		for _, c := range children {
			walk(c.(map[string]any))
		}
	}
	walk(tree)
	want := map[string]any{
		"halved": "its formula (village/variables.py, line 236) does more than add and subtract variables: household('rent', period) / 2",
		"forked": "its formula (village/variables.py, line 189) does more than add and subtract variables: it goes two ways: if period.start.year > 2020",
	}
	if !reflect.DeepEqual(ends, want) {
		t.Errorf("%v, want %v", ends, want)
	}
}

// TestNotDerived: a formula that does anything but add and subtract variables has no parts; the answer says why and what
// to supply.
func TestNotDerived(t *testing.T) {
	for headline, why := range map[string]string{
		"ended": "no formula on 2024", "rounded": "do not add up in their type: income", "mutated": "it changes rent[0]", "halved": "household('rent', period) / 2", "salary": "an input",
	} {
		w := send(village(t, headline), http.MethodPost, "/api/1/simulate", villagers)
		if w.Code != http.StatusNotImplemented || !strings.Contains(w.Body.String(), "headline variable "+headline) || !strings.Contains(w.Body.String(), why) || !strings.Contains(w.Body.String(), "decomposition_file_path") {
			t.Errorf("%s: %d %s", headline, w.Code, w.Body)
		}
	}
	w := send(village(t, "nothing"), http.MethodPost, "/api/1/simulate", villagers)
	if w.Code != http.StatusNotImplemented || !strings.Contains(w.Body.String(), "--simulation-headline") {
		t.Errorf("without a headline variable: %d %s", w.Code, w.Body)
	}
	years := strings.Replace(villagers, "[", `[{"period": 2021, "test_case": {"persons": [{"id": "a"}], "households": [{"heads": ["a"]}]}}, `, 1)
	if w := send(village(t, "changing"), http.MethodPost, "/api/1/simulate", years); w.Code != http.StatusNotImplemented {
		t.Errorf("two formulas: %d %s", w.Code, w.Body)
	}
}
