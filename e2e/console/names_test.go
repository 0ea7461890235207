package console_test

// Names in the console: pages have their own titles, misspelt names are found, and populations have an income to measure.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestConsoleTitles: the pages of one screen have titles of their own.
func TestConsoleTitles(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/law", "en", "light", 1280)
	for path, title := range map[string]string{
		"/law":                                 "The law · edict",
		"/law/v/irpp":                          "irpp · The law · edict",
		"/law/p/impot_revenu.decote.taux":      "impot_revenu.decote.taux · The law · edict",
		"/channels/news":                       "news · Channel · edict",
		"/channels/" + "alice%23club":          "alice#club · Channel · edict",
		"/population/k3mv5yqzx7w2aaaaaaaaaaaa": "k3mv5yqzx7w2aaaaaaaaaaaa · Population · edict",
	} {
		tab.visit(path)
		tab.await(`document.title == ` + e2e.Quote(title))
	}
}

// TestConsoleTypingError: a name that matches nothing as it is typed is found as /api/2/search finds it.
func TestConsoleTypingError(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/law", "en", "light", 1280)
	tab.await(`document.querySelector(".virtual .row")`)
	tab.fill("Search by name or in everyday words", "decotte")
	tab.await(`[...document.querySelectorAll(".virtual .row code")].some(e => e.textContent == "decote")`)
	tab.await(`document.querySelector("main p[role=status]").textContent.startsWith("No exact match. Similar:")`)
	tab.fill("Search by name or in everyday words", "qqqqqqqqqq")
	tab.await(`document.querySelector("main").innerText.includes("Nothing matches.")`)
	tab.clean("a typing error")
}

// hamletWith is the package without a declared headline variable, whose disposable income has another name.
func hamletWith(t *testing.T, income string) string {
	t.Helper()
	dir := filepath.Join(e2e.UnpackCountry(t, "../simulation/testdata/derived/package.txtar"), "openfisca_hamlet")
	for _, name := range []string{"__init__.py", "variables.py"} {
		text := strings.ReplaceAll(e2e.ReadFile(t, filepath.Join(dir, name)), "    headline_variable = \"disposable\"\n", "")
		text = strings.ReplaceAll(text, "class disposable(", "class "+income+"(")
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestConsoleIncome: a population's form proposes the income of the catalogue, and a report without an income shows neither empty names nor NaN.
func TestConsoleIncome(t *testing.T) {
	browser := e2e.StartBrowser(t)
	for income, c := range map[string]struct{ proposed, about string }{
		"disposable_income": {"(disposable_income)", "Equivalence scale: none. Poverty line: "},
		"spoils":            {"None: the report has totals only.", "2024. Totals only:"},
	} {
		t.Run(income, func(t *testing.T) {
			server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
				c.Server.Only, c.Simulation.Country, c.Simulation.Populations = "simulation", hamletWith(t, income), "open"
			}})
			e2e.AwaitReady(t, server.URL)
			tab := openConsole(t, browser, server.URL, "/population", "en", "light", 1280)
			tab.await(`document.querySelector("main form")?.innerText.includes(` + e2e.Quote(c.proposed) + `)`)
			tab.Eval(`(() => {
				const files = new DataTransfer();
				files.items.add(new File(["person_id,house_id,house_role,pension\na,1,head,1000\nb,2,head,2000\n"], "persons.csv"));
				const field = document.querySelector("input[type=file]");
				field.files = files.files;
				field.dispatchEvent(new Event("change", {bubbles: true}));
			})()`, nil)
			tab.fill("Year", "2024")
			tab.fill("Equivalence scale", "none")
			tab.fill("Add a variable", "tithe")
			tab.click("Tithe")
			tab.click("Compute")
			tab.await(`document.querySelector("main").innerText.includes(` + e2e.Quote(c.about) + `)`)
			var shown string
			if tab.Eval(`document.querySelector("main").innerText`, &shown); strings.Contains(shown, "NaN") || strings.Contains(shown, "Income: ,") {
				t.Errorf("the report shows\n%s", shown)
			}
			tab.clean("the report")
		})
	}
}
