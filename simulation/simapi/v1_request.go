package simapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// request is the body of calculate or simulate.
type request struct {
	doc           legislation.Data
	context       any
	scenarios     []legislation.Data
	variables     []asked
	format        string
	baseReforms   reforms
	reforms       reforms
	decomposition string
	figure        *figureAsked // of why alone

	trace, validate, labels, time, intermediate bool

	wrong scenario.Problems
	shown bool // in refusals
}

// asked is a variable that is asked for: its name, where it stands among the variables, and the period if it is not that
// of the scenarios.
type asked struct {
	name  string
	place int
	at    *period.Period

	object bool // it was written as one
}

// on is the period that the variable is asked for.
func (v *asked) on(scenarios period.Period) period.Period {
	if v.at != nil {
		return *v.at
	}
	return scenarios
}

// The formats of the value of calculate.
const (
	formatTestCase  = "test_case"
	formatVariables = "variables"
)

// readRequest reads the body of a visit and checks its shape, and if that is wrong the reforms as well; keys are those the endpoint knows.
func (a *API) readRequest(v *visit, l *law, keys []string) (*request, error) {
	q := &request{shown: v.shown()}
	err := v.decode()
	if q.doc = v.doc; err != nil || q.doc.Kind != legislation.Mapping {
		if large := v.unread(err); large != nil {
			return nil, large
		}
		e := &refusal{status: 400, message: "Invalid JSON in request POST body"}
		if q.shown {
			e.params = string(v.body)
		}
		switch {
		case err == nil && q.doc.Kind != legislation.Null:
			e.tree = "expected an object, got " + scenario.KindInWords(q.doc)
		case v.empty() || err == nil:
			e.tree = "Missing value"
		default:
			e.tree = "Invalid JSON: " + jsonProblem(v.body, err)
		}
		return nil, e
	}
	q.read(keys, a.o.Scenarios)
	if len(q.wrong) > 0 {
		for _, p := range scenario.CheckShapes(q.scenarios) {
			q.refuse(p.Msg, append([]string{"scenarios"}, p.Path...)...)
		}
		// What could be read of the reforms may be wrong, too.
		if _, err := q.composed(v.ctx, l); err != nil {
			wrong, _ := scenario.AsProblems(err)
			q.wrong = append(q.wrong, wrong...)
		}
		return nil, q.refused(400, q.wrong.Tree())
	}
	return q, nil
}

func (q *request) refuse(msg string, path ...string) {
	q.wrong = append(q.wrong, scenario.Problem{Path: path, Msg: msg})
}

