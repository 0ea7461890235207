package console_test

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

// startForAdmins starts a server with both services, watches and an admin, and a tab that is signed in.
func startForAdmins(t *testing.T, browser *e2e.Browser, path string) (*e2e.Server, *consoleTab) {
	t.Helper()
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Auth.Rate, c.Server.Watch = 1000, true }})
	e2e.AwaitReady(t, server.URL)
	addConsoleUser(t, server.Data, "boss", "--admin")
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	tab.signIn("boss")
	tab.visit(path)
	return server, tab
}

// populationReport is what the command line reports of the same persons.
type populationReport struct {
	Persons float64
	Incomes []struct {
		Measure                  string
		Base, Reform, Difference float64
	}
	Deciles []struct {
		MeanGain, Winners float64
	}
	Variables []struct {
		Total struct{ Base, Reform, Difference float64 }
	}
}

func reportOf(t *testing.T, args ...string) (r populationReport) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.json")
	if status, _, stderr := e2e.Command(t, append([]string{"population", "--quiet", "--report", name}, args...)...); status != 0 {
		t.Fatal(stderr)
	}
	if err := json.Unmarshal([]byte(e2e.ReadFile(t, name)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// tableCells are the cells of a table by its caption, row by row.
func (c *consoleTab) tableCells(caption string) (rows [][]string) {
	c.t.Helper()
	c.await(fmt.Sprintf(`[...document.querySelectorAll("caption")].some(e => e.textContent == %s)`, e2e.Quote(caption)))
	c.Eval(fmt.Sprintf(`[...[...document.querySelectorAll("caption")].find(e => e.textContent == %s).closest("table").querySelectorAll("tbody tr")].map(r => [...r.children].map(e => e.textContent))`, e2e.Quote(caption)), &rows)
	return rows
}

// euros is an amount as the page writes it in English.
func euros(value float64, sign bool) string {
	digits := fmt.Sprint(int64(math.Round(math.Abs(value))))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	switch {
	case value < -0.5:
		return "-€" + digits
	case sign && value > 0.5:
		return "+€" + digits
	}
	return "€" + digits
}

// TestConsolePopulation: the synthetic sample under a reform, chosen in the form, gives the figures of the command line, marked as synthetic, in all looks; its
// charts and files can be taken away, and it can be removed.
func TestConsolePopulation(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, tab := startForAdmins(t, browser, "/population")
	tab.await(`document.querySelector("form fieldset")`)
	tab.click("Single allowance instead of RSA and the in-work benefit")
	tab.fill("Break down by (columns)", "type_menage")
	tab.clean("population form")
	tab.looks("population-form", `document.querySelector("form fieldset")`)
	tab.click("Single allowance instead of RSA and the in-work benefit")
	tab.fill("Break down by (columns)", "type_menage")
	tab.click("Compute")
	tab.computed(server)
	tab.await(`document.querySelectorAll("svg.bars").length == 2`)
	want := reportOf(t, "--sample", "--reform", "allocation_unique", "--compare", "--by", "type_menage")

	deciles := tab.tableCells("Deciles under the current law")
	if len(deciles) != len(want.Deciles) {
		t.Fatalf("deciles: %q", deciles)
	}
	for i, d := range want.Deciles {
		if got := deciles[i][len(deciles[i])-1]; got != euros(d.MeanGain, true) {
			t.Errorf("decile %d: the mean gain is %s, want %s", i+1, got, euros(d.MeanGain, true))
		}
	}
	budget := tab.tableCells("Budget")
	if total := want.Variables[0].Total; budget[0][1] != euros(total.Base, false) || budget[0][3] != euros(total.Difference, true) {
		t.Errorf("budget: %q, want %+v", budget[0], total)
	}
	for i, row := range tab.tableCells("Incomes, inequality, poverty") {
		m := want.Incomes[i]
		if m.Measure == "povertyRate" && row[1] != fmt.Sprintf("%.1f%%", 100*m.Base) {
			t.Errorf("poverty: %q, want %+v", row, m)
		}
		if m.Measure == "gini" && row[2] != strings.TrimRight(fmt.Sprintf("%.4f", m.Reform), "0") {
			t.Errorf("gini: %q, want %+v", row, m)
		}
	}
	tab.await(`document.querySelector(".notice.synthetic").textContent.includes("None of them is real")`)
	tab.looks("population", `document.querySelectorAll("svg.bars").length == 2`)
	tab.fill("Group", "type_menage = couple_avec_enfants")
	tab.await(`document.querySelector(".figure .value").textContent != "65,769,306"`)
	tab.takesAway("deciles", "decile,up_to,persons,mean_income,mean_income_reform,winners,losers,unchanged,mean_gain")
	tab.click("Delete")
	tab.await(`location.pathname == "/console/population" && document.body.innerText.includes("No populations.")`)
	tab.clean("population")
}

// TestConsolePopulationFile: a file of persons is sent and computed; one that is wrong says what is, and nothing that was entered is lost.
func TestConsolePopulationFile(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, tab := startForAdmins(t, browser, "/population")
	tab.await(`document.querySelector("form fieldset")`)
	tab.click("A file")
	choose := func(name, content string) {
		t.Helper()
		tab.await(`document.querySelector("input[type=file]")`)
		tab.Eval(fmt.Sprintf(`(() => {
			const files = new DataTransfer();
			files.items.add(new File([%s], %s));
			const field = document.querySelector("input[type=file]");
			field.files = files.files;
			field.dispatchEvent(new Event("change", {bubbles: true}));
		})()`, e2e.Quote(content), e2e.Quote(name)), nil)
	}
	choose("persons.txt", e2e.FourPersons)
	tab.click("Compute")
	tab.await(`document.querySelector(".notice.bad")?.textContent.includes(".csv, .parquet, .h5 or .hdf5")`)
	choose("persons.csv", e2e.FourPersons)
	tab.await(`[...document.querySelectorAll("select")].some(s => s.value == "weight")`)
	tab.fill("Year", "2022")
	tab.click("Compute")
	tab.computed(server)
	tab.await(`document.querySelectorAll("svg.bars").length == 1`)
	input := filepath.Join(t.TempDir(), "persons.csv")
	if err := os.WriteFile(input, []byte(e2e.FourPersons), 0o600); err != nil {
		t.Fatal(err)
	}
	want := reportOf(t, "--input", input, "--variables", "revdisp", "--period", "2022", "--weight", "weight")
	if got := tab.tableCells("Budget")[0][1]; got != euros(want.Variables[0].Total.Base, false) {
		t.Errorf("the sum is %s, want %v", got, want.Variables[0].Total.Base)
	}
	tab.visit("/population")
	tab.await(`document.querySelector("form fieldset")`)
	tab.click("A file")
	choose("persons.csv", "individu_id,size\n1,2\n")
	tab.click("Compute")
	tab.await(`document.querySelector(".notice.bad")?.textContent.includes("size")`)
	for _, f := range tab.Faults() {
		if !strings.Contains(f, "status of 400") {
			t.Errorf("the browser complains: %s", f)
		}
	}
}

// TestConsolePopulationNotAdmin: who is not an admin sees why there is nothing, and nothing is asked for; where everybody may, there is no list.
func TestConsolePopulationNotAdmin(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, tab := startForAdmins(t, browser, "/population")
	addConsoleUser(t, server.Data, "ann")
	tab.click("Sign out")
	tab.await(`document.querySelector("main").innerText.includes("Sign in to see this page")`)
	tab.signIn("ann")
	tab.visit("/population")
	tab.await(`document.querySelector("main").innerText.includes("This page requires an admin account")`)
	tab.visit("/population/nothing")
	tab.await(`document.querySelector("main").innerText.includes("This page requires an admin account")`)
	open := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only, c.Simulation.Populations = "simulation", "open" }})
	e2e.AwaitReady(t, open.URL)
	other := openConsole(t, browser, open.URL, "/population", "fr", "dark", 768)
	other.await(`document.querySelector("form fieldset")`)
	other.visit("/population/nothing")
	other.await(`document.querySelector(".notice.bad")`)
	lone := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, lone.URL)
	none := openConsole(t, browser, lone.URL, "/population", "en", "light", 768)
	none.await(`document.querySelector("h1").textContent == "Page not found"`)
}

