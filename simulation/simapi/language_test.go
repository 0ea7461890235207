package simapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"edict/simulation/simapi"
)

const (
	// adaAlone asks for the income tax of one person.
	adaAlone = `{"scenarios": [{"period": "2024", "test_case": {"individus": [{"id": "ada", "salaire_imposable": 30000, "statut_marital": "celibataire"}], "familles": [{"parents": ["ada"]}],
		"foyers_fiscaux": [{"declarants": ["ada"]}], "menages": [{"personne_de_reference": "ada"}]}}]`
	irppFrench, irppEnglish = "Impôt sur le revenu et contribution sur les hauts revenus (montant négatif)", "Income tax and contribution on high incomes (negative amount)"
)

// TestLanguages asks every route that has texts of the law in French, in English and without a wish.
func TestLanguages(t *testing.T) {
	h := server(t, simapi.Options{})
	for _, c := range []struct{ method, path, body, french, english string }{
		{"GET", "/entities", "", "Foyer fiscal", "Tax household"},
		{"GET", "/variables", "", irppFrench, irppEnglish},
		{"GET", "/variable/statut_marital", "", "Célibataire", `"celibataire":"Single"`},
		{"GET", "/variable/age", "", "Négatif avant la naissance.", "Negative before birth."},
		{"GET", "/parameters", "", "Fraction de l'impôt déduite du montant de la décote", "Fraction of the tax deducted from the amount of the relief"},
		{"GET", "/parameter/impot_revenu/decote/taux", "", "Fraction de l'impôt déduite", "Fraction of the tax deducted"},
		{"GET", "/parameter/impot_revenu/decote", "", "couple soumis à imposition commune", "couple taxed jointly"},
		{"GET", "/api/1/entities", "", "Personnes à charge", "Dependants"},
		{"GET", "/api/1/variables?name=irpp", "", irppFrench, irppEnglish},
		{"GET", "/api/1/parameters?name=impot_revenu.decote.taux", "", " ; Décote ; ", " ; Relief for low tax amounts (décote) ; "},
		{"GET", "/api/1/reforms", "", "Tranche supérieure de l'impôt sur le revenu à 49 %", "Top income tax rate of 49%"},
		{"GET", "/api/1/graph?variable=irpp", "", irppFrench, irppEnglish},
		{"GET", "/api/1/field?variable=irpp", "", irppFrench, irppEnglish},
		{"GET", "/api/1/fields", "", irppFrench, irppEnglish},
		{"GET", "/api/2/search?q=irpp", "", irppFrench, irppEnglish},
		{"GET", "/api/2/search?q=decote&kind=parameter", "", "Décote", "Relief for low tax amounts"},
		{"GET", "/api/2/catalogue", "", irppFrench, irppEnglish},
		{"GET", "/api/2/variable/irpp", "", "Impôt sur le revenu mis en recouvrement", "Income tax collected"},
		{"GET", "/api/2/variable/rsa?reform=allocation_unique", "", "Allocation unique (réforme)", "Single allowance (reform)"},
		{"GET", "/api/2/variable/ppa?reform=allocation_unique", "", "[Neutralized] Prime d'activité", "[Neutralized] In-work benefit (prime d'activité)"},
		{"GET", "/api/2/parameter/impot_revenu.decote", "", "Fraction de l'impôt déduite", "Fraction of the tax deducted"},
		{"GET", "/api/2/graph?variable=irpp", "", "Impôt sur le revenu mis en recouvrement", "Income tax collected"},
		{"POST", "/api/2/why", adaAlone + `, "figure": {"variable": "irpp"}}`, "Impôt sur le revenu mis en recouvrement", "Income tax collected"},
		{"POST", "/api/2/why", adaAlone + `, "figure": {"variable": "decote"}}`, "Fraction de l'impôt déduite", "Fraction of the tax deducted"},
		{"POST", "/api/1/simulate", adaAlone + `}`, `"name":"Prestations sociales","short_name":"Prestations"`, `"name":"Social benefits","short_name":"Benefits"`},
		{"POST", "/api/1/calculate", adaAlone + `, "variables": ["irpp"], "trace": true}`, irppFrench, irppEnglish},
	} {
		plain := send(h, c.method, c.path, c.body)
		own := send(h, c.method, c.path, c.body, "Accept-Language", "fr-FR, en;q=0.5")
		english := send(h, c.method, c.path, c.body, "Accept-Language", "de, en-GB;q=0.8, fr;q=0.3")
		star := send(h, c.method, c.path, c.body, "Accept-Language", "*")
		unknown := send(h, c.method, c.path, c.body, "Accept-Language", "de")
		for what, w := range map[string]*httptest.ResponseRecorder{"no header": plain, "fr": own, "*": star, "de": unknown} {
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), c.french) || w.Header().Get("Content-Language") != "fr" {
				t.Errorf("%s, %s: %d in %q has no %q", c.path, what, w.Code, w.Header().Get("Content-Language"), c.french)
			}
			if what != "fr" && w.Body.String() != plain.Body.String() {
				t.Errorf("%s: the answer for %s differs from that without a header", c.path, what)
			}
		}
		if english.Code != http.StatusOK || !strings.Contains(english.Body.String(), c.english) || english.Header().Get("Content-Language") != "en" || strings.Contains(english.Body.String(), c.french) {
			t.Errorf("%s: %d in %q has %q or no %q", c.path, english.Code, english.Header().Get("Content-Language"), c.french, c.english)
		}
		for _, w := range []*httptest.ResponseRecorder{plain, english} {
			if !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept-Language") {
				t.Errorf("%s: Vary %q", c.path, w.Header().Values("Vary"))
			}
		}
		if tag := plain.Header().Get("ETag"); tag != "" {
			if tag == english.Header().Get("ETag") {
				t.Errorf("%s: both languages have the tag %s", c.path, tag)
			}
			if w := send(h, c.method, c.path, c.body, "Accept-Language", "en", "If-None-Match", tag); w.Code != http.StatusOK {
				t.Errorf("%s: the French answer is good for English, too: %d", c.path, w.Code)
			}
			if w := send(h, c.method, c.path, c.body, "Accept-Language", "en", "If-None-Match", english.Header().Get("ETag")); w.Code != http.StatusNotModified || w.Header().Get("Vary") == "" {
				t.Errorf("%s: the English answer is made again: %d", c.path, w.Code)
			}
		}
	}
}

