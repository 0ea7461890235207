package lawgraph

import (
	"slices"
	"strings"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
)

// arguments are those of a call.
type arguments struct {
	values []value
	named  map[string]value
	at     *pysyntax.Call
}

// get is the argument at a position or of a name; nil if it is not given.
func (a *arguments) get(i int, name string) value {
	if i < len(a.values) {
		return a.values[i]
	}
	return a.named[name]
}

func (a *arguments) each(visit func(value)) {
	for _, v := range a.values {
		visit(v)
	}
	for _, k := range a.at.Keywords {
		if v, ok := a.named[k.Name]; ok {
			visit(v)
		}
	}
}

func (r *reader) callExpr(f *frame, e *pysyntax.Call) value {
	callee := r.expr(f, e.Func)
	args := arguments{named: map[string]value{}, at: e}
	for _, arg := range e.Args {
		if star, ok := arg.(*pysyntax.Starred); ok {
			args.values = append(args.values, r.items(r.expr(f, star.Value))...)
		} else {
			args.values = append(args.values, r.expr(f, arg))
		}
	}
	for _, k := range e.Keywords {
		if v := r.expr(f, k.Value); k.Name != "" {
			args.named[k.Name] = v
		} else {
			args.spread(v)
		}
	}
	var out value
	for _, a := range callee {
		out = join(out, r.callAtom(f, a, &args))
	}
	if len(out) == 0 {
		return unknown
	}
	return out
}

// spread adds **v.
func (a *arguments) spread(v value) {
	for _, x := range v {
		if m, ok := x.(*mapping); ok {
			for _, e := range m.entries {
				if name, ok := e.key.(string); ok {
					a.named[name] = e.value
				}
			}
		}
	}
}

func (r *reader) callAtom(f *frame, a atom, args *arguments) value {
	switch a := a.(type) {
	case population:
		r.variables(f, args.get(0, "variable_name"), args.at)
	case law:
		return only(item{ParameterItem: r.system.Parameters().Root})
	case *closure:
		return r.call(a, args.values, args.named, *f, args.at.Pos)
	case method:
		return r.callMethod(f, a, args)
	case native:
		return r.callNative(f, a, args)
	case opaque:
		r.escape(f, args, "calls something that cannot be followed")
	}
	return unknown
}

// escape notes what is handed to something that cannot be followed.
func (r *reader) escape(f *frame, args *arguments, how string) {
	args.each(func(v value) {
		r.whole(f, v, args.at)
		for _, a := range v {
			switch a := a.(type) {
			case population, simulation, law:
				r.dynamic(f, args.at, how+", and hands it the population, the simulation or the parameters", "")
			case *closure:
				r.call(a, nil, nil, *f, args.at.Pos)
			}
		}
	})
}

func (r *reader) callMethod(f *frame, m method, args *arguments) value {
	switch of := m.of.(type) {
	case population:
		if m.name == "get_holder" {
			r.variables(f, args.get(0, "variable_name"), args.at)
		}
	case simulation:
		return r.callSimulation(f, m.name, args)
	case system:
		if m.name == "get_parameters_at_instant" {
			return only(item{ParameterItem: r.system.Parameters().Root})
		}
	case constant:
		return r.textMethod(of, m.name, args)
	case *sequence:
		return r.listMethod(of, m.name, args)
	case *mapping:
		return r.dictMethod(of, m.name, args)
	case item:
		r.whole(f, only(of), args.at)
	}
	return unknown
}

func (r *reader) callSimulation(f *frame, name string, args *arguments) value {
	switch name {
	case "calculate", "calculate_add", "calculate_divide", "calculate_output", "compute", "compute_add", "compute_divide", "get_array", "get_holder":
		r.variables(f, args.get(0, "variable_name"), args.at)
	case "get_entity", "get_population", "get_variable_population":
		return only(population{})
	case "clone":
		return only(simulation{})
	}
	return unknown
}

