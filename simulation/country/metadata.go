package country

import (
	"hash/maphash"
	"slices"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// handed are lists and dicts that metadata handed down to everything below an item: one object for all, as in Python, where code
// that changes it for one changes it for all. Until they are written back the data of an item only stand for the object.
type handed struct {
	data    map[py.Object]legislation.Data
	objects map[any]py.Value // by the first element of a list, or by the mapping
}

// add gives the data that stand for a value; false if nothing can.
func (h *handed) add(th *py.Thread, v py.Value) (legislation.Data, bool) {
	_, column := v.Column()
	_, text := v.AsString()
	if column || text || v.IsNone() {
		return dataOf(th, v), true
	}
	if d, ok := h.data[v.Object()]; ok {
		return d, true
	}
	switch v.Object().(type) {
	case *py.Dict, *py.List:
	default:
		return legislation.Data{}, false
	}
	d := dataOf(th, v)
	key := standsFor(&d)
	if key == nil {
		return d, false
	}
	if h.data == nil {
		h.data, h.objects = map[py.Object]legislation.Data{}, map[any]py.Value{}
	}
	h.data[v.Object()], h.objects[key] = d, v
	return d, true
}

// standsFor is what tells data apart from others that say the same; nil if nothing does.
func standsFor(d *legislation.Data) any {
	switch {
	case d.Kind == legislation.List && len(d.List) > 0:
		return &d.List[0]
	case d.Kind == legislation.Mapping && d.Map.Len() > 0:
		return d.Map
	}
	return nil
}

// value is what Python sees of a value of metadata.
func (h *handed) value(d *legislation.Data) py.Value {
	if len(h.objects) > 0 {
		if v, ok := h.objects[standsFor(d)]; ok {
			return v
		}
	}
	return valueOf(d)
}

// dict is metadata as Python sees them.
func (h *handed) dict(d *legislation.Data) *py.Dict {
	out := py.NewDictFor(d.Map.Len())
	for i, k := range d.Map.Keys() {
		out.Set(py.String(k), h.value(d.Map.Ref(i)))
	}
	return out
}

// settler makes metadata final: what was handed down is what the objects say now, once for all that have it.
type settler struct {
	handed *handed
	values map[py.Object]legislation.Data
	maps   map[*mapping]*mapping
	made   map[uint64][]*mapping // by a hash of what they say
	dated  map[uint64][]legislation.DatedValue
	seed   maphash.Seed
}

type mapping = legislation.Ordered[legislation.Data]

func (h *handed) settler() *settler {
	return &settler{h, map[py.Object]legislation.Data{}, map[*mapping]*mapping{}, map[uint64][]*mapping{}, map[uint64][]legislation.DatedValue{}, maphash.MakeSeed()}
}

// said is one of metadata in a form that can be compared.
type said struct {
	key, text string
	number    vector.Column
	stands    any
}

func saidOf(key string, d *legislation.Data) said {
	if text, ok := d.Text(); ok {
		return said{key: key, text: text}
	}
	return said{key: key, number: d.Scalar, stands: standsFor(d)}
}

// once gives a mapping that says the same, if there is one: a hundred thousand parameters have what few nodes handed down.
func (s *settler) once(m *mapping) *mapping {
	var hash maphash.Hash
	hash.SetSeed(s.seed)
	for i, k := range m.Keys() {
		maphash.WriteComparable(&hash, saidOf(k, m.Ref(i)))
	}
	sum := hash.Sum64()
	for _, known := range s.made[sum] {
		same := known.Len() == m.Len()
		for i, k := range m.Keys() {
			a, b := m.Ref(i), known
			same = same && a.Written == nil && a.Kind == b.Ref(i).Kind && saidOf(k, a) == saidOf(b.Keys()[i], b.Ref(i))
		}
		if same {
			return known
		}
	}
	s.made[sum] = append(s.made[sum], m)
	return m
}

func (s *settler) value(th *py.Thread, v py.Value) legislation.Data {
	switch v.Object().(type) {
	case *py.Dict, *py.List:
		d, ok := s.values[v.Object()]
		if !ok {
			d = dataOf(th, v)
			s.values[v.Object()] = d
		}
		return d
	}
	return dataOf(th, v)
}

// python gives the metadata that Python code has in its hands: those that were there, if it has not changed them.
func (s *settler) python(th *py.Thread, d *py.Dict, was legislation.Data) legislation.Data {
	if d.Len() == was.Map.Len() && s.unchanged(d, &was) {
		return was
	}
	keys, values := make([]string, 0, d.Len()), make([]legislation.Data, 0, d.Len())
	d.Items(func(k, v py.Value) bool {
		keys, values = append(keys, th.Str(k)), append(values, s.value(th, v))
		return true
	})
	m := legislation.OrderedOf(keys, values)
	return legislation.Data{Kind: legislation.Mapping, Map: s.once(&m)}
}

// datedOnce gives the values of a parameter, those of another one if they are the same: a copy of the tree, such as PolicyEngine's baseline, has most of them twice.
func (s *settler) datedOnce(values []legislation.DatedValue) []legislation.DatedValue {
	var hash maphash.Hash
	hash.SetSeed(s.seed)
	for i := range values {
		v := &values[i]
		if v.Value.Kind != legislation.Scalar || v.Value.Written != nil || v.Metadata().Map != nil {
			return values
		}
		maphash.WriteComparable(&hash, v.Start)
		maphash.WriteComparable(&hash, v.Value.Scalar)
	}
	sum := hash.Sum64()
	known, ok := s.dated[sum]
	if !ok {
		s.dated[sum] = values
	}
	same := slices.EqualFunc(values, known, func(a, b legislation.DatedValue) bool {
		return a.Start == b.Start && a.Value.Scalar == b.Value.Scalar && a.Value.Line == b.Value.Line
	})
	if !same {
		return values
	}
	return known
}

// unchanged tells that a dict still says what it was made of.
func (s *settler) unchanged(d *py.Dict, was *legislation.Data) bool {
	i, same := 0, true
	d.Items(func(k, v py.Value) bool {
		name, _ := k.AsString()
		same = name == was.Map.Keys()[i] && s.says(v, was.Map.Ref(i))
		i++
		return same
	})
	return same
}

// says tells that a value is what data say, a text, or the object that they stand for.
func (s *settler) says(v py.Value, d *legislation.Data) bool {
	if text, ok := v.AsString(); ok {
		said, ok := d.Text()
		return ok && said == text
	}
	object, ok := s.handed.objects[standsFor(d)]
	return ok && py.Same(object, v)
}

// data settles metadata that Python code has not seen.
func (s *settler) data(th *py.Thread, d *legislation.Data) {
	if d.Map == nil || len(s.handed.objects) == 0 {
		return
	}
	done, ok := s.maps[d.Map]
	if !ok {
		done = d.Map
		for i, k := range d.Map.Keys() {
			v, shared := s.handed.objects[standsFor(d.Map.Ref(i))]
			if !shared {
				continue
			}
			if done == d.Map {
				done = d.Map.Copy()
			}
			done.Set(k, s.value(th, v))
		}
		s.maps[d.Map] = done
	}
	d.Map = done
}

// spread is spread(item, given): the metadata of everything below an item get what it is given.
func (c *core) spread(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var item, given py.Value
	th.Unpack("spread", args, kws, "item", &item, "given", &given)
	o, ok := item.Object().(*parameterObject)
	d, isDict := given.Object().(*py.Dict)
	if !ok || !isDict {
		th.Raise(py.TypeError, "expected a parameter and a dict, not %s and %s", py.TypeName(item), py.TypeName(given))
	}
	more, plain := c.handedDown(th, d)
	known := map[*mapping]*mapping{}
	for _, v := range o.everything(th) {
		below := v.Object().(*parameterObject)
		switch {
		case below.own() != nil:
			metadata, _ := th.Attr(v, "metadata")
			update, _ := th.Attr(metadata, "update")
			th.Invoke(update, given)
		case plain && below.metadata == nil:
			below.describe(more, known)
		default:
			below.metadataDict(th).Merge(d)
		}
	}
	return py.None
}

// handedDown is what is handed down as data; false if something can only be handed down as the object that it is.
func (c *core) handedDown(th *py.Thread, given *py.Dict) (*mapping, bool) {
	all, plain := legislation.NewOrdered[legislation.Data](), true
	given.Items(func(k, v py.Value) bool {
		name, named := k.AsString()
		var data legislation.Data
		if data, plain = c.handed.add(th, v); plain && named {
			all.Set(name, data)
		}
		plain = plain && named
		return plain
	})
	return all, plain
}

// describe adds to metadata that Python has not seen yet. Items with the same ones have the same ones then: known are those that were met before.
func (o *parameterObject) describe(more *mapping, known map[*mapping]*mapping) {
	info := o.item.Info()
	old := info.Metadata.Map
	if old.Len() == 0 {
		old = nil // all that say nothing are alike
	}
	all, ok := known[old]
	if !ok {
		all = old.Copy()
		for key, v := range more.All() {
			all.Set(key, v)
		}
		known[old], known[all] = all, all
	}
	info.Metadata = legislation.Data{Kind: legislation.Mapping, Line: info.Metadata.Line, Map: all}
}

// setting is setting(parameter, key): one of its metadata, to be read only.
func (c *core) setting(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var parameter py.Value
	var key string
	th.Unpack("setting", args, kws, "parameter", &parameter, "key", &key)
	if o, ok := parameter.Object().(*parameterObject); ok && o.metadata == nil && o.own() == nil && !o.fixed(th) {
		if m := o.item.Info().Metadata.Map; m.Index(key) >= 0 {
			return c.handed.value(m.Ref(m.Index(key)))
		}
	}
	metadata, _ := th.Attr(parameter, "metadata")
	return th.Index(metadata, py.String(key))
}
