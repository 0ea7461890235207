package yamltest_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/yamltest"
)

// TestDialects runs a package for older versions of OpenFisca-Core: its tests pass in their dialect and fail in today's.
// OpenFisca-Core 41 passes tests/enums.yaml, 35 that and tests/periods.yaml. The scale of tests/base.yaml gives these numbers in 35; today's refuses
// to load it, every dialect here takes it.
func TestDialects(t *testing.T) {
	for name, c := range map[string]struct {
		options country.Options
		failing []string // files
	}{
		"today":  {country.Options{}, []string{"testdata/dialects/tests/enums.yaml", "testdata/dialects/tests/periods.yaml"}},
		"core42": {country.Options{LenientEnums: true}, []string{"testdata/dialects/tests/periods.yaml"}},
		"core39": {country.Options{LenientEnums: true, LenientPeriods: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			src, err := country.Open("testdata/dialects/feature_old")
			if err != nil {
				t.Fatal(err)
			}
			pkg, err := country.Load(context.Background(), c.options, src)
			if err != nil {
				t.Fatal(err)
			}
			cases := load(t, "testdata/dialects/tests")
			err = yamltest.NewSuite(pkg, pkg.System).Run(context.Background(), yamltest.Options{}.Select(cases), yamltest.Options{}, func(r yamltest.Result) {
				if want := !slices.Contains(c.failing, r.Case.File); r.Passed != want {
					t.Errorf("%s: %s: passed is %v: %s", r.Case.File, r.Case.Name, r.Passed, r.Message)
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOldestDialect runs a package for OpenFisca-Core 30, which nothing later can load.
func TestOldestDialect(t *testing.T) {
	src, err := country.Open("testdata/dialects/feature_older")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := country.Load(context.Background(), country.Options{}, src); err == nil || !strings.Contains(err.Error(), "--dialect core30") {
		t.Errorf("in today's dialect: %v", err)
	}
	pkg, err := country.Load(context.Background(), country.Options{LenientEnums: true, LenientPeriods: true, LastValues: true}, src)
	if err != nil {
		t.Fatal(err)
	}
	cases := load(t, "testdata/dialects/older")
	err = yamltest.NewSuite(pkg, pkg.System).Run(context.Background(), yamltest.Options{}.Select(cases), yamltest.Options{}, func(r yamltest.Result) {
		if !r.Passed {
			t.Errorf("%s: %s", r.Case.Name, r.Message)
		}
	})
	if err != nil || len(cases) == 0 {
		t.Errorf("%d cases, %v", len(cases), err)
	}
}