func (r *reader) listMethod(s *sequence, name string, args *arguments) value {
	switch name {
	case "append", "add":
		s.items = append(s.items, args.values...)
	case "insert":
		s.items = append(s.items, args.values[min(1, len(args.values)):]...)
	case "extend", "update", "union":
		for _, v := range args.values {
			s.items = append(s.items, r.items(v)...)
		}
		return only(s)
	case "copy", "difference", "intersection":
		return only(s)
	case "pop":
		return joinAll(s.items)
	}
	r.step(len(s.items))
	return unknown
}

func (r *reader) dictMethod(m *mapping, name string, args *arguments) value {
	s := &sequence{}
	switch name {
	case "get", "pop", "setdefault":
		out := args.get(1, "default")
		for _, k := range args.get(0, "key") {
			out = join(out, m.get(k))
		}
		return out
	case "update":
		args.each(func(v value) {
			for _, a := range v {
				if other, ok := a.(*mapping); ok {
					m.entries = append(m.entries, other.entries...)
				}
			}
		})
		return unknown
	case "copy":
		return only(m)
	case "items", "values", "keys":
		for _, e := range m.entries {
			key := only(constant{v: e.key})
			switch name {
			case "items":
				s.items = append(s.items, only(&sequence{items: []value{key, e.value}}))
			case "values":
				s.items = append(s.items, e.value)
			case "keys":
				s.items = append(s.items, key)
			}
		}
		return only(s)
	}
	return unknown
}

// textMethod is a method of a text that is known.
func (r *reader) textMethod(c constant, name string, args *arguments) value {
	text, ok := c.v.(string)
	if !ok {
		return unknown
	}
	first, _ := one[string](args.get(0, ""))
	second, _ := one[string](args.get(1, ""))
	switch name {
	case "lower":
		return only(constant{strings.ToLower(text), c.at})
	case "upper":
		return only(constant{strings.ToUpper(text), c.at})
	case "strip":
		return only(constant{strings.TrimSpace(text), c.at})
	case "replace":
		return only(constant{strings.ReplaceAll(text, first, second), c.at})
	case "format":
		return r.format(c, text, args)
	case "split":
		s := &sequence{}
		parts := strings.Fields(text)
		if first != "" {
			parts = strings.Split(text, first)
		}
		for _, part := range parts {
			s.items = append(s.items, only(constant{part, c.at}))
		}
		return only(s)
	case "startswith":
		return only(constant{v: strings.HasPrefix(text, first)})
	case "endswith":
		return only(constant{v: strings.HasSuffix(text, first)})
	}
	return unknown
}

// format is text.format(…) with plain fields: {}, {0}, {name}.
func (r *reader) format(c constant, text string, args *arguments) value {
	parts := [][]atom{nil}
	for next := 0; text != ""; {
		before, rest, found := strings.Cut(text, "{")
		parts = r.times(parts, only(constant{before, c.at}))
		if !found {
			break
		}
		field, after, _ := strings.Cut(rest, "}")
		v := args.named[field]
		if field == "" {
			v = args.get(next, "")
			next++
		} else if i := strings.IndexByte("0123456789", field[0]); i >= 0 && len(field) == 1 {
			v = args.get(i, "")
		}
		parts = r.times(parts, v)
		text = after
	}
	var out value
	for _, p := range parts {
		out = join(out, only(concat(c.at, p...)))
	}
	return out
}

