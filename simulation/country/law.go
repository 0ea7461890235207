package country

import (
	"strings"
	"sync/atomic"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// lawObject is the third argument of a formula: parameters(period).taxes.rate. The compiler gives
// each such chain a site, where the number of the path is kept, so that a parameter costs two
// array look-ups.
type lawObject struct {
	run *run
	law legislation.Law
}

// Type implements pyeval.Object.
func (*lawObject) Type() *py.Class { return lawClass }

// Attr implements pyeval.Attrer: to PolicyEngine's formulas it is the tree itself.
func (o *lawObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	if !o.run.core.policy {
		return py.Value{}, false
	}
	o.run.watch.only(legislation.SameState)
	return th.Attr(py.Obj(o.run.tree()), name)
}

// tree is the parameters of the system that a run computes with.
func (r *run) tree() *parameterObject {
	return (&systemObject{core: r.core, system: r.sim.System()}).tree()
}

// Call implements pyeval.Callable.
func (o *lawObject) Call(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var at py.Value
	th.Unpack("parameters", args, kws, "instant", &at)
	return nodeValue(o.view(th, at).Root())
}

func (o *lawObject) view(th *py.Thread, at py.Value) *legislation.View {
	var view *legislation.View
	var err error
	switch e := at.Object().(type) {
	case *movingPeriod:
		o.run.watch.readOn(e.Start)
		view, err = o.law.During((*period.Entry)(e))
	case movingInstant:
		o.run.watch.readOn(e.Instant)
		view, err = o.law.On(e.Instant)
	case *entryObject:
		view, err = o.law.During((*period.Entry)(e))
	default:
		view, err = o.law.On(toInstant(th, at))
	}
	if err != nil {
		throw(th, err)
	}
	return view
}

// knownPath is what a site remembers: how many of its steps lead to a leaf, and their number.
type knownPath struct {
	steps int
	path  legislation.PathID
	first atomic.Pointer[readBy]
}

// CallPath implements pyeval.PathCaller.
func (o *lawObject) CallPath(th *py.Thread, site *py.Site, args []py.Value) (py.Value, int) {
	// A tracer wants every step, and an attribute that a formula stored may lie on the way.
	if len(args) != 1 || o.law.Traced() || o.run.stored != nil {
		return py.Value{}, 0
	}
	view := o.view(th, args[0])
	known, ok := site.Memo().(*knownPath)
	if !ok {
		known = o.measure(view, site.Path)
		site.Keep(known)
	}
	if known.steps == 0 {
		return py.Value{}, 0
	}
	o.run.watch.readPath(&known.first, view, known.path)
	v, err := view.Lookup(known.path)
	if err != nil {
		missed(th, err)
	}
	return parameterValue(v), known.steps
}

// measure follows a chain of attributes as far as parameters go.
func (o *lawObject) measure(view *legislation.View, chain []string) *knownPath {
	steps := 0
	node := view.Root()
	for steps < len(chain) && node != nil {
		v, err := node.Child(chain[steps])
		if err != nil {
			break
		}
		steps++
		node = v.Node
	}
	if steps == 0 {
		if _, own := (*nodeObject)(view.Root()).own(chain[0]); own {
			return &knownPath{}
		}
		steps = 1 // a first step that does not exist is an error of the look-up
	}
	return &knownPath{steps: steps, path: o.run.core.names.Path(chain[:steps]...)}
}

// nodeObject is a node of the parameters on a day.
type nodeObject legislation.NodeAt

func nodeValue(n *legislation.NodeAt) py.Value { return py.Obj((*nodeObject)(n)) }

// parameterValue is an item of the parameters on a day as Python sees it.
func parameterValue(v legislation.Value) py.Value {
	switch {
	case v.Leaf != nil:
		return valueOf(v.Leaf)
	case v.Scale != nil:
		return scaleValue(v.Scale.Fork())
	case v.Node != nil:
		return nodeValue(v.Node)
	}
	return py.None
}

func (o *nodeObject) node() *legislation.NodeAt { return (*legislation.NodeAt)(o) }

// Type implements pyeval.Object.
func (*nodeObject) Type() *py.Class { return nodeClass }

// Attr implements pyeval.Attrer.
func (o *nodeObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	if r := runOf(th); r != nil && r.stored != nil {
		if v, ok := r.stored[storedAttr{o, name}]; ok {
			r.watch.only(legislation.SameState)
			return v, true
		}
	}
	if v, ok := o.own(name); ok {
		o.readOwn(th, name)
		if text, ok := v.AsString(); ok {
			o.record(th, name, legislation.DataOf(vector.PyStr(text)))
		}
		return v, true
	}
	o.readChild(th, name)
	v, err := o.node().Child(name)
	if err != nil {
		missed(th, err)
	}
	o.recordChild(th, name, v)
	return parameterValue(v), true
}

// missed raises that a parameter is not there. In a package of PolicyEngine another formula may give the node an attribute of that name.
func missed(th *py.Thread, err error) {
	if r := runOf(th); r != nil && r.core.policy {
		r.watch.only(legislation.SameState)
	}
	throw(th, err)
}

// nodePath is what a site remembers of a chain of attributes of a node: where the first steps lead from there, on whatever
// day. It serves the node that came first; sites that see many nodes go the ordinary way for the others.
type nodePath struct {
	from  *legislation.ParameterNode
	steps int
	path  legislation.PathID
	name  py.Value // of the node, if that is what is asked for
	first atomic.Pointer[readBy]
}

// GetPath implements pyeval.PathGetter.
func (o *nodeObject) GetPath(th *py.Thread, site *py.Site) (py.Value, int) {
	r := runOf(th)
	if r == nil || r.stored != nil || r.law == nil || r.law.law.Traced() {
		return py.Value{}, 0
	}
	known, ok := site.Memo().(*nodePath)
	if !ok {
		known = o.measure(r, site.Path)
		site.Keep(known)
	}
	if known.steps == 0 || known.from != o.node().Item() && known.from != o.node().Origin() {
		return py.Value{}, 0
	}
	if !known.name.IsNone() {
		return known.name, 1
	}
	r.watch.readPath(&known.first, o.node().View(), known.path)
	v, err := o.node().View().Lookup(known.path)
	if err != nil {
		return py.Value{}, 0 // raised by the ordinary way, with the step that fails
	}
	return parameterValue(v), known.steps
}

// measure follows a chain of attributes from a node that can be reached by its name.
func (o *nodeObject) measure(r *run, chain []string) *nodePath {
	known := &nodePath{from: o.node().Origin(), name: py.None}
	if v, ok := o.own(chain[0]); ok {
		if chain[0] == "_name" {
			known.steps, known.name = 1, v
		}
		return known
	}
	var path []string
	if name := o.node().Name(); name != "" {
		path = strings.Split(name, ".")
	}
	if v, err := o.node().View().Find(path...); err != nil || v.Node != o.node() {
		return known
	}
	for node := o.node(); node != nil && known.steps < len(chain); known.steps++ {
		v, err := node.Child(chain[known.steps])
		if err != nil {
			break
		}
		node = v.Node
	}
	known.path = r.core.names.Path(append(path, chain[:known.steps]...)...)
	return known
}

// own are the attributes that every node has, unless a child has that name.
func (o *nodeObject) own(name string) (py.Value, bool) {
	if !strings.HasPrefix(name, "_") {
		return py.Value{}, false
	}
	if _, taken := o.node().Item().Children.Get(name); taken {
		return py.Value{}, false
	}
	switch name {
	case "_name":
		return py.String(o.node().Name()), true
	case "_instant_str":
		return py.String(o.node().Day().String()), true
	case "_children":
		return py.Obj(o.children()), true
	case "__dict__":
		d := py.NewDict()
		for _, name := range []string{"_name", "_instant_str", "_children"} {
			v, _ := o.own(name)
			d.Set(py.String(name), v)
		}
		for name, v := range o.node().Children().All() {
			d.Set(py.String(name), parameterValue(v))
		}
		return py.Obj(d), true
	case "__iter__":
		return py.Pure(name, func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value { return th.Iter(py.Obj(o)) }), true
	}
	return py.Value{}, false
}

// recordChild tells the tracer of a leaf or a scale that was read.
func (o *nodeObject) recordChild(th *py.Thread, name string, v legislation.Value) {
	switch {
	case v.Leaf != nil:
		o.record(th, name, *v.Leaf)
	case v.Scale != nil:
		if law, ok := traced(th); ok {
			if scales, ok := law.(legislation.ScaleRecorder); ok {
				scales.RecordScale(o.childName(name), o.node().Day())
			}
		}
	}
}

// childName is the full name of a child.
func (o *nodeObject) childName(name string) string {
	if own := o.node().Name(); own != "" {
		return own + "." + name
	}
	return name
}

// record tells the tracer what was read below a node.
func (o *nodeObject) record(th *py.Thread, name string, value legislation.Data) {
	law, ok := traced(th)
	if !ok {
		return
	}
	law.Record(o.childName(name), o.node().Day(), value)
}

// recordRows tells the tracer of the values that a column of keys found below a node, under the name of the node: which
// parameter it was differs from row to row.
func recordRows(th *py.Thread, node string, day period.Instant, found legislation.Indexed) {
	if law, ok := traced(th); ok && found.Node == nil {
		law.Record(node, day, legislation.DataOf(found.Column))
	}
}

// traced returns the parameters of the simulation under way, if somebody wants to know which are read.
func traced(th *py.Thread) (legislation.Law, bool) {
	r := runOf(th)
	if r == nil || r.law == nil || !r.law.law.Traced() {
		return nil, false
	}
	return r.law.law, true
}

// SetAttr stores an attribute on a node, which lasts as long as the simulation.
func (o *nodeObject) SetAttr(th *py.Thread, name string, v *py.Value) {
	r := runOf(th)
	if r == nil || v == nil {
		th.Raise(py.AttributeError, "parameters on a day cannot be changed outside of a simulation")
	}
	if r.stored == nil {
		r.stored = map[storedAttr]py.Value{}
	}
	r.stored[storedAttr{o, name}] = *v
	r.watch.only(legislation.SameState)
	if _, err := o.node().Child(name); err != nil && r.core.policy {
		return // nobody has asked for it in vain and was remembered
	}
	if repeater, ok := r.sim.(legislation.Repeater); ok {
		repeater.StopRepeating()
	}
}

// storedAttr is an attribute that a formula gave to a node.
type storedAttr struct {
	node *nodeObject
	name string
}

func (o *nodeObject) children() *py.Dict {
	d := py.NewDict()
	for name, v := range o.node().Children().All() {
		d.Set(py.String(name), parameterValue(v))
	}
	return d
}

// Item is node["child"], or node[vector] with one child for every row.
func (o *nodeObject) Item(th *py.Thread, key py.Value) py.Value {
	if m, ok := key.Object().(*member); ok {
		key = py.String(m.name())
	}
	if name, ok := key.AsString(); ok {
		v, err := o.named(th, name)
		if err != nil {
			throw(th, err)
		}
		return v
	}
	if n, ok := key.AsInt(); ok {
		return o.Item(th, py.String(th.Str(py.Int(n))))
	}
	o.readAll(th)
	found, err := o.node().Index(keysOf(th, key), th.Rules())
	if err != nil {
		th.RowError()
		throw(th, err)
	}
	recordRows(th, o.node().Name(), o.node().Day(), found)
	return indexedValue(th, found)
}

// named is node["child"].
func (o *nodeObject) named(th *py.Thread, name string) (py.Value, error) {
	o.readChild(th, name)
	v, err := o.node().Child(name)
	if err != nil {
		return py.Value{}, err
	}
	o.recordChild(th, name, v)
	return parameterValue(v), nil
}

// Probe implements pyeval.Prober: rules look for names that are not there.
func (o *nodeObject) Probe(th *py.Thread, key py.Value) (py.Value, *py.Class, error) {
	name, ok := key.AsString()
	if !ok {
		return o.Item(th, key), nil, nil
	}
	v, err := o.named(th, name)
	if _, missing := err.(*legislation.ParameterNotFound); err != nil && !missing { //nolint:errorlint // as it is, or not at all
		throw(th, err)
	}
	return v, parameterNotFound, err
}

// keysOf is the column that parameters are indexed with. PolicyEngine writes numbers and truths down.
func keysOf(th *py.Thread, key py.Value) vector.Column {
	keys := toColumn(th, key)
	switch keys.Type() {
	case vector.Bool, vector.Int16, vector.Int32, vector.Int64, vector.Float32, vector.Float64:
		if coreOf(th).policy {
			return th.Must(th.Rules().Cast(keys, vector.DType{Type: vector.Str}))
		}
	}
	return keys
}

// Contains implements pyeval.Container.
func (o *nodeObject) Contains(th *py.Thread, v py.Value) bool {
	o.readAll(th)
	_, ok := o.node().Children().Get(th.Str(v))
	return ok
}

// Each implements pyeval.Iterable: a node gives the names of its children.
func (o *nodeObject) Each(th *py.Thread, yield func(py.Value) bool) {
	o.readAll(th)
	for name := range o.node().Children().All() {
		if !yield(py.String(name)) {
			return
		}
	}
}

// AttrNames implements pyeval.AttrLister.
func (o *nodeObject) AttrNames(th *py.Thread) []string {
	o.readAll(th)
	return o.node().Children().Keys()
}

// Repr implements pyeval.Reprer.
func (o *nodeObject) Repr(th *py.Thread) string {
	seen(th)
	return "<parameters " + o.node().Name() + " on " + o.node().Day().String() + ">"
}

// vectorNode is a node for every row of a population.
type vectorNode legislation.VectorNode

// indexedValue is what rows were found to have. With PolicyEngine, numbers and truths are floats.
func indexedValue(th *py.Thread, x legislation.Indexed) py.Value {
	if x.Node != nil {
		return py.Obj((*vectorNode)(x.Node))
	}
	switch x.Column.Type() {
	case vector.Bool, vector.Int64:
		if coreOf(th).policy {
			return py.Col(th.Must(th.Rules().Cast(x.Column, vector.DType{Type: vector.Float64})))
		}
	}
	return py.Col(x.Column)
}

// Type implements pyeval.Object.
func (*vectorNode) Type() *py.Class { return vectorClass }

// Attr implements pyeval.Attrer.
func (o *vectorNode) Attr(th *py.Thread, name string) (py.Value, bool) {
	found, err := (*legislation.VectorNode)(o).Field(name)
	if err != nil {
		throw(th, err)
	}
	o.recordRows(th, found)
	return indexedValue(th, found), true
}

// Item is node[v1]["child"] or node[v1][v2].
func (o *vectorNode) Item(th *py.Thread, key py.Value) py.Value {
	if m, ok := key.Object().(*member); ok {
		key = py.String(m.name())
	}
	if name, ok := key.AsString(); ok {
		v, _ := o.Attr(th, name)
		return v
	}
	found, err := (*legislation.VectorNode)(o).Index(keysOf(th, key), th.Rules())
	if err != nil {
		th.RowError()
		throw(th, err)
	}
	o.recordRows(th, found)
	return indexedValue(th, found)
}

func (o *vectorNode) recordRows(th *py.Thread, found legislation.Indexed) {
	node := (*legislation.VectorNode)(o)
	recordRows(th, node.Name(), node.Day(), found)
}

// Len implements pyeval.Lener.
func (o *vectorNode) Len(*py.Thread) int { return (*legislation.VectorNode)(o).Len() }
