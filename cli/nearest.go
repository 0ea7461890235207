package cli

import (
	"slices"
	"strings"

	"edict/platform/nearest"
)

// nearestSetting returns the known setting that a mistyped one most likely means, "" when none is near. A known name is
// near as a whole or by its last part alone: "listen" means server.listen.
func nearestSetting(name string, known []string) string {
	if near := nearest.Name(name, slices.Values(known)); near != "" {
		return near
	}
	near := nearest.Name(last(name), func(yield func(string) bool) {
		for _, candidate := range known {
			if !yield(last(candidate)) {
				return
			}
		}
	})
	if near == "" {
		return ""
	}
	return known[slices.IndexFunc(known, func(candidate string) bool { return last(candidate) == near })]
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
