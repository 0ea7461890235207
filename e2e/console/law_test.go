package console_test

// The law in the console: laws of any size, one that is still being loaded, and figures that are the API's down to the last step.

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// manyVariables is a package with generated variables, every tenth of them computed.
func manyVariables(t *testing.T, count int) string {
	t.Helper()
	dir := filepath.Join(e2e.UnpackCountry(t, "../simulation/testdata/derived/package.txtar"), "openfisca_hamlet")
	var b strings.Builder
	b.WriteString(e2e.ReadFile(t, filepath.Join(dir, "variables.py")))
	for i := range count {
		fmt.Fprintf(&b, "\nclass generated_%05d(Variable):\n    value_type = float\n    entity = Person\n    definition_period = YEAR\n    label = \"Generated number %d\"\n", i, i)
		if i%10 == 0 {
			b.WriteString("    def formula(person, period):\n        return person(\"pension\", period) * 2\n")
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "variables.py"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestConsoleManyVariables: 10 000 variables are listed, searched and walked by keyboard with a few rows on the page, and none is missing.
func TestConsoleManyVariables(t *testing.T) {
	const count = 10_000
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.Only, c.Simulation.Country = "simulation", manyVariables(t, count)
	}})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/law", "en", "light", 1280)
	tab.await(`document.querySelector(".virtual .row")`)
	size := func() (total, drawn int) {
		t.Helper()
		tab.Eval(`Number(document.querySelector(".virtual .row").ariaSetSize)`, &total)
		tab.Eval(`document.querySelectorAll(".virtual .row").length`, &drawn)
		return total, drawn
	}
	if total, drawn := size(); total < count || drawn > 60 {
		t.Errorf("of %d rows %d are drawn", total, drawn)
	}
	var took float64
	tab.Eval(`new Promise(done => {
		const field = document.querySelector("input[type=search]");
		const begun = performance.now();
		const look = () => document.querySelector(".virtual .row")?.ariaSetSize == "10" ? done(performance.now() - begun) : requestAnimationFrame(look);
		field.value = "generated_0012";
		field.dispatchEvent(new Event("input", {bubbles: true}));
		look();
	})`, &took)
	t.Logf("from the key to the list of those that match: %.0f ms", took)
	if took > 1000 {
		t.Errorf("a key takes %.0f ms", took)
	}
	tab.fill("Search by name or in everyday words", "generated number 9999")
	tab.await(`document.querySelector(".virtual .row")?.ariaSetSize == "1" && document.querySelector(".virtual .row").textContent.includes("9999")`)
	tab.fill("Search by name or in everyday words", "generated")
	tab.await(fmt.Sprintf(`document.querySelector(".virtual .row")?.ariaSetSize == "%d"`, count))
	tab.Eval(`document.querySelector(".virtual").focus()`, nil)
	tab.press("End")
	tab.await(`[...document.querySelectorAll(".virtual .row")].at(-1).ariaPosInSet == "10000"`)
	if _, drawn := size(); drawn > 60 {
		t.Errorf("at the end %d rows are drawn", drawn)
	}
	tab.visit("/law/v/generated_09990")
	tab.await(`document.querySelector(".formula")`)
	tab.clean("10 000 variables")
}

// exportedCurve is what the chart of marginal rates gives away.
type exportedCurve struct {
	Columns []string
	Rows    [][]any
}

// exportedChart is what a chart, whose title begins so, gives away as JSON.
func exportedChart(title string) string {
	return fmt.Sprintf(`(async () => {
		let blob;
		const real = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
		URL.createObjectURL = made => { blob = made; return real.call(URL, made); };
		HTMLAnchorElement.prototype.click = () => {};
		const chart = [...document.querySelectorAll("figure.chart")].find(f => f.querySelector("h2").textContent.startsWith(%s));
		[...chart.querySelectorAll("button")].find(b => b.textContent == "JSON").click();
		HTMLAnchorElement.prototype.click = click;
		URL.createObjectURL = real;
		return JSON.parse(await blob.text());
	})()`, e2e.Quote(title))
}

// TestConsoleMarginalRates: the rates that the page draws are what is missing from each further step of earnings, by the figures of the API.
func TestConsoleMarginalRates(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/household", "en", "light", 1280)
	tab.await(`document.querySelectorAll(".curve").length == 2`)
	var sent string
	tab.Eval(`new Promise(done => {
		const real = fetch;
		globalThis.fetch = (url, init) => { if (url.endsWith("/api/1/simulate") && init.body.includes('"count":101')) done(init.body); return real(url, init); };
		const field = [...document.querySelectorAll("label")].find(l => l.textContent == "Year").control;
		field.value = "2024";
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})`, &sent)
	want := simulateFamily(t, server.URL, sent)
	var asked struct {
		Scenarios []struct {
			Axes []struct {
				Min, Max float64
				Count    int
			}
		}
	}
	if err := json.Unmarshal([]byte(sent), &asked); err != nil || len(want.Values) != asked.Scenarios[0].Axes[0].Count {
		t.Fatalf("%s: %v, %d values", sent, err, len(want.Values))
	}
	axis := asked.Scenarios[0].Axes[0]
	step := (axis.Max - axis.Min) / float64(axis.Count-1)
	export := exportedChart("Marginal rate")
	tab.await(fmt.Sprintf(`(async () => (await %s).rows[50]?.[1] == %v)()`, export, want.Values[50]))
	var got exportedCurve
	tab.Eval(export, &got)
	if len(got.Rows) != axis.Count {
		t.Fatalf("%d points of %d", len(got.Rows), axis.Count)
	}
	for i, row := range got.Rows[:axis.Count-1] {
		rate := 1 - (want.Values[i+1]-want.Values[i])/step
		if shown, ok := row[2].(float64); !ok || math.Abs(shown-rate) > 1e-9 || row[1] != want.Values[i] {
			t.Errorf("at %v: the page has %v, the API %v and %v", row[0], row, want.Values[i], rate)
		}
	}
}

