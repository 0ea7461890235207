package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"edict/platform/fault"
)

const jsonContentType = "application/json"

var jsonHeader = []string{"application/json; charset=utf-8"}

// JSONAppender is implemented by answers that write themselves faster than reflection does.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// maxPooled keeps one large answer from staying in memory for ever.
const maxPooled = 64 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuffer(b *bytes.Buffer) {
	if b.Cap() <= maxPooled {
		b.Reset()
		buffers.Put(b)
	}
}

// WriteJSON answers with v as JSON. A value that cannot be marshalled is an Internal error and
// nothing is written; a caller that went away is no error.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	b := buffers.Get().(*bytes.Buffer)
	defer putBuffer(b)
	switch v := v.(type) {
	case JSONAppender:
		b.Write(v.AppendJSON(b.AvailableBuffer()))
		b.WriteByte('\n')
	case json.RawMessage:
		return WriteRaw(w, status, v)
	default:
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return fault.Wrap(err, fault.Internal, "the answer could not be written as JSON")
		}
	}
	if x, ok := w.(*exchange); ok && b.Len() > firstRead {
		if err := x.hold(int64(b.Len())); err != nil {
			return err
		}
	}
	return WriteRaw(w, status, b.Bytes())
}

// WriteRaw answers with JSON text. It is not weighed: whoever made it is.
func WriteRaw(w http.ResponseWriter, status int, text []byte) error {
	h := w.Header()
	h["Content-Type"] = jsonHeader
	if x, ok := w.(*exchange); ok {
		x.leaveAsItIs(len(text))
		x.lengthHeader[0] = strconv.Itoa(len(text))
		h["Content-Length"] = x.lengthHeader[:]
	} else {
		h["Content-Length"] = []string{strconv.Itoa(len(text))}
	}
	w.WriteHeader(status)
	for len(text) > firstRead { // what is below copies what it is given at once
		if _, err := w.Write(text[:firstRead]); err != nil {
			return nil // the caller went away; there is nobody to tell
		}
		text = text[firstRead:]
	}
	_, _ = w.Write(text)
	return nil
}

// AppendString appends a JSON string. Most need no escaping.
func AppendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string: never fails
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// AppendStringOrNull appends a JSON string, null for an empty one.
func AppendStringOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return AppendString(b, s)
}
