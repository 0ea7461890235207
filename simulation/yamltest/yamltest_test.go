package yamltest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/yamltest"
)

// open loads a package of testdata/packages, and the extension beside it if there is one. It takes the package from a
// cache: what is cached behaves as what is not, which other tests load.
func open(t *testing.T, feature string) *country.Package {
	t.Helper()
	src, err := country.Open(filepath.Join("testdata/packages", feature, "feature_"+feature))
	if err != nil {
		t.Fatal(err)
	}
	var extensions []*country.Source
	if more := filepath.Join("testdata/packages", feature, "feature_more"); exists(more) {
		e, err := country.Open(more)
		if err != nil {
			t.Fatal(err)
		}
		extensions = append(extensions, e)
	}
	cache, err := country.OpenCache(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	var pkg *country.Package
	for range 2 {
		if pkg, err = country.Load(context.Background(), country.Options{Cache: cache}, src, extensions...); err != nil {
			t.Fatal(err)
		}
	}
	return pkg
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func load(t *testing.T, paths ...string) []yamltest.Case {
	t.Helper()
	files, err := yamltest.Discover(paths)
	if err != nil {
		t.Fatal(err)
	}
	var cases []yamltest.Case
	for _, f := range files {
		found, wrong := yamltest.Load(f)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		cases = append(cases, found...)
	}
	return cases
}

// TestFeatures runs packages that have one feature each. OpenFisca-Core gives the same verdicts on them.
func TestFeatures(t *testing.T) {
	features, err := filepath.Glob("testdata/packages/*")
	if err != nil || len(features) < 13 {
		t.Fatalf("there are %d packages, %v", len(features), err)
	}
	for _, dir := range features {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			pkg := open(t, filepath.Base(dir))
			if len(pkg.Warnings) > 0 {
				t.Error(pkg.Warnings)
			}
			cases := load(t, filepath.Join(dir, "tests"))
			ran := 0
			o := yamltest.Options{Verbose: true}
			err := yamltest.NewSuite(pkg, pkg.System).Run(context.Background(), o.Select(cases), o, func(r yamltest.Result) {
				ran++
				if !r.Passed {
					t.Errorf("%s:%d: %s\n%s\n%s", r.Case.File, r.Case.Line, r.Case.Name, r.Message, r.Trace)
				}
			})
			if err != nil || ran != len(cases) || ran == 0 {
				t.Errorf("%d of %d cases ran, %v", ran, len(cases), err)
			}
		})
	}
}

