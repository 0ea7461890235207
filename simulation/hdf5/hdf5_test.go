package hdf5

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func open(t testing.TB, name string) *Group {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	root, err := f.Root()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return root
}

// texts shows the values as testdata/expected.json has them, which make.py wrote from what h5py reads.
func texts(v Values) []string {
	var all []string
	for _, n := range v.Ints {
		all = append(all, fmt.Sprint(n))
	}
	for _, n := range v.Floats {
		s := "nan"
		if !math.IsNaN(n) {
			s = fmt.Sprintf("%x", math.Float64bits(n))
		}
		all = append(all, s)
	}
	return append(all, v.Texts...)
}

// walk visits the datasets below a group by their paths.
func walk(t *testing.T, g *Group, visit func(path string, d *Dataset)) {
	t.Helper()
	for _, name := range g.Names() {
		child, err := g.Child(name)
		if err != nil {
			t.Errorf("%s/%s: %v", g.Path(), name, err)
		}
		switch child := child.(type) {
		case *Group:
			walk(t, child, visit)
		case *Dataset:
			visit(child.Path(), child)
		}
	}
}

func TestFilesOfTheReferenceLibraries(t *testing.T) {
	text, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]map[string]map[string][]string // file, path, column
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	if len(expected) < 8 {
		t.Fatalf("only %d files are expected", len(expected))
	}
	for file, datasets := range expected {
		t.Run(file, func(t *testing.T) {
			seen := make(map[string]bool)
			walk(t, open(t, file), func(path string, d *Dataset) {
				columns, ok := datasets[path]
				if !ok {
					return
				}
				seen[path] = true
				for i, c := range d.Columns() {
					name := c.Name
					if name == "" {
						name = fmt.Sprint(i)
					}
					want, ok := columns[name]
					if !ok {
						t.Errorf("%s: h5py has no column %s", path, name)
						continue
					}
					v, err := c.Read(0, c.Rows)
					if err != nil {
						t.Errorf("%s %s: %v", path, name, err)
						continue
					}
					if got := texts(v); strings.Join(got, "|") != strings.Join(want, "|") {
						t.Errorf("%s %s: got %.200q, want %.200q", path, name, got, want)
					}
				}
				if len(columns) != len(d.Columns()) {
					t.Errorf("%s has %d columns, h5py has %d", path, len(d.Columns()), len(columns))
				}
			})
			if len(seen) != len(datasets) {
				t.Errorf("found %d of %d datasets", len(seen), len(datasets))
			}
		})
	}
}

func TestRangesOfRowsEqualTheWhole(t *testing.T) {
	walk(t, open(t, "chunked.h5"), func(path string, d *Dataset) {
		for _, c := range d.Columns() {
			whole, err := c.Read(0, c.Rows)
			if err != nil {
				t.Fatal(path, err)
			}
			all := texts(whole)
			for _, step := range []int{1, 7, 64, 65, 999} {
				var got []string
				for from := 0; from < c.Rows; from += step {
					v, err := c.Read(from, min(step, c.Rows-from))
					if err != nil {
						t.Fatal(path, err)
					}
					got = append(got, texts(v)...)
				}
				if strings.Join(got, "|") != strings.Join(all, "|") {
					t.Errorf("%s in steps of %d rows differs", path, step)
				}
			}
			if _, err := c.Read(c.Rows, 1); err == nil {
				t.Errorf("%s: a row behind the last was read", path)
			}
		}
	})
}

func TestAttributes(t *testing.T) {
	root := open(t, "pandas_table.h5")
	person, err := root.Child("person")
	if err != nil {
		t.Fatal(err)
	}
	c, err := person.(*Group).Attribute("pandas_type")
	if err != nil || c == nil {
		t.Fatalf("pandas_type: %v, %v", c, err)
	}
	if v, err := c.Read(0, 1); err != nil || v.Texts[0] != "frame_table" {
		t.Errorf("pandas_type is %q, %v", v.Texts, err)
	}
	if c, err = person.(*Group).Attribute("none"); c != nil || err != nil {
		t.Errorf("an attribute that is not there: %v, %v", c, err)
	}
}

func TestErrorsNameTheRemedy(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"latest_many.h5", `dense storage of the links of group / is not supported: write the file with h5py's or pandas' default settings (without libver="latest")`},
		{"pandas_blosc.h5", "compression with Blosc is not supported"},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", test.file))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if err := everything(f); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.file, err, test.want)
		}
	}
	if _, err := Open(strings.NewReader("person_id,salary\n1,2\n"), 21); !errors.Is(err, ErrNotHDF5) {
		t.Errorf("a CSV file: %v", err)
	}
}

// everything reads all values of a file and returns the first error.
func everything(f *File) error {
	root, err := f.Root()
	if err != nil {
		return err
	}
	left := 200 // objects: groups may contain themselves
	return all(root, &left)
}

func all(g *Group, left *int) error {
	for _, name := range g.Names() {
		if *left--; *left < 0 {
			return nil
		}
		child, err := g.Child(name)
		if err != nil {
			return err
		}
		switch child := child.(type) {
		case *Group:
			if err := all(child, left); err != nil {
				return err
			}
		case *Dataset:
			columns := child.Columns()
			for _, c := range columns[:min(len(columns), 30)] {
				if _, err := c.Read(0, min(c.Rows, 1000)); err != nil && c.Kind != Unreadable {
					return err
				}
			}
		}
	}
	return nil
}

func TestTruncatedFilesAreErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/chunked.h5")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{9, 40, 100, 500, 2000, len(data) / 2, len(data) * 9 / 10} {
		f, err := Open(bytes.NewReader(data[:n]), int64(n))
		if err == nil {
			err = everything(f)
		}
		if err == nil {
			t.Errorf("a file cut off after %d of %d bytes was read", n, len(data))
		}
	}
}

func FuzzOpen(f *testing.F) {
	files, err := filepath.Glob("testdata/*.h5")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 50_000 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if err := everything(file); err != nil {
			t.Skip(err)
		}
	})
}
