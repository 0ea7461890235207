package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/cli"
)

// wire is a connection to the server that can be cut.
type wire struct {
	url, to  string
	listener net.Listener

	mu       sync.Mutex
	down     bool
	conns    map[net.Conn]struct{}
	attempts []time.Time // when clients connected, also while it is cut
	wg       sync.WaitGroup
}

func layWire(t *testing.T, url string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{url: "http://" + listener.Addr().String(), to: strings.TrimPrefix(url, "http://"), listener: listener, conns: map[net.Conn]struct{}{}}
	w.wg.Go(w.accept)
	t.Cleanup(func() {
		listener.Close()
		w.cut()
		w.wg.Wait()
	})
	return w
}

func (w *wire) accept() {
	for {
		from, err := w.listener.Accept()
		if err != nil {
			return
		}
		w.mu.Lock()
		w.attempts = append(w.attempts, time.Now())
		w.mu.Unlock()
		w.wg.Go(func() { w.carry(from) })
	}
}

func (w *wire) carry(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer to.Close()
	if !w.hold(from, to) {
		return
	}
	defer w.let(from, to)
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			_, _ = io.Copy(way[0], way[1]) // its end is all there is to know
			way[0].Close()
			way[1].Close()
			ended <- struct{}{}
		}()
	}
	<-ended
	<-ended
}

func (w *wire) hold(conns ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range conns {
		w.conns[c] = struct{}{}
	}
	return !w.down
}

func (w *wire) let(conns ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range conns {
		delete(w.conns, c)
	}
}

// cut ends all connections and refuses further ones until mend.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	for c := range w.conns {
		c.Close()
	}
}

func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}

// webApp serves the page of the tests on an origin of its own.
func webApp(t *testing.T) string {
	t.Helper()
	app := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(app.Close)
	return app.URL
}

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
func (tab *Tab) expect(t *testing.T, want string) []seen {
	t.Helper()
	var got []seen
	tab.Eval(fmt.Sprintf("until(%d)", len(strings.Fields(want))), &got)
	if text := strings.Trim(fmt.Sprint(got), "[]"); text != want {
		t.Fatalf("the page saw %s\nwant %s", text, want)
	}
	return got
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string: never fails
	return string(b)
}

// TestBrowserStreams: pages of another origin, one with an EventSource and one with a WebSocket, publish, receive, lose their connection and
// go on with nothing lost and nothing twice; a message is acknowledged in one and its sender, in a third, gets the receipt.
func TestBrowserStreams(t *testing.T) {
	browser := StartBrowser(t)
	app := webApp(t)
	server := Start(t, Options{Configure: func(c *cli.Config) { c.Messaging.Origins = []string{app} }})
	wire := layWire(t, server.URL)
	tokens := Tokens(server.Data)
	alice, bob := tokens(t, "alice"), tokens(t, "bob")
	call(t, "POST", server.URL+"/message/api/v2/channels", alice, "application/json", `{"channelName":"news"}`)
	items := "/message/api/v2/channels/news/items"

	var tabs []*Tab
	for _, how := range []string{"EventSource", "WebSocket"} {
		tab := browser.Open(app + "/streams.html")
		tab.Eval(fmt.Sprintf("open%s(%s, %s)", how, quote(wire.url), quote(alice)), nil)
		tab.expect(t, "ready")
		tabs = append(tabs, tab)
	}
	want := "ready"
	for i, tab := range tabs {
		var answer struct{ Status string }
		tab.Eval(fmt.Sprintf("call(%s, %s, {content: {N: %d}})", quote(wire.url+items), quote(alice), i+1), &answer)
		if answer.Status != "OK" {
			t.Fatalf("tab %d: publishing is answered %+v", i, answer)
		}
		want += fmt.Sprint(" ", i+1)
		for _, each := range tabs {
			each.expect(t, want)
		}
	}

	wire.cut()
	for n := range 10 {
		call(t, "POST", server.URL+items, alice, "application/json", fmt.Sprintf(`{"content":{"N":%d}}`, n+3))
		want += fmt.Sprint(" ", n+3)
	}
	wire.mend()
	want += " ready"
	for _, tab := range tabs {
		tab.expect(t, want)
	}
	call(t, "POST", server.URL+items, alice, "application/json", `{"content":{"N":13}}`)
	want += " 13"
	for _, tab := range tabs {
		got := tab.expect(t, want)
		if !slices.IsSortedFunc(got, func(a, b seen) int { return strings.Compare(a.ID, b.ID) }) {
			t.Errorf("the ids do not grow: %+v", got)
		}
	}

	sender := browser.Open(app + "/streams.html")
	sender.Eval(fmt.Sprintf("openEventSource(%s, %s)", quote(wire.url), quote(bob)), nil)
	sender.expect(t, "ready")
	call(t, "POST", server.URL+"/message/api/v2/messages/send_to_user_ids", bob, "application/json", `{"recipientUserIds":["alice"],"content":{"a":1},"receipt":true}`)
	var message seen
	for _, tab := range tabs {
		got := tab.expect(t, want+" message")
		message = got[len(got)-1]
	}
	tabs[1].Eval(fmt.Sprintf(`socket.send(JSON.stringify({type: "ack", state: "RECEIVED", messageId: %s}))`, quote(message.Data.MessageID)), nil)
	if got := sender.expect(t, "ready receipt")[1]; got.Data.MessageID != message.Data.MessageID || got.Data.State != "RECEIVED" {
		t.Errorf("the receipt is %+v", got)
	}
}

// TestBrowserOrigins: a page of an origin that is not listed gets neither an answer nor a stream, even with a good ticket.
func TestBrowserOrigins(t *testing.T) {
	browser := StartBrowser(t)
	listed, other := webApp(t), webApp(t)
	server := Start(t, Options{Configure: func(c *cli.Config) { c.Messaging.Origins = []string{listed} }})
	var ticket struct{ Ticket string }
	if err := json.Unmarshal(call(t, "POST", server.URL+"/auth/ticket", Tokens(server.Data)(t, "alice"), "application/json", ""), &ticket); err != nil {
		t.Fatal(err)
	}
	type outcome struct{ Call, Source, Socket string }
	for origin, want := range map[string]outcome{listed: {"answered", "open", "open"}, other: {"blocked", "blocked", "blocked"}} {
		var got outcome
		browser.Open(origin+"/streams.html").Eval(fmt.Sprintf("refused(%s, %s)", quote(server.URL), quote(ticket.Ticket)), &got)
		if got != want {
			t.Errorf("listed %v: %+v, want %+v", origin == listed, got, want)
		}
	}
}

// TestBrowserDocs: the documentation renders and its filter works, without a complaint of the browser. The picture is kept where
// EDICT_SCREENSHOTS names a directory.
func TestBrowserDocs(t *testing.T) {
	browser := StartBrowser(t)
	server := Start(t, Options{})
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
