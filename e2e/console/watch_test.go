package console_test

// Watches in the console: what somebody leaves there is what the API has, and what a run finds is what the page shows.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// apiWatch is a watch as the API has it.
type apiWatch struct {
	ID, Period, Locale, ExpiresAt string
	Figures                       []struct {
		Variable, Label string
		Index           int
		Value           float64
	}
	Threshold struct{ Amount, Percent *float64 }
	TestCase  map[string]any `json:"test_case"`
}

// watchesOf are somebody's watches, each with its household.
func watchesOf(t *testing.T, url, token string) (all []apiWatch) {
	t.Helper()
	var list struct{ Watches []apiWatch }
	if err := json.Unmarshal(e2e.Call(t, "GET", url+e2e.WatchAPI+"/watches", token, "", ""), &list); err != nil {
		t.Fatal(err)
	}
	for _, w := range list.Watches {
		var whole apiWatch
		if err := json.Unmarshal(e2e.Call(t, "GET", url+e2e.WatchAPI+"/watches/"+w.ID, token, "", ""), &whole); err != nil {
			t.Fatal(err)
		}
		all = append(all, whole)
	}
	return all
}

func tokenOf(t *testing.T, server *e2e.Server, user string) string {
	t.Helper()
	return strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", user, "--data", server.Data))
}

// awaitText waits until the page says something.
func (c *consoleTab) awaitText(text string) {
	c.t.Helper()
	c.await(fmt.Sprintf(`document.body.innerText.includes(%s)`, e2e.Quote(text)))
}

// awaitField waits until a field by its label has a value.
func (c *consoleTab) awaitField(label, value string) {
	c.t.Helper()
	c.await(fmt.Sprintf(`[...document.querySelectorAll("label")].find(l => l.textContent.trim() == %s)?.control?.value == %s`, e2e.Quote(label), e2e.Quote(value)))
}

// refusedOnly fails for complaints of the browser but those about refusals that the test asked for.
func (c *consoleTab) refusedOnly(status string) {
	c.t.Helper()
	for _, f := range c.Faults() {
		if !strings.Contains(f, "status of "+status) {
			c.t.Errorf("the browser complains: %s", f)
		}
	}
}

