// Package logs makes a process's logger.
//
// [New] returns a logger that writes text or JSON. Both write durations with their unit ("1.2ms"). A warning or error that repeats is
// counted: the first is written at once, and then one line in thirty seconds with the number of further ones, until it stops.
package logs

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
)

const (
	window   = 30 * time.Second // between the lines of a warning that repeats
	maxLines = 512              // distinct warnings that are counted at a time; further ones are written as they come
	maxKey   = 1024             // bytes by which warnings are compared
)

// New returns a logger of level and above. Format is "json", anything else is text.
func New(w io.Writer, level slog.Level, format string) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	var next slog.Handler = slog.NewTextHandler(w, options)
	if format == "json" {
		options.ReplaceAttr = withUnit
		next = slog.NewJSONHandler(w, options)
	}
	return slog.New(&counting{next: next, lines: &lines{by: map[string]*line{}}})
}

// withUnit writes durations as the text handler does; slog's JSON has nanoseconds.
func withUnit(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().String())
	}
	return a
}

// Flush writes the counts that wait for their line. A process calls it before it ends.
func Flush(log *slog.Logger) {
	if h, ok := log.Handler().(*counting); ok {
		h.lines.flush()
	}
}

// counting is a handler that counts repeated warnings.
type counting struct {
	next  slog.Handler
	lines *lines // shared by all loggers made of one
	with  string // attributes and groups of this one
}

// Enabled implements slog.Handler.
func (h *counting) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h *counting) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	for _, a := range attrs {
		writeAttr(&b, a)
	}
	return &counting{next: h.next.WithAttrs(attrs), lines: h.lines, with: h.with + b.String()}
}

// WithGroup implements slog.Handler.
func (h *counting) WithGroup(name string) slog.Handler {
	return &counting{next: h.next.WithGroup(name), lines: h.lines, with: h.with + "\x00" + name}
}

// Handle implements slog.Handler.
func (h *counting) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn {
		return h.next.Handle(ctx, r)
	}
	key, counts := h.key(r)
	if counts && h.lines.repeats(key, h.next, r) {
		return nil
	}
	return h.next.Handle(ctx, r)
}

// key returns what a line is compared by: everything but times, durations and the numbers of an error, such as ports. A line about a request
// (it has its id) is not compared: each is about another one.
func (h *counting) key(r slog.Record) (key string, counts bool) {
	var b strings.Builder
	b.WriteString(r.Level.String() + h.with + "\x00" + r.Message)
	counts = true
	r.Attrs(func(a slog.Attr) bool {
		counts = a.Key != "id"
		writeAttr(&b, a)
		return counts && b.Len() < maxKey
	})
	return b.String()[:min(b.Len(), maxKey)], counts
}

func writeAttr(b *strings.Builder, a slog.Attr) {
	value := a.Value.Resolve()
	if kind := value.Kind(); kind == slog.KindDuration || kind == slog.KindTime {
		return
	}
	text := value.String()
	if a.Key == "error" {
		text = strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, text)
	}
	b.WriteString("\x00" + a.Key + "=" + text)
}

// lines are the warnings of the last window.
type lines struct {
	mu sync.Mutex
	by map[string]*line
}

// line is a warning that was written, and how often it came since.
type line struct {
	handler slog.Handler
	count   int
	last    slog.Record
	timer   *time.Timer
}

// repeats counts a line and reports whether it is a repetition. One that is not begins a window.
func (l *lines) repeats(key string, handler slog.Handler, r slog.Record) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.by[key]; known != nil {
		known.count++
		known.last = r.Clone()
		return true
	}
	if len(l.by) < maxLines {
		l.by[key] = &line{handler: handler, timer: time.AfterFunc(window, func() { l.end(key) })}
	}
	return false
}

// end ends a line's window. One that was repeated gets a line with the count, and another window.
func (l *lines) end(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.by[key]
	switch {
	case known == nil: // flushed
	case known.count == 0:
		delete(l.by, key)
	default:
		known.write()
		known.timer.Reset(window)
	}
}

// write writes the last repetition, with how many there were.
func (l *line) write() {
	r := l.last.Clone()
	r.AddAttrs(slog.Int("repeated", l.count), slog.Duration("within", window))
	l.count, l.last = 0, slog.Record{}
	_ = l.handler.Handle(context.Background(), r) // as with any line, there is nowhere to report it
}

func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, known := range l.by {
		known.timer.Stop()
		if known.count > 0 {
			known.write()
		}
		delete(l.by, key)
	}
}
