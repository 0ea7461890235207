package simapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"edict/platform/longtest"
	"edict/simulation/engine"
	"edict/simulation/scenario"
	"edict/simulation/simapi"
)

// household draws a test case of the embedded legislation: one or two adults, up to three children.
func household(t *rapid.T) map[string]any {
	adults, children := []any{}, []any{}
	persons := []any{}
	for i := range rapid.IntRange(1, 2).Draw(t, "adults") {
		id := fmt.Sprint("adult", i)
		adults = append(adults, id)
		persons = append(persons, map[string]any{
			"id": id, "date_naissance": fmt.Sprintf("%d-06-15", rapid.IntRange(1940, 2000).Draw(t, "birth")),
			"salaire_imposable":  rapid.IntRange(0, 100000).Draw(t, "salary"),
			"retraite_imposable": rapid.IntRange(0, 30000).Draw(t, "pension"),
		})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "children") {
		id := fmt.Sprint("child", i)
		children = append(children, id)
		persons = append(persons, map[string]any{"id": id, "date_naissance": fmt.Sprint(rapid.IntRange(2005, 2023).Draw(t, "year"))})
	}
	menage := map[string]any{"personne_de_reference": adults[0], "enfants": children, "loyer": rapid.IntRange(0, 12000).Draw(t, "rent")}
	if len(adults) > 1 {
		menage["conjoint"] = adults[1]
	}
	return map[string]any{
		"individus": persons, "familles": []any{map[string]any{"parents": adults, "enfants": children}},
		"foyers_fiscaux": []any{map[string]any{"declarants": adults, "personnes_a_charge": children}}, "menages": []any{menage},
	}
}

var asked = map[string]string{"revdisp": "menages", "irpp": "foyers_fiscaux", "nbptr": "foyers_fiscaux", "af": "familles"}

