//go:build unix

// Package console measures the console in a real Chromium, with the released program as its own process.
//
//	go -C bench test ./console -bench . -benchtime 40x                                    the embedded law
//	go -C bench test ./console -bench Law -benchtime 20x -country PATH/openfisca_france   another law
//
// Each figure is from what a visitor does to the frame in which it is seen: the median and the 95th percentile of all times, and for each time the
// CPU time of the page (its main thread) and of the server.
package console

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/bench/program"
	"edict/e2e"
)

var country = flag.String("country", "", "directory of a country package; the embedded law when empty")

// bench is a browser at a server.
type bench struct {
	*e2e.Tab
	b      *testing.B
	server *program.Server
	url    string
	binary string
	data   string
}

func start(b *testing.B, args ...string) *bench {
	b.Helper()
	binary, err := program.Build(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	data := b.TempDir()
	args = append(args, "--data", data)
	if *country != "" {
		args = append(args, "--country", *country)
	}
	server, err := program.Serve(binary, args...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Stop(); err != nil {
			b.Error(err)
		}
	})
	url := "http://" + server.Addr
	browser := e2e.StartBrowser(b)
	return &bench{Tab: browser.Open(url + "/console/sign-in"), b: b, server: server, url: url, binary: binary, data: data}
}

// visit opens a screen and waits until it shows what a selector names.
func (c *bench) visit(path, selector string) {
	c.b.Helper()
	c.Call("Page.navigate", map[string]any{"url": "about:blank"})
	c.Call("Page.navigate", map[string]any{"url": c.url + "/console" + path})
	c.Eval(fmt.Sprintf(`new Promise(done => { const look = () => document.querySelector(%q) ? done() : setTimeout(look, 20); look(); })`, selector), nil)
	c.Eval(helpers, nil)
}

// helpers are what the measurements share: took does something and gives the milliseconds until the frame in which what the page shows has changed and fits.
const helpers = `globalThis.took = (act, state, fits = () => true) => new Promise((done, failed) => {
	const before = state(), begun = performance.now();
	const look = () => {
		const now = state();
		if (now !== before && now !== undefined && fits()) done(performance.now() - begun);
		else if (performance.now() - begun > 20000) failed(new Error("nothing changed: " + before));
		else requestAnimationFrame(look);
	};
	act();
	requestAnimationFrame(look);
}), globalThis.type = (field, value) => { field.value = value; field.dispatchEvent(new Event("input", {bubbles: true})); }, 0`

// measure does something as often as the benchmark asks, after three times that do not count, and reports. act is an expression with %d for the number of the time.
func (c *bench) measure(name, act string) {
	c.b.Run(name, func(b *testing.B) {
		once := func(i int) (ms float64) {
			c.Eval(fmt.Sprintf(act, i), &ms)
			c.Eval(`new Promise(done => setTimeout(done, 250))`, nil) // what follows a change, such as the address, is done
			return ms
		}
		for i := -3; i < 0; i++ {
			once(i)
		}
		page, server := c.Metrics(), c.server.CPU()
		all := make([]float64, b.N)
		for i := range all {
			all[i] = once(i)
		}
		report(b, all)
		b.ReportMetric((c.Metrics()["TaskDuration"]-page["TaskDuration"])*1000/float64(b.N), "page-cpu-ms")
		b.ReportMetric(float64((c.server.CPU()-server).Milliseconds())/float64(b.N), "server-cpu-ms")
	})
}

func report(b *testing.B, all []float64) {
	b.Helper()
	slices.Sort(all)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(all[len(all)/2], "p50-ms")
	b.ReportMetric(all[min(len(all)-1, len(all)*95/100)], "p95-ms")
}

// BenchmarkLaw: search, slider, curve, why, and from page to page.
func BenchmarkLaw(b *testing.B) {
	c := start(b, "--only", "simulation")
	c.visit("/law", ".virtual .row")
	c.measure("key-to-list", `took(() => type(document.querySelector("input[type=search]"), %d %% 2 ? "a" : "re"), () => document.querySelector(".virtual .row")?.ariaSetSize)`)
	c.visit("/household", ".curve")
	c.measure("slider-to-waterfall", `took(() => type(document.querySelector("input[type=range]"), 20000 + 500 * %d), () => [...document.querySelectorAll(".waterfall .amount")].map(e => e.textContent).join())`)
	c.measure("input-to-curve", `took(() => type(document.querySelectorAll("article.card")[1].querySelector("input[type=number]"), 20000 + 500 * %d), () => document.querySelector(".curve path.main, .curve path")?.getAttribute("d"))`)
	c.measure("why", `took(() => { const bars = document.querySelectorAll(".waterfall .bar"); bars[%d %% 2 ? 1 : 0].dispatchEvent(new MouseEvent("click", {bubbles: true})); }, () => document.querySelector("details.why code, .why.leaf .why-label")?.textContent)`)
	c.measure("page-to-page", `took(() => document.querySelector(%d %% 2 ? "nav a[href$='/law']" : "nav a[href$='/household']").click(), () => location.pathname, () => document.querySelector(".waterfall, .virtual .row"))`)
}

