package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestBrowserWakeup runs the page and the worker of docs/guides/wake-a-phone.md: the page asks for wake-ups, an item is published, the push that comes is
// handed to the worker, and a notification appears. A browser gets its address from a push service on the Internet; here the page is given that of
// the test's own, and the test does what the browser's push client would: it decrypts.
func TestBrowserWakeup(t *testing.T) {
	files := map[string][2]string{
		"/phone.html": {"text/html; charset=utf-8", e2e.DocsBlock(t, "guides/wake-a-phone.md", "html")},
		"/worker.js":  {"text/javascript", e2e.DocsBlock(t, "guides/wake-a-phone.md", "js")},
	}
	browser := e2e.StartPushBrowser(t)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", files[r.URL.Path][0])
		fmt.Fprint(w, files[r.URL.Path][1])
	}))
	t.Cleanup(app.Close)
	pushURL, configure, came := e2e.StartPushServices(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		configure(&c.Push)
		c.Messaging.Origins = []string{app.URL}
	}})
	tokens := e2e.Tokens(server.Data)
	ada, bob := tokens(t, "ada"), tokens(t, "bob@phone")
	channels := server.URL + "/message/api/v2/channels"
	e2e.Call(t, "POST", channels, ada, "application/json", `{"channelName":"news","wakePreview":true}`)

	browser.Must("", "Browser.grantPermissions", map[string]any{"origin": app.URL, "permissions": []string{"notifications"}, "browserContextId": browser.Context}, nil)
	tab := browser.Open(app.URL + "/phone.html?server=" + server.URL + "#" + bob)
	keys := e2e.NewPushKeys(t)
	pushText := func() string {
		text, _, err := keys.Open([]byte(e2e.AwaitPush(t, came).Body))
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
	e2e.AwaitShown(tab, "state", "Notifications are on. You can close this page.")
	var waiting string
	if tab.Eval("window.waiting", &waiting); waiting != "Subscribing at the browser's push service …" {
		t.Errorf("while it waits the page shows %q", waiting)
	}

	e2e.Call(t, "POST", channels+"/news/items", ada, "application/json", `{"content":{"text":"The new rates are out"}}`)
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

	e2e.SendMessage(t, server.URL+"/message/api/v2", ada, "bob", "the content is secret")
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
