package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// messageScreens are the screens about messages, with what is there once they are loaded.
var messageScreens = []struct {
	name, path, ready string
	admin             bool
}{
	{"channels", "/channels", `document.querySelector("tbody tr")`, false},
	{"channel", "/channels/news", `document.querySelector(".badge.live") && document.querySelector(".items > li")`, false},
	{"live", "/live?channels=news", `document.querySelector(".badge.live") && document.querySelector(".items > li")`, false},
	{"users", "/users", `document.querySelector("tbody tr")`, true},
	{"user", "/users/ann", `document.querySelector("tbody tr")`, true},
	{"deliveries", "/deliveries", `document.querySelector("tbody tr")`, true},
	{"overview", "/overview", `document.querySelector(".figure")`, true},
	{"audit", "/audit", `document.querySelector("tbody tr")`, true},
}

// startMessages starts a server with two users, a channel with items, and a message under way.
func startMessages(t *testing.T) (server *e2e.Server, token string) {
	t.Helper()
	server = e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Only, c.Auth.Rate = "messaging", 1000 }})
	addConsoleUser(t, server.Data, "ann")
	addConsoleUser(t, server.Data, "boss", "--admin")
	token = strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "ann", "--data", server.Data))
	api := server.URL + "/message/api/v2"
	e2e.Call(t, "POST", api+"/channels", token, "application/json", `{"channelName":"news","description":"Changes in the law"}`)
	for n := range 5 {
		e2e.Call(t, "POST", api+"/channels/news/items", token, "application/json", fmt.Sprintf(`{"content":{"title":"Housing allowance","n":%d,"who":{"region":["north","west"]}}}`, n))
	}
	e2e.Call(t, "POST", api+"/messages/send_to_user_ids", token, "application/json", `{"recipientUserIds":["boss"],"content":{"text":"Your form is ready"}}`)
	return server, token
}

// TestConsoleMessageScreens opens every screen about messages in both languages, both themes and three widths, as TestConsoleScreens does.
func TestConsoleMessageScreens(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, _ := startMessages(t)
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1440)
	tab.signIn("boss")
	for _, s := range messageScreens {
		tab.eachLook(s.name, s.path, s.ready, func(look string) {
			if s.name == "channel" {
				tab.Eval(`document.querySelector(".opened") || document.querySelector(".items summary").click()`, nil)
				tab.await(`document.querySelector(".opened")`)
			}
			tab.clean(look)
		})
	}
}

// TestConsoleMenu: an admin's menu takes one line from 768 px on, in both languages. What is for operators is behind one entry, which opens and closes by
// keyboard and leads there.
func TestConsoleMenu(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Server.Watch = true }})
	addConsoleUser(t, server.Data, "boss", "--admin")
	e2e.AwaitReady(t, server.URL)
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1440)
	tab.signIn("boss")
	for _, language := range []string{"en", "fr"} {
		for _, width := range []int{1440, 1024, 768, 320} {
			tab.resize(width)
			tab.dress(language, "light")
			tab.visit("/channels")
			tab.await(`document.querySelector("nav a[aria-current=page]")`)
			var lines int
			tab.Eval(`new Set([...document.querySelectorAll("header nav > ul > li")].map(e => e.getBoundingClientRect().top)).size`, &lines)
			if width >= 768 && lines != 1 {
				t.Errorf("%s at %d px: the menu has %d lines", language, width, lines)
			}
			tab.Eval(`document.querySelector("header nav button").focus()`, nil)
			tab.press("Enter")
			tab.await(`document.querySelector("#operators a[href$='/runs']").checkVisibility()`)
			// The list is below its entry, and inside the page once its width is known.
			tab.await(`(() => { const r = document.querySelector("#operators").getBoundingClientRect(), b = document.querySelector("header nav button").getBoundingClientRect();
				return r.left >= 0 && r.right <= innerWidth && r.top >= b.bottom && r.top < b.bottom + 20; })()`)
			name := fmt.Sprintf("console-menu-%s-%d", language, width)
			tab.clean(name)
			tab.keep(name)
			tab.press("Escape")
			tab.await(`!document.querySelector("#operators a").checkVisibility() && document.activeElement.matches("header nav button")`)
		}
	}
	tab.press("Enter")
	tab.press("Tab")
	tab.press("Enter")
	tab.await(`location.pathname == "/console/runs" && !document.querySelector("#operators a").checkVisibility() && document.querySelector("header nav button[aria-current]")`)
}

