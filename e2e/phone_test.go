package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"edict/cli"
)

// blockOf returns the one block of a language that a page of the docs shows.
func blockOf(t *testing.T, page, language string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```"+language+"\n")
	block, _, ok := strings.Cut(rest, "\n```\n")
	if !ok {
		t.Fatalf("docs/%s has no block of %s", page, language)
	}
	return block
}

// TestBrowserWakeup runs the page and the worker of docs/guides/wake-a-phone.md: the page asks for wake-ups, an item is published, the push that comes is
// handed to the worker, and a notification appears. A browser gets its address from a push service on the Internet; here the page is given that of
// the test's own, and the test does what the browser's push client would: it decrypts.
func TestBrowserWakeup(t *testing.T) {
	files := map[string][2]string{
		"/phone.html": {"text/html; charset=utf-8", blockOf(t, "guides/wake-a-phone.md", "html")},
		"/worker.js":  {"text/javascript", blockOf(t, "guides/wake-a-phone.md", "js")},
	}
	browser := StartBrowser(t)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", files[r.URL.Path][0])
		fmt.Fprint(w, files[r.URL.Path][1])
	}))
	t.Cleanup(app.Close)
	pushURL, configure, came := pushServices(t)
	server := Start(t, Options{Configure: func(c *cli.Config) {
		configure(&c.Push)
		c.Messaging.Origins = []string{app.URL}
	}})
	tokens := Tokens(server.Data)
	ada, bob := tokens(t, "ada"), tokens(t, "bob@phone")
	channels := server.URL + "/message/api/v2/channels"
	call(t, "POST", channels, ada, "application/json", `{"channelName":"news","wakePreview":true}`)

	browser.must("", "Browser.grantPermissions", map[string]any{"origin": app.URL, "permissions": []string{"notifications"}}, nil)
	tab := browser.Open(app.URL + "/phone.html?server=" + server.URL + "#" + bob)
	keys := newKeys(t)
	pushText := func() string {
		text, _, err := keys.Open([]byte(await(t, came).body))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	target := fmt.Sprintf(`{"endpoint":%q,"expirationTime":null,"keys":%s}`, pushURL+"/phone", keys.JSON())
	tab.Eval(`PushManager.prototype.subscribe = async ({applicationServerKey}) => {
		if (atob(applicationServerKey.replaceAll("-", "+").replaceAll("_", "/")).length != 65) throw new Error("no key of the server");
		window.waiting = document.getElementById("state").textContent;
		return {toJSON: () => (`+target+`)};
	}; document.getElementById("wake").click()`, nil)
	awaitShown(tab, "state", "Notifications are on. You can close this page.")
	var waiting string
	if tab.Eval("window.waiting", &waiting); waiting != "Subscribing at the browser's push service …" {
		t.Errorf("while it waits the page shows %q", waiting)
	}

	call(t, "POST", channels+"/news/items", ada, "application/json", `{"content":{"text":"The new rates are out"}}`)
	said := pushText()
	var payload struct {
		Event, ChannelName, ItemID string
		Preview                    json.RawMessage
	}
	if err := json.Unmarshal([]byte(said), &payload); err != nil || payload.Event != "wakeup" || payload.ChannelName != "news" || payload.ItemID == "" || string(payload.Preview) != `{"text":"The new rates are out"}` {
		t.Errorf("the push says %s, %v", said, err)
	}
	tab.Push(app.URL, said)
	tab.AwaitNotification("news", "The new rates are out")

	sendMessage(t, server.URL+"/message/api/v2", ada, "bob", "the content is secret")
	said = pushText()
	if said != `{"event":"wakeup"}` {
		t.Errorf("the push for a message says %s", said)
	}
	tab.Push(app.URL, said)
	tab.AwaitNotification("Messages", "There is something new.")
	if faults := tab.Faults(); len(faults) != 0 {
		t.Errorf("the page complains: %v", faults)
	}
}
