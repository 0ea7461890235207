package pyeval

// This file defines which tables of modules the audit sees functions fill, and which of them are refused.

import (
	"fmt"

	"edict/simulation/pysyntax"
)

// value is what an expression of names and attributes holds, if that is known without running anything.
func (a *auditor) value(e pysyntax.Expr) (v Value, known bool) {
	switch n := e.(type) {
	case *pysyntax.Name:
		v, known = a.resolve(n.ID)
		return v, known && !v.isUnbound()
	case *pysyntax.Attribute:
		if v, known = a.value(n.Value); !known {
			return v, false
		}
		switch o := v.o.(type) {
		case *Module:
			return o.Get(n.Attr)
		case *Class:
			return o.Lookup(n.Attr)
		}
	}
	return Value{}, false
}

// changers are the methods that change a list, dict or set; those of a dict that only add to it may be called on a table.
var (
	changers = words("add append clear discard extend insert pop popitem remove reverse setdefault sort update")
	fillers  = words("setdefault update")
)

// call looks for methods that change the table of a module.
func (a *auditor) call(n *pysyntax.Call) {
	if attr, ok := n.Func.(*pysyntax.Attribute); ok && changers[attr.Attr] {
		a.changedTable(n.Pos, attr.Value, fillers[attr.Attr])
	}
}

// changedTable tells of lists, dicts and sets that a module or a class holds and a formula changes. They are shared by
// all simulations. A dict that is only added to, by the name that its module has for it, is a table of the calculation.
func (a *auditor) changedTable(at pysyntax.Pos, e pysyntax.Expr, adds bool) {
	v, known := a.value(e)
	if !known {
		return
	}
	shared := false
	switch o := v.o.(type) {
	case *List:
		shared = o.frozen
	case *Dict:
		shared = o.frozen
		if name, ok := e.(*pysyntax.Name); ok && shared && adds && a.isGlobal(name.ID) {
			a.tell(at, Finding{fn: a.place(), Note: true, Message: fmt.Sprintf("%s is filled again by each calculation: entries of a module's dict last until the calculation ends", name.ID)})
			return
		}
	case *Set:
		shared = o.d.frozen
	}
	if shared {
		a.tell(at, Finding{fn: a.place(), Message: fmt.Sprintf("TypeError: cannot change this %s: it is shared by all simulations once the package is loaded; copy it first, or make it in the function", TypeName(v))})
	}
}

// isGlobal tells that a name is one of the module, not of a function around.
func (a *auditor) isGlobal(name string) bool {
	for _, s := range a.scopes {
		if s.bound[name] && !s.globals[name] {
			return false
		}
	}
	return true
}
