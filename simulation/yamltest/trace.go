package yamltest

import (
	"fmt"
	"strings"

	"edict/simulation/engine"
)

// maxTraceLines bounds what is shown of a run: a whole legislation makes tens of thousands of lines.
const maxTraceLines = 5000

// printTrace shows calculations as an indented list, each before those it asked for.
func (r *caseRun) printTrace() string {
	var b strings.Builder
	lines := 0
	r.tracer.Walk(func(n *engine.Trace, depth int) {
		if r.o.Depth > 0 && depth >= r.o.Depth || r.o.NoDefaults && r.isDefault(n) {
			return
		}
		if lines++; lines > maxTraceLines {
			return
		}
		value := n.Value.String()
		if n.Err != nil {
			value = n.Err.Error()
		}
		fmt.Fprintf(&b, "%s%s = %s\n", strings.Repeat("  ", depth), n.Key(), shorten(value))
	})
	if lines > maxTraceLines {
		fmt.Fprintf(&b, "… and %d more\n", lines-maxTraceLines)
	}
	return b.String()
}

// isDefault reports that a calculation gave the default value of its variable to all.
func (r *caseRun) isDefault(n *engine.Trace) bool {
	v, err := r.sim.System().Lookup(n.Variable)
	if err != nil || n.Err != nil {
		return false
	}
	for i := range n.Value.Len() {
		if n.Value.Format(i) != v.Default.Format(0) {
			return false
		}
	}
	return true
}

func shorten(s string) string {
	if line, _, more := strings.Cut(s, "\n"); more {
		s = line + " …"
	}
	if r := []rune(s); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return s
}
