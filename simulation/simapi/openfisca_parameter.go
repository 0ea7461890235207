package simapi

import (
	"net/http"
	"slices"
	"strings"

	"edict/simulation/legislation"
)

func (a *API) openFiscaParameters(l *law, w http.ResponseWriter, r *http.Request) error {
	host, t := hostURL(r), l.texts(r, l.system)
	var out object
	for item := range l.system.Parameters().Root.Descendants() {
		if _, node := item.(*legislation.ParameterNode); node {
			continue
		}
		info := item.Info()
		out.add(info.Name, object{{"description", orNull(t.Parameter(info.Name, item))}, {"href", host + "parameter/" + strings.ReplaceAll(info.Name, ".", "/")}})
	}
	return a.writeTexts(l, w, r, out)
}

func (a *API) openFiscaParameter(l *law, w http.ResponseWriter, r *http.Request) error {
	id := strings.TrimSuffix(r.PathValue("id"), "/")
	name := strings.ReplaceAll(id, "/", ".")
	item, ok := l.system.Parameters().Root.Find(strings.Split(name, ".")...)
	if !ok {
		return notFound("there is no parameter %q%s", id, l.nearParameter(name))
	}
	return a.writeTexts(l, w, r, l.openFiscaParameter(l.texts(r, l.system), item))
}

func (l *law) openFiscaParameter(t legislation.Texts, item legislation.ParameterItem) object {
	info := item.Info()
	metadata := info.Metadata
	if metadata.Kind != legislation.Mapping {
		metadata = legislation.Data{Kind: legislation.Mapping}
	}
	o := object{{"description", orNull(t.Parameter(info.Name, item))}, {"id", info.Name}, {"metadata", metadata}}
	if file := info.Source.File; file != "" && l.repository(file) != "" {
		if _, node := item.(*legislation.ParameterNode); node {
			file = strings.TrimSuffix(strings.TrimSuffix(file, "/index.yml"), "/index.yaml") // a directory is described by its index
		}
		o.add("source", l.repository(file))
	}
	switch p := item.(type) {
	case *legislation.Parameter:
		if doc := t.ParameterDocumentation(info.Name, item); doc != "" {
			o.add("documentation", strings.TrimSpace(doc))
		}
		o.add("values", history(p))
	case *legislation.ParameterScale:
		if brackets, ok := openFiscaBrackets(p); ok {
			o.add("brackets", brackets)
		}
	case *legislation.ParameterNode:
		if doc := t.ParameterDocumentation(info.Name, item); doc != "" {
			o.add("documentation", strings.TrimSpace(doc))
		}
		children := object{}
		for name, child := range p.Children.All() {
			children.add(name, object{{"description", orNull(t.Parameter(child.Info().Name, child))}})
		}
		o.add("subparams", children)
	}
	return o
}

// history is the values of a parameter by the day they start, the newest first.
func history(p *legislation.Parameter) object {
	out := make(object, 0, len(p.Values))
	for _, v := range p.Values {
		out.add(v.StartText(), v.Value)
	}
	return out
}

// openFiscaBrackets is a scale on every day on which something in it changes: rates or amounts by threshold.
func openFiscaBrackets(s *legislation.ParameterScale) (object, bool) {
	if len(s.Brackets) == 0 {
		return nil, false
	}
	kind := ""
	for _, k := range []string{"rate", "amount"} {
		if _, ok := s.Brackets[0].Children.Get(k); ok {
			kind = k
			break
		}
	}
	if kind == "" {
		return nil, false
	}
	out := object{}
	for _, day := range changes(s, "threshold", kind) {
		row := object{}
		for _, b := range s.Brackets {
			threshold := valueOn(b, "threshold", day)
			if threshold.Kind == legislation.Null {
				continue
			}
			row.set(thresholdText(threshold), valueOn(b, kind, day))
		}
		if len(row) > 0 {
			out.add(day, row)
		}
	}
	if first, ok := leaf(s.Brackets[0], "threshold"); ok && len(first.Values) > 0 && first.Values[0].Value.Kind == legislation.Null {
		out.set(first.Values[0].StartText(), nil) // a scale whose first bracket has ended has ended
	}
	return out, true
}

// thresholdText is a threshold as a key: a number as Python prints it.
func thresholdText(d legislation.Data) string { return d.Scalar.Format(0) }

func leaf(bracket *legislation.ParameterNode, name string) (*legislation.Parameter, bool) {
	item, ok := bracket.Children.Get(name)
	if !ok {
		return nil, false
	}
	p, ok := item.(*legislation.Parameter)
	return p, ok
}

// changes lists the days on which some bracket changes, in order.
func changes(s *legislation.ParameterScale, names ...string) []string {
	days := map[string]bool{}
	for _, b := range s.Brackets {
		for _, name := range names {
			if p, ok := leaf(b, name); ok {
				for _, v := range p.Values {
					days[v.StartText()] = true
				}
			}
		}
	}
	all := sorted(days)
	slices.Sort(all)
	return all
}

// valueOn is the value of a part of a bracket on a day, null if there is none. Days compare as texts, as they are written.
func valueOn(bracket *legislation.ParameterNode, name, day string) legislation.Data {
	p, ok := leaf(bracket, name)
	if !ok {
		return legislation.Data{}
	}
	for _, v := range p.Values {
		if v.StartText() <= day {
			return v.Value
		}
	}
	return legislation.Data{}
}
