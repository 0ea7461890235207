package pyindex

import (
	"fmt"
	"regexp"
	"strings"
)

// Requirement is a project and the versions of it that will do: openfisca-france>=170,<171.
type Requirement struct {
	Name  string // normalized
	Range Specifier
	Extra bool // needed only for an optional feature
}

var projectName = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`)

var separators = regexp.MustCompile(`[-_.]+`)

// Normalize gives the one spelling of a project's name: lower case, with single hyphens.
func Normalize(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// ParseRequirement reads a requirement of PEP 508. Optional features of it, in brackets, mean nothing here; of the
// condition behind a semicolon it only matters whether it names an optional feature.
func ParseRequirement(text string) (Requirement, error) {
	spec, condition, _ := strings.Cut(text, ";")
	spec = strings.TrimSpace(spec)
	name := projectName.FindString(spec)
	if name == "" {
		return Requirement{}, fmt.Errorf("%q is not a requirement: write NAME or NAME==VERSION", text)
	}
	rest := strings.TrimSpace(spec[len(name):])
	if strings.HasPrefix(rest, "[") {
		_, after, ok := strings.Cut(rest, "]")
		if !ok {
			return Requirement{}, fmt.Errorf("%q is not a requirement: a bracket is not closed", text)
		}
		rest = strings.TrimSpace(after)
	}
	if strings.HasPrefix(rest, "@") {
		return Requirement{}, fmt.Errorf("%q names an address: download the file and name its path instead", text)
	}
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		rest = strings.TrimSuffix(strings.TrimSpace(inner), ")")
	}
	versions, err := ParseSpecifier(rest)
	if err != nil {
		return Requirement{}, fmt.Errorf("%q is not a requirement: %w", text, err)
	}
	return Requirement{Name: Normalize(name), Range: versions, Extra: strings.Contains(condition, "extra")}, nil
}

// String writes the requirement as it can be read again.
func (r Requirement) String() string { return r.Name + r.Range.String() }