// TestConsoleWatch: a household is watched from its page, by somebody who signs in on the way; what the server refuses is said and nothing that was entered is
// lost; the list shows the figures of the API; a watch is changed, renewed, opened, given another household and removed.
func TestConsoleWatch(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, tab := startForAdmins(t, browser, "/watches")
	addConsoleUser(t, server.Data, "ann")
	ann := tokenOf(t, server, "ann")
	tab.awaitText("No watches yet.")
	tab.clean("no watches")
	tab.click("Sign out")
	tab.awaitText("Sign in to see this page")

	tab.visit("/household")
	tab.await(`document.querySelector(".waterfall")`)
	tab.fill("Year", "2024")
	tab.fill("Ada: Gross wage (private-sector employee, non-executive)", "41000")
	tab.await(`location.hash.startsWith("#1.") && document.querySelector("input[type=range]").value == "41000"`)
	tab.await(`[...document.querySelectorAll("button")].some(b => b.textContent == "Watch this household")`)
	tab.click("Watch this household")
	tab.await(`document.querySelector("dialog a")`)
	tab.Eval(`document.querySelector("dialog a").click()`, nil)
	tab.await(`location.pathname == "/console/sign-in" && location.hash.startsWith("#1.") && document.querySelector("input[type=password]")`)
	tab.fill("User", "ann")
	tab.fill("Password", consolePassword)
	tab.Eval(`document.querySelector("form").requestSubmit()`, nil)
	tab.await(`location.pathname == "/console/household" && document.querySelector(".waterfall") && document.querySelector("input[type=range]").value == "41000"`)

	tab.click("Watch this household")
	tab.await(`document.querySelector("dialog form")`)
	tab.axe("watch this household")
	tab.keep("console-watch-form")
	tab.fill("Period", "no year")
	tab.fill("Name in messages", "What is left")
	tab.fill("Notify me of changes from", "12.5")
	tab.awaitField("Notify me of changes from", "12.5")
	tab.click("Watch")
	tab.await(`document.querySelector("dialog .notice.bad")?.textContent.includes("period")`)
	tab.awaitField("Name in messages", "What is left")
	var household string
	tab.Eval(`location.pathname.slice("/console".length) + location.hash`, &household)
	tab.visit(household) // a reload loses nothing either
	tab.await(`document.querySelector(".waterfall") && [...document.querySelectorAll("button")].some(b => b.textContent == "Watch this household")`)
	tab.click("Watch this household")
	tab.awaitField("Period", "no year")
	tab.awaitField("Name in messages", "What is left")
	tab.fill("Period", "2024")
	tab.awaitField("Period", "2024")
	tab.click("Watch")
	tab.awaitText("You are notified when the law changes this: What is left (2024).")
	tab.refusedOnly("400")

	all := watchesOf(t, server.URL, ann)
	if len(all) != 1 || len(all[0].Figures) != 1 {
		t.Fatalf("the server has %+v", all)
	}
	w := all[0]
	if f := w.Figures[0]; f.Variable != "revdisp" || f.Label != "What is left" || w.Period != "2024" || w.Locale != "en" || w.Threshold.Amount == nil || *w.Threshold.Amount != 12.5 || w.Threshold.Percent != nil {
		t.Errorf("the watch is %+v", w)
	}
	if !strings.Contains(fmt.Sprint(w.TestCase), "41000") {
		t.Errorf("its household is %v", w.TestCase)
	}
	tab.visit("/watches")
	tab.await(`document.querySelector("article table")`)
	if cells := tab.tableCells("What is left (2024)"); len(cells) != 1 || cells[0][1] != euros(w.Figures[0].Value, false) {
		t.Errorf("the page shows %q, the API has %v", cells, w.Figures[0].Value)
	}
	tab.looks("watches", `document.querySelector("article table")`)
	tab.changeWatch(server, ann)

	tab.click("Delete")
	tab.await(`document.querySelector("dialog:modal button.danger")`)
	tab.Eval(`document.querySelector("dialog button.danger").click()`, nil)
	tab.awaitText("No watches yet.")
	if left := watchesOf(t, server.URL, ann); len(left) != 0 {
		t.Errorf("the server still has %+v", left)
	}
}

