package jsonio_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"edict/platform/fault"
	"edict/platform/jsonio"
)

type inner struct {
	Name string   `json:"name"`
	Tags []string `json:"tags"`
}

type shared struct {
	Common string `json:"common"`
}

type outer struct {
	shared
	Text    string           `json:"text"`
	Flag    bool             `json:"flag"`
	Count   int              `json:"count"`
	Small   int8             `json:"small"`
	Size    uint16           `json:"size"`
	Ratio   float32          `json:"ratio"`
	Exact   json.Number      `json:"exact"`
	Raw     json.RawMessage  `json:"raw"`
	Any     any              `json:"any"`
	When    time.Time        `json:"when"`
	Maybe   *int             `json:"maybe"`
	Inner   inner            `json:"inner"`
	Inners  []inner          `json:"inners"`
	ByName  map[string]inner `json:"byName"`
	Self    *outer           `json:"self"`
	Hidden  string           `json:"-"`
	NoTag   string
	private string //nolint:unused // must not be filled
}

func TestDecode(t *testing.T) {
	one := 1
	cases := map[string]struct {
		text string
		want outer
	}{
		"everything": {
			`{"common":"c","text":"é\u00e9\ud83d\ude00\n\"\/","flag":true,"count":-5,"small":-128,"size":65535,"ratio":1.5,"exact":1.10,` +
				`"raw":{"a" : [1.0]},"any":{"a":[null,true,"x",1.50]},"when":"2026-01-31T12:00:00.5+02:00","maybe":1,` +
				`"inner":{"name":"n","tags":["a","b"]},"inners":[{"name":"1"},{}],"byName":{"k":{"name":"v"}},"self":{"text":"deep"},"NoTag":"nt"}`,
			outer{
				shared: shared{Common: "c"}, Text: "éé😀\n\"/", Flag: true, Count: -5, Small: -128, Size: 65535, Ratio: 1.5, Exact: "1.10",
				Raw: json.RawMessage(`{"a" : [1.0]}`), Any: map[string]any{"a": []any{nil, true, "x", json.Number("1.50")}},
				When:  time.Date(2026, 1, 31, 12, 0, 0, 5e8, time.FixedZone("", 7200)),
				Maybe: &one, Inner: inner{Name: "n", Tags: []string{"a", "b"}}, Inners: []inner{{Name: "1"}, {}},
				ByName: map[string]inner{"k": {Name: "v"}}, Self: &outer{Text: "deep"}, NoTag: "nt",
			},
		},
		"null is absent":             {`{"text":null,"count":null,"inner":null,"inners":null,"maybe":null,"when":null,"exact":null}`, outer{}},
		"null stays in raw":          {`{"raw":null}`, outer{Raw: json.RawMessage("null")}},
		"unknown fields are ignored": {`{"other":{"a":[1,{"b":2}]},"text":"x"}`, outer{Text: "x"}},
		"names match exactly":        {`{"TEXT":"x","Text":"y","hidden":"h","Hidden":"h","private":"p"}`, outer{}},
		"an escaped name":            {`{"te\u0078t":"x"}`, outer{Text: "x"}},
		"space everywhere":           {" \n\t{ \"text\" : \"x\" ,\r\n \"inners\" : [ ] } ", outer{Text: "x", Inners: []inner{}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got outer
			if err := (jsonio.Rules{}).Decode([]byte(c.text), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(outer{}), cmp.AllowUnexported(shared{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d":{"a":1,"b":{}}`, i)
	}
	cases := []struct{ text, want string }{
		{``, `malformed JSON: the body is empty (line 1, column 1)`},
		{" \n ", `malformed JSON: the body is empty (line 2, column 2)`},
		{`null`, `expected an object, got null (line 1, column 1)`},
		{`{"inners":[null]}`, `inners[0]: expected a value, got null (line 1, column 12)`},
		{`[]`, `expected an object, got a list (line 1, column 1)`},
		{`{"text":1}`, `text: expected a string, got a number (line 1, column 9)`},
		{`{"inner":{"tags":"x"}}`, `inner.tags: expected a list, got a string (line 1, column 18)`},
		{"{\n \"inners\": [{},\n  {\"tags\": [\"é\", true]}]}", `inners[1].tags[1]: expected a string, got a boolean (line 3, column 18)`},
		{`{"byName":{"k":{"name":{}}}}`, `byName.k.name: expected a string, got an object (line 1, column 24)`},
		{`{"flag":"true"}`, `flag: expected a boolean, got a string (line 1, column 9)`},
		{`{"count":1.5}`, `count: expected a whole number, got 1.5 (line 1, column 10)`},
		{`{"count":1e3}`, `count: expected a whole number, got 1e3 (line 1, column 10)`},
		{`{"count":"1"}`, `count: expected a whole number, got a string (line 1, column 10)`},
		{`{"small":128}`, `small: the number 128 is out of range (line 1, column 10)`},
		{`{"size":-1}`, `size: the number -1 is out of range (line 1, column 9)`},
		{`{"ratio":1e39}`, `ratio: the number 1e39 is out of range (line 1, column 10)`},
		{`{"exact":"1"}`, `exact: expected a number, got a string (line 1, column 10)`},
		{`{"when":"tomorrow"}`, `when: expected a date and time like 2026-01-31T12:00:00Z, got "tomorrow" (line 1, column 9)`},
		{`{"text":"a","text":"b"}`, `text: "text" is given twice (line 1, column 13)`},
		{`{"x":1,"x":2}`, `x: "x" is given twice (line 1, column 8)`},
		{`{"text":"a","te\u0078t":"b"}`, `text: "text" is given twice (line 1, column 13)`},
		{`{"raw":{"a":{"b":1,"b":2}}}`, `raw: "b" is given twice (line 1, column 20)`},
		{`{"any":{"a":1,"a":2}}`, `any.a: "a" is given twice (line 1, column 15)`},
		{`{"raw":{` + strings.Join(many, ",") + `,"k3":1}}`, `raw: "k3" is given twice (line 1, column 839)`},
		{`{"text":"a"} {}`, `malformed JSON: there is more text after the end of the value (line 1, column 14)`},
		{`{"text":"a",}`, `malformed JSON: text: there is a comma before '}' (line 1, column 13)`},
		{`{"inners":[{},]}`, `malformed JSON: inners[0]: there is a comma before ']' (line 1, column 15)`},
		{`nope`, `malformed JSON: expected a value, got 'n' (line 1, column 1)`},
		{`{"text":tralala}`, `malformed JSON: text: expected a value, got 't' (line 1, column 9)`},
		{`{"text" "a"}`, `malformed JSON: expected a colon after the name, got '"' (line 1, column 9)`},
		{`{text:1}`, `malformed JSON: expected a name in double quotes, got 't' (line 1, column 2)`},
		{`{"text":"a" "b"}`, `malformed JSON: text: expected a comma or '}', got '"' (line 1, column 13)`},
		{`{"text":"a`, `malformed JSON: text: a string is not closed (line 1, column 9)`},
		{`{"text":"a\`, `malformed JSON: text: a string is not closed (line 1, column 11)`},
		{`{"text":`, `malformed JSON: text: the text ends where a value should be (line 1, column 9)`},
		{`{"text":"\x"}`, `malformed JSON: text: there is no escape \x (line 1, column 10)`},
		{`{"text":"\u12g4"}`, `malformed JSON: text: \u needs four hexadecimal digits (line 1, column 10)`},
		{`{"text":"\ud800x"}`, `malformed JSON: text: a \u escape is half of a character: its other half does not follow (line 1, column 10)`},
		{"{\"text\":\"a\tb\"}", `malformed JSON: text: a string holds the control character '\t': write it as \u0009 (line 1, column 11)`},
		{"{\"text\":\"a\xffb\"}", `malformed JSON: text: the text is not valid UTF-8 (line 1, column 11)`},
		{"\ufeff{}", `malformed JSON: the text starts with a byte order mark: send plain UTF-8 (line 1, column 1)`},
		{`{"raw":01}`, `malformed JSON: raw: a number has a leading 0 (line 1, column 9)`},
		{`{"raw":1.}`, `malformed JSON: raw: expected a digit, got '}' (line 1, column 10)`},
		{`{"raw":-}`, `malformed JSON: raw: expected a digit, got '}' (line 1, column 9)`},
		{`{"raw":NaN}`, `malformed JSON: raw: expected a value, got 'N' (line 1, column 8)`},
		{`{"raw":nul}`, `malformed JSON: raw: expected a value, got 'n' (line 1, column 8)`},
		{`{"raw":[[[[[[[[[]]]]]]]]]}`, `raw: nested deeper than 8 levels (line 1, column 15)`},
		{`{"any":[[[[[[[[[]]]]]]]]]}`, `any[0][0][0][0][0][0][0]: nested deeper than 8 levels (line 1, column 15)`},
		{strings.Repeat(`{"self":`, 100000), `self.self.self.self.self.self.self.self: nested deeper than 8 levels (line 1, column 65)`},
	}
	for _, c := range cases {
		var v outer
		err := jsonio.Rules{Depth: 8}.Decode([]byte(c.text), &v)
		if err == nil || fault.KindOf(err) != fault.Invalid || fault.From(err).Message != c.want {
			t.Errorf("%.60s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestDecodeRefusesTypos(t *testing.T) {
	cases := []struct{ text, want string }{
		{`{"inner":{"nmae":"x"}}`, `inner: there is no field "nmae": did you mean "name"? (line 1, column 11)`},
		{`{"inner":{"Name":"x"}}`, `inner: there is no field "Name": did you mean "name"? (line 1, column 11)`},
		{`{"inner":{"quite other":1}}`, ""},
		{`{"inner":{"name":"x"}}`, ""},
	}
	for _, c := range cases {
		var v struct {
			Inner inner `json:"inner"`
		}
		message := ""
		if err := (jsonio.Rules{RefuseTypos: true}).Decode([]byte(c.text), &v); err != nil {
			message = fault.From(err).Message
		}
		if message != c.want {
			t.Errorf("%s: %q, want %q", c.text, message, c.want)
		}
		if err := (jsonio.Rules{}).Decode([]byte(c.text), &v); err != nil {
			t.Errorf("%s: %v without RefuseTypos", c.text, err)
		}
	}
}

// TestDecodeManyUnknown: a body of nothing but unknown fields is not compared with the known ones for ever.
func TestDecodeManyUnknown(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, `"other%d":0,`, i)
	}
	var v inner
	if err := (jsonio.Rules{RefuseTypos: true}).Decode([]byte("{"+text.String()+`"nmae":"x"}`), &v); err != nil {
		t.Errorf("after 200 unknown fields: %v", err)
	}
	if err := (jsonio.Rules{RefuseTypos: true}).Decode([]byte(`{"nmae":"x",`+text.String()+`"z":0}`), &v); err == nil {
		t.Error("a typing error before them is accepted")
	}
}

func TestDecodeTargets(t *testing.T) {
	for _, bad := range []any{nil, outer{}, (*outer)(nil), new(chan int), new(map[int]string), new(struct{ F func() })} {
		if err := (jsonio.Rules{}).Decode([]byte(`{}`), bad); fault.KindOf(err) != fault.Internal || err == nil {
			t.Errorf("%T: %v", bad, err)
		}
	}
}

// FuzzDecode compares with encoding/json: what we accept it accepts, with the same result, and by its rules we accept what it
// accepts.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",null,true,false,{}]}`, `[[[]]]`, `"\ud800"`, `{"a":1,"a":2}`, `01`, `1.`, `-`, `{"k":}`, "\"\xff\"", `tru`, ` 1 `, `"\u0000"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		byTheirRules(t, data)
		var ours any
		var raw json.RawMessage
		err := jsonio.Rules{}.Decode(data, &ours)
		rawErr := jsonio.Rules{}.Decode(data, &raw)
		if (err == nil) != (rawErr == nil) {
			t.Fatalf("reading gives %v, skipping %v", err, rawErr)
		}
		if err != nil {
			if kind := fault.KindOf(err); kind != fault.Invalid {
				t.Fatalf("kind %v: %v", kind, err)
			}
			return
		}
		var theirs any
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		if err := dec.Decode(&theirs); err != nil {
			t.Fatalf("accepted %q, encoding/json says %v", data, err)
		}
		if !reflect.DeepEqual(ours, theirs) {
			t.Fatalf("%q\nours   %#v\ntheirs %#v", data, ours, theirs)
		}
	})
}

// byTheirRules reads data by the rules of encoding/json.
func byTheirRules(t *testing.T, data []byte) {
	t.Helper()
	rules := jsonio.Rules{LastWins: true, AnyText: true, Depth: 10_000}
	if err, valid := rules.Check(data), json.Valid(data); (err == nil) != valid {
		t.Fatalf("%q: %v, but valid is %v", data, err, valid)
	}
	if !utf8.Valid(data) || !json.Valid(data) {
		return
	}
	var ours, theirs any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := errors.Join(rules.Decode(data, &ours), dec.Decode(&theirs)); err != nil || !reflect.DeepEqual(ours, theirs) {
		t.Fatalf("%q\nours   %#v\ntheirs %#v: %v", data, ours, theirs, err)
	}
}

// TestDecodeMany: what would take many times the memory of the text is refused; what is kept as it is written is not.
func TestDecodeMany(t *testing.T) {
	var names strings.Builder
	for i := range 100_002 {
		fmt.Fprintf(&names, `"n%d":1,`, i)
	}
	object := "{" + strings.TrimSuffix(names.String(), ",") + "}"
	list := "[" + strings.TrimSuffix(strings.Repeat(`"",`, 100_001), ",") + "]"
	var v struct {
		Names []string        `json:"names"`
		Raw   json.RawMessage `json:"raw"`
		Any   any             `json:"any"`
	}
	for text, want := range map[string]string{
		`{"names":` + list + `}`: "more than 100000 elements",
		`{"any":[` + list + `]}`: "more than 100000 elements",
		`{"any":` + object + `}`: "more than 100000 names",
		`{"raw":` + object + `}`: "more than 100000 names",
		`{"raw":` + list + `}`:   "",
	} {
		err := jsonio.Rules{}.Decode([]byte(text), &v)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s…: %v, want %q", text, err, want)
		}
	}
}
