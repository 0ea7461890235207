package scenario

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"edict/platform/heap"
	"edict/platform/jsonio"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// TestDocuments reads documents, several at a time, into what others leave behind: each says what it says alone, and texts
// that somebody keeps stay what they are.
func TestDocuments(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string { return drawJSON(t, 0) })
	rapid.Check(t, func(t *rapid.T) {
		var open []*document
		var texts, want []string
		var kept []vector.Column
		release := func(i int) {
			if got, alone := written(open[i]), decoded(t, texts[i]); got != alone {
				t.Fatalf("%s is read as %s, alone as %s", texts[i], got, alone)
			}
			open[i].GiveBack()
			open, texts = append(open[:i], open[i+1:]...), append(texts[:i], texts[i+1:]...)
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if len(open) > 0 && rapid.Bool().Draw(t, "release") {
				release(rapid.IntRange(0, len(open)-1).Draw(t, "which"))
				continue
			}
			source := text.Draw(t, "text")
			d := &document{Workspace: Borrow()}
			var err error
			if d.Data, err = d.ReadJSON([]byte(source), Bounds{}); err != nil {
				t.Fatalf("%s: %v", source, err)
			}
			if s, ok := d.Text(); ok {
				kept, want = append(kept, d.Scalar), append(want, strings.Clone(s))
			}
			open, texts = append(open, d), append(texts, source)
		}
		for len(open) > 0 {
			release(0)
		}
		for i, c := range kept {
			if c.Text(0) != want[i] {
				t.Fatalf("%q became %q", want[i], c.Text(0))
			}
		}
	})
}

// document is a document and where it was read.
type document struct {
	legislation.Data
	*Workspace
}

func written(d *document) string { return string(AppendJSON(nil, d.Data)) }

func decoded(t *rapid.T, text string) string {
	d, err := DecodeJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return string(AppendJSON(nil, d))
}

// drawJSON makes a document, small or with lists and objects of many.
func drawJSON(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth > 3 {
		kind %= 4
	}
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 20}).Draw(t, "n")
	parts := make([]string, n)
	switch kind {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false", "1e999", "123456789012345678901"}).Draw(t, "word")
	case 1:
		return fmt.Sprint(rapid.Int().Draw(t, "integer"))
	case 2:
		return string(jsonio.AppendFloat(nil, rapid.Float64().Draw(t, "number"), 64))
	case 3:
		return string(jsonio.AppendString(nil, rapid.String().Draw(t, "text")))
	case 4:
		for i := range parts {
			parts[i] = drawJSON(t, depth+2)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for i := range parts {
		parts[i] = fmt.Sprintf(`"%d": %s`, rapid.IntRange(0, 30).Draw(t, "key"), drawJSON(t, depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// TestDocumentAllocations: a document that is like the one before needs fewer.
func TestDocumentAllocations(t *testing.T) {
	if heap.Poisoned {
		t.Skip("nothing serves again in a build that spoils what is given back")
	}
	text := []byte(`{"persons": {"a": {"birth": {"ETERNITY": "1980-01-01"}, "salary": {"2020-01": 100.5, "2020-02": -3}}}, "households": {"h": {"adults": ["a"], "taxes": {"2020-01": null}}}}`)
	again := testing.AllocsPerRun(1000, func() {
		w := Borrow()
		if _, err := w.ReadJSON(text, Bounds{}); err != nil {
			t.Fatal(err)
		}
		w.GiveBack()
	})
	alone := testing.AllocsPerRun(1000, func() {
		if _, err := DecodeJSON(text); err != nil {
			t.Fatal(err)
		}
	})
	if again > alone/2 {
		t.Errorf("%v allocations, %v alone", again, alone)
	}
}