// changeWatch changes the one watch that the page shows in every way, and compares it with the API's.
func (c *consoleTab) changeWatch(server *e2e.Server, ann string) {
	c.t.Helper()
	c.click("Change")
	c.await(`document.querySelector("dialog form")`)
	c.fill("or from (%)", "3")
	c.fill("Notify me of changes from", "")
	c.fill("Language of messages", "fr")
	c.fill("Add a figure", "Income tax and contribution")
	c.await(`document.querySelector("dialog .plain-list button")`)
	c.Eval(`document.querySelector("dialog .plain-list button").click()`, nil)
	c.await(`document.querySelectorAll("dialog fieldset .card").length == 2`)
	c.keep("console-watch-change")
	c.click("Save")
	c.await(`!document.querySelector("dialog") && document.querySelectorAll("article tbody tr").length == 2 && document.body.innerText.includes("of 3 % or more")`)
	w := watchesOf(c.t, server.URL, ann)[0]
	if w.Threshold.Amount != nil || w.Threshold.Percent == nil || *w.Threshold.Percent != 3 || w.Locale != "fr" || len(w.Figures) != 2 {
		c.t.Fatalf("the watch became %+v", w)
	}
	var shown []string
	c.Eval(`[...document.querySelectorAll("article tbody td")].map(e => e.textContent)`, &shown)
	if shown[1] != euros(w.Figures[1].Value, false) {
		c.t.Errorf("the page shows %q, the API has %+v", shown, w.Figures)
	}

	c.click("Change")
	c.await(`document.querySelector("dialog form")`)
	c.Eval(`(() => { globalThis.soon = new Date(Date.now() + 9 * 864e5).toISOString().slice(0, 10); })()`, nil)
	var soon string
	c.Eval(`soon`, &soon)
	c.fill("Until", soon)
	c.awaitField("Until", soon)
	c.click("Save")
	c.awaitText("Ends soon:")
	if w := watchesOf(c.t, server.URL, ann)[0]; !strings.HasPrefix(w.ExpiresAt, soon) {
		c.t.Errorf("it expires at %s, not on %s", w.ExpiresAt, soon)
	}
	c.click("Renew")
	c.await(`!document.body.innerText.includes("Ends soon:")`)

	c.click("Open the household")
	c.await(`location.pathname == "/console/household" && document.querySelector(".waterfall") && document.querySelector("input[type=range]").value == "41000"`)
	c.fill("Ada: Gross wage (private-sector employee, non-executive)", "52000")
	c.await(`document.querySelector("input[type=range]").value == "52000"`)
	c.click("Watch this household")
	c.awaitField("Save as", "")
	c.fill("Save as", w.ID)
	c.await(`!document.querySelector("dialog fieldset")`)
	c.click("Watch")
	c.awaitText("You are notified when the law changes this:")
	after := watchesOf(c.t, server.URL, ann)
	if len(after) != 1 || after[0].ID != w.ID || !strings.Contains(fmt.Sprint(after[0].TestCase), "52000") || after[0].Figures[0].Value == w.Figures[0].Value || len(after[0].Figures) != 2 {
		c.t.Errorf("the watch became %+v", after)
	}
	c.visit("/watches")
	c.await(`document.querySelector("article table")`)
	c.refusedOnly("400")
}

// apiRun is a run as the API has it.
type apiRun struct {
	e2e.WatchRun

	Watches int
	New     map[string]any
	Report  struct {
		Deciles  []float64
		Examples map[string]string
	}
}

