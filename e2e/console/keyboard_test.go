package console_test

import (
	"fmt"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// hold presses a key together with Control.
func (c *consoleTab) hold(key string, code int) {
	c.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		c.Call("Input.dispatchKeyEvent", map[string]any{"type": kind, "modifiers": 2, "key": key, "windowsVirtualKeyCode": code})
	}
}

// tabTo presses Tab until what has the focus fits; nothing else leads there.
func (c *consoleTab) tabTo(condition string) {
	c.t.Helper()
	for range 120 {
		var there bool
		if c.Eval(fmt.Sprintf(`(e => !!(%s))(document.activeElement)`, condition), &there); there {
			return
		}
		c.press("Tab")
	}
	c.t.Fatalf("the keyboard does not lead to %s", condition)
}

func (c *consoleTab) typeText(words string) {
	c.t.Helper()
	for _, key := range words {
		c.press(string(key))
	}
}

// TestConsoleKeyboard walks through the law, a household, a channel and back with the keyboard alone.
func TestConsoleKeyboard(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Auth.Rate = 1000 }})
	e2e.AwaitReady(t, server.URL)
	addConsoleUser(t, server.Data, "ann")
	token := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "ann", "--data", server.Data))
	e2e.Call(t, "POST", server.URL+"/message/api/v2/channels", token, "application/json", `{"channelName":"news"}`)
	tab := openConsole(t, browser, server.URL, "/sign-in", "en", "light", 1280)
	tab.await(`document.querySelector("input[type=password]")`)
	tab.tabTo(`e.autocomplete == "username"`)
	tab.typeText("ann")
	tab.press("Tab")
	tab.typeText(consolePassword)
	tab.press("Enter")
	tab.await(`document.querySelector(".who")?.textContent == "ann" && document.querySelector(".waterfall")`)

	// the waterfall: a bar is reached, opened, and explained
	tab.tabTo(`e.matches(".bar")`)
	tab.press("ArrowDown")
	tab.press("Enter")
	tab.await(`document.querySelector(".bar.chosen") == document.activeElement && document.querySelector("section[aria-label] .why, section[aria-label] li, section[aria-label] table")`)

	// Ctrl-K leads to the search field, from elsewhere and from there
	searching := `document.activeElement.type == "search" && location.pathname == "/console/law"`
	tab.hold("k", 75)
	tab.await(searching)
	tab.typeText("decote")
	tab.await(`document.querySelector(".virtual .row")`)
	tab.press("Tab")
	tab.hold("k", 75)
	tab.await(searching)
	tab.typeText("decote")
	tab.await(`document.querySelector(".virtual .row") && document.activeElement.value == "decote"`)
	tab.press("ArrowDown")
	tab.press("Enter")
	tab.await(`/^\/console\/law\/[vp]\//.test(location.pathname)`)
	tab.await(`document.activeElement.id == "main"`)

	// the household: the slider moves with arrows, and the address with it
	tab.press("Tab")
	tab.visit("/household")
	tab.await(`document.querySelectorAll(".curve").length == 2`)
	tab.tabTo(`e.matches("input[type=range]")`)
	var before string
	tab.Eval(`document.querySelector(".result strong").textContent`, &before)
	tab.press("ArrowRight")
	tab.await(fmt.Sprintf(`document.querySelector(".result strong").textContent != %s && location.hash.startsWith("#1.")`, e2e.Quote(before)))

	// help opens, lists p, and gives the focus back
	tab.tabTo(`e.textContent.trim() == "?"`)
	tab.press("Enter")
	tab.await(`document.querySelector("dialog[open]")?.innerText.includes("Pause a live view")`)
	tab.press("Escape")
	tab.await(`!document.querySelector("dialog") && document.activeElement.textContent.trim() == "?"`)

	// a channel: an item is written and published, p pauses
	tab.visit("/channels")
	tab.await(`document.querySelector("tbody tr")`)
	tab.tabTo(`e.matches("tbody a") && e.textContent.includes("news")`)
	tab.press("Enter")
	tab.await(`document.querySelector(".badge.live")`)
	tab.tabTo(`e.matches(".writer textarea")`)
	tab.typeText("by hand")
	tab.hold("Enter", 13)
	tab.awaitTop("text: by hand")
	tab.tabTo(`e.matches("summary, .items summary")`)
	tab.press("p")
	tab.await(`!document.querySelector(".badge.live") || /paused/i.test(document.querySelector("main").innerText)`)
	tab.clean("the channel")
}

// TestConsoleCorrectsLargeNumbers: a number that a script would round keeps its digits in the text that a correction begins with, which is sent as it stands.
func TestConsoleCorrectsLargeNumbers(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, token := startMessages(t)
	items := server.URL + "/message/api/v2/channels/news/items"
	e2e.Call(t, "POST", items, token, "application/json", `{"content":{"iban":12345678901234567890,"rate":0.1000,"says":"first"}}`)
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	tab.signIn("ann")
	tab.visit("/channels/news")
	tab.await(`document.querySelector(".badge.live") && document.querySelector(".items > li")`)
	tab.Eval(`document.querySelector(".items summary").click()`, nil)
	tab.await(`document.querySelector(".opened")`)
	tab.click("Correct")
	tab.await(`document.querySelector("dialog textarea")?.value.includes('"iban": 12345678901234567890')`)
}

