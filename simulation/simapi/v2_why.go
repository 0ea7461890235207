package simapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"edict/platform/web"
	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/pysyntax"
	"edict/simulation/scenario"
	"edict/simulation/vector"
	"edict/simulation/why"
)

// whyKeys are those of a request of calculate, most of which shape its answer and are taken without effect, and three more.
var whyKeys = append(slices.Clip(calculateKeys), "depth", "figure", "path")

const (
	// whyDepth is how many levels are opened if the request does not say, whyDeepest how many it may ask for.
	whyDepth, whyDeepest = 2, 20
	// whyBytes is about how long a tree is at the most.
	whyBytes = 150_000
	// whySteps bounds a path.
	whySteps = 100
)

// figureAsked is the part of a request of why that says which figure is meant.
type figureAsked struct {
	variable string
	at       *period.Period // nil means that of the scenario
	row      int
	id       string // instead of row, "" if there is none
	depth    int
	path     []string
}

func (a *API) whyRoute() web.Route {
	return a.scenarioRoute("/api/2/why", "why2", "Explain a figure", "Returns one figure's tree: the formula in force, the parameters it read and its branches. Zero branches are folded, with the condition that made them zero.", a.why,
		web.Body{Type: whySchema, Example: exampleWhyAsked, More: moreWhy}, explainedSchema, exampleWhy)
}

func (a *API) why(l *law, w http.ResponseWriter, r *http.Request) error {
	v, err := a.visit(r)
	if err != nil {
		return err
	}
	defer v.end()
	payload, context, err := a.explain(v, l, r)
	if err != nil {
		return err
	}
	if err := v.answer(envelope(r, context, nil, payload)); err != nil {
		return err
	}
	l.speak(w.Header(), l.language(r))
	return v.send(w)
}

// explain makes the payload of an answer.
func (a *API) explain(v *visit, l *law, r *http.Request) (payload object, context any, err error) {
	q, err := a.readRequest(v, l, whyKeys)
	if err != nil {
		return nil, nil, err
	}
	q.validate = false
	asked := q.figure
	p, err := a.prepare(v, l, q)
	if err != nil {
		return nil, nil, err
	}
	s := p.main()
	if len(s.scenarios[0].Situation.Axes) > 0 {
		return nil, nil, p.refused(400, object{{"scenarios", object{{"0", object{{"axes", "a figure is explained without axes: put the values of its point into the test case"}}}}}})
	}
	if err := v.weigh(traceEffort * p.effort()); err != nil {
		return nil, nil, overloaded(err)
	}
	p.trace, p.sparse = true, true
	figure, tree, err := a.tree(v.ctx, p, s)
	if errors.Is(err, why.ErrStale) {
		p.sparse, s.runs = false, nil
		figure, tree, err = a.tree(v.ctx, p, s)
	}
	if err != nil {
		return nil, nil, err
	}
	return object{{"suggestions", p.suggestions()}, {"depth", asked.depth}, {"figure", figure.String()}, {"value", whyNode(s.system.Texts(l.language(r)), s.system, tree, true)}}, q.context, nil
}

// tree computes the scenario with a tracer, and makes the tree behind the figure.
func (a *API) tree(ctx context.Context, p *prepared, s *side) (why.Figure, *why.Node, error) {
	if err := a.start(ctx, p, s); err != nil {
		return why.Figure{}, nil, err
	}
	asked := p.request.figure
	figure, err := p.figure(s, asked)
	if err != nil {
		return figure, nil, err
	}
	tree, err := s.runs[0].question(p.law, asked.depth).Explain(figure, asked.path)
	p.law.saw(s.system, s.runs[0].tracer)
	if err != nil && !errors.Is(err, why.ErrStale) {
		err = p.unexplained(ctx, figure, err)
	}
	return figure, tree, err
}

// question asks about a scenario that is computed with a tracer.
func (r *scenarioRun) question(l *law, depth int) *why.Question {
	return &why.Question{
		Sim: r.sim, Tracer: r.tracer, Depth: depth, Bytes: whyBytes, Observe: country.Observe,
		Given: r.given,
		Text: func(f *legislation.DatedFormula) *pysyntax.FunctionDef {
			_, b, _ := l.sources.Find(f.Source)
			def, _ := b.Stmt.(*pysyntax.FunctionDef)
			return def
		},
	}
}

// given implements why.Question.
func (r *scenarioRun) given(f why.Figure) (given, own bool) {
	inputs := r.scenario.Situation.Found()
	for i := range inputs {
		in := &inputs[i]
		if in.Variable.Name != f.Variable.Name {
			continue
		}
		inside, err := in.Period.Contains(f.Period)
		if in.Period.IsEternal() || f.Variable.Period == period.Eternity || err == nil && inside {
			given, own = true, own || in.Says(f.Row)
		}
	}
	return given, own
}

