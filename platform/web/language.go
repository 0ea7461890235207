package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// maxLanguages is how many of the languages that a request accepts are read.
const maxLanguages = 32

// Languages returns the language tags of an Accept-Language header (RFC 9110, section 12.5.4), the preferred ones first: "fr-CA", or "*"
// for any. Tags with a weight of zero, and those whose weight cannot be read, are left out.
func Languages(accept string) []string {
	type choice struct {
		tag    string
		weight float64
	}
	var choices []choice
	for i, part := range strings.SplitN(accept, ",", maxLanguages+1) {
		tag, parameter, _ := strings.Cut(part, ";")
		tag = strings.TrimSpace(tag)
		if weight := languageWeight(parameter); tag != "" && weight > 0 && i < maxLanguages {
			choices = append(choices, choice{tag, weight})
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(b.weight, a.weight) })
	tags := make([]string, len(choices))
	for i, c := range choices {
		tags[i] = c.tag
	}
	return tags
}

// languageWeight reads "q=0.8"; what is not understood weighs nothing.
func languageWeight(parameter string) float64 {
	parameter = strings.TrimSpace(parameter)
	if parameter == "" {
		return 1
	}
	value, ok := strings.CutPrefix(strings.ToLower(parameter), "q=")
	weight, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || !(weight >= 0 && weight <= 1) {
		return 0
	}
	return weight
}
