package simapi

import (
	"strings"
	"testing"

	"edict/simulation/scenario"
)

// TestJSONProblem has the texts and places that Python's json module tells, and those of what only we refuse.
func TestJSONProblem(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, `Expecting value: line 1 column 1 (char 0)`},
		{" \n ", `Expecting value: line 2 column 2 (char 3)`},
		{"\ufeff[é]", `Expecting value: line 1 column 2 (char 1)`},
		{`{'a': 1}`, `Expecting property name enclosed in double quotes: line 1 column 2 (char 1)`},
		{`{"a": 1,}`, `Expecting property name enclosed in double quotes: line 1 column 9 (char 8)`},
		{`[1,]`, `Expecting value: line 1 column 4 (char 3)`},
		{`{"a" 1}`, `Expecting ':' delimiter: line 1 column 6 (char 5)`},
		{"{\"é\": 1\n \"b\": 2}", `Expecting ',' delimiter: line 2 column 2 (char 9)`},
		{`{} {}`, `Extra data: line 1 column 4 (char 3)`},
		{`01`, `Extra data: line 1 column 2 (char 1)`},
		{`[01]`, `Expecting ',' delimiter: line 1 column 3 (char 2)`},
		{`1.x`, `Extra data: line 1 column 2 (char 1)`},
		{`[1.5e+]`, `Expecting ',' delimiter: line 1 column 5 (char 4)`},
		{`[-]`, `Expecting value: line 1 column 2 (char 1)`},
		{`["a`, `Unterminated string starting at: line 1 column 2 (char 1)`},
		{`["a\`, `Unterminated string starting at: line 1 column 2 (char 1)`},
		{"[\"a\n\"]", `Invalid control character at: line 1 column 4 (char 3)`},
		{`["a\q"]`, `Invalid \escape: line 1 column 4 (char 3)`},
		{`["a\u12g4"]`, `Invalid \uXXXX escape: line 1 column 5 (char 4)`},
		{`["a", "\ud800"]`, `half of a surrogate pair in the string at byte 6`},
		{"[\"\xff\"]", `the text is not UTF-8`},
		{"[\"\xff\", \"\\ud800\" 1]", `Expecting ',' delimiter: line 1 column 16 (char 15)`},
		{strings.Repeat("[", 200) + strings.Repeat("]", 200), `the document is nested more than 100 levels deep`},
	} {
		_, err := scenario.DecodeJSON([]byte(c.text))
		if err == nil {
			t.Errorf("%.40q is read", c.text)
		} else if got := jsonProblem([]byte(c.text), err); got != c.want {
			t.Errorf("%.40q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
