package simapi_test

import (
	"net/http"
	"strings"
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

// TestBlockEndsInString: the last line of a string may look like a comment.
func TestBlockEndsInString(t *testing.T) {
	const block = "class C:\n    text = \"\"\"\n# first\n\n# last\"\"\"\n"
	for _, after := range []string{"", "\n# of nobody\n\nx = 1\n", "# of nobody\n"} {
		if got := simapi.BlockText(block+after, 1); got != block {
			t.Errorf("with %q after it the block is\n%q, want\n%q", after, got, block)
		}
	}
}

// TestSourceEndsInString: the text of a formula is shown whole.
func TestSourceEndsInString(t *testing.T) {
	h := village(t, "income")
	for _, path := range []string{"/variable/noted", "/api/1/variables?name=noted"} {
		w := send(h, http.MethodGet, path, "")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `len(\"\"\"\n# no comment\"\"\")\n"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
