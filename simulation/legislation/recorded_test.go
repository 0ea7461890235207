package legislation

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// answers is what testdata/generate.py recorded from OpenFisca-Core.
type answers struct {
	Scalars  [][2]json.RawMessage
	Instants map[string]map[string]json.RawMessage
	Indexed  map[string]json.RawMessage
	Updates  []struct {
		Data    map[string]any
		Steps   [][3]any
		History [][2]json.RawMessage
	}
	Bases  []float64
	Scales []map[string]json.RawMessage
}

func readAnswers(t testing.TB) answers {
	t.Helper()
	text, err := os.ReadFile("testdata/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var a answers
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// dataText writes data in the form of the recording: ["float",1.5].
func dataText(d Data) string {
	switch d.Kind {
	case Null:
		return `["NoneType",null]`
	case List:
		parts := make([]string, len(d.List))
		for i, e := range d.List {
			parts[i] = dataText(e)
		}
		return `["list",[` + strings.Join(parts, ",") + `]]`
	case Mapping:
		return "a mapping"
	}
	switch d.Scalar.Type() {
	case vector.Bool:
		return fmt.Sprintf(`["bool",%t]`, d.Scalar.Bool(0))
	case vector.Int64:
		return fmt.Sprintf(`["int",%d]`, d.Scalar.Int(0))
	case vector.Float64:
		return `["float",` + floatText(d.Scalar.Float(0)) + `]`
	}
	quoted, _ := json.Marshal(d.Scalar.Text(0))
	return `["str",` + string(quoted) + `]`
}

func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return `"nan"`
	case math.IsInf(f, 1):
		return `"inf"`
	case math.IsInf(f, -1):
		return `"-inf"`
	}
	return vector.PyFloat(f).Repr(0)
}

func columnText(c vector.Column) string {
	name := map[vector.Type]string{vector.Bool: "b1", vector.Int16: "i2", vector.Int32: "i4", vector.Int64: "i8", vector.Float32: "f4", vector.Float64: "f8", vector.Str: "U"}[c.Type()]
	parts := make([]string, c.Len())
	for i := range parts {
		switch c.Type() {
		case vector.Float32, vector.Float64:
			parts[i] = floatText(c.Float(i))
		case vector.Str:
			quoted, _ := json.Marshal(c.Text(i))
			parts[i] = string(quoted)
		default:
			parts[i] = c.Format(i)
		}
	}
	return `["` + name + `",[` + strings.Join(parts, ",") + `]]`
}

func errorText(err error) string {
	class := "Exception"
	switch e := err.(type) {
	case *Error:
		class = e.Class
	case *ParameterNotFound:
		class = "ParameterNotFoundError"
	case *vector.Error:
		class = string(e.Kind)
	}
	return `["error","` + class + `"]`
}

func TestYAMLScalars(t *testing.T) {
	for _, row := range readAnswers(t).Scalars {
		var text string
		_ = json.Unmarshal(row[0], &text)
		got := ""
		d, err := ParseYAML("x.yaml", []byte("- "+text))
		switch {
		case err != nil:
			got = `["error","` + err.Error() + `"]`
		default:
			got = dataText(d.List[0])
		}
		want := string(row[1])
		if strings.HasPrefix(want, `["error"`) && err != nil {
			continue
		}
		if got != want {
			t.Errorf("%s reads as %s, want %s", text, got, want)
		}
	}
}

func testTree(t testing.TB) *Tree {
	t.Helper()
	item, err := LoadParameters(context.Background(), os.DirFS("testdata"), "parameters", "", nil, KnownKeys)
	if err != nil {
		t.Fatal(err)
	}
	return NewTree(item.(*ParameterNode), NewNames())
}

func TestParametersAtInstants(t *testing.T) {
	tree := testTree(t)
	for day, want := range readAnswers(t).Instants {
		instant, _ := period.ParseInstant(day)
		view, err := tree.On(instant)
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		flatten(view.Root(), "", got)
		for name, value := range want {
			if got[name] != string(value) {
				t.Errorf("%s on %s is %s, want %s", name, day, got[name], value)
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Errorf("%s exists on %s", name, day)
			}
		}
	}
}

func flatten(n *NodeAt, path string, into map[string]string) {
	for name, v := range n.Children().All() {
		full := compose(path, name)
		switch {
		case v.Node != nil:
			flatten(v.Node, full, into)
		case v.Scale != nil:
			into[full] = `["` + v.Scale.Kind.String() + `",` + partsText(v.Scale)[1:]
		default:
			into[full] = dataText(*v.Leaf)
		}
	}
}

