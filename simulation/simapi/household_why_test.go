package simapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/simapi"
)

// stepsOf are the steps of households, each as JSON, or why it has none; together or each by itself.
func stepsOf(t *testing.T, base, other *simapi.Law, households []simapi.Household, figures []int, together bool) []string {
	t.Helper()
	told := make([]string, len(households))
	find := func(from, to int) {
		t.Helper()
		err := simapi.Differences(t.Context(), base, other, households[from:to], figures[from:to], func(i int, steps []simapi.Step, err error) {
			text, _ := json.Marshal(steps)
			if err != nil {
				text = []byte("error: " + err.Error())
			}
			if told[from+i] != "" {
				t.Errorf("household %d is told of twice", from+i)
			}
			told[from+i] = string(text)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if together {
		find(0, len(households))
		return told
	}
	for i := range households {
		find(i, i+1)
	}
	return told
}

// TestDifferencesTogether: households that are traced together have the steps that they have alone, and what is wrong with one of them is told of that one.
func TestDifferencesTogether(t *testing.T) {
	base := lawInForce(t)
	other, err := base.Reformed(t.Context(), json.RawMessage(`[{"parameters": {"impot_revenu.decote.taux": {"2024-01-01": 0}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(22, 22))
	households, figures := make([]simapi.Household, 200), make([]int, 200)
	for i := range households {
		households[i], figures[i] = drawn(r), i%2
	}
	const missing, broken, beyond = 7, 70, 140
	households[missing].Figures[1].Variable = "irp"
	households[broken].Document = json.RawMessage(`{"individus": {"x": {"salaire_imposable": {"2024": "much"}}}}`)
	households[beyond].Figures[0].Index = 9
	together, alone := stepsOf(t, base, other, households, figures, true), stepsOf(t, base, other, households, figures, false)
	differ, long := 0, 0
	for i := range together {
		if together[i] != alone[i] {
			if differ++; differ < 5 {
				t.Errorf("household %d, %s:\ntogether %s\nalone    %s", i, households[i].Document, together[i], alone[i])
			}
		}
		if len(together[i]) > 300 {
			long++
		}
	}
	if differ > 0 || long < 20 {
		t.Errorf("%d differ, %d have several steps", differ, long)
	}
}

// TestDifferencesAskEverybody: a formula that asks about everybody means those of one household, also where many are traced together.
func TestDifferencesAskEverybody(t *testing.T) {
	for _, formula := range []string{
		`return limit + person("pension", period) * (person("salary", period) > 0).any()`,
		`return limit + (person("pension", period) if all(person("salary", period) > 0) else person("gift", period))`,
		`return limit + person("pension", period) + person("salary", period).max()`,
	} {
		src, err := country.OpenFS(zeroPackage(formula), "village")
		if err != nil {
			t.Fatal(err)
		}
		p, err := country.Load(t.Context(), country.Options{}, src)
		if err != nil {
			t.Fatal(err)
		}
		base := inForce(t, p)
		other, err := base.Reformed(t.Context(), json.RawMessage(`[{"parameters": {"limits.age": {"2024-01-01": 30}}}]`))
		if err != nil {
			t.Fatal(err)
		}
		households, figures := make([]simapi.Household, 12), make([]int, 12)
		for i := range households {
			document := fmt.Sprintf(`{"persons": {"a": {"salary": {"2024": %d}, "pension": {"2024": 70}, "gift": {"2024": 5}}}, "households": {"h": {"heads": ["a"]}}}`, i%3*100)
			households[i] = simapi.Household{Document: json.RawMessage(document), Period: "2024", Figures: []simapi.HouseholdFigure{{Variable: "x0"}}}
		}
		together, alone := stepsOf(t, base, other, households, figures, true), stepsOf(t, base, other, households, figures, false)
		if !slices.Equal(together, alone) || together[0] == together[1] || !strings.Contains(together[0], `"limits.age"`) {
			t.Errorf("%s:\ntogether %q\nalone    %q", formula, together, alone)
		}
	}
}

// TestDifferencesOfSums: a monthly figure asked for a year has steps, those of its last month, also where the change takes effect within the year.
func TestDifferencesOfSums(t *testing.T) {
	files := zeroPackage(`return limit + person("salary", period)`)
	text := string(files["village/variables.py"].Data)
	at := strings.Index(text, "class x0(Variable)")
	monthly := strings.NewReplacer("definition_period = YEAR", "definition_period = MONTH\n    calculate_output = calculate_output_add", `, period)`, `, period.this_year)`, "parameters(period.this_year)", "parameters(period)").Replace(text[at:])
	monthly = strings.ReplaceAll(monthly, "formula(person, period.this_year", "formula(person, period")
	files["village/variables.py"].Data = []byte(text[:at] + monthly)
	src, err := country.OpenFS(files, "village")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	base := inForce(t, p)
	other, err := base.Reformed(t.Context(), json.RawMessage(`[{"parameters": {"limits.age": {"2024-07-01": 30}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	households, figures := make([]simapi.Household, 3), make([]int, 3)
	for i := range households {
		document := fmt.Sprintf(`{"persons": {"a": {"salary": {"2024": %d}}}, "households": {"h": {"heads": ["a"]}}}`, 10*i)
		households[i] = simapi.Household{Document: json.RawMessage(document), Period: "2024", Figures: []simapi.HouseholdFigure{{Variable: "x0"}}}
	}
	for _, together := range []bool{true, false} {
		for i, steps := range stepsOf(t, base, other, households, figures, together) {
			want := fmt.Sprintf(`[{"variable":"x0","period":"2024-12","before":%d.0,"after":%d.0,"parameters":[{"name":"limits.age","label":"Limit","before":25,"after":30}]}]`, 25+10*i, 30+10*i)
			if steps != want {
				t.Errorf("together %v: %s, want %s", together, steps, want)
			}
		}
	}
}
