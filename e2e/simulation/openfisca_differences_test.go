package simulation_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// difference is a deliberate difference from the OpenFisca web API: a row of docs/reference/openfisca-api.md, with its reason and the rules that TestOpenFisca applies to it.
type difference struct {
	point, here, there, why string

	requests   string                                             // regular expression of the situations of the corpus, by name, whose answers may be another
	paths      string                                             // … of the paths of the corpus that show it; compare allows for it
	explains   func(c corpusRequest, want, got corpusAnswer) bool // whatever the request
	levelHere  func(tree any) any                                 // makes a tree of errors what it is there
	levelThere func(tree any) any                                 // … what it is here
	elsewhere  string                                             // why the corpus cannot show it
}

var differences = []difference{{
	point: `404, 405, 415`,
	here:  "JSON `{\"error\": …}`",
	there: `HTML`,
	why:   `clients read JSON`,
	explains: func(_ corpusRequest, want, got corpusAnswer) bool {
		return want.status == got.status && !strings.HasPrefix(want.header.Get("Content-Type"), "application/json")
	},
}, {
	point:    "request errors that crash there (wrong period unit, date before the law, id with a slash in an error, axis period `month:2017-01`)",
	here:     `400 or 422 with the reason, or the answer`,
	there:    `500`,
	why:      `the request has to change`,
	requests: `^axis for |^(ids|wrong values of|nobody is called|no variable is called|no entity is called) ("a/b"|"") `,
	explains: func(_ corpusRequest, want, got corpusAnswer) bool {
		return want.status == http.StatusInternalServerError && got.status/100 == 4
	},
}, {
	point: `trailing slash`,
	here:  `answered`,
	there: `redirect`,
	why:   `saves a round trip`,
	paths: `.+/$`,
}, {
	point: "an empty path segment (`/parameter//taxes`)",
	here:  `404`,
	there: `redirect to the path without it`,
	why:   `mistyped paths are reported`,
	paths: `//`,
}, {
	point:     `errors about an unknown variable, entity or person`,
	here:      "end with `Did you mean '…'?` if a similar name exists",
	there:     `no suggestion`,
	why:       `the text before it is the same`,
	levelHere: unhinted,
}, {
	point:     "an unknown variable of a package whose name does not begin with `openfisca`",
	here:      `names the route that lists variables`,
	there:     `links to a GitHub page`,
	why:       `that page does not exist`,
	elsewhere: "the packages compared with begin so",
}, {
	point:    `a list of one value for a number or an enumeration`,
	here:     `counts as the value`,
	there:    `an error with numpy 2.4, the value with older ones`,
	why:      `existing scripts keep working`,
	requests: `^(number|number of a year|integer|enumeration) \[1\]$`,
}, {
	point:    `text variables of bounded length`,
	here:     "`\"75001\"`",
	there:    "`\"b'75001'\"`",
	why:      `a bug of the original`,
	requests: `^(household postal_code 2017-01|string out)$`,
}, {
	point:      `errors at a numeric key`,
	here:       `an object`,
	there:      `a list padded with nulls`,
	why:        `errors mirror the request`,
	levelThere: mirrored,
}, {
	point:    `an enumeration number out of range`,
	here:     `400`,
	there:    `stored; results are undefined`,
	why:      `the mistake would go unnoticed`,
	requests: `^enumeration -?\d`,
}, {
	point:    `dates`,
	here:     "years 1 to 9999 in four digits: `1980`, `1980-01`, `1980-01-31`",
	there:    "also years of any length (`\"12\"`, `\"19800101\"`), `\"\"` for no date",
	why:      `the same`,
	requests: `^date `,
}, {
	point:    `invalid axes: over dates, parallel with different lengths, beyond the existing members, over a million points`,
	here:     `400, with the place`,
	there:    `an exception, or a meaningless answer`,
	why:      `the same`,
	requests: `^(axes|the axes are|an axis is|an axis begins at|an axis varies|an axis is of) `,
}, {
	point:    `digits other than 0 to 9 in periods and numbers, periods of more than 2 147 483 647 units`,
	here:     `400`,
	there:    `read`,
	why:      `the same`,
	requests: `[０-９]|9{20}`,
}, {
	point:    "`NaN`, `Infinity`, half of a surrogate pair, invalid UTF-8, more than 100 nested levels",
	here:     `400`,
	there:    `read`,
	why:      `invalid JSON, or an attack`,
	requests: `^(nan|-?infinity|lone surrogate esc|deep)$`,
}, {
	point:    `integers beyond 64 bits, floats beyond all floats`,
	here:     `are returned unchanged`,
	there:    "floats as `Infinity`",
	why:      `not JSON`,
	requests: `^1e999$`,
}, {
	point:     "comparisons in a number given as text, and functions other than `abs`, `ceil`, `floor`, `round`, `sqrt` and `trunc`",
	here:      `400`,
	there:     `computed`,
	why:       `only sums are used in practice`,
	elsewhere: "the corpus has no such text",
}, {
	point:     `an input for a period of the wrong length, with several group entities`,
	here:      `error at its place`,
	there:     `error at the entity`,
	why:       `errors mirror the request`,
	elsewhere: "the country template has one kind of groups",
}, {
	point: `results that are not numbers (NaN, infinite)`,
	here:  `422 with variable, period and member`,
	there: "`NaN` in the JSON",
	why:   `not JSON`,
	explains: func(_ corpusRequest, want, got corpusAnswer) bool {
		return want.status == http.StatusOK && !json.Valid([]byte(want.text)) && got.status/100 == 4
	},
}, {
	point: "`Country-Package` headers",
	here:  `on these paths and below`,
	there: `on every path`,
	why:   `other paths belong to other services`,
	paths: `^/unknown$`,
}, {
	point: "values in the schemas of `/spec`",
	here:  `may be null`,
	there: `may not`,
	why:   `null requests a value, so generated clients must be able to send it`,
	paths: `^/spec$`,
}, {
	point:     "a parameter dated with four parts (`2017-01-01-01`, one of OpenFisca-Japan)",
	here:      "`2017-01-01`",
	there:     `as it was written`,
	why:       `a mistake in the package`,
	elsewhere: "it is one of OpenFisca-Japan",
}, {
	point:     "`source`",
	here:      `only if the package names its repository`,
	there:     "`/blob/…` without a host",
	why:       `half an address is useless`,
	elsewhere: "the country template names its repository",
}}