// readWhy reads what a request of why has besides that of calculate.
func (q *request) readWhy() {
	q.figure = &figureAsked{depth: whyDepth}
	if d, ok := q.doc.Get("figure"); ok && d.Kind == legislation.Mapping {
		q.readFigure(q.figure, d)
	} else {
		q.refuse(`expected the figure to explain: {"variable", "period"?, "index"? or "id"?}`, "figure")
	}
	if depth, ok := q.doc.Get("depth"); ok {
		q.figure.depth = q.whole(depth, whyDeepest, "depth")
	}
	q.readPath(q.figure)
	if len(q.scenarios) > 1 {
		q.refuse(fmt.Sprintf("a figure is of one scenario, got %d", len(q.scenarios)), "scenarios")
	}
}

// readFigure reads which figure is meant.
func (q *request) readFigure(f *figureAsked, d legislation.Data) {
	keys := []string{"id", "index", "period", "variable"}
	for _, key := range d.Map.Keys() {
		if !slices.Contains(keys, key) {
			q.refuse("Unexpected item: a figure has "+strings.Join(keys, ", ")+didYouMean(key, keys), "figure", key)
		}
	}
	name, _ := d.Get("variable")
	var ok bool
	if f.variable, ok = name.Text(); !ok || f.variable == "" {
		q.refuse("expected the name of a variable, got "+scenario.KindInWords(name), "figure", "variable")
	}
	if at, ok := d.Get("period"); ok {
		p, err := scenario.ParsePeriod(at)
		if err != nil {
			q.refuse(err.Error(), "figure", "period")
		}
		f.at = &p
	}
	if id, ok := d.Get("id"); ok {
		if f.id, ok = id.Text(); !ok {
			q.refuse("expected a string, got "+scenario.KindInWords(id), "figure", "id")
		}
	}
	if index, ok := d.Get("index"); ok {
		f.row = q.whole(index, math.MaxInt32, "figure", "index")
		if f.id != "" {
			q.refuse("a figure has an index or an id, not both", "figure", "index")
		}
	}
}

// readPath reads the names from the figure to the branch to open.
func (q *request) readPath(f *figureAsked) {
	d, ok := q.doc.Get("path")
	switch {
	case !ok:
		return
	case d.Kind != legislation.List:
		q.refuse("expected a list, got "+scenario.KindInWords(d), "path")
	case len(d.List) > whySteps:
		q.refuse(fmt.Sprintf("a path has at most %d steps, got %d", whySteps, len(d.List)), "path")
	}
	for i, item := range d.List {
		text, isText := item.Text()
		if !isText {
			q.refuse("expected a string, got "+scenario.KindInWords(item), "path", strconv.Itoa(i))
		}
		f.path = append(f.path, text)
	}
}

// whole reads a whole number from 0 to a bound.
func (q *request) whole(d legislation.Data, most int64, path ...string) int {
	if d.Kind != legislation.Scalar || d.Scalar.Type() != vector.Int64 {
		q.refuse("expected a whole number, got "+scenario.KindInWords(d), path...)
		return 0
	}
	n := d.Scalar.Int(0)
	if n < 0 || n > most {
		q.refuse(fmt.Sprintf("expected a whole number from 0 to %d, got %d", most, n), path...)
		return 0
	}
	return int(n)
}

// figure finds the figure that is asked for.
func (p *prepared) figure(s *side, asked *figureAsked) (why.Figure, error) {
	v, err := s.system.Lookup(asked.variable)
	if err != nil {
		return why.Figure{}, p.refused(400, object{{"figure", object{{"variable", unknownVariable(err)}}}})
	}
	sc := s.scenarios[0]
	f := why.Figure{Variable: v, Period: sc.Period, Row: asked.row}
	if asked.at != nil {
		f.Period = *asked.at
	}
	if v.Period == period.Eternity {
		f.Period = period.Eternal
	} else if f.Period.Unit != v.Period || f.Period.Size != 1 {
		return f, p.refused(400, object{{"figure", object{{"period", fmt.Sprintf("%s is defined by the %s: ask for one %s of it, not for %s", v.Name, v.Period, v.Period, f.Period)}}}})
	}
	count := s.runs[0].sim.PopulationOf(v.Entity.Key).Count()
	if asked.id != "" {
		for f.Row = 0; f.Row < count && sc.Situation.Name(v.Entity, f.Row) != asked.id; f.Row++ {
		}
		if f.Row == count {
			return f, p.refused(400, object{{"figure", object{{"id", fmt.Sprintf("there is no %q among the %s", asked.id, v.Entity.Plural)}}}})
		}
	}
	if f.Row >= count {
		return f, p.refused(400, object{{"figure", object{{"index", fmt.Sprintf("%s is a variable of %s, of which the scenario has %d: the index goes from 0 to %d, got %d", v.Name, v.Entity.Plural, count, count-1, f.Row)}}}})
	}
	return f, nil
}

