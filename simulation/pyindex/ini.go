package pyindex

import (
	"fmt"
	"strings"
)

// parseINI reads a file of sections with keys: "key = value" or "key: value", where indented lines go on with the value
// above. Lines that begin with # or ; are comments. Keys are in lower case, with hyphens.
func parseINI(text string) (map[string]map[string]string, error) {
	sections := map[string]map[string]string{}
	var section map[string]string
	key, number := "", 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case trimmed[0] == '[' && strings.HasSuffix(trimmed, "]"):
			name := strings.TrimSpace(trimmed[1 : len(trimmed)-1])
			if sections[name] == nil {
				sections[name] = map[string]string{}
			}
			section, key = sections[name], ""
		case section == nil:
			return nil, fmt.Errorf("line %d is in no section: begin with [global]", number)
		case line[0] == ' ' || line[0] == '\t':
			if key == "" {
				return nil, fmt.Errorf("line %d is indented, but no line above begins a value", number)
			}
			section[key] = strings.TrimSpace(section[key] + "\n" + trimmed)
		default:
			at := strings.IndexAny(trimmed, "=:")
			if at <= 0 {
				return nil, fmt.Errorf("line %d is neither a section nor a setting: write key = value", number)
			}
			key = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(trimmed[:at])), "_", "-")
			section[key] = strings.TrimSpace(trimmed[at+1:])
		}
	}
	return sections, nil
}
