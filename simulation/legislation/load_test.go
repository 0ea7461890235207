package legislation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"edict/simulation/period"
	"edict/simulation/vector"
)

func loadText(t testing.TB, files map[string]string) (ParameterItem, error) {
	t.Helper()
	system := fstest.MapFS{}
	for name, text := range files {
		system["parameters/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return LoadParameters(context.Background(), system, "parameters", "", nil, KnownKeys)
}

// TestProblems: every mistake is found, with file and line, and all of them at once.
func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "a: [1,\n", "a.yaml:"},
		{"duplicate key", "x: {2010-01-01: 1}\ny: {2010-01-01: 1}\nx: {2010-01-01: 2}\n", "a.yaml:3: the key 'x' occurs twice"},
		{"empty file", "# nothing\n", "a.yaml: the file is empty"},
		{"not a mapping", "hello\n", "a.yaml:1: 'a' must be a mapping"},
		{"child is a text", "b:\n  c: hello\n", "a.yaml:2: 'a.b.c' must be a mapping"},
		{"unknown property", "values:\n  2010-01-01: 1\nvalue: 3\n", "a.yaml:3: 'value' is not a property that 'a' can have; did you mean 'values'?"},
		{"not a day", "values:\n  2010-01-01: 1\n  2010-13-01: 2\n", "a.yaml:3: '2010-13-01' in 'a' is not a day"},
		{"value is a mapping", "values:\n  2010-01-01:\n    value: {a: 1}\n", "a.yaml:3: the value of 'a[2010-01-01]' must be"},
		{"no value", "values:\n  2010-01-01:\n    metadata: {a: 1}\n", "a.yaml:3: 'a[2010-01-01]' has no 'value'"},
		{"unknown key of a value", "values:\n  2010-01-01:\n    value: 1\n    valeu: 2\n", "a.yaml:4: 'valeu' is not a property"},
		{"values is a list", "values: [1]\n", "a.yaml:1: the values of 'a' must be a mapping of days"},
		{"empty values", "description: x\nvalues:\n", "a.yaml:"},
		{"brackets", "brackets: 3\n", "a.yaml:1: the brackets of 'a' must be a list"},
		{"bracket", "brackets:\n  - 3\n", "a.yaml:2: 'a[0]' must be a mapping"},
		{"key of a bracket", "brackets:\n  - rates: {2010-01-01: 1}\n", "a.yaml:2: 'rates' is not a property that 'a[0]' can have; did you mean 'rate'?"},
		{"metadata", "metadata: 3\nvalues: {2010-01-01: 1}\n", "a.yaml:1: 'metadata' must be a mapping"},
		{"description", "description: [a]\nvalues: {2010-01-01: 1}\n", "a.yaml:1: 'description' must be a text"},
		{"large integer", "values: {2010-01-01: 123456789012345678901}\n", "a.yaml:1: the integer 123456789012345678901 does not fit"},
		{"tag", "values: {2010-01-01: !!int hello}\n", "a.yaml:1: the tag !!int does not fit"},
		{"deep", strings.Repeat("[", 400) + strings.Repeat("]", 400), "nested more than"},
	} {
		_, err := loadText(t, map[string]string{"a.yaml": c.text})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	_, err := loadText(t, map[string]string{"a.yaml": "values: 1\nfoo: 2\n", "b.yaml": "x", "c/index.yaml": "colour: blue\n", "d.yaml": "{2010-01-01: 1}", "d/e.yaml": "{2010-01-01: 1}"})
	var problems Problems
	if !errors.As(err, &problems) || len(problems) != 5 {
		t.Errorf("want 5 problems, got %v", err)
	}
}

// TestBomb: a few hundred bytes of aliases would make billions of values.
func TestBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ParseYAML("bomb.yaml", []byte(b.String()))
	runtime.ReadMemStats(&after)
	if err == nil || !strings.HasPrefix(err.Error(), "bomb.yaml:7: aliases make this document larger") {
		t.Errorf("the bomb: %v", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes were used before the bomb was refused", n)
	}
	if _, err := ParseYAML("self.yaml", []byte("&a [*a]")); err == nil {
		t.Error("a list inside itself was not refused")
	}
}

