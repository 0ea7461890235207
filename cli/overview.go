package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"edict/messaging/monitor"
)

// overview is a server's status for a reader: one screen of aligned lines, each number with its unit.
type overview struct {
	monitor.Overview
	w *tabwriter.Writer
}

// showOverview writes the overview that a server returned.
func showOverview(out io.Writer, raw []byte) error {
	o := overview{w: tabwriter.NewWriter(out, 16, 0, 2, ' ', 0)}
	if err := json.Unmarshal(raw, &o.Overview); err != nil {
		return fmt.Errorf("the overview cannot be read (--json prints it as it is): %w", err)
	}
	for i, section := range []func(){o.head, o.store, o.streams, o.rates, o.wakeups} {
		if i > 0 {
			o.line()
		}
		section()
	}
	return o.w.Flush()
}

// line writes a line of cells.
func (o *overview) line(cells ...string) {
	fmt.Fprintln(o.w, strings.Join(cells, "\t"))
}

func (o *overview) head() {
	at, err := time.Parse(time.RFC3339, o.At)
	started, err2 := time.Parse(time.RFC3339, o.StartedAt)
	if err != nil || err2 != nil {
		return
	}
	o.line("SERVER", "up "+at.Sub(started).Round(time.Second).String()+" at "+at.Format("2006-01-02 15:04:05 MST"))
	if memory := latest(o.History.MemoryBytes); memory > 0 {
		o.line("  memory", bytesText(memory))
		o.line("  CPU", number(latest(o.History.CPU))+" cores")
	}
}

func (o *overview) store() {
	s := o.Store
	status := "accepts writes"
	if !s.Healthy {
		status = "REJECTS WRITES: " + *cmp.Or(s.Problem, new("no reason reported"))
	}
	o.line("STORE", status)
	o.line("  size", bytesText(float64(s.Bytes)))
	if s.FreeBytes != nil {
		o.line("  disk", bytesText(float64(*s.FreeBytes))+" free, "+bytesText(float64(s.ReserveBytes))+" reserved")
	}
	for i, c := range s.LargestChannels {
		if i == 0 {
			o.line("  largest", bytesText(float64(c.Bytes))+" in "+c.ChannelName)
			continue
		}
		o.line("", bytesText(float64(c.Bytes))+" in "+c.ChannelName)
	}
	o.line("  commit", number(s.CommitMillis)+" ms for "+number(s.WritesPerCommit)+" writes (mean)")
	o.line("  waiting", strconv.Itoa(s.WritesWaiting)+" writes")
	o.line("  failed", strconv.Itoa(s.Failures)+" commits")
}

func (o *overview) streams() {
	s := o.Streams
	o.line("STREAMS", fmt.Sprintf("%d open (%d SSE, %d WebSocket)", s.Open, s.SSE, s.WebSocket))
	o.line("  queued", bytesText(float64(s.QueuedBytes))+", longest "+bytesText(float64(s.LongestQueueBytes)))
	o.line("  waiting", strconv.Itoa(s.CommitsWaiting)+" commits")
	o.line("  ended", countsText(s.Ended))
	o.line("  rejected", countsText(s.Refused))
}

func (o *overview) rates() {
	r, h := o.Rates, o.History
	o.line("PER SECOND", fmt.Sprintf("last %.0f s", r.Seconds), "peak of the hour")
	for _, row := range []struct {
		name string
		now  float64
		hour []float64
		unit string
	}{
		{"published", r.Published, h.Published, "items"},
		{"sent", r.Sent, h.Sent, "messages"},
		{"delivered", r.Delivered, h.Delivered, "events"},
		{"acknowledged", r.Acknowledged, nil, "copies"},
		{"requests", r.Requests, h.Requests, ""},
		{"failed", r.Failed, h.Failed, "requests (5xx)"},
		{"throttled", r.Throttled, h.Throttled, "requests (429)"},
		{"commits", r.Commits, nil, ""},
		{"pushes", r.Pushes, h.Pushes, ""},
	} {
		peak := "-"
		if len(row.hour) > 0 {
			peak = number(slices.Max(row.hour))
		}
		o.line(strings.TrimRight(strings.Join([]string{"  " + row.name, number(row.now), peak, row.unit}, "\t"), "\t"))
	}
}

func (o *overview) wakeups() {
	o.line("WAKE-UPS", fmt.Sprintf("%d devices queued, the first for %s s", o.Queue.Devices, number(o.Queue.LagSeconds)))
	for _, s := range o.Push.Services {
		o.line("  "+s.Service, number(s.Millis)+" ms (mean)", countsText(s.Outcomes))
	}
	o.line("MESSAGES", countsText(o.Queue.States))
}

// number writes a figure with one digit after the point, or none from 100 on.
func number(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// bytesText writes a size in the unit that keeps it short.
func bytesText(n float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	unit := 0
	for n >= 1024 && unit < len(units)-1 {
		n, unit = n/1024, unit+1
	}
	if unit == 0 {
		return strconv.FormatFloat(n, 'f', 0, 64) + " B"
	}
	return number(n) + " " + units[unit]
}

// countsText writes counts that are not 0, the largest first.
func countsText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var shown []string
	for _, name := range names {
		if counts[name] > 0 {
			shown = append(shown, fmt.Sprintf("%d %s", counts[name], name))
		}
	}
	return cmp.Or(strings.Join(shown, ", "), "none")
}

func latest(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1]
}

// indented writes JSON for reading.
func indented(out io.Writer, raw []byte) error {
	var text bytes.Buffer
	if err := json.Indent(&text, raw, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, text.String())
	return err
}
