package simapi

import (
	"net/http"
	"sync"

	"edict/platform/web"
)

// encoders are reused: an answer needs a buffer of at most a piece, and most need less.
var encoders = sync.Pool{New: func() any { return &encoder{buf: make([]byte, 0, 4<<10)} }}

// writeAnswer answers 200 with a value. One that fits into a buffer is sent whole, with its length; a larger one in pieces
// as it is written. Everything has been computed by then, so that nothing but the connection can fail.
func writeAnswer(w http.ResponseWriter, v any) error {
	e := encoders.Get().(*encoder)
	defer e.putBack()
	out := &pieces{w: w}
	e.out = out
	e.value(v)
	e.buf = append(e.buf, '\n')
	if !out.begun {
		return web.WriteRaw(w, http.StatusOK, e.buf)
	}
	if e.err == nil {
		_, _ = out.Write(e.buf) // the caller went away; there is nobody to tell
	}
	return nil
}

// putBack makes an encoder ready for another answer. One that grew for a single long text is left to the collector.
func (e *encoder) putBack() {
	if cap(e.buf) > 2*pieceSize {
		return
	}
	e.buf, e.out, e.err = e.buf[:0], nil, nil
	encoders.Put(e)
}

// pieces are the parts of an answer whose length is not known when it begins.
type pieces struct {
	w     http.ResponseWriter
	begun bool
}

// Write sends a part.
func (p *pieces) Write(text []byte) (int, error) {
	if !p.begun {
		p.begun = true
		p.w.Header().Set("Content-Type", "application/json; charset=utf-8")
		p.w.WriteHeader(http.StatusOK)
	}
	return p.w.Write(text)
}
