package country

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/simulation/legislation"
)

const embedded = "../../countries/france/edict_france"

// small is a package with a formula that fails, a reform that cannot be imported and one that can.
var small = map[string]string{
	"small/__init__.py":           "from small.system import CountryTaxBenefitSystem\n",
	"small/entities.py":           "from openfisca_core.entities import build_entity\nPerson = build_entity('person', 'persons', 'A person', is_person=True)\n",
	"small/system.py":             "import os\nfrom openfisca_core.taxbenefitsystems import TaxBenefitSystem\nfrom small import entities\nclass CountryTaxBenefitSystem(TaxBenefitSystem):\n    def __init__(self):\n        super().__init__([entities.Person])\n        here = os.path.dirname(__file__)\n        self.load_parameters(os.path.join(here, 'parameters'))\n        self.add_variables_from_directory(os.path.join(here, 'variables'))\n",
	"small/variables/pay.py":      "from openfisca_core.model_api import *\nfrom small.entities import Person\nclass pay(Variable):\n    '''of a month'''\n    value_type = float\n    entity = Person\n    definition_period = MONTH\n    def formula(person, period, parameters):\n        '''by law'''\n        return person.empty_array() + parameters(period).rate\n",
	"small/parameters/rate.yaml":  "description: A rate\nmetadata:\n  unit: /1\nvalues:\n  2010-01-01:\n    value: 0.5\n    reference: law\n",
	"small/parameters/index.yaml": "description: All\n",
	"small/reforms/bad.py":        "def f():\n    x = 1\nreturn 1\n",
	"small/reforms/good.py":       "from openfisca_core.reforms import Reform\nclass good(Reform):\n    name = 'Good'\n    def apply(self):\n        self.neutralize_variable('pay')\n",
}

