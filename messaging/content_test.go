package messaging

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"edict/platform/fault"
)

func TestContent(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`{"a":1}`, `{"a":1}`},
		{" {\n\t\"a\" : [ 1.50, 1e400, 123456789012345678901234567890 ] }\r\n", `{"a":[1.50,1e400,123456789012345678901234567890]}`},
		{`{"a":" b "}`, `{"a":" b "}`},
		{`{"b":1,"a":2,"b":3}`, `{"b":1,"a":2,"b":3}`},
		{`{"a":"\u2028 \ud800"}`, `{"a":"\u2028 \ud800"}`},
		{`{}`, "31"}, {` { } `, "31"}, {``, "31"}, {`null`, "31"}, {`[1]`, "31"}, {`"a"`, "31"}, {`7`, "31"},
		{`{"a":1`, "31"}, {`{"a":1}}`, "31"}, {`{"a":01}`, "31"}, {`{'a':1}`, "31"}, {"{\"a\":\"\xff\"}", "31"}, {"   ", "31"},
		{`{"a":"` + strings.Repeat("x", 100) + `"}`, "60"},
		{`{"a":` + strings.Repeat(" ", 200) + `1}`, `{"a":1}`},
		{strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), "31"},
	} {
		got, err := parseContent("content", []byte(test.raw), 100)
		if err != nil {
			got = Content(outcome(err))
		}
		if string(got) != test.want {
			t.Errorf("%.60s: got %s (%v), want %s", test.raw, got, err, test.want)
		}
	}
}

// TestContentIsItsJSON: content is written as it is, and none as null.
func TestContentIsItsJSON(t *testing.T) {
	for content, want := range map[string]string{"": `{"c":null}`, "7": `{"c":7}`, `{"a":1}`: `{"c":{"a":1}}`} {
		if got, err := json.Marshal(map[string]Content{"c": Content(content)}); err != nil || string(got) != want {
			t.Errorf("%q: %s, %v", content, got, err)
		}
	}
}

func TestContentErrorsTellThePlace(t *testing.T) {
	_, err := parseContent("content", []byte(`{"a":1,}`), 100)
	if err == nil || !strings.Contains(err.Error(), "byte 8") {
		t.Errorf("got %v", err)
	}
}

func TestTypes(t *testing.T) {
	l := DefaultLimits()
	for _, test := range []struct{ mtype, ctype, want string }{
		{"", "", "."}, {"chat", "text/plain", "."}, {"", "application/json; charset=utf-8", "."}, {"any thing at all", "", "."},
		{"", "json", "31"}, {"", "text/", "31"}, {"", "text/plain; =", "31"}, {"a\nb", "", "31"}, {"", "text/plain\r\nx: y", "31"},
		{strings.Repeat("x", 256), "", "31"}, {"", "a/" + strings.Repeat("x", 256), "31"}, {"\xff", "", "31"},
	} {
		if got := outcome(l.checkTypes(test.mtype, test.ctype)); got != test.want {
			t.Errorf("%q %q: got %s, want %s", test.mtype, test.ctype, got, test.want)
		}
	}
}

// codeOrZero is 0 for no error.
func codeOrZero(err error) Code {
	if err == nil {
		return 0
	}
	return CodeOf(err)
}

func FuzzContent(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{}`, `[`, " { \"a \\\" \" : [ 1 ,\t2 ]\r\n} ", `null`, ` null`, `"x y"`, `{ }`, `{"a":{"b":[null,true,1.0]}}`, "\xff", `{"a":1}{`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := parseContent("content", raw, 1000)
		if json.Valid(raw) && utf8.Valid(raw) {
			accepted, refused := acceptContent("content", raw, 1000)
			if !bytes.Equal(accepted, c) || codeOrZero(refused) != codeOrZero(err) {
				t.Fatalf("%q: parsed %q (%v), accepted %q (%v)", raw, c, err, accepted, refused)
			}
		}
		if err != nil {
			if code := CodeOf(err); code != CodeIllegalArgument && code != CodeTooLarge {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(c, &object); err != nil || len(object) == 0 || bytes.ContainsAny(c, "\n\r") {
			t.Fatalf("%q was taken as %q: %v", raw, c, err)
		}
		again, err := parseContent("content", c, 1000)
		if err != nil || !bytes.Equal(again, c) {
			t.Fatalf("%q becomes %q, then %q: %v", raw, c, again, err)
		}
	})
}

func TestCodes(t *testing.T) {
	for code, kind := range kinds {
		err := fail(code, "x")
		if CodeOf(err) != code || err.Kind != kind {
			t.Errorf("code %d: %+v", code, err)
		}
	}
	for kind := fault.Internal; kind <= fault.Full; kind++ {
		if code := CodeOf(fault.New(kind, "x")); code == 0 {
			t.Errorf("a fault of kind %v has no code", kind)
		}
	}
	if CodeOf(fmt.Errorf("anything")) != CodeInternal {
		t.Error("an unclassified error is not internal")
	}
}
