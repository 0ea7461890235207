package simapi

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
)

func (a *API) parameterPage(l *law, w http.ResponseWriter, r *http.Request) error {
	q, system, err := l.lawQuery(r)
	if err != nil {
		return err
	}
	path := r.PathValue("path")
	found, err := findParameter(system.Parameters().Root, path)
	if err != nil {
		return err
	}
	if found.item == nil {
		return l.unknownPath(r, system, path)
	}
	if err := l.graph.Ready(r.Context()); err != nil {
		return err
	}
	return a.writeTexts(l, w, r, envelope(r, nil, orNothing(q.params), append(l.described(), member{"parameter", l.parameterPage(l.texts(r, system), system, found)})))
}

// foundParameter is what a path leads to: a part of the parameters, or of the brackets of a scale.
type foundParameter struct {
	path string
	item legislation.ParameterItem // nil if there is none
	// scale is the path of the scale whose bracket, or value of one, it is; "" if it is none.
	scale string
	unit  string // of a value of a bracket, as its scale tells it
}

// findParameter follows a path. A bracket of a scale is scale.brackets[0], a value of it scale.brackets[0].rate; one that the
// scale does not have is an error.
func findParameter(root *legislation.ParameterNode, path string) (foundParameter, error) {
	found := foundParameter{path: path}
	above, inside, bracketed := strings.Cut(path, ".brackets[")
	item, ok := root.Find(strings.Split(above, ".")...)
	scale, isScale := item.(*legislation.ParameterScale)
	switch {
	case !ok:
		return found, nil
	case !bracketed:
		found.item = item
		return found, nil
	case !isScale:
		return found, noBracket(path, strconv.Quote(above)+" is no scale", above)
	}
	number, part, valued := strings.Cut(inside, "].")
	if !valued {
		number = strings.TrimSuffix(number, "]")
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(scale.Brackets) || !valued && !strings.HasSuffix(inside, "]") {
		return found, noBracket(path, fmt.Sprintf("%q has %d brackets, brackets[0] to brackets[%d]", above, len(scale.Brackets), len(scale.Brackets)-1), above)
	}
	bracket := scale.Brackets[i]
	found.scale = above
	if !valued {
		found.item = bracket
		return found, nil
	}
	value, ok := bracket.Children.Get(part)
	if !ok {
		return found, noBracket(path, "the bracket has "+strings.Join(bracket.Children.Keys(), ", "), fmt.Sprintf("%s.brackets[%d]", above, i))
	}
	found.item = value
	found.unit, _ = metadataText(scale.Info().Metadata, part+"_unit").(string)
	return found, nil
}

// noBracket is the 404 for a bracket, or a value of one, that is not there.
func noBracket(path, why, nearest string) error {
	message := "Parameter " + strconv.Quote(path) + " does not exist: " + why
	return &refusal{status: http.StatusNotFound, message: message, tree: object{{"path", message}, {"nearest", nearest}}}
}

// unknownPath is the 404 for a parameter that is not there: with the path that was meant, else with what is there where the path
// leaves the tree.
func (l *law) unknownPath(r *http.Request, system *legislation.System, path string) error {
	x, err := l.index(r.Context(), system)
	if err != nil {
		return err
	}
	message := "Parameter " + strconv.Quote(path) + " does not exist"
	tree := object{}
	near := legislation.Nearest(path, func(yield func(string) bool) {
		for i := range x.Entries {
			if x.Entries[i].Parameter != nil && !yield(x.Entries[i].ID) {
				return
			}
		}
	})
	if near != "" {
		message += "; did you mean \"" + near + "\"?"
		tree.add("nearest", near)
	} else if above := deepest(system.Parameters().Root, path); above != "" {
		message += "; " + strconv.Quote(above) + " is there"
		tree.add("nearest", above)
	}
	return &refusal{status: http.StatusNotFound, message: message, tree: append(object{{"path", message}}, tree...)}
}

// deepest is the longest beginning of a path that is there.
func deepest(root *legislation.ParameterNode, path string) string {
	for at := strings.LastIndexByte(path, '.'); at > 0; at = strings.LastIndexByte(path[:at], '.') {
		if _, ok := root.Find(strings.Split(path[:at], ".")...); ok {
			return path[:at]
		}
	}
	return ""
}

// parameterPage is all that is known about a parameter.
func (l *law) parameterPage(t legislation.Texts, system *legislation.System, found foundParameter) object {
	path, item := found.path, found.item
	info := item.Info()
	unit := metadataText(info.Metadata, "unit")
	if unit == nil {
		unit = orNull(found.unit)
	}
	o := object{
		{"id", path}, {"label", orNull(t.Parameter(path, item))}, {"description", orNull(strings.TrimSpace(t.ParameterDocumentation(path, item)))}, {"type", parameterKind(item)},
		{"unit", unit}, {"references", referencesOf(info.Metadata)},
	}
	if info.Metadata.Kind == legislation.Mapping && info.Metadata.Map.Len() > 0 {
		o.add("metadata", info.Metadata)
	}
	if found.scale != "" {
		o.add("within", found.scale)
	}
	o.add("source", l.sourceObject(info.Source))
	switch p := item.(type) {
	case *legislation.Parameter:
		o.add("values", datedValues(p))
	case *legislation.ParameterScale:
		for _, name := range []string{"type", "threshold_unit", "rate_unit", "amount_unit"} {
			if text := metadataText(info.Metadata, name); text != nil {
				key := name
				if name == "type" {
					key = "scale"
				}
				o.add(key, text)
			}
		}
		o.add("brackets", bracketPages(p))
	case *legislation.ParameterNode:
		children := list{}
		for name, child := range p.Children.All() {
			children = append(children, object{{"name", name}, {"id", joinPath(path, name)}, {"label", orNull(t.Parameter(joinPath(path, name), child))}, {"type", parameterKind(child)}})
		}
		o.add("children", children)
	}
	// Formulas read scales, not their brackets.
	o.add("variables", variableEdges(t, system, l.graph.Readers(system, cmp.Or(found.scale, path))))
	return o
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// metadataText is a text of metadata, nil if there is none.
func metadataText(d legislation.Data, key string) any {
	if d.Kind != legislation.Mapping {
		return nil
	}
	v, _ := d.Get(key)
	text, _ := v.Text()
	return orNull(text)
}

// referencesOf are the references of metadata as they are written: texts, or titles with addresses.
func referencesOf(d legislation.Data) list {
	out := list{}
	if d.Kind != legislation.Mapping {
		return out
	}
	v, ok := d.Get("reference")
	switch {
	case !ok || v.Kind == legislation.Null:
	case len(v.List) > 0:
		for _, r := range v.List {
			out = append(out, r)
		}
	default:
		out = append(out, v)
	}
	return out
}

// datedValues are the values of a parameter with first and last day, the newest first; null where it does not exist.
func datedValues(p *legislation.Parameter) list {
	out := list{}
	stop := any(nil)
	for _, v := range p.Values {
		start, err := period.ParseInstant(v.StartText())
		if err != nil {
			continue
		}
		o := object{{"start", start.String()}, {"stop", stop}, {"value", v.Value}}
		if references := referencesOf(v.Metadata()); len(references) > 0 {
			o.add("references", references)
		}
		if unit := metadataText(v.Metadata(), "unit"); unit != nil {
			o.add("unit", unit)
		}
		if v.Value.Line > 0 {
			o.add("line", int(v.Value.Line))
		}
		out = append(out, o)
		if before, err := start.Offset(-1, period.Day); err == nil {
			stop = before.String()
		}
	}
	return out
}

// bracketPages are the brackets of a scale, each with the values of its parts by date.
func bracketPages(s *legislation.ParameterScale) list {
	out := list{}
	for _, b := range s.Brackets {
		o := object{}
		for name, child := range b.Children.All() {
			if p, ok := child.(*legislation.Parameter); ok {
				o.add(name, datedValues(p))
			}
		}
		out = append(out, o)
	}
	return out
}
