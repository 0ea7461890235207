package console_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// chatPage returns the page that docs/start/chat.md shows.
func chatPage(t *testing.T) string {
	t.Helper()
	html := e2e.DocsBlock(t, "start/chat.md", "html")
	if n := strings.Count(html, "\n") + 1; n > 100 {
		t.Errorf("a chat in 100 lines has %d", n)
	}
	return html
}

// TestBrowserChat runs the page of docs/start/chat.md: two people talk in it, one is away for a while and corrects what was said.
func TestBrowserChat(t *testing.T) {
	html := chatPage(t)
	browser := e2e.StartBrowser(t)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	}))
	t.Cleanup(app.Close)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) { c.Messaging.Origins = []string{app.URL} }})
	wire := e2e.NewWire(t, server.URL)
	tokens := e2e.Tokens(server.Data)
	ada, bob := tokens(t, "ada"), tokens(t, "bob")
	channel := server.URL + "/message/api/v2/channels"
	e2e.Call(t, "POST", channel, ada, "application/json", `{"channelName":"lobby"}`)
	e2e.Call(t, "POST", channel+"/lobby/items", ada, "application/json", `{"content":{"text":"hello"}}`)
	open := func(token string) *e2e.Tab {
		return browser.Open(app.URL + "/chat.html?server=" + wire.URL + "#" + token)
	}
	first := open(ada)
	e2e.AwaitShown(first, "state", "ada in lobby")
	e2e.AwaitLines(first, "ada hello")

	second := open(bob)
	e2e.AwaitLines(second, "ada hello")
	second.Eval(`say("hi <b>ada</b>")`, nil)
	e2e.AwaitLines(second, "ada hello", "bob hi <b>ada</b>")
	e2e.AwaitLines(first, "ada hello", "bob hi <b>ada</b>")

	wire.Cut()
	e2e.AwaitShown(first, "state", "connecting again …")
	e2e.Call(t, "POST", channel+"/lobby/items", bob, "application/json", `{"content":{"text":"are you there?"}}`)
	wire.Mend()
	e2e.AwaitLines(first, "ada hello", "bob hi <b>ada</b>", "bob are you there?")

	other := open(ada)
	for _, tab := range []*e2e.Tab{first, other} {
		e2e.AwaitShown(tab, "unread", "2 unread")
	}
	other.Eval(`document.getElementById("unread").click()`, nil)
	for _, tab := range []*e2e.Tab{first, other} {
		e2e.AwaitShown(tab, "unread", "")
	}

	first.Eval(`correct(document.querySelector("li.own").dataset.id, "hello all")`, nil)
	for _, tab := range []*e2e.Tab{first, second, open(bob)} {
		e2e.AwaitLines(tab, "ada hello all*", "bob hi <b>ada</b>", "bob are you there?")
	}
}