// TestSearchInEveryLanguage: words of one language find what is shown in the other.
func TestSearchInEveryLanguage(t *testing.T) {
	h := server(t, simapi.Options{})
	for _, language := range []string{"fr", "en"} {
		for text, want := range map[string]string{"impôt sur le revenu mis en recouvrement": "ip_net", "income tax collected": "ip_net", "back-to-school": "ars", "divorced": "statut_marital"} {
			found := decode(t, send(h, "GET", "/api/2/search?kind=variable&q="+strings.ReplaceAll(text, " ", "+"), "", "Accept-Language", language))
			results := found["results"].([]any)
			if len(results) == 0 || results[0].(map[string]any)["id"] != want {
				t.Errorf("%s in %s: %v, want %s", text, language, found["results"], want)
			}
		}
	}
}

// TestLawWithoutTranslations answers as before, whatever is accepted.
func TestLawWithoutTranslations(t *testing.T) {
	h := serve(t, villagePackage(""))
	for _, path := range []string{"/entities", "/variables", "/api/2/catalogue", "/api/2/search?q=salary"} {
		plain, english := send(h, "GET", path, ""), send(h, "GET", path, "", "Accept-Language", "en")
		if plain.Body.String() != english.Body.String() || english.Header().Get("Content-Language") != "" || strings.Contains(strings.Join(english.Header().Values("Vary"), ","), "Language") {
			t.Errorf("%s: %v", path, english.Header())
		}
	}
}

// TestLawOfUnknownLanguage: a law that does not state its own language answers in it without a name.
func TestLawOfUnknownLanguage(t *testing.T) {
	files := villagePackage("")
	files["village/labels/fr.yaml"] = &fstest.MapFile{Data: []byte("entities: {person: Une personne}")}
	h := serve(t, files)
	plain, french := send(h, "GET", "/entities", ""), send(h, "GET", "/entities", "", "Accept-Language", "fr")
	if !strings.Contains(plain.Body.String(), "A person") || plain.Header().Get("Content-Language") != "" || !strings.Contains(french.Body.String(), "Une personne") || french.Header().Get("Content-Language") != "fr" {
		t.Errorf("%s %v\n%s %v", plain.Body, plain.Header(), french.Body, french.Header())
	}
	if catalogue := decode(t, send(h, "GET", "/api/2/catalogue", "")); catalogue["language"] != nil {
		t.Errorf("the catalogue has the language %v", catalogue["language"])
	}
	if catalogue := decode(t, send(h, "GET", "/api/2/catalogue", "", "Accept-Language", "fr")); catalogue["language"] != "fr" {
		t.Errorf("the catalogue has the language %v", catalogue["language"])
	}
}
