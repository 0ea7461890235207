package jsonio_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"edict/platform/heap"
	"edict/platform/jsonio"
)

// TestRules reads the same texts by different rules.
func TestRules(t *testing.T) {
	var lax jsonio.Rules
	lax.LastWins, lax.ByteOrderMark, lax.AnyText, lax.Depth = true, true, true, 2
	for _, c := range []struct {
		text        string
		strict, lax jsonio.Problem // WrongShape stands for none
	}{
		{`{"a":1,"b":{"a":1}}`, 0, 0},
		{`{"a":1,"a":2}`, jsonio.GivenTwice, 0},
		{"\ufeff[1]", jsonio.Mark, 0},
		{`["\ud800", "\ud800\u0041", "\udc00\ud800"]`, jsonio.HalfPair, 0},
		{"[\"\xff\"]", jsonio.NotUTF8, 0},
		{"[\xff]", jsonio.WantValue, jsonio.WantValue},
		{`[[[]]]`, 0, jsonio.TooDeep},
		{"\ufeff[1", jsonio.Mark, jsonio.WantComma},
	} {
		for _, by := range []struct {
			rules jsonio.Rules
			want  jsonio.Problem
		}{{jsonio.Rules{}, c.strict}, {lax, c.lax}} {
			e, wrong := errors.AsType[*jsonio.Error](by.rules.Check([]byte(c.text)))
			if wrong != (by.want != 0) || wrong && e.Problem != by.want {
				t.Errorf("%q by %+v: %v, want problem %v", c.text, by.rules, e, by.want)
			}
		}
	}
}

// TestLastWins decodes equal keys, and what is no character, into Go values.
func TestLastWins(t *testing.T) {
	var v struct {
		A int            `json:"a"`
		M map[string]int `json:"m"`
		S string         `json:"s"`
	}
	rules := jsonio.Rules{LastWins: true, AnyText: true}
	if err := rules.Decode([]byte(`{"a":1,"m":{"x":1,"x":2},"a":3,"s":"\ud800\u0041"}`), &v); err != nil {
		t.Fatal(err)
	}
	if v.A != 3 || v.M["x"] != 2 || v.S != "\ufffdA" {
		t.Errorf("%+v", v)
	}
}

// TestBounds counts values, looks at the context while it reads, and holds memory for what it read.
func TestBounds(t *testing.T) {
	text := []byte("[" + strings.TrimSuffix(strings.Repeat(`0,`, 9999), ",") + "]")
	for values, want := range map[int]bool{0: true, 10_000: true, 9_999: false, 5_000: false, 10: false} {
		err := jsonio.Rules{Values: values}.Check(text)
		many, refused := errors.AsType[*jsonio.TooManyValues](err)
		if refused == want || refused && many.Most != values {
			t.Errorf("at most %d values: %v", values, err)
		}
	}
	// One text has its commas in a string, so that they are counted as it is read.
	if err := (jsonio.Rules{Values: 2}).Check([]byte(`[",,,,,,,,,,\",,,,,,"]`)); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := (jsonio.Rules{Context: ctx}).Check(text); err != nil {
		t.Error(err)
	}
	cancel()
	if err := (jsonio.Rules{Context: ctx}).Check(text); !errors.Is(err, context.Canceled) {
		t.Errorf("the context ended: %v", err)
	}
	share := heap.NewBudget(8 << 20).Share(0)
	defer share.Close()
	if err := (jsonio.Rules{Memory: &share, PerValue: 100}).Check(text); err != nil || share.Held() != 2*4096*100 {
		t.Errorf("%v, %d bytes are held", err, share.Held())
	}
	if _, short := errors.AsType[*heap.Shortage](jsonio.Rules{Memory: &share, PerValue: 10_000}.Check(text)); !short {
		t.Error("there was no shortage")
	}
}

// FuzzText: what the writer writes is JSON that encoding/json and the reader read back to the same text.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "é😀\u2028<&>", "\x00\x1f\"\\/\n\r\t\b\x7f", "\xff\xc3", "a\xed\xa0\x80b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := jsonio.AppendString(nil, s)
		var std, ours string
		if err := json.Unmarshal(text, &std); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if err := (jsonio.Rules{}).Decode(text, &ours); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		want := string([]rune(s)) // what is no character becomes U+FFFD, byte by byte
		if std != want || ours != want {
			t.Fatalf("%q is read as %q and %q", s, std, ours)
		}
	})
}
