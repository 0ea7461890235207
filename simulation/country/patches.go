package country

import (
	"maps"
	"strings"

	py "edict/simulation/pyeval"
)

// patches are what a package gives to classes of OpenFisca-Core, which are the same for all packages: each sees its own.
type patches map[patchedName]py.Value

type patchedName struct {
	class *py.Class
	name  string
}

// coreOf returns the package that a thread loads or runs.
func coreOf(th *py.Thread) *core {
	switch l := th.Local.(type) {
	case *run:
		return l.core
	case *core:
		return l
	}
	return nil
}

// patched finds what the package of a thread gave to a class.
func patched(th *py.Thread, class *py.Class, name string) (py.Value, bool) {
	c := coreOf(th)
	if c == nil || len(c.patches) == 0 {
		return py.Value{}, false
	}
	v, ok := c.patches[patchedName{class, name}]
	return v, ok
}

// fixedMeta keeps classes of OpenFisca-Core from being changed.
var fixedMeta = &py.Metaclass{SetAttr: func(th *py.Thread, class *py.Class, name string, _ *py.Value) bool {
	if !isHost(class) {
		return false
	}
	th.Raise(py.TypeError, "%s.%s cannot be changed: of OpenFisca-Core's classes packages may give methods to those of scales", class.Name, name)
	return true
}}

// isHost tells the classes of OpenFisca-Core from those that packages derive from them.
func isHost(class *py.Class) bool { return strings.HasPrefix(class.Module, "openfisca_core.") }

// scaleMeta lets packages give methods to the classes of scales, while they are loaded.
var scaleMeta = &py.Metaclass{
	SetAttr: func(th *py.Thread, class *py.Class, name string, v *py.Value) bool {
		if !isHost(class) {
			return false
		}
		c := coreOf(th)
		if c == nil || runOf(th) != nil || v == nil {
			th.Raise(py.TypeError, "%s.%s cannot be changed once the package is loaded", class.Name, name)
		}
		if c.patches == nil {
			c.patches = patches{}
		}
		c.patches[patchedName{class, name}] = *v
		return true
	},
	Attr: func(th *py.Thread, class *py.Class, name string) (py.Value, bool) {
		if v, ok := patched(th, class, name); ok {
			return v, true
		}
		method, ok := scaleMethods[name]
		if !ok {
			return py.Value{}, false
		}
		return py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			if len(args) == 0 {
				th.Raise(py.TypeError, "%s.%s() needs the scale", class.Name, name)
			}
			o, ok := args[0].Object().(*scaleObject)
			if !ok {
				th.Raise(py.TypeError, "%s.%s() needs a scale, not %s", class.Name, name, py.TypeName(args[0]))
			}
			return method(th, o, args[1:], kws)
		}), true
	},
}

// patchable lets a method give way to what a package put in its place.
func patchable(name string, method py.MethodFunc) py.MethodFunc {
	return func(th *py.Thread, self py.Object, args []py.Value, kws []py.Kw) py.Value {
		if fn, ok := patched(th, self.Type(), name); ok {
			return th.InvokeKw(py.Obj(&py.Method{Self: py.Obj(self), Func: fn}), args, kws)
		}
		return method(th, self, args, kws)
	}
}

// patchableMethods are the methods of scales as objects have them.
func patchableMethods() map[string]py.MethodFunc {
	out := maps.Clone(scaleMethods)
	for name, method := range out {
		out[name] = patchable(name, method)
	}
	return out
}
