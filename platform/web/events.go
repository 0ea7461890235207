package web

import (
	"io"
	"net/http"
	"time"
)

// BeginEvents makes an answer a stream of Server-Sent Events and returns what sends a piece of it. send reports whether somebody still reads: a piece
// may take as long as patience, after which the connection counts as gone.
func BeginEvents(w http.ResponseWriter, patience time.Duration) (send func(text string) bool) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // or proxies hold events back
	rc := http.NewResponseController(w)
	return func(text string) bool {
		_ = rc.SetWriteDeadline(time.Now().Add(patience)) // a connection without deadlines is one that is gone
		_, err := io.WriteString(w, text)
		return err == nil && rc.Flush() == nil
	}
}
