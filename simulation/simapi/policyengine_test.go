package simapi_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/simapi"
)

// policyServer serves a package for PolicyEngine as that of the United States.
func policyServer(t *testing.T) http.Handler {
	t.Helper()
	src, err := country.Open("../yamltest/testdata/policyengine/feature_policy")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	api := simapi.New(simapi.Options{Country: "us"})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	return handler(t, api)
}

// TestPolicyEngineCalculate sends households as clients of PolicyEngine's API do.
func TestPolicyEngineCalculate(t *testing.T) {
	h := policyServer(t)
	people := func(net string) string {
		return `{"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": null}, "is_adult": {"2020": null}, "child_like": {"2020": null}}, "b": {"wage": {"2020": 500}, "age": {"2020": 10}, "tax": {"2020": null}}},
			"households": {"h": {"members": ["a", "b"], "net": {"2020": ` + net + `}}}`
	}
	for name, c := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"a household": {`{"household": ` + people("null") + `}}`, 200, `{"status": "ok", "message": null, "result": {
			"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": 100}, "is_adult": {"2020": true}, "child_like": {"2020": "NORTH"}}, "b": {"wage": {"2020": 500}, "age": {"2020": 10}, "tax": {"2020": 0}}},
			"households": {"h": {"members": ["a", "b"], "net": {"2020": 1450}}}}}`},
		"a policy": {`{"household": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": null, "2021": null}}}}, "policy": {"gov.rate.NORTH": {"2020-01-01.2020-12-31": 0.5}}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": 500, "2021": 100}}}}}`},
		"abolished for a year": {`{"household": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": null, "2021": null, "2022": null}}}, "households": {"h": {"members": ["a"], "net": {"2020": null, "2021": null}}}}, "policy": {"gov.abolitions.tax": {"2021-01-01.2021-12-31": true}}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": 100, "2021": 0, "2022": 100}}}, "households": {"h": {"members": ["a"], "net": {"2020": 950, "2021": 1050}}}}}`},
		"axes": {`{"household": {"people": {"a": {"age": {"2020": 30}, "wage": {"2020": null}, "tax": {"2020": null}, "child_like": {"2020": null}}, "b": {"age": {"2020": 40}, "wage": {"2020": 7}, "tax": {"2020": null}}},
			"households": {"h": {"members": ["a", "b"], "net": {"2020": null}}}, "axes": [[{"name": "wage", "min": 0, "max": 200, "count": 3, "period": "2020"}]]}, "policy": {}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"age": {"2020": 30}, "wage": {"2020": [0, 100, 200]}, "tax": {"2020": [0, 10, 20]}, "child_like": {"2020": ["SOUTH", "NORTH", "NORTH"]}}, "b": {"age": {"2020": 40}, "wage": {"2020": 7}, "tax": {"2020": [0.7, 0.7, 0.7]}}},
			"households": {"h": {"members": ["a", "b"], "net": {"2020": [56.3, 146.3, 236.3]}}}, "axes": [[{"name": "wage", "min": 0, "max": 200, "count": 3, "period": "2020"}]]}}`},
		"inputs that the package moves": {`{"household": {"people": {"a": {"earnings": {"2020": 1000, "2021": null}, "earnings_before": {"2020": 5}, "tips": {"2020": 30, "2021": null}, "tips_before": {"2020": null, "2021": null}}, "b": {"earnings": {"2021": null}, "earnings_before": {"2020": 7}}}}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"earnings": {"2020": 1000, "2021": 1080}, "earnings_before": {"2020": 5}, "tips": {"2020": 30, "2021": 60}, "tips_before": {"2020": 30, "2021": 30}}, "b": {"earnings": {"2021": 0}, "earnings_before": {"2020": 7}}}}}`},
		"axes along one of them": {`{"household": {"people": {"a": {"earnings_before": {"2021": null}}}, "axes": [[{"name": "earnings", "min": 0, "max": 200, "count": 3, "period": "2020"}]]}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"earnings_before": {"2021": [0, 108.00001, 216.00002]}}}, "axes": [[{"name": "earnings", "min": 0, "max": 200, "count": 3, "period": "2020"}]]}}`},
		"names of moved inputs": {`{"household": {"people": {"a": {"earnings": {"2020": 1000}, "given_earnings": {"2020": null}}}}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"earnings": {"2020": 1000}, "given_earnings": {"2020": 1}}}}}`},
		"a branch without moved inputs": {`{"household": {"people": {"a": {"earnings": {"2020": 1000}, "age": {"2020": 30}, "cleared_other_dues": {"2020": null}, "cleared_other_age": {"2020": null}}}}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"earnings": {"2020": 1000}, "age": {"2020": 30}, "cleared_other_dues": {"2020": 1007}, "cleared_other_age": {"2020": 0}}}}}`},
		"infinite": {`{"household": {"people": {"a": {"age": {"2020": 30}, "youngest": {"2020": null}}}}}`, 200, `{"status": "ok", "message": null, "result": {"people": {"a": {"age": {"2020": 30}, "youngest": {"2020": "Infinity"}}}}}`},
		"infinite along axes": {`{"household": {"people": {"a": {"youngest": {"2020": null}}}, "axes": [[{"name": "age", "min": 10, "max": 30, "count": 2, "period": "2020"}]]}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"youngest": {"2020": [10, "Infinity"]}}}, "axes": [[{"name": "age", "min": 10, "max": 30, "count": 2, "period": "2020"}]]}}`},
		"a baseline": {`{"household": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "former_tax": {"2020": null}}}}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "former_tax": {"2020": 99.1}}}}}`},
		"a baseline of a policy": {`{"household": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": null}, "former_tax": {"2020": null}}}}, "policy": {"gov.rate.NORTH": {"2020-01-01.2020-12-31": 0.5}}}`, 200,
			`{"status": "ok", "message": null, "result": {"people": {"a": {"wage": {"2020": 1000}, "age": {"2020": 30}, "tax": {"2020": 500}, "former_tax": {"2020": 199.2}}}}}`},
		"no household":          {`{"policy": {}}`, 400, `{"status": "error", "message": "Missing value: send {\"household\": {…}}, and \"policy\" if the law is to be changed", "result": null}`},
		"a list":                {`[]`, 400, ``},
		"no JSON":               {`{`, 400, ``},
		"an unknown variable":   {`{"household": {"people": {"a": {"wages": {"2020": 1}}}}}`, 400, ``},
		"an unknown parameter":  {`{"household": ` + people("null") + `}, "policy": {"gov.rat": {"2020-01-01.2020-12-31": 0.5}}}`, 400, ``},
		"a policy that is none": {`{"household": ` + people("null") + `}, "policy": 3}`, 400, ``},
	} {
		t.Run(name, func(t *testing.T) {
			w := send(h, http.MethodPost, "/us/calculate", c.body)
			got := decode(t, w)
			if w.Code != c.status {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if c.status != 200 {
				if message, _ := got["message"].(string); got["status"] != "error" || len(message) < 10 {
					t.Errorf("%s", w.Body)
				}
				t.Log(got["message"])
			}
			if c.want == "" {
				return
			}
			var want map[string]any
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s", w.Body)
			}
		})
	}
}