// TestConsoleNotAdmin: who is not an admin is shown neither the pages of operators nor an entry for them, and nothing is asked for them; who is not signed in
// is asked to.
func TestConsoleNotAdmin(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, _ := startMessages(t)
	tab := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	for _, s := range messageScreens {
		tab.visit(s.path)
		tab.await(`document.querySelector("main").innerText.includes("Sign in to see this page")`)
	}
	tab.signIn("ann")
	tab.await(`document.querySelector(".card .badge.live") && document.querySelectorAll(".items > li").length == 5`) // the first page
	for _, s := range messageScreens {
		tab.visit(s.path)
		if !s.admin {
			tab.await(s.ready)
			continue
		}
		tab.await(`document.querySelector("main").innerText.includes("This page requires an admin account")`)
	}
	var menu string
	tab.Eval(`document.querySelector("nav").innerText`, &menu)
	for _, entry := range []string{"Users", "Deliveries", "Overview", "Audit"} {
		if strings.Contains(menu, entry) {
			t.Errorf("the menu shows %s", entry)
		}
	}
	for _, r := range tab.Requests() {
		if strings.Contains(r, "/admin/") || strings.Contains(r, "/auth/users") || strings.Contains(r, "/auth/audit") {
			t.Errorf("data of operators is asked for: %s", r)
		}
	}
}

// TestConsoleSessions: two tabs stay signed in while each of them renews its token; a server that restarts is found again, with nothing lost of what is typed
// and published; a session that an admin ends is over in every tab, and says so, and what was typed is there after the next sign-in.
func TestConsoleSessions(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server, token := startMessages(t)
	one := openConsole(t, browser, server.URL, "/", "en", "light", 1280)
	one.signIn("ann")
	two := openConsole(t, browser, server.URL, "/channels/news", "en", "light", 1280)
	for _, tab := range []*consoleTab{one, two, one, two} {
		tab.visit("/channels/news") // every load of a page exchanges the cookie
		tab.await(`document.querySelector(".badge.live")`)
	}
	two.fill("New item", "not sent yet")
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	two.await(`document.querySelector(".badge.away")`)
	again := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.Only, c.Auth.Rate = "messaging", 1000
		c.Server.Listen, c.Server.Data = strings.TrimPrefix(server.URL, "http://"), server.Data
	}})
	items := again.URL + "/message/api/v2/channels/news/items"
	e2e.Call(t, "POST", items, token, "application/json", `{"content":{"n":"after the restart"}}`)
	for _, tab := range []*consoleTab{one, two} {
		tab.awaitTop("n: after the restart")
		tab.await(`document.querySelector(".badge.live")`)
		if lines := tab.previews(); len(lines) != 6 {
			t.Errorf("a tab shows %q", lines)
		}
	}

	boss := strings.TrimSpace(e2e.Run(t, "", "token", "create", "--user", "boss", "--data", server.Data))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, again.URL+"/auth/sessions?user=ann", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+boss)
	answer, err := http.DefaultClient.Do(req)
	if err != nil || answer.StatusCode != http.StatusNoContent {
		t.Fatalf("ending the sessions: %v %v", answer, err)
	}
	_ = answer.Body.Close()
	for _, tab := range []*consoleTab{one, two} {
		tab.await(`document.querySelector("main").innerText.includes("Sign in to see this page")`)
	}
	two.click("Sign in")
	two.signIn("ann")
	two.visit("/channels/news")
	two.await(`document.querySelector(".writer textarea")?.value == "not sent yet"`)
	for _, tab := range []*consoleTab{one, two} {
		for _, f := range tab.Faults() {
			if !strings.Contains(f, "net::ERR_") && !strings.Contains(f, "WebSocket") && !strings.Contains(f, "status of 401") && !strings.Contains(f, "status of 503") {
				t.Errorf("the browser complains: %s", f)
			}
		}
	}
}
