package pysyntax

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// sources are Python files of this repository: the trees of testdata, the modules that come with the program, the
// embedded legislation.
func sources(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, dir := range []string{"testdata", "../pyeval", "../country", "../../countries"} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".py") {
				return err
			}
			out[name], err = os.ReadFile(name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 20 {
		t.Fatalf("only %d Python files in the repository", len(out))
	}
	return out
}

// TestPack reads trees back as they were, places included.
func TestPack(t *testing.T) {
	late, packed := 0, 0
	for name, src := range sources(t) {
		m, err := Parse(name, src)
		if err != nil {
			continue // some are there to be refused
		}
		got := unpack(t, name, Pack(m), &late)
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%s comes back as another tree: %s", name, Dump(got))
		}
		packed++
	}
	if late == 0 {
		t.Errorf("no function of %d files was left for later", packed)
	}
}

// unpack makes a whole tree, and counts the functions that were left for later.
func unpack(t testing.TB, name string, data []byte, late *int) *Module {
	t.Helper()
	before := bytes.Clone(data)
	m, err := Unpack(name, string(data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if again := Pack(m); !bytes.Equal(again, before) {
		t.Errorf("%s packs differently the second time", name)
	}
	WalkAll(m.Body, func(n Node) bool {
		if f, ok := n.(*FunctionDef); ok && f.Late() {
			f.Body, f.late = f.Statements(), nil
			*late++
		}
		return true
	})
	return m
}

// TestPackGlobal: a function that declares a name global is not left for later, however deep the declaration is.
func TestPackGlobal(t *testing.T) {
	src := "def a():\n  global x\n  x = 1\nclass C:\n  def b(self):\n    def c():\n      if x:\n        global y\n        y = 2\n  def d(self): return x\ndef e(): pass\n"
	m, err := Parse("m.py", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if m, err = Unpack("m.py", string(Pack(m))); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	WalkAll(m.Body, func(n Node) bool {
		if f, ok := n.(*FunctionDef); ok {
			got[f.Name] = f.Late()
		}
		return true
	})
	if want := map[string]bool{"a": false, "b": false, "c": false, "d": true, "e": true}; !reflect.DeepEqual(got, want) {
		t.Errorf("left for later: %v, want %v", got, want)
	}
}

// TestUnpackDamaged: whatever is missing or changed, Unpack returns.
func TestUnpackDamaged(t *testing.T) {
	m, err := Parse("m.py", []byte("import a\nclass C(B, k=1):\n  'doc'\n  x: int = -1.5\n  def f(self, a, *b, c=1, **d) -> 'x':\n    return [i for i in a if i < 10 ** 30]\n"))
	if err != nil {
		t.Fatal(err)
	}
	data := Pack(m)
	for n := range data {
		if _, err := Unpack("m.py", string(data[:n])); err == nil {
			t.Errorf("%d of %d bytes are taken for a tree", n, len(data))
		}
	}
	if _, err := Unpack("m.py", string(data)+"x"); err == nil {
		t.Error("more than a tree is taken for one")
	}
	for i := range data {
		for bit := range 8 {
			changed := bytes.Clone(data)
			changed[i] ^= 1 << bit
			_, _ = Unpack("m.py", string(changed)) // it must return, that is all
		}
	}
}

func FuzzPack(f *testing.F) {
	for _, src := range sources(f) {
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		_, _ = Unpack("m.py", src)
		m, err := Parse("m.py", []byte(src))
		if err != nil {
			return
		}
		late := 0
		if got := unpack(t, "m.py", Pack(m), &late); !reflect.DeepEqual(got, m) {
			t.Errorf("%q comes back as %s", src, Dump(got))
		}
	})
}
