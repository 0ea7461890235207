package legislation

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// rememberedFiles is KnownFiles for tests.
type rememberedFiles struct {
	mu     sync.Mutex
	files  map[string]string
	served int
}

// Packed implements KnownFiles.
func (m *rememberedFiles) Packed(file string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.files[file]
	if ok {
		m.served++
	}
	return data, ok
}

// Keep implements KnownFiles.
func (m *rememberedFiles) Keep(file string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[file] = string(data)
}

// TestKnownFiles loads trees from files and again from what was remembered of them; EDICT_PARAMETER_DIRS (separated as
// PATH is) names more of them.
func TestKnownFiles(t *testing.T) {
	dirs := append([]string{"../../countries/france/edict_france/parameters", "testdata/parameters"}, filepath.SplitList(os.Getenv("EDICT_PARAMETER_DIRS"))...)
	tried := 0
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		tried++
		t.Run(filepath.Base(dir), func(t *testing.T) { loadTwice(t, os.DirFS(dir)) })
	}
	if tried == 0 {
		t.Error("none of the directories is there")
	}
	t.Run("made", func(t *testing.T) { loadTwice(t, packable) })
}

// packable has every kind of thing in it.
var packable = fstest.MapFS{
	"a.yaml":       {Data: []byte("description: d\ndocumentation: |\n  x\n  y\nunit: currency\nreference: [r, 1, -2.5, true, ~]\nmetadata:\n  order: [b, c]\n  deep: {a: {b: []}, e: {}}\nvalues:\n  2015: 1\n  2016-02:\n    value: -0.5\n    reference: x\n    metadata: {k: ~}\n  2017-03-04: {value: [a, b]}\n  2018-01-01: yes\n  2019-01-01: text\n  2020-01-01: ~\n  2021-01-01: expected\n")},
	"b.yaml":       {Data: []byte("brackets:\n- threshold: {2010-01-01: {value: 0}}\n  rate: {2010-01-01: {value: .inf}}\n- threshold: {2010-01-01: {value: 1e+3}}\n  rate:\n    values: {2010-01-01: 9223372036854775807}\n    metadata: {x: 1}\n")},
	"c.yaml":       {Data: []byte("description: of many\na: {2010-01-01: 1}\nb: {c: {2010-01-01: 1}}\nd: {2010-01-01: 1}\ne: {2010-01-01: 1}\nf: {2010-01-01: 1}\ng: {2010-01-01: 1}\nh: {2010-01-01: 1}\ni: {2010-01-01: 1}\nj: {2010-01-01: 1}\nk: {2010-01-01: 1}\n")},
	"d/index.yaml": {Data: []byte("description: a directory\nmetadata:\n  order: [x]\n  label_en: y\n")},
	"d/x.yaml":     {Data: []byte("values: {}\n")},
	"e/index.yaml": {Data: []byte("")},
	"e/y.yaml":     {Data: []byte("2010-01-01: 1\n")},
}

func loadTwice(t *testing.T, files fs.FS) {
	want, err := LoadParameters(t.Context(), files, ".", "", nil, KnownKeys)
	if err != nil {
		t.Fatal(err)
	}
	known := &rememberedFiles{files: map[string]string{}}
	for _, round := range []string{"first", "second"} {
		got, err := LoadParameters(t.Context(), files, ".", "", known, KnownKeys)
		if err != nil {
			t.Fatal(err)
		}
		sameItem(t, round, got, want)
	}
	if known.served != len(known.files) || known.served == 0 {
		t.Errorf("%d files are remembered, %d were taken from there", len(known.files), known.served)
	}
}

func sameItem(t *testing.T, at string, got, want ParameterItem) {
	t.Helper()
	g, w := got.Info(), want.Info()
	at += " " + w.Name
	if g.Name != w.Name || g.Description != w.Description || g.Documentation != w.Documentation || g.Source != w.Source {
		t.Errorf("%s: %+v, want %+v", at, g, w)
	}
	sameData(t, at+" metadata", g.Metadata, w.Metadata)
	switch want := want.(type) {
	case *ParameterNode:
		got := got.(*ParameterNode)
		if a, b := strings.Join(got.Children.Keys(), " "), strings.Join(want.Children.Keys(), " "); a != b {
			t.Fatalf("%s has %s, want %s", at, a, b)
		}
		for key, child := range want.Children.All() {
			other, _ := got.Children.Get(key)
			sameItem(t, at, other, child)
		}
	case *ParameterScale:
		got := got.(*ParameterScale)
		if len(got.Brackets) != len(want.Brackets) {
			t.Fatalf("%s has %d brackets, want %d", at, len(got.Brackets), len(want.Brackets))
		}
		for i := range want.Brackets {
			sameItem(t, at, got.Brackets[i], want.Brackets[i])
		}
	case *Parameter:
		got := got.(*Parameter)
		if len(got.Values) != len(want.Values) || (got.Values == nil) != (want.Values == nil) {
			t.Fatalf("%s has %d values, want %d", at, len(got.Values), len(want.Values))
		}
		for i, w := range want.Values {
			g := got.Values[i]
			if g.Start != w.Start {
				t.Errorf("%s starts on %v, want %v", at, g.Start, w.Start)
			}
			sameData(t, at, g.Value, w.Value)
			sameData(t, at+" metadata", g.Metadata(), w.Metadata())
		}
	}
}

