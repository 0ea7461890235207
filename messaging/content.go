package messaging

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"mime"
	"strings"
	"unicode/utf8"

	"edict/platform/names"
)

// Content is the JSON object of an item or a message as its sender wrote it, without the white space
// between its parts: numbers keep their digits, keys their order. It is never changed once made.
type Content []byte

// MarshalJSON returns the content itself.
func (c Content) MarshalJSON() ([]byte, error) {
	if len(c) == 0 {
		return []byte("null"), nil
	}
	return c, nil
}

// parseContent checks that raw is a non-empty JSON object and returns it compacted. field is its name
// in the request.
func parseContent(field string, raw []byte, limit int) (Content, error) {
	c, err := parseObject(field, raw, limit)
	return c, cmp.Or(err, notEmpty(field, c))
}

// acceptContent is parseContent for what is known to be JSON in UTF-8, which it does not look at again.
// The content may alias raw.
func acceptContent(field string, raw []byte, limit int) (Content, error) {
	if absent(raw) {
		return nil, notEmpty(field, nil)
	}
	c, err := checkObject(field, compact(raw), limit)
	return c, cmp.Or(err, notEmpty(field, c))
}

func notEmpty(field string, c Content) error {
	switch len(c) {
	case 0:
		return invalid("%s is missing: give an object with at least one key", field)
	case len("{}"):
		return invalid("%s is empty: give an object with at least one key", field)
	}
	return nil
}

// parseObject is parseContent for an optional object: absent and empty are fine.
func parseObject(field string, raw []byte, limit int) (Content, error) {
	if absent(raw) {
		return nil, nil
	}
	if !utf8.Valid(raw) {
		return nil, invalid("%s is not UTF-8", field)
	}
	var b bytes.Buffer
	b.Grow(len(raw))
	if err := json.Compact(&b, raw); err != nil {
		return nil, malformed(field, raw)
	}
	return checkObject(field, b.Bytes(), limit)
}

// checkObject checks compacted JSON.
func checkObject(field string, c Content, limit int) (Content, error) {
	if len(c) == 0 || c[0] != '{' {
		return nil, invalid("%s must be an object of key/value pairs, like {\"text\": \"hello\"}", field)
	}
	if len(c) > limit {
		return nil, fail(CodeTooLarge, "%s has %d bytes; the limit here is %d", field, len(c), limit)
	}
	return c, nil
}

// compact returns JSON, which raw must be, without the white space between its parts: raw itself when
// there is none.
func compact(raw []byte) []byte {
	from := nextSpace(raw, 0)
	if from == len(raw) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for at := 0; ; from = nextSpace(raw, at) {
		out = append(out, raw[at:from]...)
		if from == len(raw) {
			return out
		}
		at = from + 1
	}
}

// nextSpace returns where white space outside of a string comes next, from a place outside of one.
func nextSpace(raw []byte, at int) int {
	for ; at < len(raw); at++ {
		switch raw[at] {
		case ' ', '\t', '\n', '\r':
			return at
		case '"':
			at = endOfString(raw, at+1)
		}
	}
	return len(raw)
}

// endOfString returns where the string ends whose content begins at a place: its closing quote is the first one that an even number of
// backslashes precede.
func endOfString(raw []byte, at int) int {
	for begin := at; ; at++ {
		n := bytes.IndexByte(raw[at:], '"')
		if n < 0 {
			return len(raw)
		}
		at += n
		slashes := 0
		for at-slashes > begin && raw[at-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
}

// malformed says where raw stops being JSON, which json.Compact does not tell.
func malformed(field string, raw []byte) error {
	var value json.RawMessage
	err := json.Unmarshal(raw, &value)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return invalid("%s is not JSON: %s at byte %d of it", field, syntax, syntax.Offset)
	}
	return invalid("%s is not JSON", field)
}

func absent(raw []byte) bool { return len(raw) == 0 || string(raw) == "null" }

// checkText refuses what cannot be stored or shown as text: broken UTF-8 and control characters.
func checkText(field, s string, lines bool) error {
	if !utf8.ValidString(s) {
		return invalid("%s is not UTF-8", field)
	}
	bad := strings.IndexFunc(s, func(r rune) bool {
		return r < ' ' && !(lines && (r == '\n' || r == '\t' || r == '\r')) || r == 0x7f
	})
	if bad >= 0 {
		return invalid("%s has a control character at byte %d: remove it", field, bad)
	}
	return nil
}

// checkLabel checks a short text of one line that people see in lists: a tag, the label of a device.
func checkLabel(field, s string, most int) error {
	if err := names.CheckLine(s); err != nil {
		return invalid("%s %s", field, err)
	}
	return checkShortText(field, s, most, false)
}

// checkShortText is checkText with the most characters there may be.
func checkShortText(field, s string, most int, lines bool) error {
	if err := checkText(field, s, lines); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(s); n > most {
		return invalid("%s has %d characters; at most %d are allowed", field, n, most)
	}
	return nil
}

// checkTypes checks the optional messageType and contentType of an item.
func (l Limits) checkTypes(messageType, contentType string) error {
	if messageType == "" && contentType == "" {
		return nil
	}
	if len(messageType) > l.TypeLength {
		return invalid("messageType has %d bytes; at most %d are allowed", len(messageType), l.TypeLength)
	}
	if len(contentType) > l.TypeLength {
		return invalid("contentType has %d bytes; at most %d are allowed", len(contentType), l.TypeLength)
	}
	if err := checkText("messageType", messageType, false); err != nil {
		return err
	}
	if err := checkText("contentType", contentType, false); err != nil || contentType == "" {
		return err
	}
	if t, _, err := mime.ParseMediaType(contentType); err != nil || !strings.Contains(t, "/") {
		return invalid("contentType %q is not a MIME type; write it like application/json", Clip(contentType))
	}
	return nil
}
