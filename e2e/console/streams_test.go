package console_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// seen is an event as a page saw it.
type seen struct {
	Event, ID string
	Data      struct {
		MessageID, ChannelName, State string
		Content                       struct{ N int }
	}
}

func (s seen) String() string {
	if s.Event == "item" {
		return fmt.Sprint(s.Data.Content.N)
	}
	return s.Event
}

// expect waits until a page has seen so many events, and compares.
func expect(t *testing.T, tab *e2e.Tab, want string) []seen {
	t.Helper()
	var got []seen
	tab.Eval(fmt.Sprintf("until(%d)", len(strings.Fields(want))), &got)
	if text := strings.Trim(fmt.Sprint(got), "[]"); text != want {
		t.Fatalf("the page saw %s\nwant %s", text, want)
	}
	return got
}

// TestBrowserStreams: pages of another origin, one with an EventSource and one with a WebSocket, publish, receive, lose their connection and
// go on with nothing lost and nothing twice; a message is acknowledged in one and its sender, in a third, gets the receipt.
func TestBrowserStreams(t *testing.T) {
	browser := e2e.StartBrowser(t)
	app := e2e.WebApp(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Messaging.Origins = []string{app} }})
	wire := e2e.NewWire(t, server.URL)
	tokens := e2e.Tokens(server.Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob")
	e2e.Call(t, "POST", server.URL+"/message/api/v2/channels", alice, "application/json", `{"channelName":"news"}`)
	items := "/message/api/v2/channels/news/items"

	var tabs []*e2e.Tab
	for _, how := range []string{"EventSource", "WebSocket"} {
		tab := browser.Open(app + "/streams.html")
		tab.Eval(fmt.Sprintf("open%s(%s, %s)", how, e2e.Quote(wire.URL), e2e.Quote(alice)), nil)
		expect(t, tab, "ready")
		tabs = append(tabs, tab)
	}
	want := "ready"
	for i, tab := range tabs {
		var answer struct{ Status string }
		tab.Eval(fmt.Sprintf("call(%s, %s, {content: {N: %d}})", e2e.Quote(wire.URL+items), e2e.Quote(alice), i+1), &answer)
		if answer.Status != "OK" {
			t.Fatalf("tab %d: publishing is answered %+v", i, answer)
		}
		want += fmt.Sprint(" ", i+1)
		for _, each := range tabs {
			expect(t, each, want)
		}
	}

	wire.Cut()
	for n := range 10 {
		e2e.Call(t, "POST", server.URL+items, alice, "application/json", fmt.Sprintf(`{"content":{"N":%d}}`, n+3))
		want += fmt.Sprint(" ", n+3)
	}
	wire.Mend()
	want += " ready"
	for _, tab := range tabs {
		expect(t, tab, want)
	}
	e2e.Call(t, "POST", server.URL+items, alice, "application/json", `{"content":{"N":13}}`)
	want += " 13"
	for _, tab := range tabs {
		got := expect(t, tab, want)
		if !slices.IsSortedFunc(got, func(a, b seen) int { return strings.Compare(a.ID, b.ID) }) {
			t.Errorf("the ids do not grow: %+v", got)
		}
	}

	sender := browser.Open(app + "/streams.html")
	sender.Eval(fmt.Sprintf("openEventSource(%s, %s)", e2e.Quote(wire.URL), e2e.Quote(bob)), nil)
	expect(t, sender, "ready")
	e2e.Call(t, "POST", server.URL+"/message/api/v2/messages/send_to_user_ids", bob, "application/json", `{"recipientUserIds":["alice"],"content":{"a":1},"receipt":true}`)
	var message seen
	for _, tab := range tabs {
		got := expect(t, tab, want+" message")
		message = got[len(got)-1]
	}
	tabs[1].Eval(fmt.Sprintf(`socket.send(JSON.stringify({type: "ack", state: "RECEIVED", messageId: %s}))`, e2e.Quote(message.Data.MessageID)), nil)
	if got := expect(t, sender, "ready receipt")[1]; got.Data.MessageID != message.Data.MessageID || got.Data.State != "RECEIVED" {
		t.Errorf("the receipt is %+v", got)
	}
}

// TestBrowserOrigins: a page of an origin that is not listed gets neither an answer nor a stream, even with a good ticket.
func TestBrowserOrigins(t *testing.T) {
	browser := e2e.StartBrowser(t)
	listed, other := e2e.WebApp(t), e2e.WebApp(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Messaging.Origins = []string{listed} }})
	var ticket struct{ Ticket string }
	if err := json.Unmarshal(e2e.Call(t, "POST", server.URL+"/auth/ticket", e2e.Tokens(server.Data)(t, "alice"), "application/json", ""), &ticket); err != nil {
		t.Fatal(err)
	}
	type outcome struct{ Call, Source, Socket string }
	for origin, want := range map[string]outcome{listed: {"answered", "open", "open"}, other: {"blocked", "blocked", "blocked"}} {
		var got outcome
		browser.Open(origin+"/streams.html").Eval(fmt.Sprintf("refused(%s, %s)", e2e.Quote(server.URL), e2e.Quote(ticket.Ticket)), &got)
		if got != want {
			t.Errorf("listed %v: %+v, want %+v", origin == listed, got, want)
		}
	}
}

// TestBrowserDocs: the documentation renders and its filter works, without a complaint of the browser. The picture is kept where
// EDICT_SCREENSHOTS names a directory.
func TestBrowserDocs(t *testing.T) {
	browser := e2e.StartBrowser(t)
	server := e2e.Start(t, e2e.Options{})
	tab := browser.Open(server.URL + "/docs")
	var page struct {
		Title         string
		Routes, Shown int
		Styled        bool
	}
	tab.Eval(`(() => {
		const routes = [...document.querySelectorAll("article[data-route]")];
		const filter = document.getElementById("filter");
		const styled = getComputedStyle(document.querySelector("nav")).position == "sticky";
		filter.value = "live stream";
		filter.dispatchEvent(new Event("input"));
		const shown = routes.filter((r) => !r.hidden).length;
		filter.value = "";
		filter.dispatchEvent(new Event("input"));
		return { Title: document.title, Routes: routes.length, Shown: shown, Styled: styled };
	})()`, &page)
	if page.Title == "" || page.Routes < 40 || page.Shown != 1 || !page.Styled {
		t.Errorf("the page is %+v", page)
	}
	if faults := tab.Faults(); len(faults) > 0 {
		t.Errorf("the browser complains:\n%s", strings.Join(faults, "\n"))
	}
	if dir := os.Getenv("EDICT_SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "docs.png"), tab.Screenshot(), 0o644); err != nil {
			t.Error(err)
		}
	}
}
