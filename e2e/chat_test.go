package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"edict/cli"
)

// chatPage returns the page that docs/start/chat.md shows.
func chatPage(t *testing.T) string {
	t.Helper()
	html := blockOf(t, "start/chat.md", "html")
	if n := strings.Count(html, "\n") + 1; n > 100 {
		t.Errorf("a chat in 100 lines has %d", n)
	}
	return html
}

// awaitLines waits until a page of the chat shows these lines.
func awaitLines(tab *Tab, lines ...string) {
	tab.Eval(fmt.Sprintf(`new Promise((done) => {
		const want = %s, items = document.getElementById("items");
		const shown = () => [...items.children].map((l) => l.innerText.replace(/\s+/g, " ") + (l.classList.contains("edited") ? "*" : "")).join("|");
		const look = () => { if (shown() == want) { watch.disconnect(); done(); } };
		const watch = new MutationObserver(look);
		watch.observe(items, {subtree: true, childList: true, attributes: true, characterData: true});
		look();
	})`, quote(strings.Join(lines, "|"))), nil)
}

// awaitShown waits until an element has a text.
func awaitShown(tab *Tab, id, text string) {
	tab.Eval(fmt.Sprintf(`new Promise((done) => {
		const e = document.getElementById(%s);
		const look = () => { if ((e.hidden ? "" : e.textContent) == %s) { watch.disconnect(); done(); } };
		const watch = new MutationObserver(look);
		watch.observe(e, {childList: true, attributes: true, characterData: true, subtree: true});
		look();
	})`, quote(id), quote(text)), nil)
}

// TestBrowserChat runs the page of docs/start/chat.md: two people talk in it, one is away for a while and corrects what was said.
func TestBrowserChat(t *testing.T) {
	html := chatPage(t)
	browser := StartBrowser(t)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	}))
	t.Cleanup(app.Close)
	server := Start(t, Options{Configure: func(c *cli.Config) { c.Messaging.Origins = []string{app.URL} }})
	wire := layWire(t, server.URL)
	tokens := Tokens(server.Data)
	ada, bob := tokens(t, "ada"), tokens(t, "bob")
	channel := server.URL + "/message/api/v2/channels"
	call(t, "POST", channel, ada, "application/json", `{"channelName":"lobby"}`)
	call(t, "POST", channel+"/lobby/items", ada, "application/json", `{"content":{"text":"hello"}}`)
	open := func(token string) *Tab {
		return browser.Open(app.URL + "/chat.html?server=" + wire.url + "#" + token)
	}
	first := open(ada)
	awaitShown(first, "state", "ada in lobby")
	awaitLines(first, "ada hello")

	second := open(bob)
	awaitLines(second, "ada hello")
	second.Eval(`say("hi <b>ada</b>")`, nil)
	awaitLines(second, "ada hello", "bob hi <b>ada</b>")
	awaitLines(first, "ada hello", "bob hi <b>ada</b>")

	wire.cut()
	awaitShown(first, "state", "connecting again …")
	call(t, "POST", channel+"/lobby/items", bob, "application/json", `{"content":{"text":"are you there?"}}`)
	wire.mend()
	awaitLines(first, "ada hello", "bob hi <b>ada</b>", "bob are you there?")

	other := open(ada)
	for _, tab := range []*Tab{first, other} {
		awaitShown(tab, "unread", "2 unread")
	}
	other.Eval(`document.getElementById("unread").click()`, nil)
	for _, tab := range []*Tab{first, other} {
		awaitShown(tab, "unread", "")
	}

	first.Eval(`correct(document.querySelector("li.own").dataset.id, "hello all")`, nil)
	for _, tab := range []*Tab{first, second, open(bob)} {
		awaitLines(tab, "ada hello all*", "bob hi <b>ada</b>", "bob are you there?")
	}
}