func TestYAMLStructure(t *testing.T) {
	d, err := ParseYAML("x.yaml", []byte("base: &b\n  1: one\n  yes: two\n  0.50: three\nmore:\n  <<: *b\n  1: other\nquoted: '12'\nblock: |\n  a\n  b\nalias: *b\n"))
	if err != nil {
		t.Fatal(err)
	}
	base, _ := d.Get("base")
	if got := strings.Join(base.Map.Keys(), " "); got != "1 True 0.5" {
		t.Errorf("the keys are %q", got)
	}
	more, _ := d.Get("more")
	one, _ := more.Get("1")
	if text, _ := one.Text(); text != "other" || more.Map.Len() != 3 {
		t.Errorf("merged: %q and %d keys", text, more.Map.Len())
	}
	quoted, _ := d.Get("quoted")
	if text, ok := quoted.Text(); !ok || text != "12" {
		t.Error("a quoted number is not text")
	}
	alias, _ := d.Get("alias")
	if !alias.Equal(base) || alias.Equal(more) {
		t.Error("an alias differs from what it stands for, or equals something else")
	}
}

func TestTreeDescription(t *testing.T) {
	root := testTree(t).Root
	if root.Description != "A small law for tests" || strings.Join(root.Children.Keys(), " ") != "benefits taxes" {
		t.Errorf("the root is %q with %v", root.Description, root.Children.Keys())
	}
	item, _ := root.Find("taxes", "rate")
	rate := item.(*Parameter)
	if rate.Name != "taxes.rate" || rate.Description != "Rate of the tax" || rate.Source.File != "parameters/taxes/rate.yaml" {
		t.Errorf("the rate is %+v", rate.ParameterInfo)
	}
	unit, _ := rate.Metadata.Get("unit")
	if text, _ := unit.Text(); text != "/1" {
		t.Errorf("the unit is %q", text)
	}
	reference, _ := rate.Values[2].Metadata().Get("reference")
	if text, _ := reference.Text(); rate.Values[2].StartText() != "2015-01-01" || text != "https://example.org/rate/2015" {
		t.Errorf("the value of %s refers to %q", rate.Values[2].StartText(), text)
	}
	taxes, _ := root.Find("taxes")
	unit, _ = taxes.Info().Metadata.Get("unit")
	if text, _ := unit.Text(); text != "currency" {
		t.Errorf("the unit of the directory is %q", text)
	}
	count := 0
	for range root.Descendants() {
		count++
	}
	if count != 48 {
		t.Errorf("%d descendants", count)
	}
	if _, ok := root.Find("taxes", "rate", "x"); ok {
		t.Error("a leaf has a child")
	}
}

func TestLookup(t *testing.T) {
	tree := testTree(t)
	path := tree.names.Path("taxes", "rate")
	missing := tree.names.Path("taxes", "rat")
	day := period.Instant{Year: 2016, Month: 5, Day: 4}
	view, err := tree.On(day)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		v, err := view.Lookup(path)
		if err != nil || v.Leaf.Scalar.Float(0) != 0.13 {
			t.Errorf("the rate is %v (%v)", v, err)
		}
		var notFound *ParameterNotFound
		if _, err := view.Lookup(missing); !errors.As(err, &notFound) || notFound.Nearest() != "rate" || notFound.Name != "taxes.rat" {
			t.Errorf("got %v", err)
		}
	}
	later := tree.names.Path("taxes", "short")
	if v, err := view.Lookup(later); err != nil || v.Leaf.Scalar.Int(0) != 7 {
		t.Errorf("a path that was numbered later gives %v (%v)", v, err)
	}
	if again, _ := tree.On(day); again != view {
		t.Error("the same day has two views")
	}
	if _, err := tree.On(period.EternityInstant); err == nil {
		t.Error("the law of eternity was given")
	}
}