// sameData also compares lines, order and what is nil, which Equal does not.
func sameData(t *testing.T, at string, got, want Data) {
	t.Helper()
	if !got.Equal(want) || got.Line != want.Line || (got.List == nil) != (want.List == nil) || (got.Map == nil) != (want.Map == nil) {
		t.Errorf("%s: %+v, want %+v", at, got, want)
		return
	}
	for i := range want.List {
		sameData(t, at, got.List[i], want.List[i])
	}
	if a, b := strings.Join(got.Map.Keys(), "\n"), strings.Join(want.Map.Keys(), "\n"); a != b {
		t.Errorf("%s: keys %q, want %q", at, a, b)
	}
	for k, v := range want.Map.All() {
		other, _ := got.Map.Get(k)
		sameData(t, at+"."+k, other, v)
	}
}

// TestUnpackDamaged: what is damaged is not taken, and is parsed instead.
func TestUnpackDamaged(t *testing.T) {
	known := &rememberedFiles{files: map[string]string{}}
	want, err := LoadParameters(t.Context(), packable, ".", "", known, KnownKeys)
	if err != nil {
		t.Fatal(err)
	}
	whole := known.files
	for _, damage := range []func(string) string{
		func(s string) string { return s[:len(s)/2] },
		func(s string) string { return "" },
		func(s string) string { return s + "x" },
		func(s string) string { return "\xff" + s[1:] },
	} {
		known.files = map[string]string{}
		for file, data := range whole {
			known.files[file] = damage(data)
		}
		got, err := LoadParameters(t.Context(), packable, ".", "", known, KnownKeys)
		if err != nil {
			t.Fatal(err)
		}
		sameItem(t, "", got, want)
	}
	for file, data := range whole {
		for i := range data {
			changed := []byte(data)
			changed[i] ^= 0x15
			unpackFile(&pending{key: strings.TrimSuffix(filepath.Base(file), ".yaml"), file: file}, string(changed)) // it must return
		}
	}
}

// TestProblemsAreNotKept: a file with a fault is read, and its fault told, each time.
func TestProblemsAreNotKept(t *testing.T) {
	files := fstest.MapFS{
		"a.yaml": {Data: []byte("values:\n  never: 1\n")}, "b.yaml": {Data: []byte("a: [")}, "c.yaml": {Data: []byte("")},
		"index.yaml": {Data: []byte("descripton: x\n")},
	}
	known := &rememberedFiles{files: map[string]string{}}
	_, first := LoadParameters(t.Context(), files, ".", "", known, KnownKeys)
	_, second := LoadParameters(t.Context(), files, ".", "", known, KnownKeys)
	_, plain := LoadParameters(t.Context(), files, ".", "", nil, KnownKeys)
	if first == nil || second == nil || first.Error() != plain.Error() || second.Error() != plain.Error() {
		t.Errorf("the problems are\n%v\nthen\n%v\nbut without memory\n%v", first, second, plain)
	}
}

// TestLateMapIsShared: many goroutines look at metadata that nobody looked at before.
func TestLateMapIsShared(t *testing.T) {
	known := &rememberedFiles{files: map[string]string{}}
	for range 2 {
		if _, err := LoadParameters(t.Context(), packable, "a.yaml", "a", known, KnownKeys); err != nil {
			t.Fatal(err)
		}
	}
	item, err := LoadParameters(t.Context(), packable, "a.yaml", "a", known, KnownKeys)
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			if v, ok := item.Info().Metadata.Get("unit"); !ok || v.Scalar.Text(0) != "currency" {
				t.Errorf("the unit is %+v", v)
			}
		})
	}
	readers.Wait()
}
