package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// browserVariable names the browser to use, or none. Where it names one that does not start the test fails.
const browserVariable = "EDICT_BROWSER"

// Browser is a headless Chromium, driven over its DevTools protocol.
type Browser struct {
	t    testing.TB
	conn *websocket.Conn

	mu      sync.Mutex // of writes and of what follows
	last    int
	pending map[int]chan<- reply
	tabs    map[string]*Tab
	gone    error // why nothing is answered any more
}

// Tab is a page of a browser.
type Tab struct {
	Browser *Browser
	Session string
	faults  []string // errors of the page's console and network; under the browser's mu
	phone   *phoneEvents

	requests []string // URLs that the page has asked for; under the browser's mu

	traced chan<- json.RawMessage // receives the event that ends a trace; under the browser's mu
}

// reply is a message of the DevTools protocol that comes from the browser: the answer to a call, or an event.
type reply struct {
	ID        int             `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// patience is how long a browser may take for anything: far more than it does.
const patience = time.Minute

// StartBrowser starts a browser that ends with the test. The test is skipped where there is none.
func StartBrowser(t testing.TB) *Browser {
	t.Helper()
	path := findBrowser(t)
	home := t.TempDir()
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--no-proxy-server", "--window-size=1280,900",
		"--remote-debugging-port=0", "--user-data-dir="+filepath.Join(home, "profile"), "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+home)
	cmd.WaitDelay = 5 * time.Second // its children may hold the pipe
	url := make(chan string, 1)
	cmd.Stderr = &listeningWriter{found: url}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	b := &Browser{t: t, pending: map[int]chan<- reply{}, tabs: map[string]*Tab{}}
	t.Cleanup(func() {
		if b.conn != nil {
			_, _ = b.call("", "Browser.close", nil) // it may be gone before it answers
			_ = b.conn.Close()
		} else {
			_ = cmd.Process.Kill()
		}
		<-ended
	})
	select {
	case at := <-url:
		b.connect(at)
	case err := <-ended:
		ended <- err
		t.Fatalf("%s ended at once: %v", path, err)
	case <-time.After(patience):
		t.Fatalf("%s does not say where it listens", path)
	}
	return b
}

func findBrowser(t testing.TB) string {
	t.Helper()
	switch path := os.Getenv(browserVariable); path {
	case "":
	case "none":
		t.Skipf("%s is none", browserVariable)
	default:
		return path
	}
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("there is no browser: none of %s is installed, and %s names none", strings.Join(names, ", "), browserVariable)
	return ""
}

// listeningWriter looks for where the browser listens in what it says.
type listeningWriter struct {
	said  bytes.Buffer
	found chan<- string
}

var listening = regexp.MustCompile(`DevTools listening on (ws://\S+)\n`)

func (w *listeningWriter) Write(p []byte) (int, error) {
	if w.found != nil {
		w.said.Write(p)
		if m := listening.FindSubmatch(w.said.Bytes()); m != nil {
			w.found <- string(m[1])
			w.found = nil
		}
	}
	return len(p), nil
}

func (b *Browser) connect(url string) {
	b.t.Helper()
	conn, resp, err := websocket.DefaultDialer.Dial(url, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = resp.Body.Close() // a handshake has none
	b.conn = conn
	go b.read()
}

// read hands out what the browser says until the connection ends.
func (b *Browser) read() {
	for {
		var r reply
		err := b.conn.ReadJSON(&r)
		b.mu.Lock()
		if err != nil {
			b.gone = err
			for _, waiting := range b.pending {
				close(waiting)
			}
			b.mu.Unlock()
			return
		}
		if waiting := b.pending[r.ID]; waiting != nil {
			delete(b.pending, r.ID)
			waiting <- r
		} else if tab := b.tabs[r.SessionID]; tab != nil {
			tab.note(r)
			tab.phone.note(r)
		}
		b.mu.Unlock()
	}
}

// note keeps what a page complains of.
func (tab *Tab) note(r reply) {
	var p struct {
		Type    string `json:"type"`
		Entry   struct{ Level, Text, URL string }
		Request struct{ URL string }
	}
	_ = json.Unmarshal(r.Params, &p) // events of another form are ignored
	switch {
	case r.Method == "Tracing.tracingComplete" && tab.traced != nil:
		tab.traced <- r.Params
	case r.Method == "Network.requestWillBeSent":
		tab.requests = append(tab.requests, p.Request.URL)
	case r.Method == "Runtime.exceptionThrown",
		r.Method == "Runtime.consoleAPICalled" && p.Type == "error":
		tab.faults = append(tab.faults, string(r.Params))
	case r.Method == "Log.entryAdded" && p.Entry.Level == "error":
		tab.faults = append(tab.faults, p.Entry.Text+" "+p.Entry.URL)
	}
}

// call calls a method of the protocol, of a tab or of the browser itself.
func (b *Browser) call(session, method string, params any) (json.RawMessage, error) {
	b.mu.Lock()
	if b.gone != nil {
		b.mu.Unlock()
		return nil, b.gone
	}
	b.last++
	answer := make(chan reply, 1)
	b.pending[b.last] = answer
	err := b.conn.WriteJSON(map[string]any{"id": b.last, "sessionId": session, "method": method, "params": params})
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case r, ok := <-answer:
		switch {
		case !ok:
			return nil, errors.New("the browser is gone")
		case r.Error != nil:
			return nil, errors.New(r.Error.Message)
		}
		return r.Result, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("%s: no answer", method)
	}
}

// Must calls a method of the protocol, of a tab or with session "" of the browser, and stores its result unless that is nil.
func (b *Browser) Must(session, method string, params, result any) {
	b.t.Helper()
	raw, err := b.call(session, method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// Open opens a page in a new tab and waits until it is loaded.
func (b *Browser) Open(url string) *Tab {
	b.t.Helper()
	var target struct{ TargetID string }
	b.Must("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.Must("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	tab := &Tab{Browser: b, Session: session.SessionID, phone: newPhoneEvents()}
	b.mu.Lock()
	b.tabs[tab.Session] = tab
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Must(tab.Session, domain+".enable", nil, nil)
	}
	var went struct{ ErrorText string }
	b.Must(tab.Session, "Page.navigate", map[string]any{"url": url}, &went)
	if went.ErrorText != "" {
		b.t.Fatalf("%s: %s", url, went.ErrorText)
	}
	tab.Eval(`new Promise(done => document.readyState == "complete" ? done() : addEventListener("load", () => done()))`, nil)
	return tab
}

// Eval evaluates an expression in the page, waits for it if it is a promise, and stores its value, which must fit
// JSON, in result unless that is nil.
func (tab *Tab) Eval(expression string, result any) {
	tab.Browser.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	tab.Browser.Must(tab.Session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "allowUnsafeEvalBlockedByCSP": false}, &answer)
	if e := answer.ExceptionDetails; e != nil {
		tab.Browser.t.Fatalf("%s\n%s %s", expression, e.Text, e.Exception.Description)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result.Value, result); err != nil {
			tab.Browser.t.Fatalf("%s: %v in %s", expression, err, answer.Result.Value)
		}
	}
}

// Faults returns what the page has complained of so far.
func (tab *Tab) Faults() []string {
	tab.Browser.mu.Lock()
	defer tab.Browser.mu.Unlock()
	return tab.faults
}

// Requests returns what the page has asked for so far, by URL.
func (tab *Tab) Requests() []string {
	tab.Browser.mu.Lock()
	defer tab.Browser.mu.Unlock()
	return slices.Clone(tab.requests)
}

// Call calls a method of the protocol for the tab.
func (tab *Tab) Call(method string, params map[string]any) {
	tab.Browser.t.Helper()
	tab.Browser.Must(tab.Session, method, params, nil)
}

// Screenshot returns a picture of the page (PNG).
func (tab *Tab) Screenshot() []byte {
	tab.Browser.t.Helper()
	var shot struct{ Data []byte }
	tab.Browser.Must(tab.Session, "Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	return shot.Data
}

// Metrics returns what the browser counts for the page: ScriptDuration, TaskDuration and others, in CPU seconds since it was opened.
func (tab *Tab) Metrics() map[string]float64 {
	tab.Browser.t.Helper()
	var got struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	tab.Call("Performance.enable", map[string]any{"timeDomain": "threadTicks"})
	tab.Browser.Must(tab.Session, "Performance.getMetrics", nil, &got)
	all := map[string]float64{}
	for _, m := range got.Metrics {
		all[m.Name] = m.Value
	}
	return all
}