func partsText(s *Scale) string {
	text := func(numbers []Number) string {
		parts := make([]string, len(numbers))
		for i, n := range numbers {
			parts[i] = dataText(DataOf(n.Column()))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "[" + text(s.Thresholds) + "," + text(s.Values) + "]"
}

func TestIndexing(t *testing.T) {
	tree := testTree(t)
	view, _ := tree.On(period.Instant{Year: 2015, Month: 1, Day: 1})
	zone := NewEnum("Zone", []string{"z1", "z2"}, []string{"one", "two"}, nil)
	housing := NewEnum("Housing", []string{"owner", "tenant"}, []string{"o", "t"}, nil)
	date := func(days ...string) vector.Column {
		var data []int64
		for _, d := range days {
			i, _ := period.ParseInstant(d)
			data = append(data, int64(i.Days()))
		}
		return vector.Dates(vector.Day, data)
	}
	cases := []struct {
		name, node string
		keys       []any
	}{
		{"strings", "taxes.housing.zones", []any{vector.Strs([]string{"z1", "z2", "z1"}), "owner", "one"}},
		{"strings floats", "taxes.housing.zones", []any{vector.Strs([]string{"z1", "z2", "z1"}), "tenant", "two"}},
		{"enums", "taxes.housing.zones", []any{vector.Enums(zone.Domain, []int16{1, 0}), "owner", "one"}},
		{"chained", "taxes.housing.zones", []any{vector.Enums(zone.Domain, []int16{1, 0, 1}), vector.Enums(housing.Domain, []int16{0, 1, 1}), "two"}},
		{"chained strings", "taxes.housing.zones", []any{vector.Strs([]string{"z1", "z2"}), vector.Strs([]string{"tenant", "owner"}), "one"}},
		{"missing", "taxes.housing.zones", []any{vector.Strs([]string{"z3"}), "owner", "one"}},
		{"missing field", "taxes.housing.zones", []any{vector.Strs([]string{"z1"}), "nobody"}},
		{"bad code", "taxes.housing.zones", []any{vector.Enums(zone.Domain, []int16{5}), "owner", "one"}},
		{"uneven", "taxes.housing.uneven", []any{vector.Strs([]string{"z1"}), "a"}},
		{"mixed", "taxes.housing.mixed", []any{vector.Strs([]string{"z1"}), "a"}},
		{"scale", "taxes", []any{vector.Strs([]string{"scale"})}},
		{"ints", "benefits.per_child", []any{vector.Of([]int64{1, 2, 2})}},
		{"ints floats", "benefits.per_child", []any{vector.Of([]int32{1, 3})}},
		{"int missing", "benefits.per_child", []any{vector.Of([]int64{7})}},
		{"dates", "benefits.generations", []any{date("1940-01-01", "1949-12-31", "1950-01-01", "1955-06-30", "1955-07-01", "1960-01-01", "1999-01-01")}},
		{"floats", "benefits.per_child", []any{vector.Of([]float64{1})}},
	}
	want := readAnswers(t).Indexed
	if len(cases) != len(want) {
		t.Fatalf("%d cases, %d answers", len(cases), len(want))
	}
	for _, c := range cases {
		got, err := walkKeys(view, c.node, c.keys)
		text := columnText(got)
		if err != nil {
			text = errorText(err)
		}
		if strings.HasPrefix(string(want[c.name]), `["error"`) && err != nil && c.name != "missing" {
			continue // the class of the exception is ours; what matters is that it is one
		}
		if text != string(want[c.name]) {
			t.Errorf("%s gives %s (%v), want %s", c.name, text, err, want[c.name])
		}
	}
}

func walkKeys(view *View, path string, keys []any) (vector.Column, error) {
	value, err := view.Find(strings.Split(path, ".")...)
	if err != nil {
		return vector.Column{}, err
	}
	var at Indexed
	for i, key := range keys {
		switch key := key.(type) {
		case string:
			at, err = at.Node.Field(key)
		case vector.Column:
			if i == 0 {
				at, err = value.Node.Index(key, nil)
			} else {
				at, err = at.Node.Index(key, nil)
			}
		}
		if err != nil {
			return vector.Column{}, err
		}
	}
	return at.Column, nil
}

func TestUpdates(t *testing.T) {
	for _, row := range readAnswers(t).Updates {
		d := emptyMapping()
		for day, v := range row.Data {
			d.Map.Set(day, jsonData(v))
		}
		item, err := BuildParameter("p", d, "p.yaml", KnownKeys)
		if err != nil {
			t.Fatal(err)
		}
		p := item.(*Parameter)
		for _, step := range row.Steps {
			start, _ := period.ParseInstant(step[0].(string))
			var stop *period.Instant
			if text, ok := step[1].(string); ok {
				day, _ := period.ParseInstant(text)
				stop = &day
			}
			if err := p.Update(start, stop, jsonData(step[2])); err != nil {
				t.Fatal(err)
			}
		}
		var got, want []string
		for _, v := range p.Values {
			got = append(got, `"`+v.StartText()+`" `+dataText(v.Value))
		}
		for _, v := range row.History {
			want = append(want, string(v[0])+" "+string(v[1]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v updated with %v has\n%v, want\n%v", row.Data, row.Steps, got, want)
		}
	}
}

// jsonData tells integers from floats by their value, as the cases are made.
func jsonData(v any) Data {
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) {
			return DataOf(vector.PyInt(int64(v)))
		}
		return DataOf(vector.PyFloat(v))
	case string:
		return DataOf(vector.PyStr(v))
	}
	return Data{}
}
