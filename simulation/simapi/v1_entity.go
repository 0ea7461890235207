package simapi

import (
	"cmp"
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
	out, t := object{}, l.texts(r, system)
	for _, e := range system.Entities() {
		out.add(e.Plural, entityObject(t, e))
	}
	return a.writeTexts(l, w, r, envelope(r, q.context, q.params, object{{"entities", out}}))
}

func entityObject(t legislation.Texts, e *legislation.Entity) object {
	label, _ := t.Entity(e)
	if e.IsPerson {
		return object{{"isPersonsEntity", true}, {"label", label}}
	}
	names, labels, most := []string{}, object{}, object{}
	for _, role := range e.Roles {
		name := roleName(role)
		names = append(names, name)
		said, _ := t.Role(role)
		labels.add(name, cmp.Or(said, name))
		if role.Max > 0 {
			most.add(name, role.Max)
		}
	}
	return object{{"label", label}, {"labelByRoleKey", labels}, {"maxCardinalityByRoleKey", most}, {"roles", names}}
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
	out, t := list{}, l.texts(r, l.system)
	for _, reform := range l.pkg.Reforms {
		name, description := t.Reform(reform.Key, reform.Name, reform.Description)
		out = append(out, object{{"key", reform.Key}, {"name", name}, {"description", description}, {"source_file", trimSlash(reform.Source.File)}})
	}
	return a.writeTexts(l, w, r, envelope(r, context, object{{"context", context}}, object{{"reforms", out}}))
}

func trimSlash(file string) string {
	if file != "" && file[0] == '/' {
		return file[1:]
	}
	return file
}
