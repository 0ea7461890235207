package sqlstore

import (
	"fmt"
	"testing"
)

// TestTrigrams: a text is covered by as few trigrams as possible, also one that is a single trigram.
func TestTrigrams(t *testing.T) {
	for text, want := range map[string]string{"": "[]", "ab": "[]", "abc": "[abc]", "abcd": "[abc bcd]", "abcdef": "[abc def]", "éàü": "[éàü]"} {
		if got := fmt.Sprint(trigrams(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
