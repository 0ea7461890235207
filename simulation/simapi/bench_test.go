package simapi_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/simapi"
)

// nowhere is where the answers of benchmarks go.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header         { return n.header }
func (n nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (n nowhere) WriteHeader(int)             {}

const (
	openFiscaFamily = `{"individus":{"ada":{"date_naissance":{"ETERNITY":"1984-03-02"},"salaire_imposable":{"2024":30000}},"bob":{"date_naissance":{"ETERNITY":"1982-05-06"},"salaire_imposable":{"2024":18000}},"cleo":{"date_naissance":{"ETERNITY":"2015-02-02"}}},
"familles":{"f":{"parents":["ada","bob"],"enfants":["cleo"]}},
"foyers_fiscaux":{"ff":{"declarants":["ada","bob"],"personnes_a_charge":["cleo"]ASKED}},
"menages":{"m":{"personne_de_reference":["ada"],"conjoint":["bob"],"enfants":["cleo"],"loyer":{"2024-06":800}}}}`
	v1Family = `{"variables":["ASKED"],"scenarios":[{"period":"2024","test_case":{"individus":[{"id":"ada","date_naissance":"1984-03-02","salaire_imposable":30000},{"id":"bob","date_naissance":"1982-05-06","salaire_imposable":18000},{"id":"cleo","date_naissance":"2015-02-02"}],
"familles":[{"parents":["ada","bob"],"enfants":["cleo"]}],"foyers_fiscaux":[{"declarants":["ada","bob"],"personnes_a_charge":["cleo"]}],"menages":[{"personne_de_reference":"ada","conjoint":"bob","enfants":["cleo"],"loyer":{"2024-06":800}}]}}]}`
)

// BenchmarkCalculate measures requests without a network: what is computed costs little (number of tax shares) or much
// (income tax), so that the difference is the engine's and the rest the interface's.
func BenchmarkCalculate(b *testing.B) {
	h := server(b, simapi.Options{})
	for _, c := range []struct{ name, path, body string }{
		{"openfisca/little", "/calculate", strings.Replace(openFiscaFamily, "ASKED", `,"nbptr":{"2024":null}`, 1)},
		{"openfisca/much", "/calculate", strings.Replace(openFiscaFamily, "ASKED", `,"irpp":{"2024":null}`, 1)},
		{"v1/little", "/api/1/calculate", strings.Replace(v1Family, "ASKED", "nbptr", 1)},
		{"v1/much", "/api/1/calculate", strings.Replace(v1Family, "ASKED", "irpp", 1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			if w := send(h, http.MethodPost, c.path, c.body); w.Code != http.StatusOK {
				b.Fatalf("%d %s", w.Code, w.Body)
			}
			b.ReportAllocs()
			for b.Loop() {
				r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, c.path, strings.NewReader(c.body))
				if err != nil {
					b.Fatal(err)
				}
				r.Header["Content-Type"] = []string{"application/json"}
				h.ServeHTTP(nowhere{http.Header{}}, r)
			}
		})
	}
}

// BenchmarkOthers measures requests for a household that is another one each time: two adults, two children, everything
// that a family is asked for.
func BenchmarkOthers(b *testing.B) {
	h := server(b, simapi.Options{})
	const family = `{"individus":{"ada":{"date_naissance":{"ETERNITY":"%[3]d-03-02"},"salaire_imposable":{"2024":%[1]d}},"bob":{"date_naissance":{"ETERNITY":"%[4]d-05-06"},"salaire_imposable":{"2024":%[2]d}},
"cleo":{"date_naissance":{"ETERNITY":"2015-02-02"}},"dan":{"date_naissance":{"ETERNITY":"2018-09-12"}}},
"familles":{"f":{"parents":["ada","bob"],"enfants":["cleo","dan"],"af":{"2024-06":null}}},
"foyers_fiscaux":{"ff":{"declarants":["ada","bob"],"personnes_a_charge":["cleo","dan"],"irpp":{"2024":null}}},
"menages":{"m":{"personne_de_reference":["ada"],"conjoint":["bob"],"enfants":["cleo","dan"],"revdisp":{"2024":null}}}}`
	sendOthers(b, h, family)
}

// BenchmarkTemplate is BenchmarkOthers for a couple on OpenFisca's country template, whose formulas are few: more of a
// request is reading it and writing the answer.
func BenchmarkTemplate(b *testing.B) {
	dir := os.Getenv("EDICT_TEMPLATE")
	if dir == "" {
		b.Skip("EDICT_TEMPLATE does not say where the country template is")
	}
	src, err := country.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	p, err := country.Load(b.Context(), country.Options{}, src)
	if err != nil {
		b.Fatal(err)
	}
	api := simapi.New(simapi.Options{})
	if err := api.Load(b.Context(), p, p.System); err != nil {
		b.Fatal(err)
	}
	sendOthers(b, handler(b, api), `{"persons": {"Alicia": {"birth": {"ETERNITY": "%[3]d-01-01"}, "salary": {"2017-01": %[1]d}}, "Javier": {"birth": {"ETERNITY": "%[4]d-01-01"}, "salary": {"2017-01": %[2]d}}},
 "households": {"_": {"adults": ["Alicia", "Javier"], "disposable_income": {"2017-01": null}, "total_taxes": {"2017-01": null}}}}`)
}

// sendOthers sends a document with the figures of another household each time: two salaries and two years of birth.
func sendOthers(b *testing.B, h http.Handler, document string) {
	bodies := make([]string, 2000)
	for i := range bodies {
		bodies[i] = fmt.Sprintf(document, i*1237%60000, i*7919%40000, 1950+i*13%50, 1950+i*7%50)
		if w := send(h, http.MethodPost, "/calculate", bodies[i]); w.Code != http.StatusOK {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/calculate", strings.NewReader(bodies[i%len(bodies)]))
		if err != nil {
			b.Fatal(err)
		}
		r.Header["Content-Type"] = []string{"application/json"}
		h.ServeHTTP(nowhere{http.Header{}}, r)
	}
}
