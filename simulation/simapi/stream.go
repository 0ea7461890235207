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
	e.w = w
	e.value(v)
	e.buf = append(e.buf, '\n')
	if !e.begun {
		return web.WriteRaw(w, http.StatusOK, e.buf)
	}
	if e.err == nil {
		_ = e.send() // the caller went away; there is nobody to tell
	}
	return nil
}

// putBack makes an encoder ready for another answer. One that grew for a single long text is left to the collector.
func (e *encoder) putBack() {
	if cap(e.buf) > 2*pieceSize {
		return
	}
	*e = encoder{buf: e.buf[:0]}
	encoders.Put(e)
}

// send sends what is in the buffer, a part of an answer whose length is not known when it begins.
func (e *encoder) send() error {
	if !e.begun {
		e.begun = true
		e.w.Header().Set("Content-Type", "application/json; charset=utf-8")
		e.w.WriteHeader(http.StatusOK)
	}
	_, err := e.w.Write(e.buf)
	return err
}