// BenchmarkLive: from publishing to the view, and what the view costs at 1000 items a second.
func BenchmarkLive(b *testing.B) {
	c := start(b, "--only", "messaging", "--messaging-rate", "0")
	const password = "correct horse battery"
	add := exec.Command(c.binary, "user", "create", "boss", "--id", "boss", "--admin", "--password-stdin", "--data", c.data)
	add.Stdin, add.Stderr = strings.NewReader(password+"\n"), os.Stderr
	if err := add.Run(); err != nil {
		b.Fatal(err)
	}
	text, err := exec.Command(c.binary, "token", "create", "--user", "boss", "--data", c.data).Output()
	if err != nil {
		b.Fatal(err)
	}
	token := strings.TrimSpace(string(text))
	c.post(token, "/message/api/v2/channels", `{"channelName":"news"}`)
	c.Eval(fmt.Sprintf(`fetch("/console/session", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({user: "boss", password: %q})}).then(r => r.status)`, password), nil)
	c.post(token, "/message/api/v2/channels/news/items", `{"content":{"n":-1}}`)
	c.visit("/channels/news", ".badge.live")
	c.measure("published-to-seen", `took(() => fetch("/message/api/v2/channels/news/items", {method: "POST", headers: {"Content-Type": "application/json", "Authorization": "Bearer `+token+`"}, body: JSON.stringify({content: {n: %d}})}), () => document.querySelector(".items .preview")?.textContent)`)
	b.Run("1000-a-second", func(b *testing.B) { c.flood(b, token) })
}

func (c *bench) post(token, path, body string) {
	c.b.Helper()
	r, err := http.NewRequestWithContext(c.b.Context(), http.MethodPost, c.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		c.b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.b.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		c.b.Fatalf("%s: %s", path, resp.Status)
	}
}

// flood reports the work of the script for each frame while 1000 items a second come.
func (c *bench) flood(b *testing.B, token string) {
	c.Call("Network.disable", nil) // a page without a debugger does not tell of every event
	page, server := c.Metrics(), c.server.CPU()
	var took time.Duration
	events := c.Trace([]string{"devtools.timeline", "v8.execute", "disabled-by-default-devtools.timeline"}, func() { took = c.publish(b, token) })
	frames := scriptOfFrames(events)
	report(b, frames)
	b.ReportMetric(items/took.Seconds(), "items/s")
	b.ReportMetric(float64(len(frames))/took.Seconds(), "frames/s")
	b.ReportMetric((c.Metrics()["TaskDuration"]-page["TaskDuration"])*1000/took.Seconds(), "page-cpu-ms/s")
	b.ReportMetric(float64((c.server.CPU()-server).Milliseconds())/took.Seconds(), "server-cpu-ms/s")
}

const items = 5000 // of a flood

// publish publishes 1000 items a second, in 20 places at once.
func (c *bench) publish(b *testing.B, token string) time.Duration {
	const places = 20
	began := time.Now()
	var all sync.WaitGroup
	for place := range places {
		all.Go(func() {
			conn, err := program.Dial(c.server.Addr)
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			for i := place; i < items; i += places {
				time.Sleep(time.Until(began.Add(time.Duration(i) * time.Millisecond)))
				if status, _, err := conn.Do(publishing(token, i)); err != nil || status != http.StatusCreated {
					b.Errorf("status %d, %v", status, err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

// publishing is a request that publishes a number.
func publishing(token string, n int) []byte {
	body := fmt.Sprintf(`{"content":{"n":%d}}`, n)
	return fmt.Appendf(nil, "POST /message/api/v2/channels/news/items HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", token, len(body), body)
}

// scriptOfFrames adds up what the page's thread spent in scripts before each frame that it handed over, in milliseconds of CPU time. Scripts within
// scripts count once.
func scriptOfFrames(events []e2e.TraceEvent) (frames []float64) {
	type thread struct{ process, thread int }
	drawn := map[thread]int{}
	for _, e := range events {
		if e.Name == "Commit" {
			drawn[thread{e.Process, e.Thread}]++
		}
	}
	var page thread
	for t, n := range drawn {
		if n > drawn[page] {
			page = t
		}
	}
	events = slices.DeleteFunc(events, func(e e2e.TraceEvent) bool { return thread{e.Process, e.Thread} != page })
	slices.SortStableFunc(events, func(a, b e2e.TraceEvent) int { return cmp.Compare(a.At, b.At) })
	var spent, until float64
	for _, e := range events {
		switch e.Name {
		case "Commit":
			frames = append(frames, spent/1000)
			spent = 0
		case "FunctionCall", "EvaluateScript", "RunMicrotasks":
			spent += max(0, e.At+e.Took-max(e.At, until))
			until = max(until, e.At+e.Took)
		}
	}
	return frames
}
