package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMatchJSON(t *testing.T) {
	tests := []struct{ name, want, got, problem string }{
		{"same", `{"a": [1, null, true, "x"]}`, `{"a":[1,null,true,"x"]}`, ""},
		{"order of keys", `{"a": 1, "b": 2}`, `{"b":2,"a":1}`, ""},
		{"order of items", `[1, 2]`, `[2, 1]`, `body[0]: want 1, got 2; body[1]: want 2, got 1`},
		{"missing", `{"a": 1}`, `{}`, `body: there is no "a"`},
		{"unexpected", `{}`, `{"a": 1}`, `body: unexpected "a": 1`},
		{"more keys", `{"a": 1, "<more>": "<any>"}`, `{"a":1,"b":2}`, ""},
		{"more items", `[1, "<more>"]`, `[1,2,3]`, ""},
		{"too few items", `[1, 2, "<more>"]`, `[1]`, `body: want 2 items, got 1: [1]`},
		{"number by value", `1.50`, `1.5`, ""},
		{"large integers differ", `9007199254740993`, `9007199254740992`, `body: want 9007199254740993, got 9007199254740992`},
		{"number is no string", `"1"`, `1`, `body: want "1", got the number 1`},
		{"string is no number", `1`, `"1"`, `body: want 1, got "1"`},
		{"null is not absent", `{"a": null}`, `{}`, `body: there is no "a"`},
		{"null is not false", `null`, `false`, `body: want null, got false`},
		{"list for object", `{}`, `[]`, `body: want an object, got []`},
		{"any", `["<any>", "<any>", "<any>"]`, `[{"a":1}, null, "x"]`, ""},
		{"id", `"<id>"`, `"01J-a_b"`, ""},
		{"id with a space", `"<id>"`, `"a b"`, `body: want "<id>", got "a b"`},
		{"time", `"<time>"`, `"2026-11-15T10:00:00.123+0100"`, ""},
		{"no time", `"<time>"`, `"2026-11-15"`, `body: want "<time>", got "2026-11-15"`},
		{"number placeholder", `"<number>"`, `-1.5e3`, ""},
		{"number placeholder on a string", `"<number>"`, `"15"`, `body: want a number, got the string "15"`},
		{"string", `"<string>"`, `""`, `body: want "<string>", got ""`},
		{"inside a text", `"channel <id> of {{user}}"`, `"channel c1 of alice"`, ""},
		{"variable", `{"id": "{{user}}"}`, `{"id": "bob"}`, `body.id: want "alice", got "bob"`},
		{"variable as number", `"{{n}}"`, `42`, ""},
		{"unknown variable", `"{{nobody}}"`, `"x"`, `body: there is no variable "nobody" here`},
		{"key from a variable", `{"{{user}}": 1}`, `{"alice": 1}`, ""},
		{"captured twice the same", `["<id x>", "<id x>"]`, `["a", "a"]`, ""},
		{"captured twice differently", `["<id x>", "<id x>"]`, `["a", "b"]`, `body[1]: {{x}} is "a", got "b"`},
		{"special characters", `"a.c (1)"`, `"abc (1)"`, `body: want "a.c (1)", got "abc (1)"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := &matcher{vars: map[string]string{"user": "alice", "n": "42"}}
			m.json("body", mustTree(t, test.want), mustTree(t, test.got))
			if got := strings.Join(m.problems, "; "); got != test.problem {
				t.Errorf("problems %q, want %q", got, test.problem)
			}
		})
	}
}

func TestCapture(t *testing.T) {
	m := &matcher{vars: map[string]string{}}
	m.json("body", mustTree(t, `{"id": "<id item>", "n": "<number n>"}`), mustTree(t, `{"id": "i1", "n": 7}`))
	if got, err := m.expand("/items/{{item}}?n={{n}}"); err != nil || got != "/items/i1?n=7" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTreeRoundTrip: any JSON survives being read and written.
func TestTreeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := jsonValue(3).Draw(t, "value")
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parseTree(text)
		if err != nil {
			t.Fatal(err)
		}
		var back any
		if err := json.Unmarshal([]byte(format(tree, "")), &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value, back); diff != "" {
			t.Fatal(diff)
		}
		m := &matcher{}
		if m.json("body", tree, tree); len(m.problems) > 0 && !strings.Contains(string(text), "{{") && !strings.Contains(string(text), "<") {
			t.Fatalf("a value does not match itself: %v", m.problems)
		}
	})
}

func jsonValue(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(), rapid.Float64Range(-1e6, 1e6).AsAny(),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	return rapid.OneOf(append(scalars,
		rapid.SliceOfN(jsonValue(depth-1), 0, 4).AsAny(),
		rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}`), jsonValue(depth-1), 0, 4).AsAny(),
	)...)
}

// TestUpdate: a file without wants is filled from the answers, passes as it is then, and keeps the placeholders that
// were put into it when an answer changes.
func TestUpdate(t *testing.T) {
	note := "first"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"id":"item-` + note + `","at":"2026-11-15T10:00:00Z","note":"` + note + `","path":"` + r.URL.Path + `"}`))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "a.txtar")
	write(t, file, "-- get --\nGET /x\n-- again --\nGET /x\n")
	golden := func(rewrite bool) string {
		defer func(old bool) { *update = old }(*update)
		*update = rewrite
		RunGolden(t, file, func(*testing.T) Golden { return Golden{URL: server.URL} })
		return read(t, file)
	}
	one := "-- want --\n200\nContent-Type: application/json\n\n" + `{"id": "item-first", "at": "<time>", "note": "first", "path": "/x"}` + "\n"
	want := "-- get --\nGET /x\n" + one + "-- again --\nGET /x\n" + one
	if diff := cmp.Diff(want, golden(true)); diff != "" {
		t.Fatal(diff)
	}
	golden(false)

	write(t, file, strings.Replace(want, `"item-first"`, `"<id item>"`, 1))
	note = "second"
	two := strings.ReplaceAll(one, `"first"`, `"second"`)
	want = "-- get --\nGET /x\n" + strings.Replace(two, `"item-first"`, `"<id item>"`, 1) +
		"-- again --\nGET /x\n" + strings.Replace(two, `"item-first"`, `"{{item}}"`, 1)
	if diff := cmp.Diff(want, golden(true)); diff != "" {
		t.Fatal(diff)
	}
	golden(false)
}

func mustTree(t *testing.T, text string) node {
	t.Helper()
	tree, err := parseTree([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
