package simapi_test

import (
	"testing"

	"edict/simulation/simapi"
)

// TestBlockText: what belongs to a class or function is what Python's inspect.getsource says; the wants are its answers.
func TestBlockText(t *testing.T) {
	const source = `class C:
    def first(self):
        return 1
        # of first

    # of C, not of first
    def second(self): return 2
        # of nobody but C

    def third(self):
        return 3
    # of C
# of nobody

x = 1
`
	for line, want := range map[int32]string{
		1:  source[:len(source)-len("# of nobody\n\nx = 1\n")],
		2:  "    def first(self):\n        return 1\n        # of first\n",
		7:  "    def second(self): return 2\n",
		10: "    def third(self):\n        return 3\n",
	} {
		if got := simapi.BlockText(source, line); got != want {
			t.Errorf("line %d is the block\n%q, want\n%q", line, got, want)
		}
	}
}
