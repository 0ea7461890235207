package pyeval

// This file defines v.name for every kind of value: the way from instance to class to base, and what is said when there is none.

// GetAttr is v.name, or AttributeError.
func (th *Thread) GetAttr(v Value, name string) Value {
	r, ok := th.Attr(v, name)
	if !ok {
		th.NoAttr(v, name)
	}
	return r
}

// Attr returns an attribute of any value; false means there is none.
func (th *Thread) Attr(v Value, name string) (Value, bool) {
	if a, ok := v.o.(Attrer); ok {
		if r, ok := a.Attr(th, name); ok {
			return r, true
		}
	}
	class := typeOf(v)
	if f, ok := class.Lookup(name); ok {
		switch p := f.o.(type) {
		case *Property:
			return p.get(th, v), true
		case *property:
			return th.InvokeKw(p.get, []Value{v}, nil), true
		}
		return bind(f, v), true
	}
	switch name {
	case "__class__":
		return Obj(class), true
	case "__doc__":
		return None, true
	}
	if text, ok := v.AsString(); ok && th.prog.TextAttr != nil {
		return th.prog.TextAttr(text, name)
	}
	return Value{}, false
}

// PathText is os.fspath: a text as it is, or what an object says its path is.
func (th *Thread) PathText(v Value) (path string, ok bool) {
	if f, has := th.Attr(v, "__fspath__"); has && v.o != nil {
		v = th.InvokeKw(f, nil, nil)
	}
	return v.AsString()
}

// Property is an attribute of a Go class that is computed.
type Property struct {
	get func(th *Thread, self Value) Value
}

// NewProperty makes a computed attribute for the table of a class.
func NewProperty(get func(th *Thread, self Value) Value) Value { return Obj(&Property{get}) }

// Type implements [Object].
func (*Property) Type() *Class { return propertyType }

// NoAttr raises AttributeError, and names the attribute that was perhaps meant.
func (th *Thread) NoAttr(v Value, name string) {
	var known []string
	if l, ok := v.o.(AttrLister); ok {
		known = l.AttrNames(th)
	} else {
		known = typeOf(v).AttrNames(th)
	}
	what := "'" + TypeName(v) + "' object"
	switch o := v.o.(type) {
	case *Module:
		what = "module '" + o.Name + "'"
	case *Class:
		what = "type object '" + o.Name + "'"
	}
	th.Raise(AttributeError, "%s has no attribute '%s'%s", what, name, hint(name, known))
}

// setAttr is v.name = x, or del v.name with nil.
func (th *Thread) setAttr(v Value, name string, x *Value) {
	if s, ok := v.o.(AttrSetter); ok {
		s.SetAttr(th, name, x)
		return
	}
	if _, ok := th.Attr(v, name); ok {
		th.Raise(AttributeError, "'%s' object attribute '%s' is read-only", TypeName(v), name)
	}
	th.Raise(AttributeError, "'%s' object has no attribute '%s'", TypeName(v), name)
}

// method finds what v.name(...) calls. If own is true the function takes v as its first argument.
func (th *Thread) method(v Value, name string) (fn Value, own bool) {
	switch o := v.o.(type) {
	case *Instance:
		if f, ok := o.class.Lookup(name); ok {
			if _, isFunc := f.o.(*Function); isFunc {
				if shadow, ok := o.attrs.get(name); ok {
					return shadow, false
				}
				return f, true
			}
		}
		return th.GetAttr(v, name), false
	case Attrer:
		if r, ok := o.Attr(th, name); ok {
			return r, false
		}
	}
	if f, ok := typeOf(v).Lookup(name); ok {
		if b, isBuiltin := f.o.(*Builtin); isBuiltin && b.method {
			return f, true
		}
	}
	return th.GetAttr(v, name), false
}
