package country

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"edict/simulation/legislation"
)

var project = map[string]string{
	"pyproject.toml":       "[project]\nname = \"toy\"\nversion = \"1.2.3\"\n",
	"toy/__init__.py":      "class CountryTaxBenefitSystem: pass\n",
	"toy/variables/pay.py": "x = 1\n",
	"tests/__init__.py":    "",
	"secret.txt":           "outside",
}

func writeProject(t *testing.T, prefix string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range project {
		file := filepath.Join(dir, prefix, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, prefix)
}

func writeSdist(t *testing.T) string {
	t.Helper()
	var buf bytes.Buffer
	zipped := gzip.NewWriter(&buf)
	archive := tar.NewWriter(zipped)
	for name, text := range project {
		h := &tar.Header{Name: "toy-1.2.3/" + name, Size: int64(len(text)), Mode: 0o644, Typeflag: tar.TypeReg}
		if err := archive.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	archive.Close()
	zipped.Close()
	return writeFile(t, "toy-1.2.3.tar.gz", buf.Bytes())
}

func writeWheel(t *testing.T) string {
	t.Helper()
	var buf bytes.Buffer
	archive := zip.NewWriter(&buf)
	files := map[string]string{"toy-1.2.3.dist-info/METADATA": "Metadata-Version: 2.1\nName: toy\nVersion: 1.2.3\n"}
	for _, name := range []string{"toy/__init__.py", "toy/variables/pay.py"} {
		files[name] = project[name]
	}
	for name, text := range files {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	archive.Close()
	return writeFile(t, "toy-1.2.3-py3-none-any.whl", buf.Bytes())
}

func writeFile(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestOpen(t *testing.T) {
	for name, at := range map[string]struct{ location, version string }{
		"package":     {filepath.Join(writeProject(t, ""), "toy"), "1.2.3"},
		"project":     {writeProject(t, ""), "1.2.3"},
		"src":         {filepath.Dir(writeProject(t, "src")), ""},
		"wheel":       {writeWheel(t), "1.2.3"},
		"source dist": {writeSdist(t), "1.2.3"},
	} {
		t.Run(name, func(t *testing.T) {
			src, err := Open(at.location)
			if err != nil {
				t.Fatal(err)
			}
			if src.Name != "toy" || src.Version != at.version {
				t.Errorf("got %s %q, want toy %q", src.Name, src.Version, at.version)
			}
			var found []string
			err = fs.WalkDir(src.FS, ".", func(name string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					found = append(found, name)
				}
				return err
			})
			if want := []string{"toy/__init__.py", "toy/variables/pay.py"}; err != nil || !slices.Equal(found, want) {
				t.Errorf("the package holds %v (%v), want %v", found, err, want)
			}
			for _, outside := range []string{"secret.txt", "toy/../secret.txt", "tests/__init__.py"} {
				if _, err := fs.ReadFile(src.FS, outside); err == nil {
					t.Errorf("%s can be read through the package", outside)
				}
			}
		})
	}
}

// TestDescribe: name and version are found in every form in which projects declare them.
func TestDescribe(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"pyproject.toml", "[project]\nname = \"Toy-Law\"\nversion = '1.2.3' # of the law\n"},
		{"pyproject.toml", "project.name = \"Toy-Law\"\nproject . version = \"1.2.3\"\n"},
		{"pyproject.toml", "project = { name = \"Toy-Law\", version = \"1.2.3\" }\n"},
		{"pyproject.toml", "[ tool . poetry ]\nname = \"Toy-Law\"\nversion = \"1.2.3\"\n"},
		{"setup.py", "from setuptools import setup\nsetup(name='Toy-Law', version=\"1.2.3\", packages=['toy'])\n"},
		{"setup.py", "import setuptools; setuptools.setup(\n  name = \"Toy-Law\",\n  version = \"1.2.3\",\n)\n"},
		{"setup.py", "from setuptools import Extension, setup\nVERSION = '1.2.3'\nx = Extension(name='other', version='9')\nsetup(version=VERSION, name='Toy' '-Law')\n"},
		{"setup.cfg", "[metadata]\nname = Toy-Law\nversion = 1.2.3\n[options]\nname = other\n"},
	} {
		dir := writeProject(t, "")
		if err := os.Remove(filepath.Join(dir, "pyproject.toml")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, location := range []string{dir, filepath.Join(dir, "toy")} {
			src, err := Open(location)
			if err != nil || src.Distribution != "Toy-Law" || src.Version != "1.2.3" {
				t.Errorf("%s %q: %q %q, %v", c.file, c.text, src.Distribution, src.Version, err)
			}
		}
	}
}

func TestOpenProjectThatIsAPackage(t *testing.T) {
	dir := writeProject(t, "toy-project")
	if err := os.WriteFile(filepath.Join(dir, "__init__.py"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	src, err := Open(dir)
	if err != nil || src.Name != "toy" {
		t.Fatalf("Open = %+v, %v; want package toy", src, err)
	}
}

// TestProblemIsInThePackage: what a package does wrong with a library is told at the package's line.
func TestProblemIsInThePackage(t *testing.T) {
	dir := t.TempDir()
	code := "import pandas\n\n\nclass CountryTaxBenefitSystem:\n    def __init__(self):\n        pandas.DataFrame({'a': [1]}).no_such_column\n"
	if err := os.MkdirAll(filepath.Join(dir, "toy"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "toy", "__init__.py"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	src, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Load(t.Context(), Options{}, src)
	problems, ok := errors.AsType[legislation.Problems](err)
	if !ok || len(problems) != 1 || problems[0].File != "/toy/__init__.py" || problems[0].Line != 6 {
		t.Errorf("Load: %#v; want one problem at line 6 of /toy/__init__.py", err)
	}
}

func TestOpenFollowsNoLinkOut(t *testing.T) {
	dir := writeProject(t, "")
	if err := os.Symlink("../secret.txt", filepath.Join(dir, "toy", "link.txt")); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
	src, err := Open(filepath.Join(dir, "toy"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(src.FS, "toy/link.txt"); err == nil {
		t.Errorf("a link leads out of the package: %q", text)
	}
}

func TestOpenRefuses(t *testing.T) {
	empty := t.TempDir()
	for _, location := range []string{empty, filepath.Join(empty, "absent"), writeFile(t, "notes.txt", nil), writeFile(t, "broken.whl", []byte("PK"))} {
		if _, err := Open(location); err == nil {
			t.Errorf("%s is taken for a country package", location)
		}
	}
}
