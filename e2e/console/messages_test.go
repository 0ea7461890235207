package console_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

const consolePassword = "correct horse battery"

// addConsoleUser makes a user that can sign in to the console, with the name as id.
func addConsoleUser(t *testing.T, data, name string, flags ...string) {
	t.Helper()
	e2e.Run(t, consolePassword+"\n", append([]string{"user", "create", name, "--id", name, "--password-stdin", "--data", data}, flags...)...)
}

// signIn signs in with the form, whatever its language.
func (c *consoleTab) signIn(name string) {
	c.t.Helper()
	c.visit("/sign-in")
	c.await(`document.querySelector("input[type=password]")`)
	c.Eval(fmt.Sprintf(`(() => {
		for (const [selector, value] of [["input[autocomplete=username]", %s], ["input[type=password]", %s]]) {
			const field = document.querySelector(selector);
			field.value = value;
			field.dispatchEvent(new Event("input", {bubbles: true}));
		}
	})()`, e2e.Quote(name), e2e.Quote(consolePassword)), nil)
	c.Eval(`document.querySelector("form").requestSubmit()`, nil)
	c.await(fmt.Sprintf(`document.querySelector(".who")?.textContent == %s`, e2e.Quote(name)))
}

// previews are the lines of a live view, newest first.
func (c *consoleTab) previews() (lines []string) {
	c.t.Helper()
	c.Eval(`[...document.querySelectorAll(".items .preview")].map(e => e.textContent)`, &lines)
	return lines
}

// awaitTop waits until the newest line of a live view is this one.
func (c *consoleTab) awaitTop(line string) {
	c.t.Helper()
	c.await(fmt.Sprintf(`document.querySelector(".items .preview")?.textContent == %s`, e2e.Quote(line)))
}

// noFaults fails for complaints of the browser but those about a server that was away.
func (c *consoleTab) noFaults() {
	c.t.Helper()
	for _, f := range c.Faults() {
		if !strings.Contains(f, "net::ERR_") && !strings.Contains(f, "WebSocket") {
			c.t.Errorf("the browser complains: %s", f)
		}
	}
}

