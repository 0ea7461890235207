package simapi

import (
	"context"
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

// system gives the legislation with the reforms of the query.
func (l *law) reformed(ctx context.Context, reforms []string) (*legislation.System, any, error) {
	tree := object{}
	for i, key := range reforms {
		if !slices.Contains(l.catalogue.Reforms(), key) {
			tree.add(strconv.Itoa(i), l.unknownReform(key))
		}
	}
	if len(tree) > 0 {
		return nil, tree, nil
	}
	system, err := l.catalogue.System(ctx, reforms...)
	return system, nil, err
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

// systemQuery reads context and reforms, and gives the legislation they ask for.
func (l *law) systemQuery(r *http.Request) (*query, *legislation.System, error) {
	q := &query{context: contextOf(r), reforms: texts(r, "reform")}
	q.params = object{{"context", q.context}, {"reforms", q.reforms}}
	system, tree, err := l.reformed(r.Context(), q.reforms)
	if tree != nil {
		return nil, nil, q.refused(refuse(object{{"reforms", tree}}))
	}
	return q, system, err
}

// variableQuery reads the variable as well.
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
		return nil, nil, nil, q.refused(refuse(object{{"variable", "Missing value: this legislation has no headline variable, so name one"}}))
	}
	v, err := system.Lookup(name)
	if err != nil {
		return nil, nil, nil, q.refused(refuse(object{{"variable", unknownVariable(err)}}))
	}
	return q, system, v, nil
}