// TestFormatsAgree: the two formats of calculate, OpenFisca's interface, the command calculate and the engine itself give the
// same numbers.
func TestFormatsAgree(t *testing.T) {
	h := server(t, simapi.Options{})
	longtest.Checks(t, 25, 100)
	rapid.Check(t, func(t *rapid.T) {
		year := rapid.IntRange(2014, 2025).Draw(t, "period")
		testCase := household(t)
		post := func(path string, body any) map[string]any {
			w := send(h, http.MethodPost, path, string(mustMarshal(body)))
			var out map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != http.StatusOK {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			return out
		}
		names := []string{"revdisp", "irpp", "nbptr", "af"}
		request := map[string]any{"variables": names, "scenarios": []any{map[string]any{"period": year, "test_case": testCase}}}
		inside := post("/api/1/calculate", request)["value"].([]any)[0].(map[string]any)
		request["output_format"] = "variables"
		answer := post("/api/1/calculate", request)
		lists := answer["value"].([]any)[0].(map[string]any)
		for name, entity := range asked {
			value := inside[entity].([]any)[0].(map[string]any)[name].(map[string]any)[fmt.Sprint(year)]
			if !reflect.DeepEqual(lists[name], []any{value}) {
				t.Errorf("%s: %v in a list, %v in the test case", name, lists[name], value)
			}
		}
		situation := modern(testCase, answer["suggestions"].([]any), year)
		direct := simulate(t, situation, year)
		for name, entity := range asked {
			if got := direct(name); !reflect.DeepEqual(got, lists[name].([]any)) {
				t.Errorf("%s is %v in the engine and %v in /api/1/calculate", name, got, lists[name])
			}
			if name != "af" { // it is monthly, and OpenFisca's interface adds up nothing
				situation[entity].(map[string]any)["g0"].(map[string]any)[name] = map[string]any{fmt.Sprint(year): nil}
			}
		}
		filled, command := post("/calculate", situation), calculated(t, situation)
		if !reflect.DeepEqual(filled, command) {
			t.Errorf("/calculate answers\n%v, edict calculate\n%v", filled, command)
		}
		for name, entity := range asked {
			got, _ := filled[entity].(map[string]any)["g0"].(map[string]any)[name].(map[string]any)
			if name != "af" && !reflect.DeepEqual([]any{got[fmt.Sprint(year)]}, lists[name]) {
				t.Errorf("%s is %v in /calculate and %v in /api/1/calculate", name, got, lists[name])
			}
		}
	})
}

// modern is a test case as a situation of OpenFisca's interface, with what was suggested.
func modern(testCase map[string]any, suggestions []any, year int) map[string]any {
	situation := map[string]any{}
	for entity, members := range testCase {
		byID := map[string]any{}
		for i, m := range members.([]any) {
			member, id := map[string]any{}, fmt.Sprint("g", i)
			for key, value := range m.(map[string]any) {
				switch key {
				case "id":
					id = value.(string)
				case "date_naissance":
					text := value.(string)
					if len(text) == 4 {
						text += "-01-01"
					}
					member[key] = map[string]any{"ETERNITY": text}
				case "salaire_imposable", "retraite_imposable", "loyer":
					member[key] = map[string]any{fmt.Sprint(year): value}
				default:
					member[key] = value
				}
			}
			byID[id] = member
		}
		situation[entity] = byID
	}
	for _, s := range suggestions {
		g := s.(map[string]any)
		id := fmt.Sprint(g["id"])
		if g["entity"] != "individus" {
			id = "g" + strings.TrimPrefix(id, "g")
		}
		situation[g["entity"].(string)].(map[string]any)[id].(map[string]any)[g["variable"].(string)] = map[string]any{g["period"].(string): g["value"]}
	}
	return situation
}

// calculated is what the command calculate makes of a situation.
func calculated(t *rapid.T, situation map[string]any) map[string]any {
	p, err := france()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := scenario.DecodeJSON(mustMarshal(situation))
	if err == nil {
		err = scenario.Calculate(context.Background(), p.System, doc, engine.Options{})
	}
	var out map[string]any
	if err == nil {
		err = json.Unmarshal(scenario.AppendJSON(nil, doc), &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTogether: requests that run at the same time get the answers that they get alone, whatever ran before.
func TestTogether(t *testing.T) {
	h := server(t, simapi.Options{Concurrent: 8})
	const requests = 24
	body := func(i int) (path, text string) {
		person := fmt.Sprintf(`{"id":"a","date_naissance":%d,"salaire_imposable":%d}`, 1950+i, 1500*i)
		if i%2 == 0 {
			return "/calculate", fmt.Sprintf(`{"individus":{"a":{"salaire_imposable":{"%d":%d}}},"foyers_fiscaux":{"f":{"declarants":["a"],"irpp":{"%d":null}}}}`, 2014+i%10, 1500*i, 2014+i%10)
		}
		return "/api/1/calculate", fmt.Sprintf(`{"trace":%t,"variables":["revdisp","af"],"reforms":["tranche_superieure"],"scenarios":[{"period":%d,"test_case":{"individus":[%s],
			"familles":[{"parents":["a"]}],"foyers_fiscaux":[{"declarants":["a"]}],"menages":[{"personne_de_reference":"a"}]}}]}`, i%3 == 0, 2014+i%10, person)
	}
	alone := make([]string, requests)
	for i := range alone {
		path, text := body(i)
		w := send(server(t, simapi.Options{}), http.MethodPost, path, text)
		if w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		alone[i] = w.Body.String()
	}
	var group sync.WaitGroup
	for range 3 {
		for i := range alone {
			group.Go(func() {
				path, text := body(i)
				if got := send(h, http.MethodPost, path, text).Body.String(); got != alone[i] {
					t.Errorf("request %d: got %s\nwant %s", i, got, alone[i])
				}
			})
		}
	}
	group.Wait()
}

// FuzzPost: whatever is sent, the answer is JSON and no 5xx.
func FuzzPost(f *testing.F) {
	h := server(f, simapi.Options{Points: 1000, Cells: 200_000})
	for _, body := range []string{
		`{"variables":["irpp"],"scenarios":[{"period":"2024","test_case":{"individus":[{"id":"a","salaire_imposable":{"2024":"12*3"}}],"familles":[{"parents":["a"]}],"foyers_fiscaux":[{"declarants":["a"]}],"menages":[{"personne_de_reference":"a"}]},"axes":[[{"count":2,"min":0,"max":1,"name":"salaire_imposable"}]]}]}`,
		`{"output_format":"variables","validate":1,"trace":true,"reforms":["tranche_superieure"],"variables":["nbptr"],"scenarios":[{"date":"2015-03-04","input_variables":{"age":[1,2]}}]}`,
		`{"individus":{"a":{"salaire_imposable":{"2024":1e300},"age":{"2024-01":null}}},"menages":{"m":{"personne_de_reference":["a"],"revdisp":{"2024":null}}}}`,
		`{"output_format":"variables","variables":["irpp"],"scenarios":[{"period":"2024","input_variables":{"idfam":[0,0,1],"quifam":[0,"enfant",0],"idmen":[0,0,0],"date_naissance":[1980,2010,"1950-01"],"loyer":[5]}}]}`,
		`{"validate":true,"scenarios":[{"period":"2024","test_case":{"individus":{"a":{"date_naissance":1990,"age":"x"},"b":{"invalidite":{"2024-01":"yes"}}},"familles":{"f":{"parents":"a","enfants":["b",null]}}}}]}`,
		`{"scenarios":[{"period":["month",[2015,2],3]},{"period":{"unit":"day","start":"2015","size":2}},{"period":"week:2015-W10:2"},{"year":"eternity"}]}`,
	} {
		for _, path := range []string{"/calculate", "/trace", "/api/1/calculate", "/api/1/simulate"} {
			f.Add(path, body)
		}
	}
	f.Fuzz(func(t *testing.T, path, body string) {
		switch path {
		case "/calculate", "/trace", "/api/1/calculate", "/api/1/simulate":
		default:
			t.Skip("no such path")
		}
		w := send(h, http.MethodPost, path, body)
		if w.Code >= 500 {
			t.Fatalf("%s %q: %d %s", path, body, w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s %q: not JSON: %s", path, body, w.Body)
		}
	})
}

// FuzzGet: whatever is asked, the answer is no 5xx.
func FuzzGet(f *testing.F) {
	h := server(f, simapi.Options{})
	for _, target := range []string{
		"/api/1/formula/irpp?period=2024&salaire_imposable=1", "/api/2/formula/2024/irpp+nbptr?date_naissance=1980", "/api/1/parameters?instant=2024&name=x",
		"/api/1/graph?variable=irpp&reform=tranche_superieure", "/api/1/field?input_variables=0", "/parameter/impot_revenu.bareme", "/variable/%2e%2e",
		"/api/2/search?q=imp%C3%B4t&kind=variable&entity=menage&cursor=MjAuMDAwMDAwMDA", "/api/2/graph?variable=irpp&direction=consumers&depth=3", "/api/2/parameter/impot_revenu.bareme", "/api/2/variable/irpp?reform=x",
	} {
		f.Add(target)
	}
	f.Fuzz(func(t *testing.T, target string) {
		r, err := http.NewRequest(http.MethodGet, target, nil)
		if err != nil || !strings.HasPrefix(target, "/") || r.URL.Host != "" || strings.ContainsAny(r.URL.RequestURI(), " \t\r\n") {
			t.Skip("not a target")
		}
		if w := send(h, http.MethodGet, r.URL.RequestURI(), ""); w.Code >= 500 {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
	})
}
