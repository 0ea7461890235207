package pyeval_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	py "edict/simulation/pyeval"
)

// FuzzJSON holds json.loads, and json.dumps of what it gives, to Go's reader: both take the same texts but for NaN and Infinity, and read
// the same.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, -0.0, 2.5e-3, 1e5, true, false, null], "b": {"c": "\u00e9\n\ud83d\ude00\ud800\/"}, "b": 2}`, `[]`, ` {} `, `"é\\"`, `12345678901234567890123`, `-`, `01`, `1.`, `.5`,
		`[1,]`, `{"a":1,}`, `{a:1}`, `"\x"`, `"\u12"`, "\"\t\"", "\ufeff1", `NaN`, `[-Infinity]`, `1 2`, `nul`, `"`, `[[[[`, "\u00a01", `1e999`, `-0`,
	} {
		f.Add(s)
	}
	p := newProgram(py.Root{FS: files("main.py", "import json\n\n\ndef again(text):\n    return json.dumps(json.loads(text))\n"), Path: "/fuzz"})
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 4000 || strings.Count(text, "[")+strings.Count(text, "{") > 200 { // longer numbers and deeper lists are refused
			t.Skip("not a text, or a long or deep one")
		}
		th := p.NewThread(context.Background(), py.Limits{Depth: 1000, Bytes: 1 << 26, Time: 5 * time.Second})
		m, err := th.Import("main")
		if err != nil {
			t.Fatal(err)
		}
		again, _ := m.Get("again")
		got, err := th.Call(again, py.String(text))
		var want any
		refused := json.Unmarshal([]byte(text), &want)
		if syntax := (*json.SyntaxError)(nil); errors.As(refused, &syntax) {
			if err == nil && !strings.Contains(text, "NaN") && !strings.Contains(text, "Infinity") {
				t.Errorf("%q is read, Go says: %v", text, refused)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		written, _ := got.AsString()
		var read any
		if err := json.Unmarshal([]byte(written), &read); refused == nil && (err != nil || !reflect.DeepEqual(read, want)) {
			t.Errorf("%q is written as %q: %v", text, written, err)
		}
	})
}
