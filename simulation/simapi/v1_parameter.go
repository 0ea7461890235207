package simapi

import (
	"net/http"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
)

func (a *API) parameters(l *law, w http.ResponseWriter, r *http.Request) error {
	names, text := texts(r, "name"), r.URL.Query().Get("instant")
	params := object{{"instant", orNull(text)}, {"names", names}}
	tree := object{}
	var day *period.Instant
	if text != "" {
		start, err := scenario.ReadInstant(text)
		if err != nil {
			tree.add("instant", err.Error())
		}
		day = &start
	}
	chosen, wrong := l.chooseParameters(names)
	if len(wrong) > 0 {
		tree.add("names", wrong)
	}
	if len(tree) > 0 {
		return &refusal{status: 400, tree: tree, params: params}
	}
	out, t := make(list, len(chosen)), l.texts(r, l.system)
	for i, item := range chosen {
		out[i] = l.parameter(t, item, day)
	}
	return a.writeTexts(l, w, r, envelope(r, nil, nil, append(l.described(), member{"parameters", out})))
}

// chooseParameters finds leaves and scales by name, or all of them.
func (l *law) chooseParameters(names []string) (chosen []legislation.ParameterItem, wrong object) {
	root := l.system.Parameters().Root
	if len(names) == 0 {
		for item := range root.Descendants() {
			if _, node := item.(*legislation.ParameterNode); !node {
				chosen = append(chosen, item)
			}
		}
		return chosen, nil
	}
	for i, name := range names {
		item, ok := root.Find(strings.Split(name, ".")...)
		_, node := item.(*legislation.ParameterNode)
		switch {
		case !ok:
			wrong.add(strconv.Itoa(i), "Parameter \""+name+"\" does not exist"+l.nearParameter(name))
		case node:
			wrong.add(strconv.Itoa(i), "\""+name+"\" is a node of the tree: name one of the parameters below it"+firstBelow(item.(*legislation.ParameterNode)))
		default:
			chosen = append(chosen, item)
		}
	}
	return chosen, wrong
}

func (l *law) nearParameter(name string) string {
	near := legislation.Nearest(name, func(yield func(string) bool) {
		for item := range l.system.Parameters().Root.Descendants() {
			if !yield(item.Info().Name) {
				return
			}
		}
	})
	if near == "" {
		return ""
	}
	return "; did you mean \"" + near + "\"?"
}

func firstBelow(n *legislation.ParameterNode) string {
	for item := range n.Descendants() {
		if _, node := item.(*legislation.ParameterNode); !node {
			return ", such as \"" + item.Info().Name + "\""
		}
	}
	return ""
}

// parameter describes a leaf or a scale: with all its values, or with those of one day.
func (l *law) parameter(t legislation.Texts, item legislation.ParameterItem, day *period.Instant) object {
	info := item.Info()
	o := object{{"@type", "Parameter"}, {"name", info.Name}, {"description", l.fullDescription(t, info.Name)}}
	unit, ok := info.Metadata.Get("unit")
	if _, scale := item.(*legislation.ParameterScale); scale && !ok {
		unit, ok = info.Metadata.Get("threshold_unit")
	}
	if ok {
		text, _ := unit.Text()
		if strings.HasPrefix(text, "currency") {
			text = "currency"
		}
		if text != "" && text != "/1" {
			o.add("unit", text)
		}
	}
	switch p := item.(type) {
	case *legislation.Parameter:
		o.add("format", formatOf(p))
		if day != nil {
			o.add("value", *p.ValueAt(*day))
		} else {
			o.add("values", spans(p))
		}
	case *legislation.ParameterScale:
		o.set("@type", "Scale")
		brackets := list{}
		for _, b := range p.Brackets {
			brackets = append(brackets, bracket(b, day))
		}
		o.add("brackets", brackets)
	}
	if day == nil && info.Source.File != "" {
		o.add("source_file_path", trimSlash(info.Source.File))
		if info.Source.Line > 0 {
			o.add("start_line_number", info.Source.Line)
		}
	}
	return o
}

// fullDescription joins the descriptions of a parameter and of the nodes it lies in.
func (l *law) fullDescription(t legislation.Texts, name string) string {
	steps := strings.Split(name, ".")
	var said []string
	for n := 1; n <= len(steps); n++ {
		if item, ok := l.system.Parameters().Root.Find(steps[:n]...); ok {
			if label := t.Parameter(strings.Join(steps[:n], "."), item); label != "" {
				said = append(said, label)
			}
		}
	}
	return strings.Join(said, " ; ")
}

func formatOf(p *legislation.Parameter) string {
	if unit, ok := p.Metadata.Get("unit"); ok {
		if text, _ := unit.Text(); text == "/1" {
			return "rate"
		}
	}
	whole := true
	for _, v := range p.Values {
		if v.Value.Kind != legislation.Scalar {
			continue
		}
		switch v.Value.Scalar.Type().String() {
		case "bool":
			return "boolean"
		case "int64":
		default:
			whole = false
		}
	}
	if whole {
		return "integer"
	}
	return "float"
}

// spans are the values of a parameter with first and last day, the newest first. A null value ends the one before it.
func spans(p *legislation.Parameter) list {
	out := list{}
	stop := ""
	for _, v := range p.Values {
		start, err := period.ParseInstant(v.StartText())
		if err != nil {
			continue
		}
		if v.Value.Kind != legislation.Null {
			o := object{{"start", start.String()}}
			if stop != "" {
				o.add("stop", stop)
			}
			o.add("value", v.Value)
			if v.Value.Line > 0 {
				o.add("start_line_number", int(v.Value.Line))
			}
			out = append(out, o)
		}
		if before, err := start.Offset(-1, period.Day); err == nil {
			stop = before.String()
		}
	}
	return out
}

// bracket is the parts of a bracket; those without a value on the day are left out.
func bracket(b *legislation.ParameterNode, day *period.Instant) object {
	o := object{}
	for _, name := range []string{"threshold", "rate", "average_rate", "amount", "base"} {
		p, ok := leaf(b, name)
		if !ok {
			continue
		}
		if day == nil {
			o.add(name, spans(p))
		} else if v := p.ValueAt(*day); v.Kind != legislation.Null {
			o.add(name, *v)
		}
	}
	return o
}