// TestConcurrentViews lets several goroutines ask for the same days and paths for the first time.
func TestConcurrentViews(t *testing.T) {
	tree := testTree(t)
	paths := []PathID{tree.names.Path("taxes", "rate"), tree.names.Path("taxes", "scale"), tree.names.Path("taxes", "housing", "zones"), tree.names.Path("taxes", "nothing")}
	views := make([]*View, 8)
	var wg sync.WaitGroup
	for g := range views {
		wg.Go(func() {
			for y := range 30 {
				view, err := tree.On(period.Instant{Year: int16(2000 + y), Month: 1, Day: 1})
				if err != nil {
					t.Error(err)
					return
				}
				for _, path := range append(paths, tree.names.Path("taxes", fmt.Sprint("made up ", g))) {
					if value, err := view.Lookup(path); err == nil && value.Node != nil {
						value.Node.Children()
					}
				}
				views[g] = view
			}
		})
	}
	wg.Wait()
	for _, v := range views {
		if v != views[0] {
			t.Error("the same day has several views")
		}
	}
	a, _ := views[0].Lookup(paths[1])
	b, _ := views[0].Find("taxes", "scale")
	if a.Scale != b.Scale {
		t.Error("the same scale was made twice")
	}
}

func TestClone(t *testing.T) {
	shared := &Parameter{}
	root := NewParameterNode("")
	a, b := NewParameterNode("a"), NewParameterNode("b")
	a.Children.Set("x", shared)
	b.Children.Set("x", shared)
	root.Children.Set("a", a)
	root.Children.Set("b", b)
	c := root.Clone()
	x, _ := c.Find("a", "x")
	y, _ := c.Find("b", "x")
	if x != y || x == ParameterItem(shared) {
		t.Error("the copy does not share what the original shares, or shares with it")
	}
	if err := x.(*Parameter).Update(FirstDay, nil, DataOf(vector.PyInt(1))); err != nil || len(shared.Values) != 0 {
		t.Error("changing the copy changed the original")
	}
	if err := a.AddChild("x", shared); err == nil {
		t.Error("a child was added twice")
	}
}

func FuzzYAML(f *testing.F) {
	for _, s := range []string{"values: {2010-01-01: 1}", "brackets: [{rate: {2010-01-01: 1}}]", "a: &x [1]\nb: *x", "<<: {a: 1}", "? [a]\n: b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseYAML("f.yaml", []byte(text))
		if err != nil {
			return
		}
		item, err := BuildParameter("f", d, "f.yaml", KnownKeys)
		if err != nil {
			return
		}
		if node, ok := item.(*ParameterNode); ok {
			view, _ := NewTree(node, NewNames()).On(period.Instant{Year: 2015, Month: 1, Day: 1})
			view.Root().Children()
		}
	})
}

