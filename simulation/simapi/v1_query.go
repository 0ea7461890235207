package simapi

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/legislation"
)

// query is what the GET routes of /api/1 read: free context and reforms.
type query struct {
	context any // string, or nil if it was not given
	reforms []string
	params  object // the echo
	wrong   object // by parameter; everything is told at once
}

func contextOf(r *http.Request) any {
	if r.URL.Query().Has("context") {
		return r.URL.Query().Get("context")
	}
	return nil
}

// texts are the values of a query parameter that are not empty.
func texts(r *http.Request, name string) []string {
	found := []string{}
	for _, v := range r.URL.Query()[name] {
		if v != "" {
			found = append(found, v)
		}
	}
	return found
}

// refused adds what the envelope of an error shows to a refusal.
func (q *query) refused(e *refusal) *refusal {
	e.context, e.params = q.context, q.params
	return e
}

func (l *law) unknownReform(key string) string {
	known := l.catalogue.Reforms()
	if len(known) == 0 {
		return "No reform was declared to the API"
	}
	text := "Reform \"" + key + "\" is not declared: it must be one of " + strings.Join(known, ", ")
	if near := legislation.Nearest(key, slices.Values(known)); near != "" {
		text += "; did you mean \"" + near + "\"?"
	}
	return text
}

// unknownVariable is the message for a name that is no variable, "" without an error.
func unknownVariable(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if e, ok := errors.AsType[*legislation.VariableNotFound](err); ok {
		text = "Variable \"" + e.Name + "\" does not exist"
		if near := e.Nearest(); near != "" {
			text += "; did you mean \"" + near + "\"?"
		}
	}
	return text
}

// check is the refusal of everything that is wrong, nil if nothing is.
func (q *query) check() error {
	if len(q.wrong) == 0 {
		return nil
	}
	return q.refused(refuse(q.wrong))
}

// systemQuery reads context and reforms, and returns the legislation with the reforms that there are.
func (l *law) systemQuery(r *http.Request) (*query, *legislation.System, error) {
	q := &query{context: contextOf(r), reforms: texts(r, "reform")}
	q.params = object{{"context", q.context}, {"reforms", q.reforms}}
	declared, unknown := []string{}, object{}
	for i, key := range q.reforms {
		if slices.Contains(l.catalogue.Reforms(), key) {
			declared = append(declared, key)
		} else {
			unknown.add(strconv.Itoa(i), l.unknownReform(key))
		}
	}
	if len(unknown) > 0 {
		q.wrong.add("reforms", unknown)
	}
	system, err := l.catalogue.System(r.Context(), declared...)
	return q, system, err
}

// variableQuery reads the variable as well; it is nil if something is wrong, of which check tells.
func (l *law) variableQuery(r *http.Request) (*query, *legislation.System, *legislation.Variable, error) {
	q, system, err := l.systemQuery(r)
	if err != nil {
		return nil, nil, nil, err
	}
	name := r.URL.Query().Get("variable")
	if name == "" {
		name = l.headline
	}
	q.params.add("variable", orNull(name))
	if name == "" {
		q.wrong.add("variable", "Missing value: this legislation has no headline variable, so name one")
		return q, system, nil, nil
	}
	v, err := system.Lookup(name)
	if err != nil {
		q.wrong.add("variable", unknownVariable(err))
	}
	return q, system, v, nil
}
