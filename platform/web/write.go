package web

import (
	"encoding/json"
	"net/http"
	"strconv"

	"edict/platform/fault"
	"edict/platform/jsonio"
)

const jsonContentType = "application/json"

var jsonHeader = []string{"application/json; charset=utf-8"}

// JSONAppender is implemented by answers that write themselves faster than reflection does.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// WriteJSON answers with v as JSON. A value that cannot be marshalled is an Internal error and
// nothing is written; a caller that went away is no error.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	if raw, ok := v.(json.RawMessage); ok {
		return WriteRaw(w, status, raw)
	}
	b := jsonio.Borrow(0)
	defer b.GiveBack()
	switch v := v.(type) {
	case JSONAppender:
		b.Text = append(v.AppendJSON(b.Text), '\n')
	default:
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return fault.Wrap(err, fault.Internal, "the answer could not be written as JSON")
		}
	}
	if x, ok := w.(*exchange); ok && len(b.Text) > firstRead {
		if err := x.hold(int64(len(b.Text))); err != nil {
			return err
		}
	}
	return WriteRaw(w, status, b.Text)
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
