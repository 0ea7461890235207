package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"edict/platform/jsonio"
)

// FuzzDecodeJSON: the decoder takes what encoding/json takes, to the same value, and what it writes reads back. It also
// takes a byte order mark, and refuses half of a surrogate pair, which encoding/json replaces.
func FuzzDecodeJSON(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, -2.5e3, true, null, "x\n\u00e9\ud83d\ude00"], "a": {}}`, ` [ ] `, `-0`, `01`, `1.`, `"\q"`, `[1,]`, `{"a":1,}`, `nul`, "\"\x01\"", `1e999`, `"\"`, `{"a" 1}`,
		`"\ud83d"`, `{"\udc00": "\ufffd"}`, "\ufeff[1]", `123456789012345678901234567890`, `[-18446744073709551616, 1E400]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := DecodeJSON([]byte(text))
		text = strings.TrimPrefix(text, "\ufeff")
		if wrong, ok := errors.AsType[*jsonio.Error](err); ok && wrong.Problem == jsonio.HalfPair {
			var replaced any
			if json.Unmarshal([]byte(text), &replaced) == nil && !strings.Contains(fmt.Sprint(replaced), "\ufffd") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if valid := json.Valid([]byte(text)) && utf8.ValidString(text); (err == nil) != valid {
			if len(text) > 100 && valid {
				t.Skip("may be too deep")
			}
			t.Fatalf("%q: %v, but valid is %v", text, err, valid)
		}
		if err != nil {
			return
		}
		var want, got any
		written := AppendJSON(nil, d)
		if json.Unmarshal([]byte(text), &want) != nil {
			t.Skip("a number beyond 64 bits")
		}
		if err := json.Unmarshal(written, &got); err != nil || !reflect.DeepEqual(want, got) {
			t.Fatalf("%q is written as %q (%v)", text, written, err)
		}
	})
}
