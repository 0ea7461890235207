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
	"edict/platform/longtest"
)

// axeVariable names the file of axe-core; without it accessibility is not looked at.
const axeVariable = "EDICT_AXE"

// consoleTab is a tab with the console in it.
type consoleTab struct {
	*e2e.Tab
	t   *testing.T
	url string
}

// openConsole opens a screen in a language and a theme, in a window of a width.
func openConsole(t *testing.T, b *e2e.Browser, url, path, language, theme string, width int) *consoleTab {
	t.Helper()
	tab := &consoleTab{Tab: b.Open(url + "/console/sign-in"), t: t, url: url}
	tab.resize(width)
	tab.dress(language, theme)
	tab.visit(path)
	return tab
}

// dress chooses the language and the theme of pages that are visited from now on.
func (c *consoleTab) dress(language, theme string) {
	c.t.Helper()
	c.Eval(fmt.Sprintf(`localStorage.setItem("edict.language", %s), localStorage.setItem("edict.theme", %s)`, e2e.Quote(language), e2e.Quote(theme)), nil)
}

func (c *consoleTab) resize(width int) {
	c.t.Helper()
	c.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false})
}

// visit loads a screen and waits until it shows something.
func (c *consoleTab) visit(path string) {
	c.t.Helper()
	c.Eval(`globalThis.left = true`, nil)
	var went struct{ LoaderID string }
	c.Browser.Must(c.Session, "Page.navigate", map[string]any{"url": c.url + "/console" + path}, &went)
	if went.LoaderID == "" { // the address differs in what is behind # only
		c.Call("Page.reload", nil)
	}
	c.AwaitTrue(`!globalThis.left`)
	c.await(`document.querySelector("h1") && !document.querySelector(".spinner")`)
}

// await waits until an expression, or what it promises, is true.
func (c *consoleTab) await(condition string) {
	c.t.Helper()
	var ok bool
	c.Eval(fmt.Sprintf(`new Promise((done, failed) => {
		const until = performance.now() + 30000;
		const look = async () => (await (%s)) ? done(true) : performance.now() > until ? done(false) : setTimeout(() => look().catch(failed), 20);
		look().catch(failed);
	})`, condition), &ok)
	if !ok {
		var text string
		c.Eval(`document.body ? document.body.innerText : ""`, &text)
		c.t.Fatalf("%s does not come true; the page says:\n%.2000s\n%s", condition, text, strings.Join(c.Faults(), "\n"))
	}
}

// click clicks on what has a text, or a name for screen readers.
func (c *consoleTab) click(text string) {
	c.t.Helper()
	var ok bool
	c.Eval(fmt.Sprintf(`(() => {
		const all = [...document.querySelectorAll("a, button, summary, [role=button], label")];
		const it = all.find(e => e.textContent.trim() == %[1]s) ?? all.find(e => (e.getAttribute("aria-label") ?? e.textContent).includes(%[1]s));
		it?.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
		return it != null;
	})()`, e2e.Quote(text)), &ok)
	if !ok {
		c.t.Fatalf("there is no %q to click on", text)
	}
}

// fill sets the value of a field by its label, as if it had been typed.
func (c *consoleTab) fill(label, value string) {
	c.t.Helper()
	var ok bool
	c.Eval(fmt.Sprintf(`(() => {
		const label = [...document.querySelectorAll("label")].find(l => l.textContent.trim() == %s);
		const field = label && (label.control ?? document.getElementById(label.htmlFor));
		if (!field) return false;
		field.value = %s;
		field.dispatchEvent(new Event(field.tagName == "SELECT" ? "change" : "input", {bubbles: true}));
		return true;
	})()`, e2e.Quote(label), e2e.Quote(value)), &ok)
	if !ok {
		c.t.Fatalf("there is no field %q", label)
	}
}

// press presses a key as a keyboard does.
func (c *consoleTab) press(key string) {
	c.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
	down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": codes[key]}
	switch {
	case key == "Enter":
		down["text"] = "\r"
	case codes[key] == 0:
		down["text"] = key
	}
	c.Call("Input.dispatchKeyEvent", down)
	c.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": codes[key]})
}