func apiRunOf(t *testing.T, url, token, id string) (r apiRun) {
	t.Helper()
	if err := json.Unmarshal(e2e.Call(t, "GET", url+e2e.WatchAPI+"/runs/"+id, token, "", ""), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestConsoleRuns: a run from the form to the messages. A text that is refused stays; the distribution, the counts and the examples are the API's; nothing is
// sent before somebody says so, and then to everybody once.
func TestConsoleRuns(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, tab := startForAdmins(t, browser, "/runs")
	people := []string{"ann", "bob", "cleo"}
	for p, name := range people {
		addConsoleUser(t, server.Data, name)
		token := tokenOf(t, server, name)
		for n := range 20 {
			e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/watches", token, "application/json", e2e.WatchOf(name, fmt.Sprint(20000+400*(3*n+p)), "Tax"))
		}
	}
	tab.await(`document.querySelector("form textarea")`)
	tab.awaitText("No runs yet.")
	tab.fill("The change takes effect on", "2024-01-01")
	tab.fill("Period", "")
	tab.Eval(`(() => {
		const field = document.querySelector("section[aria-label='New law'] input[type=search]");
		field.value = "decote.taux";
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})()`, nil)
	tab.await(`document.querySelector("form .plain-list button")`)
	tab.Eval(`document.querySelector("form .plain-list button").click()`, nil)
	tab.awaitField("Fraction of the tax deducted from the amount of the relief", "0.4525")
	tab.fill("Fraction of the tax deducted from the amount of the relief", "0")
	tab.awaitField("Fraction of the tax deducted from the amount of the relief", "0")
	tab.fill("Text in English", "{label}: {befor}")
	tab.awaitField("Text in English", "{label}: {befor}")
	tab.click("Dry run")
	tab.await(`document.querySelector(".notice.bad")?.textContent.includes("{before}")`)
	tab.looks("runs-form", `document.querySelector("form textarea")`)
	tab.awaitField("Text in English", "{label}: {befor}") // loaded again many times
	tab.fill("Text in English", "{label}: {difference} from {date} on")
	tab.awaitField("Text in English", "{label}: {difference} from {date} on")
	tab.click("Dry run")
	tab.await(`location.pathname.startsWith("/console/runs/")`)
	var id string
	tab.Eval(`location.pathname.split("/").at(-1)`, &id)
	boss := tokenOf(t, server, "boss")
	e2e.AwaitRun(t, server.URL, boss, id)
	tab.awaitText("The distribution is shown from about 500 people,")

	run := apiRunOf(t, server.URL, boss, id)
	if run.State != "computed" || run.Recipients != nil || run.Sent != nil || run.Watches != 60 || run.Report.Deciles != nil || !strings.Contains(fmt.Sprint(run.New), "decote.taux") {
		t.Fatalf("the run is %+v", run)
	}
	var examples []string
	if cards := tab.cards(); fmt.Sprint(cards) != "[fewer than 100 fewer than 100 fewer than 100 fewer than 100]" {
		t.Errorf("the cards of a run over 3 people have %q", cards)
	}
	tab.Eval(`[...document.querySelectorAll("blockquote")].map(e => e.textContent)`, &examples)
	if len(examples) != 2 || examples[0] != run.Report.Examples["en"] || examples[1] != run.Report.Examples["fr"] {
		t.Errorf("the examples are %q, the API has %q", examples, run.Report.Examples)
	}
	tab.looks("run", `document.querySelector("blockquote")`)
	tab.showsManyPeople(id)

	tab.click("Send the messages")
	tab.await(`document.querySelector("dialog:modal button.danger")`)
	tab.press("Escape")
	tab.await(`!document.querySelector("dialog")`)
	if again := apiRunOf(t, server.URL, boss, id); again.State != "computed" {
		t.Errorf("nobody said yes, and the run is %+v", again)
	}
	tab.click("Send the messages")
	tab.await(`document.querySelector("dialog:modal button.danger")`)
	tab.Eval(`document.querySelector("dialog button.danger").click()`, nil)
	tab.await(`document.querySelector(".card [role=status]").textContent.startsWith("Sent.")`)
	told := 0
	for _, name := range people {
		told += len(toldBy(t, server.URL, tokenOf(t, server, name), id))
	}
	if told < 50 {
		t.Errorf("%d watches were told", told)
	}

	tab.click("Start another with these settings")
	tab.await(`location.pathname == "/console/runs" && document.querySelector("form textarea") && document.querySelectorAll("tbody tr").length == 1`)
	tab.awaitField("Text in English", "{label}: {difference} from {date} on")
	tab.click("Dry run")
	tab.await(`location.pathname.startsWith("/console/runs/") && [...document.querySelectorAll("button")].some(b => b.textContent == "Cancel the run")`)
	tab.click("Cancel the run")
	tab.await(`document.querySelector("dialog:modal button.danger")`)
	tab.Eval(`document.querySelector("dialog button.danger").click()`, nil)
	tab.await(`document.querySelector(".card [role=status]").textContent.startsWith("Cancelled")`)
	tab.refusedOnly("400")
}

// cards are the values of the cards of a run.
func (c *consoleTab) cards() (values []string) {
	c.t.Helper()
	c.Eval(`[...document.querySelectorAll(".figure .value")].map(e => e.textContent)`, &values)
	return values
}

// showsManyPeople visits a run with a report such as a large server would give, in place of what the server says.
func (c *consoleTab) showsManyPeople(id string) {
	c.t.Helper()
	deciles := []float64{-820, -640, -510, -400, -310, -220, -140, -80, -21, 15}
	c.Eval(fmt.Sprintf(`(() => {
		globalThis.realFetch = globalThis.fetch;
		globalThis.fetch = async (...asked) => {
			const answer = await realFetch(...asked);
			if (!(asked[0].url ?? String(asked[0])).endsWith("/runs/%s")) return answer;
			const run = await answer.json();
			run.recipients = 3100;
			run.leftOut.period = 120;
			run.report = {...run.report, recipients: 3100, losers: 3060, deciles: %s};
			return new Response(JSON.stringify(run), answer);
		};
	})()`, id, strings.ReplaceAll(fmt.Sprint(deciles), " ", ",")), nil)
	c.click("All runs")
	c.await(`document.querySelector("tbody a")`)
	c.Eval(`document.querySelector("tbody a").click()`, nil)
	c.await(`document.querySelector("svg.bars")`)
	if cards := strings.ReplaceAll(fmt.Sprint(c.cards()), "\u00a0", " "); cards != "[≈ 3,100 fewer than 100 ≈ 3,060 ≈ 120]" {
		c.t.Errorf("the cards are %s", cards)
	}
	for i, row := range c.tableCells("Mean change, by decile of recipients") {
		if row[1] != euros(deciles[i], true) {
			c.t.Errorf("tenth %d is %s, not %v", i+1, row[1], deciles[i])
		}
	}
	c.takesAway("changes", "tenth,mean_change")
	c.Eval(`(() => { globalThis.fetch = realFetch; })()`, nil)
}

// toldBy are the watches that an inbox has messages of a run about.
func toldBy(t *testing.T, url, token, run string) map[string]bool {
	t.Helper()
	var page struct {
		Messages []struct{ Metadata struct{ Watch, Run string } }
	}
	if err := json.Unmarshal(e2e.Call(t, "GET", url+e2e.MessageAPI+"/messages?size=100", token, "", ""), &page); err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, m := range page.Messages {
		if m.Metadata.Run == run {
			told[m.Metadata.Watch] = true
		}
	}
	return told
}

// TestConsoleWatchNotAdmin: who is no admin has no entry for runs, is told why, and the page asks for nothing; nobody sees another's watches; a server without watches
// has neither page nor button.
func TestConsoleWatchNotAdmin(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, tab := startForAdmins(t, browser, "/runs")
	tab.await(`document.querySelector("form textarea")`)
	tab.click("Dry run")
	tab.await(`document.querySelector(".notice.bad li")`) // a run over nothing
	addConsoleUser(t, server.Data, "ann")
	e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/watches", tokenOf(t, server, "ann"), "application/json", e2e.WatchOf("ann", "30000", "Tax of Ann"))
	tab.visit("/watches")
	tab.awaitText("No watches yet.")
	tab.click("Sign out")
	tab.awaitText("Sign in to see this page")

	other := openConsole(t, browser, server.URL, "/", "en", "light", 1024)
	other.signIn("ann")
	before := len(other.Requests())
	for _, path := range []string{"/runs", "/runs/0123456789abcdef0123456789abcdef"} {
		other.visit(path)
		other.awaitText("This page requires an admin account")
	}
	for _, r := range other.Requests()[before:] {
		if strings.Contains(r, e2e.WatchAPI+"/runs") {
			t.Errorf("the page asks for %s", r)
		}
	}
	var entry bool
	other.Eval(`[...document.querySelectorAll("nav a")].some(a => a.pathname == "/console/runs")`, &entry)
	if entry {
		t.Error("the menu leads to runs")
	}
	other.visit("/watches")
	other.await(`document.querySelector("article")`)
	other.awaitText("Tax of Ann")
	other.click("Open the household") // a situation, which the page of a household cannot show
	other.await(`document.querySelector("dialog pre")?.textContent.includes("30000")`)
	other.refusedOnly("403")

	without := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, without.URL)
	none := openConsole(t, browser, without.URL, "/watches", "en", "light", 768)
	none.await(`document.querySelector("h1").textContent == "Page not found"`)
	none.visit("/household")
	none.await(`document.querySelector(".waterfall")`)
	var button bool
	none.Eval(`[...document.querySelectorAll("button")].some(b => b.textContent == "Watch this household")`, &button)
	if button {
		t.Error("there is a button for watches that there are not")
	}
}