// FuzzFastYAML holds the fast reader against the full one: what it does not decline it must read alike.
func FuzzFastYAML(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb:\n  c: x y\n  d: 'q'\n", "a:\n- 1\n- b: 2\n  c: 3\n-\n", "a: long\n  text\n\n  more # end\nb: 2", "a: |\n  x\n   y\n\nb: |-\n  z\n",
		"# c\na: -1.5 # c\n\"k\": \"v\"\n", "2010-01-01:\n  value: 1_000\n", "a: http://x.y/z#w\n", "---\na: b\n", "a:\n    b: 1\n    c:\n    - x\nd: ~", "- a\n- b: c\n", "a: b: c", "a : b", "a: 'it''s'", "x: - y", "a:\n  b\n", "a: 1\n\n\n",
		`a: "x\"y\_z" # c`, `"k\"l": 'it''s'`, `a: "\\"`, `- "x\": y"`, `a: "\/\n\t"`, `a: "b\'c"`, `a: ''`, `a: ''''`, `a: "x\`, `- 'a'': b'`,
		strings.Repeat("k", 1025) + ": 1", `"` + strings.Repeat("k", 1025) + `": 1`, "- " + strings.Repeat("k", 1025) + ": 1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fast, ok := fastYAML(text)
		if !ok {
			return
		}
		full, err := fullYAML("f.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%q is read as %s, but %v", text, showData(fast), err)
		}
		if got, want := showData(fast), showData(full); got != want {
			t.Fatalf("%q is read as\n%s, want\n%s", text, got, want)
		}
	})
}

// showData writes data with its lines and the order of its keys.
func showData(d Data) string {
	switch d.Kind {
	case Null:
		return "null"
	case Scalar:
		return fmt.Sprintf("%s %s @%d", d.Scalar.DType(), d.Scalar.Repr(0), d.Line)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(@%d", d.Line)
	for _, v := range d.List {
		b.WriteString(" - " + showData(v))
	}
	for k, v := range d.Map.All() {
		b.WriteString(" " + k + ": " + showData(v))
	}
	return b.String() + ")"
}

// TestFastYAMLOnFiles holds the two readers against each other on real files: those of the tests, and those of the
// directory that EDICT_PARAMETERS names.
func TestFastYAMLOnFiles(t *testing.T) {
	dirs := []string{"testdata"}
	if dir := os.Getenv("EDICT_PARAMETERS"); dir != "" {
		dirs = append(dirs, dir)
	}
	read, declinedFiles := 0, 0
	for _, dir := range dirs {
		_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".yaml") {
				return err
			}
			text, err := fs.ReadFile(os.DirFS(dir), name)
			if err != nil {
				t.Fatal(err)
			}
			read++
			fast, ok := fastYAML(string(text))
			if !ok {
				declinedFiles++
				return nil
			}
			full, err := fullYAML(name, text)
			if err != nil || showData(fast) != showData(full) {
				t.Errorf("%s: %v\n%s\nwant\n%s", name, err, showData(fast), showData(full))
			}
			return nil
		})
	}
	t.Logf("%d files, %d declined", read, declinedFiles)
	if read-declinedFiles < 5 {
		t.Errorf("the fast reader declined %d of %d files", declinedFiles, read)
	}
}

// syntheticTree has as many files as the largest country packages, with six dated values each.
func syntheticTree(files int) fstest.MapFS {
	system := fstest.MapFS{}
	for i := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "description: Parameter %d of a tree that is as large as a real one\nmetadata:\n  unit: currency\n  short_label: A label\nvalues:\n", i)
		for y := range 6 {
			fmt.Fprintf(&b, "  %d-01-01:\n    value: %d.%d\n    metadata:\n      reference: https://example.org/%d\n", 2010+2*y, 100+i, y, i)
		}
		system[fmt.Sprintf("parameters/d%02d/e%02d/p%d.yaml", i%40, i%7, i)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	return system
}

func BenchmarkLoad4000Files(b *testing.B) {
	system := syntheticTree(4000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LoadParameters(context.Background(), system, "parameters", "", nil, KnownKeys); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoadDirectory loads the tree that EDICT_PARAMETERS names.
func BenchmarkLoadDirectory(b *testing.B) {
	dir := os.Getenv("EDICT_PARAMETERS")
	if dir == "" {
		b.Skip("EDICT_PARAMETERS names no directory of parameters")
	}
	for b.Loop() {
		if _, err := LoadParameters(context.Background(), os.DirFS(dir), ".", "", nil, KnownKeys); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	tree := testTree(b)
	path := tree.names.Path("taxes", "housing", "zones", "z1", "owner", "one")
	view, _ := tree.On(period.Instant{Year: 2016, Month: 5, Day: 4})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := view.Lookup(path); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScale(b *testing.B) {
	s := NewScale(MarginalRate, "")
	for i := range 6 {
		s.addBracket(IntNumber(int64(i*10000)), FloatNumber(float64(i)*0.1))
	}
	base := make([]float32, 1000)
	for i := range base {
		base[i] = float32(i * 71)
	}
	column := vector.Of(base)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Calc(column, CalcOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestParseDay(t *testing.T) {
	for text, want := range map[string]string{
		"2017-01-15":    "2017-01-15",
		"2017-01-01-01": "2017-01-02", // as the original compares texts
		"2017-13-01":    "",
		"2017-01-13-01": "",
		"2017-01-01-32": "",
		"17-01-01":      "",
	} {
		got := ""
		if day, ok := parseDay(text); ok {
			got = day.String()
		}
		if got != want {
			t.Errorf("%s starts on %q, want %q", text, got, want)
		}
	}
}
