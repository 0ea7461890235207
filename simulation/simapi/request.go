package simapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// request is the body of calculate or simulate.
type request struct {
	doc           *scenario.Document
	context       any
	scenarios     []legislation.Data
	variables     []string
	format        string
	baseReforms   []string
	reforms       []string
	decomposition string

	trace, validate, labels, time, intermediate bool

	wrong scenario.Problems
	echo  func(any) any // of the document in refusals
}

// The formats of the value of calculate.
const (
	formatTestCase  = "test_case"
	formatVariables = "variables"
)

// readRequest reads the body of a visit and checks its shape; keys are those the endpoint knows.
func (a *API) readRequest(v *visit, keys []string) (*request, error) {
	q := &request{echo: v.echo}
	var err error
	if q.doc, err = v.decode(); err != nil || q.doc.Kind != legislation.Mapping {
		if large := v.unread(err); large != nil {
			return nil, large
		}
		e := &refusal{status: 400, message: "Invalid JSON in request POST body", params: v.echo(string(v.body))}
		switch {
		case err == nil && q.doc.Kind != legislation.Null:
			e.tree = "expected an object, got " + scenario.KindInWords(q.doc.Data)
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
		return nil, q.refused(400, q.wrong.Tree())
	}
	return q, nil
}

func (q *request) refuse(msg string, path ...string) {
	q.wrong = append(q.wrong, scenario.Problem{Path: path, Msg: msg})
}

// refused is a refusal that shows the request.
func (q *request) refused(status int, tree any) *refusal {
	return &refusal{status: status, tree: tree, params: q.echo(&q.doc.Data), context: q.context}
}

func (q *request) read(keys []string, most int) {
	for _, key := range q.doc.Map.Keys() {
		if !slices.Contains(keys, key) {
			msg := "Unexpected item: a request has " + strings.Join(keys, ", ")
			if near := legislation.Nearest(key, slices.Values(keys)); near != "" {
				msg += fmt.Sprintf("; did you mean %q?", near)
			}
			q.refuse(msg, key)
		}
	}
	if d, ok := q.doc.Get("context"); ok {
		text, isText := d.Text()
		q.context = d
		if !isText {
			q.refuse("expected a string, got "+scenario.KindInWords(d), "context")
		} else {
			q.context = text
		}
	}
	q.trace, q.validate, q.labels = q.flag("trace"), q.flag("validate"), q.flag("labels")
	q.time, q.intermediate = q.flag("time"), q.flag("intermediate_variables")
	q.baseReforms, q.reforms = q.texts("base_reforms"), q.texts("reforms")
	q.variables = q.texts("variables")
	if d, sent := q.doc.Get("variables"); slices.Contains(keys, "variables") && len(q.variables) == 0 && !q.validate && (!sent || d.Kind == legislation.List && len(d.List) == 0) {
		q.refuse("At least one variable is required", "variables")
	}
	q.format = q.choice("output_format", formatTestCase, formatTestCase, formatVariables)
	if d, ok := q.doc.Get("decomposition"); ok {
		if q.decomposition, ok = d.Text(); !ok {
			q.refuse("expected the name of a decomposition, got "+scenario.KindInWords(d), "decomposition")
		}
	}
	q.readScenarios(most)
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

// position is where a text that counts once was first written in a list.
func (q *request) position(key, text string) string {
	d, _ := q.doc.Get(key)
	return strconv.Itoa(slices.IndexFunc(d.List, func(item legislation.Data) bool {
		written, ok := item.Text()
		return ok && written == text
	}))
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