func writeSmall(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range small {
		write(t, filepath.Join(dir, name), text)
	}
	return filepath.Join(dir, "small")
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func newCache(t *testing.T) *Cache {
	t.Helper()
	c, err := OpenCache(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func loadWith(t *testing.T, c *Cache, location string) (*Package, error) {
	t.Helper()
	src, err := Open(location)
	if err != nil {
		t.Fatal(err)
	}
	return Load(t.Context(), Options{Cache: c}, src)
}

// describe tells everything that a package says of itself.
func describe(t *testing.T, c *Cache, location string) string {
	t.Helper()
	p, err := loadWith(t, c, location)
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	for _, v := range p.System.Variables() {
		fmt.Fprintln(&b, v.Name, v.Label, v.Type, v.Period, v.Documentation, v.References, v.Source, v.Default.Repr(0))
		for _, f := range v.Formulas {
			file, line := f.Formula.(*formula).fn.Where()
			fmt.Fprintln(&b, "  formula", f.Start, f.Source, file, line, f.Formula.(*formula).fn.Doc(), f.Formula.(*formula).fn.Params())
		}
	}
	for item := range p.System.Parameters().Root.Descendants() {
		describeItem(&b, item)
	}
	fmt.Fprintln(&b, p.Reforms, p.Warnings)
	return b.String()
}

func describeItem(b *strings.Builder, item legislation.ParameterItem) {
	info := item.Info()
	fmt.Fprintln(b, info.Name, info.Description, info.Documentation, info.Source, info.Metadata.Map.Keys())
	switch item := item.(type) {
	case *legislation.Parameter:
		for _, v := range item.Values {
			fmt.Fprintln(b, "  ", v.StartText(), v.Value, v.Metadata().Map.Keys())
		}
	case *legislation.ParameterScale:
		for _, bracket := range item.Brackets {
			for child := range bracket.Descendants() {
				describeItem(b, child)
			}
		}
	}
}

func cacheFiles(t *testing.T, c *Cache) []string {
	t.Helper()
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, filepath.Join(c.dir, e.Name()))
	}
	return names
}

// TestCacheGivesTheSame loads packages without a cache, with an empty one and with a full one.
func TestCacheGivesTheSame(t *testing.T) {
	for name, location := range map[string]string{"embedded": embedded, "small": writeSmall(t)} {
		t.Run(name, func(t *testing.T) {
			want, c := describe(t, nil, location), newCache(t)
			for _, state := range []string{"empty", "full"} {
				if got := describe(t, c, location); got != want {
					t.Errorf("with a cache that is %s the package is\n%s\nwithout\n%s", state, got, want)
				}
			}
			if files := cacheFiles(t, c); len(files) != 1 {
				t.Errorf("the cache holds %v", files)
			}
		})
	}
}

// TestCacheIsUsed: what the cache says is believed as long as the text is the same, which shows when it lies.
func TestCacheIsUsed(t *testing.T) {
	location, c := writeSmall(t), newCache(t)
	describe(t, c, location)
	file := cacheFiles(t, c)[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	known, err := unpackFiles(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for name := range known {
		if name == "/small/reforms/bad.py" {
			t.Error("a module that cannot be imported is in the cache")
		}
	}
	p := known["small/parameters/rate.yaml"]
	p.data = strings.Replace(p.data, "A rate", "A lie!", 1)
	known["small/parameters/rate.yaml"] = p
	if err := os.WriteFile(file, packFiles(known), 0o600); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(describe(t, c, location), "A lie!") {
		t.Error("the cache is not used")
	}
	write(t, filepath.Join(location, "parameters/rate.yaml"), small["small/parameters/rate.yaml"]+"# changed\n")
	for range 2 {
		if strings.Contains(describe(t, c, location), "A lie!") {
			t.Error("the cache is used for a text that changed")
		}
	}
}

// TestCacheFollowsChanges: files that change, come, go or break between loads.
func TestCacheFollowsChanges(t *testing.T) {
	location, c := writeSmall(t), newCache(t)
	pay := small["small/variables/pay.py"]
	for _, change := range []struct{ file, text string }{
		{"variables/pay.py", strings.Replace(pay, "def formula", "\n    def formula", 1)},
		{"variables/pay.py", strings.Replace(pay, "return person", "return ((person", 1)},
		{"variables/pay.py", strings.Replace(pay, "'''by law'''", "break", 1)},
		{"variables/pay.py", pay},
		{"parameters/rate.yaml", "values:\n  2010-01-01: 0.25\n"},
		{"parameters/rate.yaml", "values:\n  never: 0.25\n"},
		{"parameters/rate.yaml", small["small/parameters/rate.yaml"]},
		{"parameters/other.yaml", "2010-01-01: 1\n"},
		{"parameters/other.yaml", ""},
	} {
		write(t, filepath.Join(location, change.file), change.text)
		want := describe(t, nil, location)
		for range 2 {
			if got := describe(t, c, location); got != want {
				t.Errorf("%s with %q: the package is\n%s\nwithout a cache\n%s", change.file, change.text, got, want)
			}
		}
	}
}

// TestCacheDamaged: a file of the cache that is cut or changed anywhere, or is no file, is as good as none.
func TestCacheDamaged(t *testing.T) {
	location, c := writeSmall(t), newCache(t)
	want := describe(t, c, location)
	file := cacheFiles(t, c)[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, whole[:4], whole[:len(whole)/2], whole[:len(whole)-1], append(bytes.Clone(whole), 0), []byte("edictpk1" + strings.Repeat("\xff", 64))}
	for at := 0; at < len(whole); at += 1 + len(whole)/40 {
		changed := bytes.Clone(whole)
		changed[at] ^= 4
		damaged = append(damaged, changed)
	}
	for _, data := range damaged {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := describe(t, c, location); got != want {
			t.Errorf("with %d damaged bytes the package is\n%s\nwant\n%s", len(data), got, want)
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%d damaged bytes are not replaced (%v)", len(data), err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := describe(t, c, location); got != want {
		t.Errorf("with a directory in its place the package is\n%s", got)
	}
	for _, name := range cacheFiles(t, c) {
		if name != file {
			t.Errorf("%s is left", name)
		}
	}
}

// FuzzPackageCache: no file of a cache makes reading it panic, and what is read is what was written.
func FuzzPackageCache(f *testing.F) {
	f.Add(string(packFiles(map[string]packed{"a": {data: "b"}, "": {}})))
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = unpackFiles(text)
		known := map[string]packed{text: {hashText(text), text}, "x": {data: text + text}}
		back, err := unpackFiles(string(packFiles(known)))
		if err != nil || len(back) != len(known) || back["x"] != known["x"] {
			t.Errorf("%v comes back as %v (%v)", known, back, err)
		}
	})
}

// TestCacheOfAnotherBuild: a build does not read what another one wrote.
func TestCacheOfAnotherBuild(t *testing.T) {
	location, c := writeSmall(t), newCache(t)
	describe(t, c, location)
	other := &Cache{dir: c.dir, build: c.build + "'"}
	src, err := Open(location)
	if err != nil {
		t.Fatal(err)
	}
	if old := other.open([]*Source{src}).written(); old != nil {
		t.Errorf("another build reads %d files", len(old))
	}
	if old := c.open([]*Source{src}).written(); len(old) == 0 {
		t.Error("the same build reads nothing")
	}
}

// TestCacheIsNotForOthers: a directory or file that somebody else could write is not used.
func TestCacheIsNotForOthers(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("there are no permissions here")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCache(dir); err == nil {
		t.Error("a directory that all may write is taken for a cache")
	}
	location, c := writeSmall(t), newCache(t)
	describe(t, c, location)
	file := cacheFiles(t, c)[0]
	if _, err := readCacheFile(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readCacheFile(file); err == nil {
		t.Error("a file that all may write is read")
	}
}

// TestCacheWaitsForNobody: what is no file in the place of one is not read; a pipe would never end.
func TestCacheWaitsForNobody(t *testing.T) {
	c := newCache(t)
	pipe := filepath.Join(c.dir, "0"+keptSuffix)
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := readCacheFile(pipe)
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it is read")
		}
	case <-time.After(10 * time.Second):
		t.Error("it is waited for")
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // lets the reader go
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// TestCacheCannotBeWritten: a package loads all the same.
func TestCacheCannotBeWritten(t *testing.T) {
	location, c := writeSmall(t), newCache(t)
	if err := os.RemoveAll(c.dir); err != nil {
		t.Fatal(err)
	}
	if got, want := describe(t, c, location), describe(t, nil, location); got != want {
		t.Errorf("without its directory the package is\n%s", got)
	}
	if err := os.Mkdir(c.dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if got, want := describe(t, c, location), describe(t, nil, location); got != want {
		t.Errorf("with a directory that cannot be written the package is\n%s", got)
	}
}

// TestCachePrunes keeps the newest files, and takes away what a killed process left.
func TestCachePrunes(t *testing.T) {
	c := newCache(t)
	old := time.Now().Add(-2 * time.Hour)
	for i := range maxCacheFiles + 5 {
		file := filepath.Join(c.dir, fmt.Sprintf("%02d%s", i, cacheSuffix))
		kept := filepath.Join(c.dir, fmt.Sprintf("%02d%s", i, keptSuffix))
		mark := filepath.Join(c.dir, fmt.Sprintf("m%02d%s", i, keptSuffix))
		for name, size := range map[string]int{file: 1, kept: mostOfMark + 1, mark: 1} {
			write(t, name, strings.Repeat("x", size))
			if err := os.Chtimes(name, old, old.Add(time.Duration(i)*time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range []string{"new-old", "new-now", "other"} {
		write(t, filepath.Join(c.dir, name), "x")
	}
	if err := os.Chtimes(filepath.Join(c.dir, "new-old"), old, old); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.dir, "zz"+cacheSuffix)
	if err := c.write(file, []byte("y")); err != nil {
		t.Fatal(err)
	}
	left := strings.Join(cacheFiles(t, c), " ")
	for name, there := range map[string]bool{"00.packed": false, "05.packed": false, "06.packed": true, "20.packed": true, "zz.packed": true, "/04.kept": false, "/05.kept": true, "m00.kept": true, "new-old": false, "new-now": true, "other": true} {
		if strings.Contains(left, name) != there {
			t.Errorf("%s is there: %t, want %t", name, !there, there)
		}
	}
}

// TestCacheShared: goroutines and processes load the same package with the same cache at once.
func TestCacheShared(t *testing.T) {
	if location := os.Getenv("EDICT_TEST_LOAD"); location != "" { // the other process, see below
		c, err := OpenCache(os.Getenv("EDICT_TEST_CACHE"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Print("DESCRIBED" + describe(t, c, location) + "DESCRIBED")
		return
	}
	location, c := writeSmall(t), newCache(t)
	want := describe(t, nil, location)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				if got := describe(t, c, location); got != want {
					t.Errorf("the package is\n%s\nwant\n%s", got, want)
				}
			}
		})
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestCacheShared$", "-test.count=1")
			cmd.Env = append(os.Environ(), "EDICT_TEST_LOAD="+location, "EDICT_TEST_CACHE="+c.dir)
			out, err := cmd.CombinedOutput()
			parts := strings.Split(string(out), "DESCRIBED")
			if err != nil || len(parts) != 3 || parts[1] != want {
				t.Errorf("another process: %v\n%s", err, out)
			}
		})
	}
	all.Wait()
	for _, file := range cacheFiles(t, c) {
		info, err := os.Stat(file)
		if err != nil || !strings.HasSuffix(file, cacheSuffix) || info.Mode() != fs.FileMode(0o600) && os.PathSeparator == '/' {
			t.Errorf("%s with mode %v is left (%v)", file, info, err)
		}
	}
}
