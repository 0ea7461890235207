package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// browserVariable names the browser to use, or none. Where it names one that does not start the test fails.
const browserVariable = "EDICT_BROWSER"

// Browser is a context of a headless Chromium that is driven over its DevTools protocol: its own cookies, storage and permissions. All tests of a
// process share one Chromium, and a test that passes leaves its context, emptied, to a later one.
type Browser struct {
	Context string // id of the context

	t testing.TB
	*chromium
	blank  []string // tabs of the context that are not used yet
	opened []*Tab
}

// chromium is the process. It ends with the process of the tests, since the pipe to it does.
type chromium struct {
	to io.Writer

	mu      sync.Mutex // of writes and of what follows
	last    int
	pending map[int]chan<- reply
	tabs    map[string]*Tab
	idle    []idleContext
	gone    error // why nothing is answered any more
}

// Tab is a page of a browser.
type Tab struct {
	Browser *Browser
	Session string
	target  string   // id of the tab in all sessions
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

// StartBrowser returns a browser for the test. The test is skipped where there is no Chromium. A headless shell, Chromium without windows, comes before
// Chromium: it needs two thirds of the CPU time.
func StartBrowser(t testing.TB) *Browser {
	t.Helper()
	return startBrowser(t, append([]string{"chromium-headless-shell", "chrome-headless-shell"}, chromiums...))
}

// StartPushBrowser is StartBrowser for pages that receive pushes, which a headless shell does not support.
func StartPushBrowser(t testing.TB) *Browser {
	t.Helper()
	return startBrowser(t, chromiums)
}

var chromiums = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

func startBrowser(t testing.TB, names []string) *Browser {
	t.Helper()
	path := findBrowser(t, names)
	shared, err := launchChromium(path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	b := &Browser{t: t, chromium: shared}
	b.enter()
	t.Cleanup(b.leave)
	return b
}

// browserScript runs the browser, which ends when its input does, and removes what it leaves.
const browserScript = `trap '' INT TERM; HOME="$DIR" "$@"; rm -rf "$DIR"`

// launched has a function per browser that starts it, once for the process.
var launched sync.Map

// launchChromium starts the browser for the process, unless it runs.
func launchChromium(path string) (*chromium, error) {
	launch, _ := launched.LoadOrStore(path, sync.OnceValues(func() (*chromium, error) { return startChromium(path) }))
	return launch.(func() (*chromium, error))()
}

func startChromium(path string) (*chromium, error) {
	home, err := os.MkdirTemp("", "edict-browser-")
	if err != nil {
		return nil, err
	}
	in, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", browserScript, "sh", path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--no-proxy-server", "--window-size=1280,900", "--disable-renderer-backgrounding",
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-extensions", "--disable-sync", "--disable-default-apps",
		// A new process for each page that is visited takes more CPU time than the page.
		"--disable-site-isolation-trials", "--disable-features=BackForwardCache,SpareRendererForSitePerProcess,Translate,OptimizationHints,MediaRouter",
		"--remote-debugging-pipe", "--user-data-dir="+filepath.Join(home, "profile"), "about:blank")
	cmd.Env = append(os.Environ(), "DIR="+home)
	cmd.ExtraFiles = []*os.File{in, out} // 3 and 4, where the browser expects them
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	in.Close()
	out.Close()
	go func() { _ = cmd.Wait() }() // the end of the pipe says so as well
	c := &chromium{to: to, pending: map[int]chan<- reply{}, tabs: map[string]*Tab{}}
	go c.read(bufio.NewReader(from))
	return c, nil
}

func findBrowser(t testing.TB, names []string) string {
	t.Helper()
	switch path := os.Getenv(browserVariable); path {
	case "":
	case "none":
		t.Skipf("%s is none", browserVariable)
	default:
		return path
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("there is no browser: none of %s is installed, and %s names none", strings.Join(names, ", "), browserVariable)
	return ""
}

// read hands out what the browser says until it ends.
func (b *chromium) read(from *bufio.Reader) {
	for {
		var r reply
		text, err := from.ReadBytes(0)
		if err == nil {
			err = json.Unmarshal(text[:len(text)-1], &r)
		}
		b.mu.Lock()
		if err != nil {
			b.gone = fmt.Errorf("the browser ended: %w", err)
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
func (b *chromium) call(session, method string, params any) (json.RawMessage, error) {
	b.mu.Lock()
	if b.gone != nil {
		b.mu.Unlock()
		return nil, b.gone
	}
	b.last++
	answer := make(chan reply, 1)
	b.pending[b.last] = answer
	text, err := json.Marshal(map[string]any{"id": b.last, "sessionId": session, "method": method, "params": params})
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
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
	target := b.takeTab()
	var session struct{ SessionID string }
	b.Must("", "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}, &session)
	tab := &Tab{Browser: b, Session: session.SessionID, target: target, phone: newPhoneEvents()}
	b.opened = append(b.opened, tab)
	b.mu.Lock()
	b.tabs[tab.Session] = tab
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Must(tab.Session, domain+".enable", nil, nil)
	}
	b.Must(tab.Session, "Page.bringToFront", nil, nil) // one that was used before may be behind another
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