// TestPolicyEngineNames has problems told with their place in the request.
func TestPolicyEngineNames(t *testing.T) {
	h := policyServer(t)
	for body, want := range map[string]string{
		`{"household": {"people": {"a": {"wages": {"2020": 1}}}}}`:                                    "people/a/wages: ",
		`{"household": {"people": {"a": {}}}, "policy": {"gov.rat": {"2020-01-01.2020-12-31": 0.5}}}`: "policy/gov.rat/2020-01-01.2020-12-31: ",
		`{"household": {"people": {"a": {}}}, "policy": {"gov.rate.NORTH": {"yesterday": 0.5}}}`:      "policy/gov.rate.NORTH/yesterday: ",
		`{"household": []}`: "household: ",
		`{"household": {"people": {"a": {}}, "households": {"h": {"members": ["a", "a"]}}}}`:                      "households/h/members: ",
		`{"household": {"people": {"a": {}}}, "policy": [1]}`:                                                     "policy: ",
		`{"household": {"people": {"a": {"tax": {"2020": null}}}, "axes": [[{"name": "tax", "count": "many"}]]}}`: "axes/",
	} {
		if w := send(h, http.MethodPost, "/us/calculate", body); !strings.HasPrefix(decode(t, w)["message"].(string), want) {
			t.Errorf("%s: %s", body, w.Body)
		}
	}
	if w := send(h, http.MethodPost, "/uk/calculate", `{}`); w.Code != http.StatusNotFound {
		t.Errorf("another country: %d %s", w.Code, w.Body)
	}
	if w := send(h, http.MethodGet, "/us/metadata", ""); w.Code != http.StatusNotFound || decode(t, w)["status"] != "error" {
		t.Errorf("another route: %d %s", w.Code, w.Body)
	}
	if w := send(server(t, simapi.Options{}), http.MethodPost, "/us/calculate", `{}`); w.Code != http.StatusNotFound {
		t.Errorf("another law: %d %s", w.Code, w.Body)
	}
}
