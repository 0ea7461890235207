package console_test

// The console with a law that takes inputs of a month by the month alone: what it has and what it does not are both ordinary.

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestConsoleMonthlyInputs: where the law takes a salary by the month alone, the page asks for it so, and says it of every month: the figures
// and the marginal rates are those of the API.
func TestConsoleMonthlyInputs(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.Only, c.Simulation.Country = "simulation", filepath.Join(e2e.UnpackCountry(t, "../simulation/testdata/derived/package.txtar"), "openfisca_hamlet")
	}})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/household", "en", "light", 1280)
	tab.await(`document.querySelectorAll(".curve").length == 2`)
	tab.fill("Year", "2024")
	tab.fill("Salary, each month", "3000")
	year := make([]string, 12)
	for i := range year {
		year[i] = fmt.Sprintf(`"2024-%02d": %%[1]d`, i+1)
	}
	months := "{" + strings.Join(year, ", ") + "}"
	want := simulateFamily(t, server.URL, `{"scenarios": [{"period": "2024", "test_case": {
		"persons": [{"id": "Ada", "salary": `+fmt.Sprintf(months, 3000)+`}, {"id": "Boris", "salary": `+fmt.Sprintf(months, 2167)+`}, {"id": "Cleo"}, {"id": "Dan"}],
		"houses": [{"heads": ["Ada"], "members": ["Boris", "Cleo", "Dan"]}]}}]}`)
	shown := strings.TrimPrefix(euros(want.Values[0], false), "€")
	tab.await(fmt.Sprintf(`document.querySelector(".result strong").textContent == %q`, shown))
	var slider float64
	tab.Eval(`document.querySelector(".slider input").valueAsNumber`, &slider)
	if slider != 36000 {
		t.Errorf("the slider is at %v", slider)
	}
	export := exportedChart("Marginal rate")
	tab.await(fmt.Sprintf(`(async () => Math.abs((await %s).rows[50]?.[2] + 1.4) < 1e-3)()`, export))
	var got exportedCurve
	tab.Eval(export, &got)
	if len(got.Rows) != 101 {
		t.Fatalf("%d points", len(got.Rows))
	}
	for _, row := range got.Rows[:100] { // of a further coin 0.9 is earned and 1 told, and from July on only others bring wood
		if rate, ok := row[2].(float64); !ok || math.Abs(rate+1.4) > 1e-3 {
			t.Errorf("the rate is %v", row)
		}
	}
	tab.await(`[...document.querySelectorAll("table tr")].some(r => r.textContent.startsWith("Salary") && r.textContent.includes("36,000"))`)
	tab.clean("a law that counts by the month")
}
