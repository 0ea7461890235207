package pyindex

import (
	"fmt"
	"slices"
	"strings"
)

// Specifier is a range of versions: clauses such as >=8.0 that must all hold. The zero value holds for every version.
type Specifier []clause

type clause struct {
	op      string
	version Version
	text    string // of a version for ===
	prefix  bool   // == 1.2.*
}

// operators are tried in this order: the longer ones begin with the shorter ones.
var operators = []string{"===", "~=", "==", "!=", "<=", ">=", "<", ">"}

// ParseSpecifier reads clauses that are separated by commas.
func ParseSpecifier(text string) (Specifier, error) {
	var s Specifier
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		c, err := parseClause(part)
		if err != nil {
			return nil, err
		}
		s = append(s, c)
	}
	return s, nil
}

func parseClause(text string) (clause, error) {
	at := slices.IndexFunc(operators, func(op string) bool { return strings.HasPrefix(text, op) })
	if at < 0 {
		return clause{}, fmt.Errorf("%q is not a version condition: begin with ==, >=, <=, <, >, != or ~=", text)
	}
	c := clause{op: operators[at]}
	c.text = strings.TrimSpace(text[len(c.op):])
	if c.op == "===" {
		return c, nil
	}
	number := c.text
	if c.op == "==" || c.op == "!=" {
		number, c.prefix = strings.CutSuffix(number, ".*")
	}
	var err error
	if c.version, err = ParseVersion(number); err != nil {
		return clause{}, err
	}
	if c.op == "~=" && len(c.version.release) < 2 {
		return clause{}, fmt.Errorf("%q names no range: ~= needs two numbers at least", text)
	}
	return c, nil
}

// Allows tells whether a version is in the range.
func (s Specifier) Allows(v Version) bool {
	return !slices.ContainsFunc(s, func(c clause) bool { return !c.allows(v) })
}

func (c clause) allows(v Version) bool {
	switch c.op {
	case "===":
		return strings.EqualFold(c.text, v.text)
	case "==":
		return c.equals(v)
	case "!=":
		return !c.equals(v)
	case "~=":
		return v.comparePublic(c.version) >= 0 && hasPrefix(v, c.version, len(c.version.release)-1)
	case "<=":
		return v.comparePublic(c.version) <= 0
	case ">=":
		return v.comparePublic(c.version) >= 0
	case "<":
		// 1.0rc1 is not below 1.0 for whoever wants to stay below 1.0.
		early := v.PreRelease() && !c.version.PreRelease() && compareRelease(v.release, c.version.release) == 0
		return v.comparePublic(c.version) < 0 && !early
	default:
		// 1.0.post1 is not above 1.0 for whoever wants more than 1.0.
		late := v.post >= 0 && c.version.post < 0 && compareRelease(v.release, c.version.release) == 0
		return v.comparePublic(c.version) > 0 && !late
	}
}

func (c clause) equals(v Version) bool {
	switch {
	case c.prefix:
		return hasPrefix(v, c.version, len(c.version.release))
	case c.version.local == nil:
		return v.comparePublic(c.version) == 0
	}
	return v.Compare(c.version) == 0
}

// hasPrefix tells whether the first n numbers of two versions are the same.
func hasPrefix(v, w Version, n int) bool {
	for i := range n {
		if numberAt(v.release, i) != numberAt(w.release, i) {
			return false
		}
	}
	return v.epoch == w.epoch
}

// Exact tells whether the range names one version, and which.
func (s Specifier) Exact() (Version, bool) {
	for _, c := range s {
		if c.op == "==" && !c.prefix {
			return c.version, true
		}
	}
	return Version{}, false
}

// wantsPreReleases tells whether a clause itself names a version before a release.
func (s Specifier) wantsPreReleases() bool {
	return slices.ContainsFunc(s, func(c clause) bool { return c.op != "!=" && c.op != "===" && c.version.PreRelease() })
}

// String writes the range as it can be read again.
func (s Specifier) String() string {
	parts := make([]string, len(s))
	for i, c := range s {
		parts[i] = c.op + c.text
	}
	return strings.Join(parts, ",")
}