// TestConsoleLive: a live view shows every item once and in order although its connections are cut again and again; what retention removed meanwhile is
// marked; what is typed while the server is away is neither lost nor published twice. One view is a subscriber's, one that of an admin who is not.
func TestConsoleLive(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "messaging" }})
	wire := e2e.NewWire(t, server.URL)
	addConsoleUser(t, server.Data, "ann")
	addConsoleUser(t, server.Data, "boss", "--admin")
	ann := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "ann", "--data", server.Data))
	api := server.URL + "/message/api/v2/channels"
	e2e.Call(t, "POST", api, ann, "application/json", `{"channelName":"news"}`)
	e2e.Call(t, "POST", api, ann, "application/json", `{"channelName":"short","maxItems":3}`)
	last := 0
	publish := func(channel string, count int) {
		for range count {
			last++
			e2e.Call(t, "POST", api+"/"+channel+"/items", ann, "application/json", fmt.Sprintf(`{"content":{"n":%d}}`, last))
		}
	}
	publish("news", 60)
	view := openConsole(t, browser, wire.URL, "/", "en", "light", 1280)
	view.signIn("ann")
	view.visit("/channels/news")
	view.await(`document.querySelector(".badge.live")`)
	for range 3 {
		wire.Cut()
		publish("news", 20)
		view.await(`document.querySelector(".badge.away")`)
		wire.Mend()
		publish("news", 20)
		view.awaitTop(fmt.Sprint("n: ", last))
	}
	for range 10 {
		var more bool
		view.Eval(`(() => { const b = [...document.querySelectorAll("button")].find(b => b.textContent == "Older items"); b?.click(); return b != null; })()`, &more)
		if !more {
			break
		}
		view.await(`[...document.querySelectorAll("button")].every(b => b.textContent != "Older items" || !b.disabled)`)
	}
	got := view.previews()
	want := make([]string, last)
	for i := range want {
		want[i] = fmt.Sprint("n: ", last-i)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the view shows %d items: %v", len(got), got)
	}

	view.visit("/channels/short")
	view.await(`document.querySelector(".badge.live")`)
	publish("short", 1)
	view.awaitTop(fmt.Sprint("n: ", last))
	wire.Cut()
	publish("short", 10)
	wire.Mend()
	view.awaitTop(fmt.Sprint("n: ", last))
	view.await(`document.querySelectorAll(".items .gap").length == 1`)

	view.fill("New item", "typed while it is away")
	wire.Cut()
	view.click("Publish")
	view.await(`document.querySelector(".writer [role=alert]")`)
	wire.Mend()
	view.click("Publish")
	view.awaitTop("text: typed while it is away")
	var left string
	view.Eval(`document.querySelector(".writer textarea").value`, &left)
	view.click("Pause")
	publish("short", 2)
	view.await(`document.body.innerText.includes("Resume (2 new)")`)
	view.awaitTop("text: typed while it is away")
	view.click("Resume (2 new)")
	view.awaitTop(fmt.Sprint("n: ", last))
	if twice := len(slices.DeleteFunc(view.previews(), func(s string) bool { return !strings.HasPrefix(s, "text: typed") })); twice != 1 || left != "" {
		t.Errorf("what was typed is there %d times, and %q is left", twice, left)
	}
	view.noFaults()

	tap := openConsole(t, browser, wire.URL, "/", "en", "light", 1280)
	tap.signIn("boss")
	tap.visit("/live?channels=news,short")
	tap.await(`document.querySelector(".badge.live")`)
	wire.Cut()
	publish("news", 5)
	publish("short", 2)
	wire.Mend()
	// Each channel has a stream of its own: the last of each must have come.
	tap.await(fmt.Sprintf(`[...document.querySelectorAll(".items .preview")].some(e => e.textContent == %s)`, e2e.Quote(fmt.Sprint("n: ", last-2))))
	tap.awaitTop(fmt.Sprint("n: ", last))
	lines := tap.previews()[:7]
	for i := range lines {
		if lines[i] != fmt.Sprint("n: ", last-i) {
			t.Errorf("the admin sees %v", lines)
		}
	}
	tap.noFaults()
}

// TestConsoleFlood: rows that new items take over from old ones show the new ones alone: what was opened stays open with its item and goes with it, the focus
// does not move to another item, and a filter that leaves few rows and is taken away again leaves every item once.
func TestConsoleFlood(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "messaging" }})
	addConsoleUser(t, server.Data, "ann")
	ann := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "ann", "--data", server.Data))
	api := server.URL + "/message/api/v2/channels"
	e2e.Call(t, "POST", api, ann, "application/json", `{"channelName":"news"}`)
	last := 0
	publish := func(count int) {
		for range count {
			last++
			e2e.Call(t, "POST", api+"/news/items", ann, "application/json", fmt.Sprintf(`{"content":{"n":%d}}`, last))
		}
	}
	const rows = 50
	newest := func(tab *consoleTab, fits func(n int) bool) {
		t.Helper()
		tab.awaitTop(fmt.Sprint("n: ", last))
		var want []string
		for n := last; n > 0 && len(want) < rows; n-- {
			if fits(n) {
				want = append(want, fmt.Sprint("n: ", n))
			}
		}
		tab.await(fmt.Sprintf(`[...document.querySelectorAll(".items .preview")].map(e => e.textContent).join() == %s`, e2e.Quote(strings.Join(want, ","))))
	}
	every := func(int) bool { return true }
	publish(60)
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	tab.signIn("ann")
	tab.visit("/channels/news")
	tab.await(`document.querySelector(".badge.live")`)
	newest(tab, every)
	tab.Eval(`document.querySelector(".items summary").focus()`, nil)
	tab.press("Enter")
	tab.Eval(`document.querySelectorAll(".items summary")[1].click()`, nil) // which does not give it the focus
	tab.await(`document.querySelectorAll(".items .opened").length == 2`)
	publish(30)
	newest(tab, every)
	tab.await(`document.activeElement.matches("details[open] > summary") && document.activeElement.innerText.includes("n: 60") && [...document.querySelectorAll("details[open] .preview")].map(e => e.textContent).join() == "n: 60,n: 59"`)
	publish(40)
	newest(tab, every)
	tab.await(`!document.querySelector(".items .opened, .items details[open]") && !document.activeElement.closest(".items")`)
	filter := func(text string) {
		tab.Eval(fmt.Sprintf(`(() => { const f = document.querySelector(".bar input[type=search]"); f.value = %s; f.dispatchEvent(new Event("input", {bubbles: true})); })()`, e2e.Quote(text)), nil)
	}
	tens := func(n int) bool { return n%10 == 0 && n > 10 } // the first ten were not fetched
	filter(`0}`)
	newest(tab, tens)
	publish(10)
	newest(tab, tens)
	filter("")
	newest(tab, every)
	for _, theme := range []string{"light", "dark"} {
		tab.dress("en", theme)
		tab.visit("/live?channels=news")
		publish(5)
		newest(tab, every)
		tab.Eval(`document.querySelectorAll(".items summary")[2].focus()`, nil)
		tab.press("Enter")
		tab.await(`document.querySelector(".items .opened")`)
		tab.clean("console-flood-" + theme)
		tab.keep("console-flood-" + theme)
	}
	tab.noFaults()
}

