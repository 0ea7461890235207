package pyeval

import (
	"strings"

	"edict/platform/nearest"
)

// hint suggests the nearest known name: " (did you mean 'x'?)", or "" when none is near.
func hint(name string, known []string) string {
	near := nearest.Name(name, func(yield func(string) bool) {
		for _, k := range known {
			if k != name && !strings.HasPrefix(k, "__") && !yield(k) {
				return
			}
		}
	})
	if near == "" {
		return ""
	}
	return " (did you mean '" + near + "'?)"
}