// TestConsoleWhy: every step that the page gives as a reason has the value that the trace of the same household has.
func TestConsoleWhy(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/household?why=revdisp", "en", "light", 1280)
	tab.await(`document.querySelector("details.why")`)
	var sent string
	tab.Eval(`new Promise(done => {
		const real = fetch;
		globalThis.fetch = (url, init) => { if (url.endsWith("/api/2/why")) done(init.body); return real(url, init); };
		const field = [...document.querySelectorAll("label")].find(l => l.textContent == "Year").control;
		field.value = "2024";
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})`, &sent)
	trace := traceOf(t, server.URL, sent)
	tab.await(`document.querySelector("details.why > summary small").textContent.includes("2024")`)
	for range 4 { // what is not there yet is asked for when it is opened
		tab.Eval(`document.querySelectorAll("details.why:not([open])").forEach(d => { d.open = true; })`, nil)
		tab.await(`!document.querySelector("details.why .state")`)
	}
	var steps []struct{ Variable, Value, About string }
	tab.Eval(`[...document.querySelectorAll("details.why")].map(d => ({
		variable: d.querySelector(":scope > .why-inside > a code").textContent,
		value: d.querySelector(":scope > summary .why-value").textContent,
		about: d.querySelector(":scope > summary small").textContent,
	}))`, &steps)
	if len(steps) < 10 {
		t.Fatalf("the page has %d steps", len(steps))
	}
	people := map[string]int{"Ada": 0, "Boris": 1, "Cleo": 2, "Dan": 3}
	compared := 0
	for _, s := range steps {
		parts := strings.Split(s.About, " · ")
		index := 0
		if at, isPerson := people[parts[0]]; isPerson {
			index, parts = at, parts[1:]
		}
		values, ok := trace[fmt.Sprintf("%s<%s>", s.Variable, parts[0])]
		if !ok || index >= len(values) {
			t.Errorf("%+v is not in the trace", s)
			continue
		}
		if value, isNumber := values[index].(float64); isNumber {
			compared++
			if want := whyValue(value); s.Value != want {
				t.Errorf("%+v: the trace has %v", s, value)
			}
		}
	}
	t.Logf("%d steps, %d numbers", len(steps), compared)
	if compared < 10 {
		t.Errorf("%d steps are compared", compared)
	}
}

// whyValue is a number as reasons write it in English.
func whyValue(value float64) string {
	if math.Abs(value) >= 1000 {
		return euros(value, false)
	}
	text := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", value), "0"), ".")
	return text
}

// traceOf traces the household of a request of the console, and returns the values of every step.
func traceOf(t *testing.T, url, sent string) map[string][]any {
	t.Helper()
	var body struct {
		Scenarios []struct {
			TestCase map[string][]map[string]any `json:"test_case"`
		}
	}
	if err := json.Unmarshal([]byte(sent), &body); err != nil {
		t.Fatal(err)
	}
	situation := map[string]map[string]any{}
	for entity, members := range body.Scenarios[0].TestCase {
		situation[entity] = map[string]any{}
		for i, member := range members {
			id, isPerson := member["id"].(string)
			delete(member, "id")
			for name, value := range member {
				if _, isText := value.(string); !isPerson {
					continue // roles
				} else if isText {
					member[name] = map[string]any{"ETERNITY": value}
				} else {
					member[name] = map[string]any{"2024": value}
				}
			}
			if !isPerson {
				id = fmt.Sprint("g", i)
			}
			situation[entity][id] = member
		}
	}
	for _, menage := range situation["menages"] {
		menage.(map[string]any)["revdisp"] = map[string]any{"2024": nil}
	}
	text, err := json.Marshal(situation)
	if err != nil {
		t.Fatal(err)
	}
	var traced struct {
		Trace map[string]struct{ Value []any }
	}
	if err := json.Unmarshal(e2e.Call(t, "POST", url+"/trace", "", "application/json", string(text)), &traced); err != nil {
		t.Fatal(err)
	}
	values := map[string][]any{}
	for step, at := range traced.Trace {
		values[step] = at.Value
	}
	return values
}
