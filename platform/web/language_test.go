package web

import (
	"slices"
	"strings"
	"testing"
)

func TestLanguages(t *testing.T) {
	for accept, want := range map[string][]string{
		"":                            {},
		"fr":                          {"fr"},
		"de, fr-CA;q=0.9, en;q=0.95":  {"de", "en", "fr-CA"},
		"en;q=0.5,fr;q=0.5":           {"en", "fr"},
		"*":                           {"*"},
		"en;q=0, *;q=0.1":             {"*"},
		" en ; q=0.5 , ,fr;level=1,x": {"x", "en"},
		strings.Repeat("de,", maxLanguages-1) + "fr": slices.Concat(slices.Repeat([]string{"de"}, maxLanguages-1), []string{"fr"}),
		strings.Repeat("de,", maxLanguages) + "fr":   slices.Repeat([]string{"de"}, maxLanguages),
	} {
		if got := Languages(accept); !slices.Equal(got, want) {
			t.Errorf("%q prefers %q, want %q", accept, got, want)
		}
	}
	for _, good := range []string{"", " ", "q=1", "Q=0.001", " q=0.5"} {
		if got := languageWeight(good); !(got > 0 && got <= 1) {
			t.Errorf("%q weighs %v", good, got)
		}
	}
	for _, bad := range []string{"q=0", "q=-0.1", "q=1.1", "q=2", "q=", "q=x", "x=1", "0.5", "q=NaN"} {
		if got := languageWeight(bad); got != 0 {
			t.Errorf("%q weighs %v, want nothing", bad, got)
		}
	}
}
