package country

import (
	"strings"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// entityObject is an entity as packages declare and use it: Household.PARENT, Household.key.
type entityObject struct{ *legislation.Entity }

// roleObject is a role of an entity.
type roleObject legislation.Role

// Type implements pyeval.Object.
func (o *entityObject) Type() *py.Class {
	if o.IsPerson {
		return entityClass
	}
	return groupEntityClass
}

// Type implements pyeval.Object.
func (*roleObject) Type() *py.Class { return roleClass }

func roleValue(r *legislation.Role) py.Value { return py.Obj((*roleObject)(r)) }

// Attr implements pyeval.Attrer.
func (o *entityObject) Attr(th *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "key":
		return py.String(o.Key), true
	case "plural":
		return py.String(o.Plural), true
	case "label":
		return py.String(o.Label), true
	case "doc":
		return py.String(o.Doc), true
	case "is_person":
		return py.Bool(o.IsPerson), true
	case "roles":
		return roleList(o.Roles), true
	case "flattened_roles":
		return roleList(o.Flattened), true
	case "set_tax_benefit_system": // there an entity has a system; here systems have entities
		return py.Func(name, func(*py.Thread, []py.Value, []py.Kw) py.Value { return py.None }), true
	}
	if r := o.Constant(name); r != nil {
		return roleValue(r), true
	}
	if r := runOf(th); name == "get_variable" && r != nil && r.core.policy {
		return th.Attr(py.Obj(&systemObject{core: r.core, system: r.sim.System()}), name)
	}
	return py.Value{}, false
}

// AttrNames implements pyeval.AttrLister, for hints.
func (o *entityObject) AttrNames(*py.Thread) []string {
	names := []string{"doc", "flattened_roles", "is_person", "key", "label", "plural", "roles"}
	for _, r := range o.Roles {
		names = append(names, strings.ToUpper(r.Key))
		for _, s := range r.Subroles {
			names = append(names, strings.ToUpper(s.Key))
		}
	}
	return names
}

// Repr implements pyeval.Reprer.
func (o *entityObject) Repr(*py.Thread) string { return o.Type().Name + "(" + o.Key + ")" }

func roleList(roles []*legislation.Role) py.Value {
	items := make([]py.Value, len(roles))
	for i, r := range roles {
		items[i] = roleValue(r)
	}
	return py.Obj(py.NewList(items))
}

// Attr implements pyeval.Attrer.
func (o *roleObject) Attr(_ *py.Thread, name string) (py.Value, bool) {
	switch name {
	case "key":
		return py.String(o.Key), true
	case "plural":
		return textOrNone(o.Plural), true
	case "label":
		return textOrNone(o.Label), true
	case "doc":
		return py.String(o.Doc), true
	case "max":
		if o.Max == 0 {
			return py.None, true
		}
		return py.Int(int64(o.Max)), true
	case "subroles":
		if len(o.Subroles) == 0 {
			return py.None, true
		}
		return roleList(o.Subroles), true
	}
	return py.Value{}, false
}

// Repr implements pyeval.Reprer.
func (o *roleObject) Repr(*py.Thread) string { return "Role(" + o.Key + ")" }

func textOrNone(s string) py.Value {
	if s == "" {
		return py.None
	}
	return py.String(s)
}

// buildEntity is build_entity(key, plural, label, …).
func buildEntity(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var key, plural, label string
	doc, roles, override, containing := py.None, py.None, py.None, py.None
	person := false
	th.Unpack("build_entity", args, kws, "key", &key, "plural", &plural, "label", &label, "doc?", &doc, "roles?", &roles,
		"is_person?", &person, "class_override?", &override, "containing_entities?", &containing)
	text, _ := doc.AsString()
	text = legislation.Dedent(text)
	if person {
		return py.Obj(&entityObject{legislation.NewPerson(key, plural, label, text)})
	}
	if roles.IsNone() {
		th.Raise(py.NotImplementedError, "group entity %s has no roles: give build_entity the argument roles", key)
	}
	return py.Obj(&entityObject{legislation.NewGroup(key, plural, label, text, roleSpecs(th, roles), texts(th, containing)...)})
}

func roleSpecs(th *py.Thread, roles py.Value) []legislation.RoleSpec {
	var specs []legislation.RoleSpec
	th.Each(roles, func(v py.Value) bool {
		d, ok := v.Object().(*py.Dict)
		if !ok {
			th.Raise(py.TypeError, "a role must be a dict, not %s", py.TypeName(v))
		}
		specs = append(specs, roleSpec(th, d))
		return true
	})
	return specs
}

func roleSpec(th *py.Thread, d *py.Dict) legislation.RoleSpec {
	text := func(name string) string {
		v, _ := d.Get(name)
		s, _ := v.AsString()
		return s
	}
	spec := legislation.RoleSpec{Key: text("key"), Plural: text("plural"), Label: text("label"), Doc: legislation.Dedent(text("doc"))}
	if spec.Key == "" {
		th.Raise(py.ValueError, "a role needs a key")
	}
	if v, ok := d.Get("max"); ok {
		n, _ := v.AsInt()
		spec.Max = int(n)
	}
	if v, ok := d.Get("subroles"); ok {
		spec.Subroles = texts(th, v)
	}
	return spec
}

// texts reads a list of str; None is an empty one.
func texts(th *py.Thread, v py.Value) []string {
	if v.IsNone() {
		return nil
	}
	var out []string
	th.Each(v, func(item py.Value) bool {
		s, ok := item.AsString()
		if !ok {
			th.Raise(py.TypeError, "expected a text, got %s", th.Repr(item))
		}
		out = append(out, s)
		return true
	})
	return out
}

// makeEntity is Entity(key, plural, label, doc); makeGroup is GroupEntity(key, plural, label, doc, roles, …).
func makeEntity(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	return buildEntity(th, args, append(kws, py.Kw{Name: "is_person", Value: py.True}))
}

func makeGroup(th *py.Thread, _ *py.Class, args []py.Value, kws []py.Kw) py.Value {
	return buildEntity(th, args, kws)
}

// roleOf reads an optional role argument.
func roleOf(th *py.Thread, v py.Value) *legislation.Role {
	if v.IsNone() {
		return nil
	}
	r, ok := v.Object().(*roleObject)
	if !ok {
		th.Raise(py.ValueError, "%s is not a valid role", th.Repr(v))
	}
	return (*legislation.Role)(r)
}
