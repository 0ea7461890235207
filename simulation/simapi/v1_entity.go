package simapi

import (
	"net/http"

	"edict/simulation/legislation"
)

func (a *API) entities(l *law, w http.ResponseWriter, r *http.Request) error {
	q, system, err := l.systemQuery(r)
	if err == nil {
		err = q.check()
	}
	if err != nil {
		return err
	}
	out := object{}
	for _, e := range system.Entities() {
		out.add(e.Plural, entityObject(e))
	}
	return a.writeMetadata(w, r, envelope(r, q.context, q.params, object{{"entities", out}}))
}

func entityObject(e *legislation.Entity) object {
	if e.IsPerson {
		return object{{"isPersonsEntity", true}, {"label", e.Label}}
	}
	names, labels, most := []string{}, object{}, object{}
	for _, role := range e.Roles {
		name := roleName(role)
		names = append(names, name)
		label := role.Label
		if label == "" {
			label = name
		}
		labels.add(name, label)
		if role.Max > 0 {
			most.add(name, role.Max)
		}
	}
	return object{{"label", e.Label}, {"labelByRoleKey", labels}, {"maxCardinalityByRoleKey", most}, {"roles", names}}
}

// roleName is what a role is called in documents.
func roleName(r *legislation.Role) string {
	if r.Plural != "" {
		return r.Plural
	}
	return r.Key
}

func (a *API) reforms(l *law, w http.ResponseWriter, r *http.Request) error {
	context := contextOf(r)
	out := list{}
	for _, reform := range l.pkg.Reforms {
		out = append(out, object{{"key", reform.Key}, {"name", reform.Name}, {"description", reform.Description}, {"source_file", trimSlash(reform.Source.File)}})
	}
	return a.writeMetadata(w, r, envelope(r, context, object{{"context", context}}, object{{"reforms", out}}))
}

func trimSlash(file string) string {
	if file != "" && file[0] == '/' {
		return file[1:]
	}
	return file
}
