package watch

import (
	"strings"
	"testing"
	"time"
)

// TestLabels: a label shows as it is written, on one line.
func TestLabels(t *testing.T) {
	now := time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)
	for label, wrong := range map[string]string{
		"": "", "Impôt (€)": "", "👩‍👧": "", "a\x00b": "U+0000", "a\u202Eb": "U+202E", "a\nb": "U+000A", strings.Repeat("x", maxLabel+1): "at most",
	} {
		w := Watch{Expires: now.Add(time.Hour), Sealed: Sealed{Situation: []byte("{}"), Period: "2026", Locale: "en", Figures: []Figure{{Variable: "tax", Label: label}}}}
		if err := w.check(now); (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", label, err, wrong)
		}
	}
}
