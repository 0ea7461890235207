package yamltest

import (
	"fmt"
	"testing"
)

// TestCompositionsAreBounded: a package has hundreds of reforms, and a system by one of them may have all parameters of its own.
func TestCompositionsAreBounded(t *testing.T) {
	s := NewSuite(nil, nil)
	first := s.composition("0")
	for i := range maxCompositions {
		s.composition(fmt.Sprint(i))
	}
	if len(s.recent) != maxCompositions || s.composition("0") != first {
		t.Errorf("%d are kept, and the first is not among them", len(s.recent))
	}
	s.composition("another")
	if s.composition("0") != first {
		t.Error("what was asked for last went")
	}
	if len(s.recent) != maxCompositions || s.recent[0].key != "2" {
		t.Errorf("%d are kept, %s the oldest", len(s.recent), s.recent[0].key)
	}
}
