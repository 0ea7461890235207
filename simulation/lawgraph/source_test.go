package lawgraph_test

import (
	"testing"

	"edict/simulation/lawgraph"
)

// blockText is the text of the class or function that begins on a line.
func blockText(source string, line int32) string {
	f := lawgraph.ParseFile("test.py", []byte(source))
	b, _ := f.At(line)
	return f.Text(b)
}

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
		if got := blockText(source, line); got != want {
			t.Errorf("line %d is the block\n%q, want\n%q", line, got, want)
		}
	}
}

// TestBlockEndsInString: the last line of a string may look like a comment.
func TestBlockEndsInString(t *testing.T) {
	const block = "class C:\n    text = \"\"\"\n# first\n\n# last\"\"\"\n"
	for _, after := range []string{"", "\n# of nobody\n\nx = 1\n", "# of nobody\n"} {
		if got := blockText(block+after, 1); got != block {
			t.Errorf("with %q after it the block is\n%q, want\n%q", after, got, block)
		}
	}
}