// callNative is a call of a function that is not written in Python, or of a class.
func (r *reader) callNative(f *frame, n native, args *arguments) value {
	name := ""
	switch o := n.Object.(type) {
	case *py.Class:
		name = o.Name
	case *py.Builtin:
		v, _ := o.Attr(nil, "__name__")
		name, _ = v.AsString()
	}
	first := args.get(0, "")
	switch name {
	case "list", "tuple", "set", "sorted", "reversed", "frozenset", "iter", "chain":
		s := &sequence{}
		for _, v := range args.values {
			s.items = append(s.items, r.items(v)...)
		}
		return only(s)
	case "dict":
		return r.newDict(args)
	case "range":
		return rangeOf(args)
	case "str":
		if len(first) == 1 {
			return only(concat(origin{}, first[0]))
		}
		return first
	case "enumerate":
		return r.enumerate(first)
	case "zip":
		return r.zip(args)
	case "map":
		return r.mapped(f, args)
	case "filter":
		return args.get(1, "")
	case "reduce":
		return r.reduced(f, args)
	case "partial":
		return partial(args)
	case "getattr":
		return r.getattr(f, args)
	case "globals":
		return only(moduleNames{f.of.module})
	case "next":
		return joinAll(r.items(first))
	case "hasattr", "isinstance", "len", "print", "sum", "type":
		return unknown
	}
	r.escape(f, args, "calls "+name+", which cannot be followed")
	return unknown
}

func (r *reader) newDict(args *arguments) value {
	m := &mapping{}
	for _, a := range args.get(0, "") {
		if other, ok := a.(*mapping); ok {
			m.entries = append(m.entries, other.entries...)
		}
	}
	for name, v := range args.named {
		m.set(only(constant{v: name}), v)
	}
	return only(m)
}

// rangeOf is range(…) of numbers that are known.
func rangeOf(args *arguments) value {
	bounds := []int64{0, 0, 1}
	for i, v := range args.values {
		n, ok := one[int64](v)
		if !ok || i > 2 {
			return only(&sequence{items: []value{unknown}})
		}
		if len(args.values) == 1 {
			i = 1
		}
		bounds[i] = n
	}
	s := &sequence{}
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step == 0 || (stop-start)/step > maxLoop {
		return only(&sequence{items: []value{unknown}})
	}
	for n := start; step > 0 && n < stop || step < 0 && n > stop; n += step {
		s.items = append(s.items, only(constant{v: n}))
	}
	return only(s)
}

func (r *reader) enumerate(v value) value {
	s := &sequence{}
	for i, item := range r.items(v) {
		s.items = append(s.items, only(&sequence{items: []value{only(constant{v: int64(i)}), item}}))
	}
	return only(s)
}

func (r *reader) zip(args *arguments) value {
	var columns [][]value
	shortest := maxItems
	for _, v := range args.values {
		column := r.items(v)
		columns = append(columns, column)
		shortest = min(shortest, len(column))
	}
	s := &sequence{}
	for i := range shortest {
		row := &sequence{}
		for _, c := range columns {
			row.items = append(row.items, c[i])
		}
		s.items = append(s.items, only(row))
	}
	return only(s)
}

func (r *reader) mapped(f *frame, args *arguments) value {
	s := &sequence{}
	for _, v := range r.items(args.get(1, "")) {
		for _, fn := range args.get(0, "") {
			one := arguments{values: []value{v}, named: map[string]value{}, at: args.at}
			s.items = append(s.items, r.callAtom(f, fn, &one))
		}
	}
	return only(s)
}

func (r *reader) reduced(f *frame, args *arguments) value {
	out := args.get(2, "initial")
	for _, v := range r.items(args.get(1, "")) {
		for _, fn := range args.get(0, "") {
			two := arguments{values: []value{join(unknown, out), v}, named: map[string]value{}, at: args.at}
			out = join(out, r.callAtom(f, fn, &two))
		}
	}
	return out
}

func partial(args *arguments) value {
	var out value
	for _, a := range args.get(0, "") {
		if c, ok := a.(*closure); ok && len(args.named) == 0 {
			bound := *c
			bound.first = slices.Concat(c.first, args.values[1:])
			out = append(out, &bound)
		} else {
			out = append(out, a)
		}
	}
	return out
}

func (r *reader) getattr(f *frame, args *arguments) value {
	out := args.get(2, "default")
	for _, of := range args.get(0, "") {
		for _, name := range args.get(1, "name") {
			if text, known := written(name); known {
				out = join(out, r.attributeOf(f, of, text, args.at))
			} else if it, ok := of.(item); ok {
				out = join(out, r.rows(f, it, args.at))
			}
		}
	}
	return out
}