// unexplained is the refusal for a figure that cannot be computed, or a path that leads nowhere.
func (p *prepared) unexplained(ctx context.Context, f why.Figure, err error) error {
	if wrong, ok := errors.AsType[*why.PathError](err); ok {
		return p.refused(400, object{{"path", object{{strconv.Itoa(wrong.Step), wrong.Msg}}}})
	}
	if wrong, ok := errors.AsType[*engine.WrongPeriod](err); ok && wrong.Variable == f.Variable.Name {
		return p.refused(400, object{{"figure", object{{"period", wrong.Error()}}}})
	}
	return p.failed(ctx, 0, f.Variable.Name, err)
}

// whyNode is a branch as the answer shows it.
func whyNode(t legislation.Texts, system *legislation.System, n *why.Node, root bool) object {
	v := n.Variable
	o := object{{"variable", v.Name}}
	if label := t.Label(v); label != "" && label != v.Name {
		o.add("label", label)
	}
	o.add("entity", v.Entity.Key)
	if !n.Period.IsEternal() {
		o.add("period", n.Period.String())
	}
	o.add("index", n.Row)
	if n.ID != "" {
		o.add("id", n.ID)
	}
	if len(n.Also) > 0 {
		o.add("also", each(n.Also, func(r why.Row) object { return object{{"index", r.Row}, {"id", r.ID}} }))
	}
	o.add("value", shownElement(n.Value))
	if len(n.Others) > 0 {
		others := object{}
		for _, other := range n.Others {
			others.add(other.Period.String(), shownElement(other.Value))
		}
		o.add("others", others)
	}
	o.add("origin", string(n.Origin))
	if f := n.Formula; f != nil && f.Source.File != "" {
		at := object{{"file", strings.TrimPrefix(f.Source.File, "/")}, {"line", f.Source.Line}}
		if f.Start != legislation.FirstDay {
			at.add("since", f.Start.String())
		}
		o.add("formula", at)
	}
	if len(n.Because) > 0 {
		o.add("because", each(n.Because, func(c why.Condition) object { return whyCondition(n, c) }))
	}
	if len(n.Parameters) > 0 {
		o.add("parameters", each(n.Parameters, func(p why.Parameter) object { return whyParameter(t, system, p) }))
	}
	if len(n.Branches) > 0 {
		o.add("branches", each(n.Branches, func(b *why.Node) object { return whyNode(t, system, b, false) }))
	}
	if len(n.Zeros) > 0 {
		o.add("zeros", n.Zeros)
	}
	if n.More > 0 {
		o.add("more", n.More)
	}
	if n.Cut != "" {
		o.add("cut", string(n.Cut))
	} else if !root && n.Folded() {
		o.add("folded", true)
	}
	return o
}

func each[T any](items []T, show func(T) object) list {
	out := make(list, len(items))
	for i, item := range items {
		out[i] = show(item)
	}
	return out
}

func whyCondition(n *why.Node, c why.Condition) object {
	var o object
	if c.Of != n.Figure {
		o = object{{"of", c.Of.String()}, {"file", strings.TrimPrefix(c.File, "/")}}
	}
	o = append(o, object{{"line", c.Line}, {"text", c.Text}, {"is", shownElement(c.Is)}}...)
	if len(c.Sides) > 0 {
		o.add("sides", each(c.Sides, whySide))
	}
	return o
}

func whySide(s why.Side) object {
	o := object{{"text", s.Text}}
	if s.Values == nil {
		o.add("value", shownElement(s.Value))
	} else {
		values := make(list, len(s.Values))
		for i, v := range s.Values {
			values[i] = shownElement(v)
		}
		o.add("values", values)
	}
	if s.Variable != "" {
		o.add("variable", s.Variable)
	}
	if s.Parameter != "" {
		o.add("parameter", s.Parameter)
	}
	return o
}

func whyParameter(t legislation.Texts, system *legislation.System, p why.Parameter) object {
	o := object{{"name", p.Name}}
	if label := parameterLabel(t, system, p.Name, p.Label); label != "" {
		o.add("label", label)
	}
	o.add("instant", p.Day.String())
	if p.Data != nil {
		o.add("value", p.Data)
	} else {
		o.add("value", shownElement(p.Value))
	}
	if p.Since != "" {
		o.add("since", p.Since)
	}
	if p.Unit != "" {
		o.add("unit", p.Unit)
	}
	if len(p.References) > 0 {
		refs := make(list, len(p.References))
		for i, r := range p.References {
			refs[i] = r
		}
		o.add("references", refs)
	}
	return o
}

// shownElement is one element of a column as JSON has it; what is no number is a text.
type shownElement why.Element

func (e shownElement) appendTo(buf []byte) []byte {
	c, i := why.Element(e).Scalar()
	if c.Len() == 0 {
		return append(buf, "null"...)
	}
	if t := c.Type(); t == vector.Float32 || t == vector.Float64 {
		switch f := c.Float(i); {
		case math.IsNaN(f):
			return append(buf, `"nan"`...)
		case math.IsInf(f, 1):
			return append(buf, `"inf"`...)
		case math.IsInf(f, -1):
			return append(buf, `"-inf"`...)
		}
	}
	return scenario.AppendElement(buf, c, i, 32)
}