// didYouMean names the nearest of some words, "" if none is near.
func didYouMean(word string, known []string) string {
	if near := legislation.Nearest(word, slices.Values(known)); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// refused is a refusal that shows the request, as text: the document is given back before the refusal is written.
func (q *request) refused(status int, tree any) *refusal {
	e := &refusal{status: status, tree: tree, context: q.context}
	if q.shown {
		e.params = json.RawMessage(scenario.AppendJSON(nil, q.doc))
	}
	return e
}

func (q *request) read(keys []string, most int) {
	for _, key := range q.doc.Map.Keys() {
		if !slices.Contains(keys, key) {
			q.refuse("Unexpected item: a request has "+strings.Join(keys, ", ")+didYouMean(key, keys), key)
		}
	}
	if d, ok := q.doc.Get("context"); ok {
		text, isText := d.Text()
		if !isText {
			q.context = json.RawMessage(scenario.AppendJSON(nil, d))
			q.refuse("expected a string, got "+scenario.KindInWords(d), "context")
		} else {
			q.context = text
		}
	}
	q.trace, q.validate, q.labels = q.flag("trace"), q.flag("validate"), q.flag("labels")
	q.time, q.intermediate = q.flag("time"), q.flag("intermediate_variables")
	q.baseReforms, q.reforms = q.readReforms("base_reforms"), q.readReforms("reforms")
	q.readVariables()
	if d, sent := q.doc.Get("variables"); slices.Contains(keys, "variables") && !slices.Contains(keys, "figure") && len(q.variables) == 0 && !q.validate && (!sent || d.Kind == legislation.List && len(d.List) == 0) {
		q.refuse("At least one variable is required", "variables")
	}
	if q.format = q.choice("output_format", formatTestCase, formatTestCase, formatVariables); q.format == formatVariables {
		q.refuseTwice()
	}
	if d, ok := q.doc.Get("decomposition"); ok {
		if q.decomposition, ok = d.Text(); !ok {
			q.refuse("expected the name of a decomposition, got "+scenario.KindInWords(d), "decomposition")
		}
	}
	q.readScenarios(most)
	if slices.Contains(keys, "figure") {
		q.readWhy()
	}
}

// readVariables reads what is asked for: names, or {"name", "period"}. What is asked for twice counts once.
func (q *request) readVariables() {
	d, _ := q.doc.Get("variables")
	if d.Kind != legislation.List {
		q.texts("variables") // which says what is wrong with it
		return
	}
	for i, item := range d.List {
		v := asked{place: i}
		if item.Kind == legislation.Mapping {
			item = q.readAsked(item, &v)
		}
		text, isText := item.Text()
		switch {
		case item.Kind == legislation.Null || isText && text == "":
			q.refuse("Missing value", v.path("name")...)
		case !isText && v.object:
			q.refuse("expected a string, got "+scenario.KindInWords(item), v.path("name")...)
		case !isText:
			q.refuse("expected a string or {\"name\", \"period\"}, got "+scenario.KindInWords(item), v.path("")...)
		}
		v.name = text
		if !slices.ContainsFunc(q.variables, v.same) {
			q.variables = append(q.variables, v)
		}
	}
}

// readAsked reads the period of an entry of the variables, and returns the name.
func (q *request) readAsked(d legislation.Data, v *asked) (name legislation.Data) {
	v.object = true
	keys := []string{"name", "period"}
	for _, key := range d.Map.Keys() {
		if !slices.Contains(keys, key) {
			q.refuse("Unexpected item: a variable is asked for by name and period"+didYouMean(key, keys), v.path(key)...)
		}
	}
	if at, ok := d.Get("period"); ok {
		p, err := scenario.ParsePeriod(at)
		if err != nil {
			q.refuse(err.Error(), v.path("period")...)
		}
		v.at = &p
	}
	name, _ = d.Get("name")
	return name
}

// path is the place of a variable in the request, or that of a member of it.
func (v *asked) path(member string) []string {
	path := []string{"variables", strconv.Itoa(v.place)}
	if v.object {
		path = append(path, member)
	}
	return path
}

// same reports whether two variables are asked for alike.
func (v *asked) same(w asked) bool {
	return v.name == w.name && (v.at == nil) == (w.at == nil) && (v.at == nil || *v.at == *w.at)
}

// refuseTwice refuses a variable that is asked for on two periods where the answer has one list for each name.
func (q *request) refuseTwice() {
	for i, v := range q.variables {
		if slices.ContainsFunc(q.variables[:i], func(w asked) bool { return v.name != "" && w.name == v.name }) {
			q.refuse("asked for on two periods: with output_format \"variables\" there is one list for a name. Ask for \"test_case\", or in two requests", v.path("name")...)
		}
	}
}

func (q *request) readScenarios(most int) {
	d, ok := q.doc.Get("scenarios")
	switch {
	case !ok:
		q.refuse("Missing value", "scenarios")
	case d.Kind != legislation.List:
		q.refuse("expected a list, got "+scenario.KindInWords(d), "scenarios")
	case len(d.List) == 0:
		q.refuse("At least one scenario is required", "scenarios")
	case len(d.List) > most:
		q.refuse(fmt.Sprintf("There can't be more than %d scenarios, got %d", most, len(d.List)), "scenarios")
	default:
		q.scenarios = d.List
	}
}

// flag reads a boolean, which may be written as an integer.
func (q *request) flag(key string) bool {
	d, ok := q.doc.Get(key)
	if !ok {
		return false
	}
	if d.Kind == legislation.Scalar && (d.Scalar.Type() == vector.Bool || d.Scalar.Type() == vector.Int64) {
		return d.Scalar.Bool(0)
	}
	q.refuse("expected a boolean, got "+scenario.KindInWords(d), key)
	return false
}

// texts reads a list of texts that are not empty; each counts once.
func (q *request) texts(key string) []string {
	d, ok := q.doc.Get(key)
	if !ok {
		return nil
	}
	if d.Kind != legislation.List {
		q.refuse("expected a list, got "+scenario.KindInWords(d), key)
		return nil
	}
	var out []string
	for i, item := range d.List {
		text, isText := item.Text()
		switch {
		case item.Kind == legislation.Null || isText && text == "":
			q.refuse("Missing value", key, strconv.Itoa(i))
		case !isText:
			q.refuse("expected a string, got "+scenario.KindInWords(item), key, strconv.Itoa(i))
		case !slices.Contains(out, text):
			out = append(out, text)
		}
	}
	return out
}

func (q *request) choice(key, byDefault string, choices ...string) string {
	d, ok := q.doc.Get(key)
	if !ok {
		return byDefault
	}
	text, _ := d.Text()
	if !slices.Contains(choices, text) {
		q.refuse(fmt.Sprintf("Value must be one of %s, got %s", strings.Join(choices, ", "), scenario.AppendJSON(nil, d)), key)
	}
	return text
}