// permitted reports whether a request may be answered otherwise than by the reference.
func permitted(c corpusRequest) bool {
	return c.method == http.MethodPost && slices.ContainsFunc(differences, func(d difference) bool { return d.requests != "" && matches(d.requests, c) })
}

func matches(pattern string, c corpusRequest) bool {
	_, name, _ := strings.Cut(c.name, " ")
	return regexp.MustCompile(pattern).MatchString(name)
}

// TestDifferencesToOpenFisca: every difference has something that shows it, and docs/reference/openfisca-api.md lists those there are.
func TestDifferencesToOpenFisca(t *testing.T) {
	var table strings.Builder
	table.WriteString("| point | edict | OpenFisca web API |\n|---|---|---|\n")
	requests := corpus(t)
	for _, d := range differences {
		table.WriteString("| " + strings.Join([]string{d.point, d.here, d.there}, " | ") + " |\n")
		for _, pattern := range []string{d.requests, d.paths} {
			if pattern != "" && !slices.ContainsFunc(requests, func(c corpusRequest) bool { return matches(pattern, c) }) {
				t.Errorf("%s: the corpus has no request %s", d.point, pattern)
			}
		}
		if d.requests == "" && d.paths == "" && d.explains == nil && d.levelHere == nil && d.levelThere == nil && d.elsewhere == "" {
			t.Errorf("%s: nothing shows it", d.point)
		}
	}
	page, err := os.ReadFile("../../docs/reference/openfisca-api.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "\n"+table.String()+"\n") {
		t.Errorf("docs/reference/openfisca-api.md does not have the table of differences as it is; it should be\n%s", table.String())
	}
}
