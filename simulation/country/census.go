package country

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// census/absent.txt has the names of numpy, OpenFisca-Core and Python that are not there, below the reason of each group.
//
//go:embed census/absent.txt
var absentText string

var absentReasons = sync.OnceValue(func() map[string]string {
	reasons := map[string]string{}
	reason := ""
	for line := range strings.Lines(absentText) {
		if text, ok := strings.CutPrefix(line, "# "); ok {
			reason = strings.TrimSpace(text)
			continue
		}
		for name := range strings.FieldsSeq(line) {
			reasons[name] = reason
		}
	}
	return reasons
})

// Absent tells why a name, such as numpy.fft or str.maketrans, is not there; false if it is, or if nobody can write it.
func Absent(name string) (reason string, absent bool) {
	reason, absent = absentReasons()[name]
	return reason, absent
}

func absentNames() []string { return slices.Sorted(maps.Keys(absentReasons())) }

// missingName finds in the message of an error what is not there.
var missingName = regexp.MustCompile(`(?:module )?'([\w.]+)'(?: object)? has no attribute '(\w+)'`)

// because adds to a message that something is not there why it is not, if that is known.
func because(message string) string {
	m := missingName.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	if reason, ok := Absent(m[1] + "." + m[2]); ok {
		return message + ": " + reason
	}
	return message
}