// computed waits until the server has computed the population that the page is about, however long that takes.
func (c *consoleTab) computed(server *e2e.Server) {
	c.t.Helper()
	c.await(`location.pathname.startsWith("/console/population/")`)
	var id string
	c.Eval(`location.pathname.split("/").at(-1)`, &id)
	boss := strings.TrimSpace(e2e.Run(c.t, "", "token", "create", "--user", "boss", "--data", server.Data))
	e2e.Exchange(c.t, "GET", server.URL+"/api/2/populations/"+id+"/events", boss, "", "")
}

// looks shows the page in both languages, both themes and three widths: nothing of it may be wider than the window, and axe checks it once in each language and theme.
func (c *consoleTab) looks(name, ready string) {
	c.t.Helper()
	var path string
	c.Eval(`location.pathname.slice("/console".length) + location.search + location.hash`, &path)
	c.eachLook(name, path, ready, func(look string) {
		c.fits(look)
		if strings.HasSuffix(look, "-1440") {
			c.axe(look)
		}
	})
}

// takesAway saves the chart of a name in every form, and checks what is in the files.
func (c *consoleTab) takesAway(name, header string) {
	c.t.Helper()
	var saved map[string]string
	c.Eval(`(async () => {
		const saved = {}, made = new Map(), real = URL.createObjectURL;
		URL.createObjectURL = blob => { const url = real.call(URL, blob); made.set(url, blob); return url; };
		const click = HTMLAnchorElement.prototype.click;
		const chart = [...document.querySelectorAll("figure.chart")][0];
		for (const kind of ["SVG", "PNG", "CSV", "JSON"]) {
			const got = new Promise(done => { HTMLAnchorElement.prototype.click = function () { done([this.download, made.get(this.href)]); }; });
			[...chart.querySelectorAll("button")].find(b => b.textContent == kind).click();
			const [file, blob] = await got;
			saved[file] = kind == "PNG" ? String.fromCharCode(...new Uint8Array(await blob.slice(0, 8).arrayBuffer())) : await blob.text();
		}
		HTMLAnchorElement.prototype.click = click;
		URL.createObjectURL = real;
		return saved;
	})()`, &saved)
	for file, begins := range map[string]string{".svg": "<svg", ".png": "\u0089PNG\r\n\u001a\n", ".csv": header + "\r\n", ".json": "{"} {
		if !strings.HasPrefix(saved[name+file], begins) {
			c.t.Errorf("%s%s is %.200q", name, file, saved[name+file])
		}
	}
}