// clean fails for complaints of the browser, requests to other origins, live regions within buttons, a page that is wider than its window, and serious findings of axe.
func (c *consoleTab) clean(what string) {
	c.t.Helper()
	for _, f := range c.Faults() {
		c.t.Errorf("%s: the browser complains: %s", what, f)
	}
	for _, r := range c.Requests() {
		if !strings.HasPrefix(r, c.url+"/") && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") && r != "about:blank" {
			c.t.Errorf("%s: a request to elsewhere: %s", what, r)
		}
	}
	var unnamed []string
	c.Eval(`[...document.querySelectorAll("button:has([role=status]), a:has([role=status])")].map(b => b.textContent)`, &unnamed)
	if len(unnamed) > 0 {
		c.t.Errorf("%s: a live region takes the names of %q", what, unnamed)
	}
	c.fits(what)
	c.axe(what)
}

// fits fails for a page that is wider than its window.
func (c *consoleTab) fits(what string) {
	c.t.Helper()
	var over int
	c.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`, &over)
	if over > 0 {
		c.t.Errorf("%s: the page is %d px wider than its window", what, over)
	}
}

func (c *consoleTab) axe(what string) {
	c.t.Helper()
	file := os.Getenv(axeVariable)
	if file == "" {
		return
	}
	script, err := os.ReadFile(file)
	if err != nil {
		c.t.Fatal(err)
	}
	c.Eval(string(script)+";0", nil)
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML, FailureSummary string }
	}
	c.Eval(`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact == "serious" || v.impact == "critical").map(v => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.slice(0, 3).map(n => ({html: n.html, failureSummary: n.failureSummary}))})))`, &found)
	for _, f := range found {
		for _, n := range f.Nodes {
			c.t.Errorf("%s: axe: %s (%s): %.200s\n%s", what, f.Help, f.Impact, n.HTML, n.FailureSummary)
		}
	}
}

// keep saves a picture of the whole page where EDICT_SCREENSHOTS names a directory.
func (c *consoleTab) keep(name string) {
	c.t.Helper()
	dir := os.Getenv("EDICT_SCREENSHOTS")
	if dir == "" {
		return
	}
	var height int
	c.Eval(`Math.min(3000, document.documentElement.scrollHeight)`, &height)
	var shot struct{ Data []byte }
	c.Browser.Must(c.Session, "Page.captureScreenshot", map[string]any{
		"format": "png", "captureBeyondViewport": true, "clip": map[string]any{"x": 0, "y": 0, "width": c.width(), "height": height, "scale": 1},
	}, &shot)
	if err := os.WriteFile(filepath.Join(dir, name+".png"), shot.Data, 0o600); err != nil {
		c.t.Error(err)
	}
}

func (c *consoleTab) width() (w int) {
	c.t.Helper()
	c.Eval(`innerWidth`, &w)
	return w
}

// consoleScreens are the screens that anybody sees, with what is there once they are loaded.
var consoleScreens = []struct{ name, path, ready string }{
	{"home", "/", `document.querySelector(".waterfall")`},
	{"household", "/household", `document.querySelectorAll(".curve").length == 2`},
	{"law", "/law?q=impot", `document.querySelector(".virtual .row")`},
	{"variable", "/law/v/irpp", `document.querySelector(".formula a")`},
	{"parameter", "/law/p/impot_revenu.decote.taux", `document.querySelector(".curve") && document.querySelector("table")`},
	{"scale", "/law/p/impot_revenu.bareme", `document.querySelector("td a")`},
	{"compare", "/compare", `document.querySelector(".notice")`},
	{"sign-in", "/sign-in", `document.querySelector("form")`},
	{"nothing", "/no/such/page", `document.querySelector("h1")`},
}

// eachLook shows a screen in both languages, both themes and three widths, checks each and keeps a picture of it. At full length it shows every
// language in every theme.
func (c *consoleTab) eachLook(name, path, ready string, check func(look string)) {
	c.t.Helper()
	type look struct{ language, theme string }
	for _, look := range longtest.Pick([]look{{"fr", "dark"}, {"en", "light"}}, []look{{"fr", "dark"}, {"fr", "light"}, {"en", "dark"}, {"en", "light"}}) {
		c.dress(look.language, look.theme)
		c.visit(path)
		c.await(ready)
		var language string
		if c.Eval(`document.documentElement.lang`, &language); language != look.language {
			c.t.Errorf("%s: the page is in %s, want %s", name, language, look.language)
		}
		for _, width := range []int{320, 768, 1440} {
			c.resize(width)
			c.await(fmt.Sprintf(`innerWidth == %d && [...document.querySelectorAll(".chart svg")].every(s => s.clientWidth <= innerWidth)`, width))
			shown := fmt.Sprintf("console-%s-%s-%s-%d", name, look.language, look.theme, width)
			check(shown)
			c.keep(shown)
		}
	}
}

// TestConsoleScreens opens every screen in both languages, both themes and three widths: no complaint of the browser, no request to elsewhere,
// nothing that is wider than the window, and, where axe-core is there, nothing serious of it. Pictures are kept where EDICT_SCREENSHOTS names a directory.
func TestConsoleScreens(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{})
	e2e.AwaitReady(t, server.URL)
	if os.Getenv(axeVariable) == "" {
		t.Logf("accessibility is not looked at: %s names no file of axe-core", axeVariable)
	}
	for _, s := range consoleScreens {
		t.Run(s.name, func(t *testing.T) {
			tab := openConsole(t, browser, server.URL, "/sign-in", "en", "light", 1440)
			tab.eachLook(s.name, s.path, s.ready, tab.clean)
		})
	}
}

// simulateFamily asks the API for what the console asks for.
func simulateFamily(t *testing.T, url, body string) (tree struct {
	Code     string
	Values   []float64
	Children []struct {
		Code   string
		Values []float64
	}
}) {
	t.Helper()
	var answer struct{ Value any }
	raw := e2e.Call(t, "POST", url+"/api/1/simulate", "", "application/json", body)
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	inner, err := json.Marshal(answer.Value)
	if err == nil {
		err = json.Unmarshal(inner, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// barFigures are the figures of the waterfall as the page has them, by label.
const barFigures = `Object.fromEntries([...document.querySelectorAll(".waterfall .bar")].map(b => {
	return [b.querySelector("title").textContent, Number(b.querySelector(".amount").textContent.replace(/[^\d.-]/g, ""))];
}))`

// TestConsoleFigures: the figures of a household are the API's, its parts add up to the total, and
// the link of the page shows the same to whoever opens it.
func TestConsoleFigures(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/household", "en", "light", 1280)
	tab.await(`document.querySelectorAll(".curve").length == 2`)
	tab.fill("Ada: Gross wage (private-sector employee, non-executive)", "42000")
	tab.await(`location.hash.startsWith("#1.")`)
	var sent string
	tab.Eval(`new Promise(done => {
		const real = fetch;
		globalThis.fetch = (url, init) => { if (url.endsWith("/api/1/simulate") && !init.body.includes("axes")) done(init.body); return real(url, init); };
		const field = document.querySelector("input[type=range]");
		field.value = 43000;
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})`, &sent)
	want := simulateFamily(t, server.URL, sent)
	if !strings.Contains(sent, "43000") || want.Values[0] == 0 {
		t.Fatalf("the page asks for %s and gets %+v", sent, want)
	}
	total := fmt.Sprint(int(math.Round(want.Values[0])))
	tab.await(fmt.Sprintf(`document.querySelector(".result strong").textContent.replace(/\D/g, "") == %s`, e2e.Quote(total)))
	var bars map[string]float64
	tab.Eval(barFigures, &bars)
	sum := 0.0
	for label, amount := range bars {
		if label != "Disposable income" {
			sum += amount
		}
	}
	if len(bars) < 3 || math.Abs(sum-bars["Disposable income"]) > float64(len(bars)) {
		t.Errorf("the parts %v add up to %v", bars, sum)
	}
	for _, child := range want.Children {
		found := false
		for _, amount := range bars {
			found = found || amount == math.Round(child.Values[0])
		}
		if !found && child.Values[0] != 0 {
			t.Errorf("%s of the API, %v, is none of %v", child.Code, child.Values[0], bars)
		}
	}
	tab.await(`location.hash.startsWith("#1.")`)
	var link string
	tab.Eval(`new Promise(done => setTimeout(() => done(location.href), 600))`, &link)
	other := openConsole(t, browser, server.URL, strings.TrimPrefix(link, server.URL+"/console"), "fr", "dark", 1024)
	other.await(fmt.Sprintf(`document.querySelector(".result strong")?.textContent.replace(/\D/g, "") == %s`, e2e.Quote(total)))
	tab.clean("household")
	other.clean("household by its link")
}

// TestConsoleReform: from a parameter to its change, the difference that the page shows is the API's; keyboard and links lead through the law.
func TestConsoleReform(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/law", "en", "light", 1280)
	for _, key := range "decote taux" {
		tab.press(string(key))
	}
	tab.await(`document.querySelector(".virtual .row")`)
	tab.press("Enter")
	tab.await(`location.pathname.startsWith("/console/law/") && document.querySelector("h1")`)
	tab.visit("/law/p/impot_revenu.decote.taux")
	tab.await(`document.querySelector("table")`)
	tab.click("Change it and see the effect")
	tab.await(`location.pathname == "/console/compare" && document.querySelector(".waterfall")`)
	var sent string
	tab.Eval(`new Promise(done => {
		const real = fetch;
		globalThis.fetch = (url, init) => { if (url.endsWith("/api/1/simulate") && !init.body.includes("axes")) done(init.body); return real(url, init); };
		const field = [...document.querySelectorAll("input[type=number]")].find(f => f.value == "0.4525");
		field.value = "0.9";
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})`, &sent)
	var answer struct {
		Value     struct{ Values []float64 }
		BaseValue struct{ Values []float64 } `json:"base_value"`
	}
	if err := json.Unmarshal(e2e.Call(t, "POST", server.URL+"/api/1/simulate", "", "application/json", sent), &answer); err != nil {
		t.Fatal(err)
	}
	want := math.Round(answer.Value.Values[0] - answer.BaseValue.Values[0])
	if want == 0 || !strings.Contains(sent, "0.9") {
		t.Fatalf("%s makes no difference", sent)
	}
	tab.await(fmt.Sprintf(`Number(document.querySelector(".result strong").textContent.replace(/[^\d-]/g, "")) == %v`, want))
	tab.clean("compare")
	tab.keep("console-compare-reform")
}

// TestConsoleBadLinks: links that are damaged, of another version or of another law, and a household that the law refuses, say so, and nothing breaks.
func TestConsoleBadLinks(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	for link, says := range map[string]string{
		"/household#1.abc":              "The link is damaged",
		"/household#garbage":            "The link is damaged",
		"/compare#9.abc":                "another version",
		"/law/v/irppp":                  "irpp",
		"/law/p/impot_revenu.decote.ta": "taux",
	} {
		tab := openConsole(t, browser, server.URL, link, "en", "light", 1024)
		tab.await(fmt.Sprintf(`document.body.innerText.includes(%s)`, e2e.Quote(says)))
	}
	tab := openConsole(t, browser, server.URL, "/household", "en", "light", 1024)
	tab.await(`document.querySelector(".waterfall")`)
	tab.fill("Year", "1950")
	tab.await(`document.querySelector(".notice.bad li")`)
	tab.fill("Year", "2024")
	tab.await(`document.querySelector(".waterfall") && !document.querySelector(".notice.bad")`)
}

// TestConsoleServerAway: while the server is away the page says so and keeps what was entered; when it is back the page goes on by itself.
func TestConsoleServerAway(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	wire := e2e.NewWire(t, server.URL)
	tab := openConsole(t, browser, wire.URL, "/household", "en", "light", 1024)
	tab.await(`document.querySelector(".waterfall")`)
	wire.Cut()
	tab.fill("Ada: Gross wage (private-sector employee, non-executive)", "61000")
	tab.await(`document.body.innerText.includes("The server is unreachable")`)
	wire.Mend()
	tab.await(`document.querySelector(".waterfall") && !document.querySelector(".notice") && document.querySelector("input[type=range]").value == "61000"`)
}

// TestConsoleServices: each service alone has its own screens and not the other's, and without the console browsers get the short page.
func TestConsoleServices(t *testing.T) {
	browser := e2e.StartBrowser(t)
	for _, only := range []string{"messaging", "simulation"} {
		server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = only }})
		e2e.AwaitReady(t, server.URL)
		tab := openConsole(t, browser, server.URL, "/", "en", "light", 1024)
		var law bool
		tab.Eval(`[...document.querySelectorAll("nav a")].some(a => a.pathname == "/console/law")`, &law)
		if law != (only == "simulation") {
			t.Errorf("only %s: the menu has the law: %v", only, law)
		}
		tab.clean(only)
	}
	off := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Console = false }})
	tab := browser.Open(off.URL + "/")
	var at string
	tab.Eval(`location.pathname`, &at)
	if at != "/" {
		t.Errorf("without a console browsers are sent to %s", at)
	}
}