// TestConsoleChannel: somebody makes a channel, publishes, corrects and deletes, invites and bans, with the pages alone; the API has it all.
func TestConsoleChannel(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only = "messaging" }})
	addConsoleUser(t, server.Data, "ann")
	addConsoleUser(t, server.Data, "bob")
	ann := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "ann", "--data", server.Data))
	api := server.URL + "/message/api/v2/channels"
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	tab.signIn("ann")
	tab.visit("/channels")
	tab.click("New channel")
	tab.await(`document.querySelector("dialog[open]")`)
	tab.fill("Name", "team")
	tab.fill("Description", "The team")
	tab.Eval(`[...document.querySelectorAll("dialog input[type=checkbox]")].find(c => c.parentElement.textContent.startsWith("Private")).click()`, nil)
	tab.click("Create the channel")
	tab.await(`location.pathname.endsWith("/channels/ann%23team") && document.querySelector(".badge.live")`)
	tab.fill("New item", `{"big": 12345678901234567890.50}`)
	tab.click("Publish")
	tab.await(`document.querySelectorAll(".items > li").length == 1`)
	if got := string(e2e.Call(t, "GET", api+"/ann%23team/items/fetch", ann, "", "")); !strings.Contains(got, "12345678901234567890.50") {
		t.Errorf("digits were lost: %s", got)
	}
	tab.click("Members")
	tab.await(`document.querySelector("dialog .people")`)
	tab.Eval(`(() => {
		const form = document.querySelector("dialog form"), field = form.querySelector("input");
		field.value = "bob";
		field.dispatchEvent(new Event("input", {bubbles: true}));
	})()`, nil)
	tab.Eval(`document.querySelector("dialog form").requestSubmit()`, nil)
	tab.await(`[...document.querySelectorAll("dialog .people li")].some(l => l.textContent.includes("bob"))`)
	tab.clean("members")
	tab.press("Escape")
	tab.await(`!document.querySelector("dialog")`)
	tab.Eval(`document.querySelector(".items summary").click()`, nil)
	tab.await(`document.querySelector(".opened")`)
	tab.click("Correct")
	tab.await(`document.querySelector("dialog textarea")`)
	tab.fill("New content", `{"text": "better"}`)
	tab.Eval(`document.querySelector("dialog form").requestSubmit()`, nil)
	tab.awaitTop("text: better")
	tab.await(`!document.querySelector("dialog")`)
	tab.click("Delete")
	tab.await(`document.querySelector("dialog")`)
	tab.Eval(`document.querySelector("dialog form").requestSubmit()`, nil)
	tab.await(`document.querySelectorAll(".items > li").length == 0 && !document.querySelector("dialog")`)
	var list struct{ TotalCount int }
	if err := json.Unmarshal(e2e.Call(t, "GET", api+"/ann%23team/items/fetch", ann, "", ""), &list); err != nil || list.TotalCount != 0 {
		t.Errorf("%d items are left (%v)", list.TotalCount, err)
	}
	tab.clean("channel")
}
