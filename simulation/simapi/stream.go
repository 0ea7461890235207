package simapi

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"edict/platform/web"
)

// pieceSize is the length of a full buffer of an answer; a single text may make it longer.
const pieceSize = 32 << 10

// piece is a buffer that serves again.
type piece struct{ buf []byte }

// pieces are those that are not in use. Most answers fit into one, and are short.
var pieces = sync.Pool{New: func() any { return &piece{make([]byte, 0, 4<<10)} }}

// begin takes a buffer, with some room if more than a short answer is to be expected.
func (e *encoder) begin(room int) {
	e.last = pieces.Get().(*piece)
	if cap(e.last.buf) < room {
		e.last.buf = make([]byte, 0, room)
	}
	e.buf = e.last.buf[:0]
}

// free lets a buffer serve again; one that grew for a single long text is left to the collector.
func (p *piece) free() {
	if cap(p.buf) <= 2*pieceSize {
		pieces.Put(p)
	}
}

// spill puts a full buffer aside, if its bytes are there to be had.
func (e *encoder) spill() {
	if len(e.buf) < pieceSize || e.memory == nil {
		return
	}
	e.size += int64(len(e.buf))
	switch {
	case e.err != nil:
	case e.size > e.most:
		e.err = &refusal{status: http.StatusUnprocessableEntity, message: fmt.Sprintf("The answer is larger than %d MiB, the most that is sent (--simulation-answer): ask for fewer points, variables or periods at a time", e.most>>20)}
	default:
		e.err = overloaded(e.memory.Take(int64(cap(e.buf))))
		e.held += int64(cap(e.buf))
	}
	if e.err != nil {
		e.buf = e.buf[:0]
		// The encoder has no way out of a value: the rest of it goes into this buffer again and again.
		return
	}
	e.last.buf = e.buf
	e.full = append(e.full, e.last)
	// A little more than a piece: what is written last begins below that size and ends beyond it.
	e.begin(pieceSize + pieceSize/8)
}

// send answers 200 with the text. A caller that went away is no error: there is nobody to tell.
func (e *encoder) send(w http.ResponseWriter) error {
	if len(e.full) == 0 {
		return web.WriteRaw(w, http.StatusOK, e.buf)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.FormatInt(e.size+int64(len(e.buf)), 10))
	w.WriteHeader(http.StatusOK)
	for i, p := range e.full {
		if _, err := w.Write(p.buf); err != nil {
			return nil
		}
		e.full[i] = nil
		e.memory.Give(int64(cap(p.buf)))
		p.free()
	}
	_, _ = w.Write(e.buf)
	return nil
}

// drop lets go of what is left of the text.
func (e *encoder) drop() {
	if e.last != nil {
		e.last.buf = e.buf
		e.last.free()
	}
	e.buf, e.last, e.full = nil, nil, nil
}
