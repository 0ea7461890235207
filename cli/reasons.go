package cli

import (
	"fmt"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/scenario"
)

const (
	mostReasons = 4   // of an error that is printed
	longReason  = 400 // bytes of one
)

// reasons returns why a server rejected a request: a line per problem, with its place in the request. Places below inside are shortened by it.
func (r *reply) reasons(inside string) string {
	doc, err := scenario.DecodeJSON(r.body.Bytes())
	if err != nil {
		return r.start()
	}
	failure, _ := doc.Get("error")
	message, _ := failure.Get("message")
	var problems scenario.Problems
	if trees, ok := failure.Get("errors"); ok {
		for i := range trees.List {
			problems = appendProblems(problems, nil, trees.List[i])
		}
	}
	for i, p := range problems {
		place := strings.Join(p.Path, "/") + "/"
		if rest, ok := strings.CutPrefix(place, inside); ok || strings.HasPrefix(inside, place) {
			problems[i].Path = strings.FieldsFunc(rest, func(r rune) bool { return r == '/' })
			if !ok {
				problems[i].Path = nil // the place is around it
			}
		}
	}
	if text, ok := message.Text(); ok && len(problems) == 0 {
		problems = scenario.Problems{{Msg: text}}
	}
	return fewReasons(problems)
}

// appendProblems adds the messages of a tree that mirrors a request.
func appendProblems(to scenario.Problems, path []string, d legislation.Data) scenario.Problems {
	if text, ok := d.Text(); ok {
		return append(to, scenario.Problem{Path: path, Msg: text})
	}
	if message, ok := d.Get("message"); ok && d.Kind == legislation.Mapping {
		return appendProblems(to, path, message) // its neighbours repeat parts of it
	}
	at := func(step string) []string { return append(append([]string(nil), path...), step) }
	for i := range d.List {
		to = appendProblems(to, at(strconv.Itoa(i)), d.List[i])
	}
	if d.Kind == legislation.Mapping {
		for key, child := range d.Map.All() {
			to = appendProblems(to, at(key), child)
		}
	}
	return to
}

// fewReasons lists the first problems, one per line.
func fewReasons(problems scenario.Problems) string {
	more := len(problems) - mostReasons
	lines := strings.Split(problems[:min(len(problems), mostReasons)].Error(), "\n")
	for i, line := range lines {
		if len(line) > longReason {
			lines[i] = strings.ToValidUTF8(line[:longReason], "") + "…"
		}
	}
	if more > 0 {
		lines = append(lines[:min(len(lines), mostReasons)], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}
