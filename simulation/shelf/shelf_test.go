package shelf_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"edict/simulation/pyindex"
	"edict/simulation/shelf"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// publish writes archives into a directory and returns an index of them.
func publish(t *testing.T, archives map[string][]byte) *pyindex.Client {
	t.Helper()
	dir := t.TempDir()
	for name, content := range archives {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := pyindex.NewClient(pyindex.Config{FindLinks: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type entry struct {
	name, text string
	mode       fs.FileMode
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pythonWheel is a wheel with one module, and what its metadata says it needs.
func pythonWheel(t *testing.T, pkg, text string, requires ...string) []byte {
	t.Helper()
	meta := "Metadata-Version: 2.1\nName: " + pkg + "\n"
	for _, r := range requires {
		meta += "Requires-Dist: " + r + "\n"
	}
	return zipped(t, entry{pkg + "/", "", fs.ModeDir}, entry{pkg + "/__init__.py", text, 0}, entry{pkg + "/parameters/a.yaml", "values: {2020-01-01: 1}\n", 0},
		entry{pkg + "-1.dist-info/METADATA", meta + "\nRequires-Dist: openfisca-not-a-header\n", 0},
		entry{pkg + "-1.data/purelib/" + pkg + "/more.py", "x = 1\n", 0}, entry{pkg + "-1.data/scripts/run", "#!python\n", 0})
}

func tarred(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, h := range headers {
		text := h.PAXRecords["edict.text"]
		h.PAXRecords, h.Mode, h.Size = nil, 0o777, int64(len(text))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func file(name, text string) tar.Header {
	return tar.Header{Name: name, Typeflag: tar.TypeReg, PAXRecords: map[string]string{"edict.text": text}}
}

func install(t *testing.T, s *shelf.Shelf, index shelf.Index, names ...string) ([]shelf.Outcome, error) {
	t.Helper()
	var o shelf.Order
	for _, name := range names {
		r, err := pyindex.ParseRequirement(name)
		if err != nil {
			t.Fatal(err)
		}
		o.Want = append(o.Want, r)
	}
	return s.Install(context.Background(), index, o)
}

func newShelf(t *testing.T) *shelf.Shelf {
	t.Helper()
	return shelf.In(t.TempDir(), func() time.Time { return noon })
}

// names shows what is on a shelf and checks that nothing else is.
func names(t *testing.T, s *shelf.Shelf) []string {
	t.Helper()
	items, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	expected := map[string]bool{}
	for _, i := range items {
		out = append(out, i.Name+" "+i.Version)
		expected[i.Name+".json"], expected[i.Directory] = true, true
		if before, err := s.Version(i.Name, "1.0"); err == nil {
			expected["earlier"], expected[before.Directory] = true, true
		}
	}
	if len(items) == 0 {
		expected["earlier"] = true // empty
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !expected[e.Name()] {
			t.Errorf("%s was left over", e.Name())
		}
	}
	return out
}

func wheelName(pkg, version string) string { return pkg + "-" + version + "-py3-none-any.whl" }

func TestInstall(t *testing.T) {
	first := pythonWheel(t, "openfisca_demo", "one", "OpenFisca-Core >=44", "numpy", "openfisca-test-tools; extra == 'test'")
	index := publish(t, map[string][]byte{
		wheelName("openfisca_demo", "1.0"): first,
		wheelName("openfisca_demo", "1.1"): pythonWheel(t, "openfisca_demo", "two"),
		wheelName("openfisca_more", "0.1"): pythonWheel(t, "openfisca_more", "more", "openfisca-demo >=1.0,<1.1"),
	})
	s := newShelf(t)
	out, err := install(t, s, index, "openfisca-more")
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, s); cmp.Diff([]string{"openfisca-demo 1.0", "openfisca-more 0.1"}, got) != "" || len(out) != 2 {
		t.Fatalf("%v, %v", got, out)
	}
	demo, err := s.Find("OpenFisca_Demo")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(first)
	want := shelf.Item{Name: "openfisca-demo", Version: "1.0", Archive: wheelName("openfisca_demo", "1.0"), SHA256: hex.EncodeToString(sum[:]), Installed: noon, Directory: demo.Directory, Path: demo.Path}
	if diff := cmp.Diff(want, demo); diff != "" {
		t.Error(diff)
	}
	for name, text := range map[string]string{"__init__.py": "one", "parameters/a.yaml": "values: {2020-01-01: 1}\n", "more.py": "x = 1\n"} {
		if got, err := os.ReadFile(filepath.Join(demo.Path, "openfisca_demo", name)); string(got) != text || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(demo.Path, "run")); err == nil {
		t.Error("a script was installed")
	}

	// Again, then another version, then away.
	if out, err := install(t, s, index, "openfisca-demo==1.0"); err != nil || !out[0].Already {
		t.Errorf("%v, %v", out, err)
	}
	if _, err := install(t, s, index, "openfisca-demo", "openfisca-more"); err == nil || !strings.Contains(err.Error(), "openfisca-more needs openfisca-demo>=1.0,<1.1, and openfisca-demo 1.1 is chosen already") {
		t.Errorf("conflict: %v", err)
	}
	if got := names(t, s); cmp.Diff([]string{"openfisca-demo 1.0", "openfisca-more 0.1"}, got) != "" {
		t.Errorf("a conflict changed the shelf: %v", got)
	}
	if _, err := s.Remove("openfisca-demo"); err == nil || !strings.Contains(err.Error(), "openfisca-more needs openfisca-demo") {
		t.Errorf("%v", err)
	}
	if _, err := s.Remove("openfisca-more"); err != nil {
		t.Error(err)
	}
	if _, err := install(t, s, index, "openfisca-demo"); err != nil {
		t.Error(err)
	}
	if got := names(t, s); cmp.Diff([]string{"openfisca-demo 1.1"}, got) != "" {
		t.Errorf("%v", got)
	}
	before, err := s.Version("OpenFisca-Demo", "1.0")
	if text, _ := os.ReadFile(filepath.Join(before.Path, "openfisca_demo", "__init__.py")); err != nil || string(text) != "one" {
		t.Errorf("the version before: %q, %v", text, err)
	}
	if now, err := s.Version("openfisca-demo", "1.1"); err != nil || now.Directory == before.Directory {
		t.Errorf("%v, %v", now, err)
	}
	if _, err := s.Version("openfisca-demo", "0.9"); err == nil || !strings.Contains(err.Error(), "openfisca-demo 0.9 is gone: of this package there is [1.1 1.0]") {
		t.Errorf("a version that was never there: %v", err)
	}
	if _, err := s.Remove("openfisca_demo"); err != nil || names(t, s) != nil {
		t.Errorf("%v, %v", err, names(t, s))
	}
	if _, err := s.Find("openfisca-demo"); !errors.As(err, new(*shelf.NotInstalledError)) {
		t.Error(err)
	}
}

func TestSourceDistribution(t *testing.T) {
	index := publish(t, map[string][]byte{
		"openfisca-demo-2.0.tar.gz": tarred(t,
			tar.Header{Name: "openfisca-demo-2.0/", Typeflag: tar.TypeDir}, file("openfisca-demo-2.0/openfisca_demo/__init__.py", "source"),
			file("./openfisca-demo-2.0/PKG-INFO", "Name: openfisca-demo\n"), file("openfisca-demo-2.0/openfisca_demo.egg-info/requires.txt", "numpy\nopenfisca-other>=1\n\n[test]\nopenfisca-never\n"),
			tar.Header{Name: "openfisca-demo-2.0/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}),
		"openfisca-other-1.zip": zipped(t, entry{"openfisca-other-1/openfisca_other/__init__.py", "zip", 0}),
	})
	s := newShelf(t)
	if _, err := install(t, s, index, "openfisca-demo"); err != nil {
		t.Fatal(err)
	}
	if got := names(t, s); cmp.Diff([]string{"openfisca-demo 2.0", "openfisca-other 1"}, got) != "" {
		t.Error(got)
	}
	item, err := s.Find("openfisca-demo")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(item.Path, "link")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a link was unpacked")
	}
}

// TestHostileArchives: nothing is written outside, nothing is left behind, and the shelf keeps what it had.
func TestHostileArchives(t *testing.T) {
	for name, c := range map[string]struct {
		archive string
		content []byte
		says    string
	}{
		"parent":      {wheelName("openfisca_demo", "2"), zipped(t, entry{"../../evil", "x", 0}), "leads out of the package"},
		"root":        {wheelName("openfisca_demo", "2"), zipped(t, entry{"/tmp/evil", "x", 0}), "leads out"},
		"inner":       {wheelName("openfisca_demo", "2"), zipped(t, entry{"a/../../evil", "x", 0}), "leads out"},
		"backslash":   {wheelName("openfisca_demo", "2"), zipped(t, entry{`..\evil`, "x", 0}), "leads out"},
		"data":        {wheelName("openfisca_demo", "2"), zipped(t, entry{"a.data/purelib/../../evil", "x", 0}), "leads out"},
		"link":        {wheelName("openfisca_demo", "2"), zipped(t, entry{"a/link", "/etc", fs.ModeSymlink}), "not a plain file"},
		"twice":       {wheelName("openfisca_demo", "2"), zipped(t, entry{"a/x", "1", 0}, entry{"a/x", "2", 0}), "exists"},
		"file as dir": {wheelName("openfisca_demo", "2"), zipped(t, entry{"a", "1", 0}, entry{"a/x", "2", 0}), "openfisca_demo-2-py3-none-any.whl: "},
		"no zip":      {wheelName("openfisca_demo", "2"), []byte("PK"), "zip"},
		"tar parent":  {"openfisca-demo-2.tar.gz", tarred(t, file("../evil", "x")), "leads out"},
		"tar inner":   {"openfisca-demo-2.tar.gz", tarred(t, file("a/../../evil", "x")), "leads out"},
		"tar broken":  {"openfisca-demo-2.tar.gz", tarred(t, file("a/b", "xxxxxxxxxxxxxxxx"))[:60], "EOF"},
		"no gzip":     {"openfisca-demo-2.tar.gz", []byte("no"), "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t)
			if _, err := install(t, s, publish(t, map[string][]byte{wheelName("openfisca_demo", "1"): pythonWheel(t, "openfisca_demo", "good")}), "openfisca-demo"); err != nil {
				t.Fatal(err)
			}
			_, err := install(t, s, publish(t, map[string][]byte{c.archive: c.content}), "openfisca-demo")
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %s", err, c.says)
			}
			if got := names(t, s); cmp.Diff([]string{"openfisca-demo 1"}, got) != "" {
				t.Error(got)
			}
			outside, err := filepath.Glob(filepath.Join(filepath.Dir(s.Dir), "*"))
			if err != nil || len(outside) != 1 {
				t.Errorf("beside the shelf: %v, %v", outside, err)
			}
		})
	}
}

// TestBounds: an archive that unpacks to more than it may is given up, whatever it says of its size.
func TestBounds(t *testing.T) {
	for says, content := range map[string][]byte{
		"more than 1000000 bytes": zipped(t, entry{"a/0", strings.Repeat(" ", 600_000), 0}, entry{"a/1", strings.Repeat(" ", 600_000), 0}),
		"more than 100 files":     zipped(t, files(101)...),
	} {
		s := newShelf(t)
		s.MaxBytes, s.MaxFiles = 1_000_000, 100
		_, err := install(t, s, publish(t, map[string][]byte{wheelName("openfisca_demo", "1"): content}), "openfisca-demo")
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
		if got := names(t, s); got != nil {
			t.Error(got)
		}
	}
}

func files(n int) []entry {
	many := make([]entry, n)
	for i := range many {
		many[i] = entry{fmt.Sprintf("a/%d", i), "", 0}
	}
	return many
}

func TestRefusedPackage(t *testing.T) {
	index := publish(t, map[string][]byte{wheelName("openfisca_demo", "1"): pythonWheel(t, "openfisca_demo", "")})
	s := newShelf(t)
	want, err := pyindex.ParseRequirement("openfisca-demo")
	if err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("no legislation")
	_, err = s.Install(context.Background(), index, shelf.Order{Want: []pyindex.Requirement{want}, Accept: func(string) error { return wrong }})
	if !errors.Is(err, wrong) || names(t, s) != nil {
		t.Errorf("%v, %v", err, names(t, s))
	}
	_, err = s.Install(context.Background(), index, shelf.Order{Want: []pyindex.Requirement{want}, Pin: "sha256:" + strings.Repeat("0", 64)})
	if !errors.As(err, new(*pyindex.MismatchError)) || names(t, s) != nil {
		t.Errorf("%v, %v", err, names(t, s))
	}
}

// TestLabels: a label cannot lead elsewhere.
func TestLabels(t *testing.T) {
	s := newShelf(t)
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"{", `{"name": "x", "directory": "../../etc"}`, `{"name": "x", "directory": "/etc"}`} {
		if err := os.WriteFile(filepath.Join(s.Dir, "openfisca-demo.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if item, err := s.Find("openfisca-demo"); err == nil || !strings.Contains(err.Error(), "install openfisca-demo again") {
			t.Errorf("%s: %v, %v", text, item, err)
		}
	}
	for _, name := range []string{"", "../x", "/etc/passwd", `a\b`} {
		if _, err := s.Find(name); err == nil {
			t.Errorf("%q was found", name)
		}
	}
}
