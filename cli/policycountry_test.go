package cli

import "testing"

func TestPolicyCountry(t *testing.T) {
	for name, want := range map[string]string{
		"":                        "",
		"/x/policyengine_uk":      "uk",
		"/x/policyengine_uk/":     "uk",
		"policyengine-us":         "us",
		"policyengine_us==2.68.0": "us",
		"x/policyengine_canada-0.99.1-py3-none-any.whl": "ca",
		"policyengine_il-1.0.tar.gz":                    "il",
		"policyengine_core":                             "",
		"policyengine_":                                 "",
		"openfisca_uk":                                  "",
		"/policyengine_uk/openfisca_france":             "",
	} {
		if got := policyCountry(name); got != want {
			t.Errorf("%q is of %q, want %q", name, got, want)
		}
	}
}
