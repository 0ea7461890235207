package yamltest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/simulation/country"
	"edict/simulation/pyeval"
	"edict/simulation/yamltest"
)

// TestPolicyEngine runs a package for PolicyEngine whose tests policyengine-core 3.33 passes: periods of another unit, inputs
// that hold, indexes, variables that are defined for some, sums, branches, parameters among inputs.
func TestPolicyEngine(t *testing.T) {
	passAll(t, "feature_policy", "tests", "22 0 ")
}

// TestOwnParameters runs a package with classes of parameters of its own, whose tests policyengine-core 3.33 passes: a scale with
// attributes of its own, a parameter that is another one, lists of values that are changed, an index by the year, a constructor that
// does the work of its base, what variables say of themselves, and what of
// Python's library they lean on.
func TestOwnParameters(t *testing.T) { passAll(t, "own_policy", "tests_own", "11 0 ") }

// TestBesideDerivedSystems computes while systems are derived from the one that it computes with, by data and by code that reads its parameters: what is
// in force is not written to, which the race detector would tell.
func TestBesideDerivedSystems(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reads.py")
	if err := os.WriteFile(file, []byte(`from openfisca_core.reforms import Reform
class reads(Reform):
    def apply(self):
        law = self.baseline.parameters.gov
        known = (law.lump.metadata, law.lump.values_list[0].value, law.tax.brackets[0].rate.values_list, law.allowance.get_at_instant("2021-01-01"))
        assert len(known) == 4
`), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := country.Open("testdata/policyengine/own_policy")
	if err != nil {
		t.Fatal(err)
	}
	own, err := country.OpenReforms([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(t.Context(), country.Options{Own: own}, src)
	if err != nil {
		t.Fatal(err)
	}
	suite, done := yamltest.NewSuite(pkg, pkg.System), make(chan struct{})
	cases := load(t, "testdata/policyengine/tests_own")
	var all sync.WaitGroup
	all.Go(func() {
		defer close(done)
		for range 5 {
			for i := range cases {
				if r := suite.RunCase(t.Context(), &cases[i], yamltest.Options{}); !r.Passed {
					t.Errorf("%s: %s", r.Case.Name, r.Message)
				}
			}
			if _, err := pkg.Compose(t.Context(), pkg.System, []string{file}); err != nil {
				t.Error(err)
			}
		}
	})
	rounds := 0
	for over := false; !over; rounds++ {
		for i := range cases {
			if r := suite.RunCase(t.Context(), &cases[i], yamltest.Options{}); !r.Passed {
				t.Errorf("beside others, %s: %s", r.Case.Name, r.Message)
			}
		}
		select {
		case <-done:
			over = true
		default:
		}
	}
	all.Wait()
	t.Logf("%d rounds beside it", rounds)
}

// TestPiped runs a package whose system does the work on its parameters itself, whose tests policyengine-core 3.33 passes: variables made
// by functions, parameters derived from others, indexes given to inputs, reforms by parameters, brackets with metadata, objects of
// the system that formulas ask, what a simulation was given, groups behind projectors, parameters by text and number.
func TestPiped(t *testing.T) { passAll(t, "piped_policy", "tests_piped", "30 0 ") }

// passAll runs the tests of a directory on a package, and wants each file to begin with these verdicts.
func passAll(t *testing.T, name, tests, want string) {
	t.Helper()
	src, err := country.Open("testdata/policyengine/" + name)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(context.Background(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range verdictsOf(t, pkg, load(t, "testdata/policyengine/"+tests), "testdata") {
		if !strings.HasPrefix(line, want) {
			t.Error(line)
		}
	}
}

// verdictsOf runs cases, and gives for every file how many passed, how many failed, and its name below a directory.
func verdictsOf(t *testing.T, pkg *country.Package, cases []yamltest.Case, dir string) []string {
	t.Helper()
	counts := map[string]*[2]int{}
	err := yamltest.NewSuite(pkg, pkg.System).Run(context.Background(), yamltest.Options{}.Select(cases), yamltest.Options{}, func(r yamltest.Result) {
		file, err := filepath.Rel(dir, r.Case.File)
		if err != nil {
			t.Error(err)
		}
		if counts[file] == nil {
			counts[file] = &[2]int{}
		}
		if r.Passed {
			counts[file][0]++
			return
		}
		counts[file][1]++
		t.Logf("%s: %s: %s", file, r.Case.Name, r.Message)
	})
	if err != nil {
		t.Error(err)
	}
	var lines []string
	for file, n := range counts {
		lines = append(lines, fmt.Sprintf("%d %d %s", n[0], n[1], file))
	}
	slices.SortFunc(lines, func(a, b string) int {
		return strings.Compare(a[strings.LastIndex(a, " "):], b[strings.LastIndex(b, " "):])
	})
	return lines
}

// TestPolicyEngineDiffers expects what is wrong by a little more than is allowed, and must hear of it.
func TestPolicyEngineDiffers(t *testing.T) {
	src, err := country.Open("testdata/policyengine/feature_policy")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(context.Background(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	cases, wrong := yamltest.Parse("wrong.yaml", []byte(`
- {period: 2020, input: {wage: 0.5}, output: {wage: 0.5011}}
- {period: 2020, input: {gov.nothing: 1, wage: 1}, output: {wage: 1}}
- {period: 2020, input: {age: 30}, output: {age: 30.01}}
`))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	failed := 0
	err = yamltest.NewSuite(pkg, pkg.System).Run(context.Background(), yamltest.Options{}.Select(cases), yamltest.Options{}, func(r yamltest.Result) {
		if !r.Passed {
			failed++
		}
	})
	if err != nil || failed != len(cases) {
		t.Errorf("%d of %d wrong cases fail, %v", failed, len(cases), err)
	}
}

// TestLawInForce has formulas try to change the law: it is refused, and the law is what it was for everybody else.
func TestLawInForce(t *testing.T) {
	src, err := country.Open("testdata/policyengine/feature_policy")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(context.Background(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	cases, wrong := yamltest.Parse("law.yaml", []byte(`
- {period: 2020, input: {wage: 1000, age: 30}, output: {other_law: 500}}
- {period: 2020, input: {wage: 1000, age: 30}, output: {other_variables: 0}}
- {period: 2020, input: {wage: 1000, age: 30}, output: {tax: 100}}
`))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	var told []string
	err = yamltest.NewSuite(pkg, pkg.System).Run(context.Background(), yamltest.Options{}.Select(cases), yamltest.Options{}, func(r yamltest.Result) {
		told = append(told, r.Message)
	})
	if err != nil || len(told) != 3 || !strings.Contains(told[0], "a formula cannot change the law: write a reform that sets gov.rate.NORTH") ||
		!strings.Contains(told[1], "a formula cannot change the law: neutralize wage in a branch") || told[2] != "" {
		t.Errorf("%q, %v", told, err)
	}
}

var (
	verdicts = flag.String("verdicts", "", "file with the `verdicts` of the original on the tests of a package")
	original = flag.String("package", "", "`directory` of that package")
	images   = flag.String("cache", "", "`directory` of a cache: the second run is that of the package as its image gives it")
)

// TestOriginalVerdicts compares the verdicts on tests of a package with those of the original, a line per file: how many passed,
// how many failed, its name.
func TestOriginalVerdicts(t *testing.T) {
	if *verdicts == "" {
		t.Skip("needs a package and the verdicts of the original on it: -package, -verdicts")
	}
	src, err := country.Open(*original)
	if err != nil {
		t.Fatal(err)
	}
	options := country.Options{Now: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Limits: pyeval.Limits{Bytes: 6 << 30}}
	if *images != "" {
		if options.Cache, err = country.OpenCache(*images); err != nil {
			t.Fatal(err)
		}
	}
	pkg, err := country.Load(context.Background(), options, src)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(*verdicts)
	if err != nil {
		t.Fatal(err)
	}
	var cases []yamltest.Case
	for line := range strings.SplitSeq(strings.TrimSpace(string(want)), "\n") {
		cases = append(cases, load(t, filepath.Join(*original, strings.SplitN(line, " ", 3)[2]))...)
	}
	got := verdictsOf(t, pkg, cases, *original)
	for line := range strings.SplitSeq(strings.TrimSpace(string(want)), "\n") {
		if !slices.Contains(got, line) {
			t.Errorf("the original says %q", line)
		}
	}
}
