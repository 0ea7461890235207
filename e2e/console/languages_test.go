package console_test

// The law speaks the visitor's language: the labels of the embedded law, a change of language on the page, and laws that have one language only.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// lawTexts are the labels of the law's variables, parameters and reforms in a language, as far as they are several words.
func lawTexts(t *testing.T, url, language string) (all []string) {
	t.Helper()
	add := func(text string) {
		if strings.Count(text, " ") > 1 {
			all = append(all, text)
		}
	}
	read := func(path string, into any) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Language", language)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"/variables", "/parameters"} {
		described := map[string]struct{ Description string }{}
		read(path, &described)
		for _, d := range described {
			add(d.Description)
		}
	}
	var declared struct{ Reforms []struct{ Name string } }
	read("/api/1/reforms", &declared)
	for _, r := range declared.Reforms {
		add(r.Name)
	}
	if len(all) < 100 {
		t.Fatalf("the law has %d labels in %s", len(all), language)
	}
	return all
}

// holds fails if the page has a text, or a label of a field, of the other language.
func (c *consoleTab) holds(what string, others []string) {
	c.t.Helper()
	var shown string
	c.Eval(`document.querySelector("main").textContent + [...document.querySelectorAll("main [aria-label]")].map(e => e.ariaLabel).join()`, &shown)
	for _, text := range others {
		if strings.Contains(shown, text) {
			c.t.Errorf("%s shows %q", what, text)
		}
	}
}

// TestConsoleLanguages: screens of the embedded law have its labels in the language of the page and none of the other.
func TestConsoleLanguages(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	texts := map[string][]string{"en": lawTexts(t, server.URL, "en"), "fr": lawTexts(t, server.URL, "fr")}
	first := map[string]string{"en": "Net wages", "fr": "Salaires nets"}
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	for _, c := range []struct{ language, other, student string }{{"en", "fr", "Student or pupil"}, {"fr", "en", "Étudiant, élève"}} {
		tab.dress(c.language, "light")
		for path, shown := range map[string]string{
			"/": ".waterfall", "/household": ".waterfall", "/compare": "input[type=range]", "/law": ".virtual .row", "/law/v/irpp": ".formula", "/law/v/statut_marital": ".neighbours", "/law/p/impot_revenu.decote": "main li a",
		} {
			tab.visit(path)
			tab.await(fmt.Sprintf("document.querySelector(%s)", e2e.Quote(shown)))
			what := path + " in " + c.language
			if path == "/household" {
				tab.await(fmt.Sprintf(`[...document.querySelectorAll(".chip")].some(e => e.textContent.includes(%s))`, e2e.Quote(c.student)))
			}
			tab.keep("console-languages-" + c.language + strings.NewReplacer("/", "-", ".", "-").Replace(path))
			tab.holds(what, texts[c.other])
			tab.clean(what)
			var marked int
			tab.Eval(`document.querySelectorAll("main [lang]").length`, &marked)
			if marked > 0 {
				t.Errorf("%s: %d texts are marked as of another language", what, marked)
			}
		}
	}
	tab.visit("/")
	tab.await(fmt.Sprintf(`document.querySelector("main").textContent.includes(%s)`, e2e.Quote(first["fr"])))
	tab.Eval(`(() => { const all = document.querySelector("header select"); all.value = "en"; all.dispatchEvent(new Event("change", {bubbles: true})); })()`, nil)
	tab.await(fmt.Sprintf(`document.querySelector("main").textContent.includes(%s) && !document.querySelector("main").textContent.includes(%s)`, e2e.Quote(first["en"]), e2e.Quote(first["fr"])))
	tab.await(`document.body.innerText.includes("Gross wage")`)
	tab.holds("/ after a change of language", texts["fr"])

	tab.visit("/law?q=rentr%C3%A9e+scolaire")
	tab.await(`document.querySelector(".virtual .row")?.textContent.includes("Back-to-school allowance")`)
	tab.dress("fr", "light")
	tab.visit("/law?q=back-to-school")
	tab.await(`document.querySelector(".virtual .row")?.textContent.includes("Allocation de rentrée scolaire")`)
}

// TestConsoleLawOfOneLanguage: labels in another language than the page have its lang attribute.
func TestConsoleLawOfOneLanguage(t *testing.T) {
	browser := e2e.StartBrowser(t)
	dir := filepath.Join(e2e.UnpackCountry(t, "../simulation/testdata/derived/package.txtar"), "openfisca_hamlet")
	file := filepath.Join(dir, "labels", "en.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package_language: en\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only, c.Simulation.Country = "simulation", dir }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/law/v/pension", "fr", "light", 1280)
	tab.await(`document.querySelector("main h1[lang=en]")`)
	tab.clean("an English law on a French page")
	tab.dress("en", "light")
	tab.visit("/law/v/pension")
	tab.await(`document.querySelector("main h1:not([lang])")`)
}