// TestConsoleShowsLargeNumbers: numbers that a script would round are shown with the digits they were published with, those that were there and those
// that come; what is copied has them too, and they are found by them.
func TestConsoleShowsLargeNumbers(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, token := startMessages(t)
	items := server.URL + "/message/api/v2/channels/news/items"
	content := func(says string) string {
		return fmt.Sprintf(`{"content":{"says":%q,"iban":12345678901234567891,"share":0.12345678901234567891,"far":1e400,"plain":1.50,"deep":{"list":[-98765432109876543210]}}}`, says)
	}
	e2e.Call(t, "POST", items, token, "application/json", content("before"))
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	tab.signIn("ann")
	tab.visit("/live?channels=news")
	tab.await(`document.querySelector(".badge.live") && document.querySelectorAll(".items > li").length == 6`)
	e2e.Call(t, "POST", items, token, "application/json", content("meanwhile"))
	tab.await(`document.querySelectorAll(".items > li").length == 7`)
	for i, says := range []string{"meanwhile", "before"} {
		item := fmt.Sprintf(`document.querySelectorAll(".items > li")[%d]`, i)
		tab.await(fmt.Sprintf(`%[1]s.innerText.includes(%[2]q) && %[1]s.innerText.includes("iban: 12345678901234567891 · share: 0.12345678901234567891 · far: 1e400 · plain: 1.5 ")`, item, says))
		tab.Eval(fmt.Sprintf(`%s.querySelector("summary").click()`, item), nil)
		tab.await(fmt.Sprintf(`%[1]s.querySelector(".opened") && ["12345678901234567891", "0.12345678901234567891", "1e400", "1.5"].every(n => [...%[1]s.querySelectorAll(".leaf")].some(l => l.textContent == n))`, item))
		tab.Eval(fmt.Sprintf(`%s.querySelectorAll(".tree details:not([open]) > summary").forEach(s => s.click())`, item), nil)
		tab.await(fmt.Sprintf(`(%[1]s.querySelectorAll(".tree details:not([open]) > summary").forEach(s => s.click()), [...%[1]s.querySelectorAll(".leaf")].some(l => l.textContent == "-98765432109876543210"))`, item))
	}
	var copied string
	tab.Eval(`new Promise(done => {
		navigator.clipboard.writeText = text => (done(text), Promise.resolve());
		[...document.querySelectorAll(".opened button")].find(b => /JSON/.test(b.textContent)).click();
	})`, &copied)
	if !strings.Contains(copied, `"iban": 12345678901234567891,`) || !strings.Contains(copied, `"far": 1e400`) {
		t.Errorf("what is copied is %s", copied)
	}
	tab.clean("large numbers")
}

// TestConsoleRateLimited: a server that says it is asked too often has signed nobody out: the page says so, and goes on by itself.
func TestConsoleRateLimited(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, _ := startMessages(t)
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	tab.signIn("ann")
	// The browser answers in place of the server, as that does under --auth-rate: TestConsoleSessionIsLimited.
	tab.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `{
		const real = fetch;
		globalThis.busy = true;
		globalThis.fetch = (url, init) => busy && String(url).endsWith("/console/session")
			? Promise.resolve(new Response('{"code":1,"message":"too many requests"}', {status: 429, headers: {"Content-Type": "application/json", "Retry-After": "1"}}))
			: real(url, init);
	}`})
	tab.Call("Page.navigate", map[string]any{"url": server.URL + "/console/channels/news"})
	tab.await(`document.querySelector("main")?.innerText.includes("Too many requests")`)
	var says string
	tab.Eval(`document.querySelector("main").innerText`, &says)
	if strings.Contains(says, "Sign in to see this page") {
		t.Errorf("the page says %s", says)
	}
	tab.Eval(`busy = false`, nil)
	tab.await(`document.querySelector(".badge.live") && !document.querySelector(".notice")`)
}

// TestConsolePrint: a household is printed with what was entered, the law and the day, and without controls.
func TestConsolePrint(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "simulation" }})
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/household", "en", "dark", 1024)
	tab.await(`document.querySelectorAll(".curve").length == 2`)
	tab.Call("Emulation.setEmulatedMedia", map[string]any{"media": "print"})
	var seen struct {
		Ground, Text string
		Controls     int
	}
	tab.Eval(`({
		ground: getComputedStyle(document.documentElement).getPropertyValue("--ground").trim(),
		text: document.body.innerText,
		controls: [...document.querySelectorAll("main button:not(g), main input, nav a")].filter(e => e.checkVisibility()).length,
	})`, &seen)
	if seen.Ground != "#ffffff" || seen.Controls > 0 {
		t.Errorf("printed on %s with %d controls", seen.Ground, seen.Controls)
	}
	for _, want := range []string{"Ada:", "48000", "edict-france", "Breakdown, "} {
		if !strings.Contains(seen.Text, want) {
			t.Errorf("the sheet lacks %q:\n%.800s", want, seen.Text)
		}
	}
}
