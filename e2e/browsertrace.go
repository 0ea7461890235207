package e2e

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// TraceEvent is what the browser recorded of one of its threads, in microseconds of that thread's CPU time.
type TraceEvent struct {
	Name    string
	Process int     `json:"pid"`
	Thread  int     `json:"tid"`
	At      float64 `json:"tts"`
	Took    float64 `json:"tdur"`
}

// Trace runs something while the browser records what its threads do, by categories of its own, and returns what it recorded.
func (tab *Tab) Trace(categories []string, run func()) []TraceEvent {
	b := tab.Browser
	b.t.Helper()
	b.Must(tab.Session, "Tracing.start", map[string]any{"transferMode": "ReturnAsStream", "traceConfig": map[string]any{"includedCategories": categories, "excludedCategories": []string{"*"}}}, nil)
	run()
	complete := make(chan json.RawMessage, 1)
	b.mu.Lock()
	tab.traced = complete
	b.mu.Unlock()
	b.Must(tab.Session, "Tracing.end", nil, nil)
	var got struct{ Stream string }
	select {
	case params := <-complete:
		if err := json.Unmarshal(params, &got); err != nil {
			b.t.Fatal(err)
		}
	case <-time.After(patience):
		b.t.Fatal("the browser does not hand over its trace")
	}
	var file struct{ TraceEvents []TraceEvent }
	if err := json.Unmarshal([]byte(tab.readAll(got.Stream)), &file); err != nil {
		b.t.Fatal(err)
	}
	return file.TraceEvents
}

// readAll reads a stream of the protocol to its end.
func (tab *Tab) readAll(handle string) string {
	b := tab.Browser
	b.t.Helper()
	var all strings.Builder
	for {
		var part struct {
			Data          string
			Base64Encoded bool
			EOF           bool
		}
		b.Must(tab.Session, "IO.read", map[string]any{"handle": handle}, &part)
		if part.Base64Encoded {
			raw, err := base64.StdEncoding.DecodeString(part.Data)
			if err != nil {
				b.t.Fatal(err)
			}
			part.Data = string(raw)
		}
		all.WriteString(part.Data)
		if part.EOF {
			b.Must(tab.Session, "IO.close", map[string]any{"handle": handle}, nil)
			return all.String()
		}
	}
}