// TestVerdicts gives the same case other expectations and margins.
func TestVerdicts(t *testing.T) {
	pkg := open(t, "entities")
	suite := yamltest.NewSuite(pkg, pkg.System)
	for _, c := range []struct{ text, want string }{
		{"output: {total: 1000.3}", ""},
		{"output: {total: 1000.2}", "total@2020-01: expected 1000.2, got 1000.3, difference 0.099975586, margin 0"},
		{"output: {total: 1000.2}\nabsolute_error_margin: 0.1", ""},
		{"output: {total: 1000}\nabsolute_error_margin: 0.1", "total@2020-01: expected 1000.0, got 1000.3, difference 0.2999878, margin 0.1"},
		{"output: {total: 1000}\nabsolute_error_margin: {total: 1, default: 0}", ""},
		{"output: {total: 1000}\nabsolute_error_margin: {default: 0}", "margin 0"},
		{"output: {total: 1000}\nrelative_error_margin: 0.001", ""},
		{"output: {total: 1000}\nrelative_error_margin: 0.0001", "relative margin 0.0001"},
		{"output: {total: 1000}\nrelative_error_margin: 1\nabsolute_error_margin: 0", "margin 0"},
		{"output: {total: \"2000.6 / 2\"}", ""},
		{"output: {total: soon}", "total@2020-01: expected soon, got 1000.3"},
		{"output: {total: [1, 2]}", "(member 1 of 2)"},
		{"output: {total: [1, 2, 3], salary: [1, 2]}", "(member 1 of 3)"},
		{"output: {any_rich: true}", ""},
		{"output: {any_rich: 1}", ""},
		{"output: {any_rich: false}", "any_rich@2020-01: expected 0.0, got 1.0"},
		{"output: {total: null}", "nothing is expected"},
		{"output: {totally: 1}", "there is no variable 'totally'"},
		{"output: {persons: {ann: {salary: 1}}}", "there is no 'ann' among the persons"},
		{"output: {total: {2020: 1}}", "total@2020: "},
		{"output: {total: 1, size: 2}", "total@2020-01: expected 1.0, got 1000.3, difference 999.3, margin 0\nsize@2020-01: expected 2.0, got 1.0"},
		{"output: {total: 1}\nignore_variables: [total]", ""},
		{"output: {total: 1}\nonly_variables: [size]", ""},
		{"output: null", "the test has no output"},
		{"input: {persons: {ann: {salary: {}, pay: 1}}}\noutput: {total: 1}", "the situation cannot be understood: persons/ann/pay: "},
		{"output: {total: 1000.3}\nreforms: nowhere.at.all", "reform nowhere.at.all"},
		{"output: {total: 1000.3}\nparameters: {rate: 1}", "parameters"},
	} {
		text := c.text
		if !strings.Contains(text, "input:") {
			text = "input: {salary: 1000.3}\n" + text
		}
		cases, wrong := yamltest.Parse("case.yaml", []byte("period: 2020-01\n"+text))
		if len(wrong) > 0 {
			t.Errorf("%s: %v", c.text, wrong)
			continue
		}
		r := suite.RunCase(context.Background(), &cases[0], yamltest.Options{})
		if r.Passed != (c.want == "") || !strings.Contains(r.Message, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.text, r.Message, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	cases, wrong := yamltest.Parse("t.yaml", []byte(`
- name: 2020
  period: 2020-01
  keywords: [tax, rsa]
  reforms: a.b
  extensions: [c]
  max_spiral_loops: 3
  relative_error_margin: 0.1
  output: {}
- outputs: {}
- 5
- max_spiral_loops: many
`))
	if len(cases) != 1 || cases[0].Name != "2020" || cases[0].MaxSpiralLoops != 3 || cases[0].Reforms[0] != "a.b" || *cases[0].Relative.Of("x") != 0.1 || cases[0].Absolute.Of("x") != nil {
		t.Errorf("cases %+v", cases)
	}
	want := []string{
		"t.yaml:10: test 2: 'outputs' is not a key of a test: did you mean 'output'?",
		"t.yaml:11: test 3: expected a mapping with input and output",
		"t.yaml:12: test 4: max_spiral_loops: expected a whole number",
	}
	for i, w := range want {
		if i >= len(wrong) || !strings.HasPrefix(wrong[i].Error(), w) {
			t.Errorf("problems %v, want %s", wrong, w)
		}
	}
	o := yamltest.Options{Name: "rsa"}
	if len(o.Select(cases)) != 1 {
		t.Error("a keyword does not select its case")
	}
	o.Name = "other"
	if len(o.Select(cases)) != 0 {
		t.Error("a filter selects a case that has nothing of it")
	}
}

func TestDiscover(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.yaml", "a/c.yml", "a/d.txt", ".git/e.yaml", "build/f.yaml"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := yamltest.Discover([]string{dir, filepath.Join(dir, "b.yaml")})
	if err != nil || len(files) != 2 || filepath.Base(files[0]) != "c.yml" {
		t.Errorf("files %v, %v", files, err)
	}
	if _, err := yamltest.Discover([]string{filepath.Join(dir, "a/d.txt")}); err == nil {
		t.Error("a text file is taken for a test")
	}
	if _, err := yamltest.Discover([]string{filepath.Join(dir, "none")}); err == nil {
		t.Error("a path that does not exist is taken for tests")
	}
}
