package pyindex

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Version is a version by PEP 440: epoch, release, and what comes before and after a release. Versions are compared with
// Compare, not with ==, because 1.0 and 1.0.0 are one version.
type Version struct {
	text    string
	epoch   int
	release []int
	phase   int // of a pre-release: a, b, rc; else none
	pre     int
	post    int
	dev     int
	local   []string
}

// The phases of a pre-release in order; a release without any is later than all of them. A development release of no phase
// comes before them.
const (
	phaseDev = iota
	phaseAlpha
	phaseBeta
	phaseCandidate
	phaseFinal
)

var phases = map[string]int{
	"a": phaseAlpha, "alpha": phaseAlpha, "b": phaseBeta, "beta": phaseBeta,
	"c": phaseCandidate, "rc": phaseCandidate, "pre": phaseCandidate, "preview": phaseCandidate,
}

var versionForm = regexp.MustCompile(`^v?(?:(\d+)!)?(\d+(?:\.\d+)*)` +
	`(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?` +
	`(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?` +
	`(?:[-_.]?(dev)[-_.]?(\d*))?` +
	`(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$`)

// ParseVersion reads a version in any of the spellings that PEP 440 allows.
func ParseVersion(text string) (Version, error) {
	m := versionForm.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil {
		return Version{}, fmt.Errorf("%q is not a version", text)
	}
	var wrong error
	number := func(digits string) int {
		n, err := strconv.Atoi(cmp.Or(digits, "0"))
		if err != nil {
			wrong = fmt.Errorf("%q is not a version: %s is too large", text, digits)
		}
		return n
	}
	v := Version{text: strings.TrimSpace(text), epoch: number(m[1]), phase: phaseFinal, pre: number(m[4]), post: -1, dev: math.MaxInt}
	for part := range strings.SplitSeq(m[2], ".") {
		v.release = append(v.release, number(part))
	}
	if m[3] != "" {
		v.phase = phases[m[3]]
	}
	if m[5] != "" || m[6] != "" {
		v.post = number(m[5] + m[7])
	}
	if m[8] != "" {
		v.dev = number(m[9])
		if m[3] == "" && v.post < 0 {
			v.phase = phaseDev
		}
	}
	if m[10] != "" {
		v.local = strings.FieldsFunc(m[10], func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	}
	return v, wrong
}

// String returns the version as it was written.
func (v Version) String() string { return v.text }

// IsZero tells whether there is no version.
func (v Version) IsZero() bool { return v.release == nil }

// PreRelease tells whether the version comes before its release.
func (v Version) PreRelease() bool { return v.phase != phaseFinal || v.dev != math.MaxInt }

// Compare orders versions: negative if v is the earlier one.
func (v Version) Compare(w Version) int {
	return cmp.Or(v.comparePublic(w), compareLocal(v.local, w.local))
}

// comparePublic compares without what follows the +.
func (v Version) comparePublic(w Version) int {
	return cmp.Or(
		cmp.Compare(v.epoch, w.epoch), compareRelease(v.release, w.release), cmp.Compare(v.phase, w.phase),
		cmp.Compare(v.pre, w.pre), cmp.Compare(v.post, w.post), cmp.Compare(v.dev, w.dev),
	)
}

// compareRelease compares numbers, the shorter list continued by zeros.
func compareRelease(a, b []int) int {
	for i := range max(len(a), len(b)) {
		if c := cmp.Compare(numberAt(a, i), numberAt(b, i)); c != 0 {
			return c
		}
	}
	return 0
}

func numberAt(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// compareLocal orders the parts of local versions: numbers are later than words, more parts later than fewer.
func compareLocal(a, b []string) int {
	return slices.CompareFunc(a, b, func(x, y string) int {
		m, errM := strconv.Atoi(x)
		n, errN := strconv.Atoi(y)
		switch {
		case errM == nil && errN == nil:
			return cmp.Compare(m, n)
		case errM == nil:
			return 1
		case errN == nil:
			return -1
		}
		return strings.Compare(x, y)
	})
}
