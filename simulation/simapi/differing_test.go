package simapi_test

import (
	"net/http"
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/simapi"
)

// TestDiffering: a household whose values need code of the package that does not run gets an error, and no numbers.
func TestDiffering(t *testing.T) {
	p := policyPackage(t)
	preparation := *p.System.Prepares()
	preparation.Partial = "july.modify"
	preparation.Differing = []legislation.Differing{{Variable: "tax", From: 2021}, {Variable: "age", Requested: true}, {Variable: "gone"}}
	p.System.SetPreparation(&preparation)
	api := simapi.New(simapi.Options{Country: "us"})
	if err := api.Load(t.Context(), p, p.System); err != nil {
		t.Fatal(err)
	}
	h := handler(t, api)
	for _, c := range []struct{ name, person, policy, differs string }{
		{"another year", `"wage": {"2020": 1000}, "tax": {"2020": null}`, "", ""},
		{"0", `"wage": {"2021": 0}, "is_adult": {"2021": null}`, "", ""},
		{"not 0", `"age": {"2021": 40}, "wage": {"2021": 1000}, "is_adult": {"2021": null}`, "", "tax of 2021"},
		{"not 0 in one of two years", `"age": {"2020": 40, "2021": 40}, "wage": {"2020": 1000, "2021": 1000}, "is_adult": {"2020": null, "2021": null}`, "", "tax of 2021"},
		{"not 0 under a policy", `"age": {"2021": 40}, "wage": {"2021": 1000}, "is_adult": {"2021": null}`, `, "policy": {"gov.credit": {"2021-01-01.2021-12-31": 7}}`, "tax of 2021"},
		{"requested", `"wage": {"2020": 0}, "age": {"2020": null}`, "", "age of 2020"},
	} {
		w := send(h, http.MethodPost, "/us/calculate", `{"household": {"people": {"a": {`+c.person+`}}}`+c.policy+`}`, "Content-Type", "application/json")
		switch body := w.Body.String(); {
		case c.differs == "" && w.Code != http.StatusOK:
			t.Errorf("%s: %d %s", c.name, w.Code, body)
		case c.differs != "" && (w.Code != http.StatusUnprocessableEntity || !strings.Contains(body, c.differs) || !strings.Contains(body, "july.modify") || !strings.Contains(body, `"result":null`)):
			t.Errorf("%s: %d %s, want 422 with %s", c.name, w.Code, body, c.differs)
		}
	}
}
