package pyeval

// This file defines what the audit knows of arrays, and the ways of changing them that are not supported.

import (
	"fmt"
	"slices"

	"edict/simulation/pysyntax"
)

// arrayKind is what is known of an expression that gives an array.
type arrayKind uint8

const (
	noArray    arrayKind = iota // or not known to be one
	ownArray                    // made by the function
	givenArray                  // what the population gave, which others hold too
)

// arrayMakers are the functions of numpy, besides those of two operands, that give arrays or numpy's scalars.
var arrayMakers = words(`absolute arange array asarray around ceil clip concatenate empty empty_like exp floor full full_like isin isnan linspace
	log logical_not negative ones ones_like repeat rint round select sqrt tile trunc where zeros zeros_like`)

// arrayOf tells what array an expression gives.
func (a *auditor) arrayOf(e pysyntax.Expr) arrayKind {
	switch n := e.(type) {
	case *pysyntax.Name:
		for _, s := range slices.Backward(a.scopes) {
			if s.bound[n.ID] {
				return s.arrays[n.ID]
			}
		}
	case *pysyntax.Binary:
		return a.computed(n.Left, n.Right)
	case *pysyntax.Unary:
		return a.computed(n.Operand)
	case *pysyntax.Compare:
		if !slices.ContainsFunc(n.Ops, func(op pysyntax.CompareOp) bool { return op > pysyntax.GtE }) {
			return a.computed(append([]pysyntax.Expr{n.Left}, n.Rights...)...)
		}
	case *pysyntax.Call:
		if a.asksPopulation(n) {
			return givenArray
		}
		if a.makesArray(n.Func) {
			return ownArray
		}
	}
	return noArray
}

func (a *auditor) computed(operands ...pysyntax.Expr) arrayKind {
	for _, e := range operands {
		if a.arrayOf(e) != noArray {
			return ownArray
		}
	}
	return noArray
}

// asksPopulation recognises person("salary", period), and the same through household.members or person.household.
func (a *auditor) asksPopulation(n *pysyntax.Call) bool {
	if len(n.Args) < 2 || len(n.Keywords) > 0 {
		return false
	}
	name, literal := n.Args[0].(*pysyntax.Constant)
	if !literal {
		return false
	}
	if _, text := name.Value.(string); !text {
		return false
	}
	base := n.Func
	for {
		attr, ok := base.(*pysyntax.Attribute)
		if !ok {
			break
		}
		base = attr.Value
	}
	who, ok := base.(*pysyntax.Name)
	return ok && len(a.scopes) > 0 && who.ID == a.scopes[0].first && len(a.scopes) == 1
}

// makesArray recognises the functions of numpy, by whatever name they are reached.
func (a *auditor) makesArray(fn pysyntax.Expr) bool {
	v, known := a.value(fn)
	numpy := a.th.prog.Module("numpy")
	if !known || numpy == nil {
		return false
	}
	switch o := v.o.(type) {
	case Elementwise:
		return true
	case *Builtin:
		v, ok := numpy.Get(o.name)
		return ok && v.o == Object(o) && arrayMakers[o.name]
	}
	return false
}

// arrayAttribute looks whether an array has an attribute.
func (a *auditor) arrayAttribute(n *pysyntax.Attribute) {
	if a.arrayOf(n.Value) == noArray {
		return
	}
	if _, ok := ArrayType.Lookup(n.Attr); !ok {
		a.tell(n.Pos, Finding{Message: fmt.Sprintf("AttributeError: 'numpy.ndarray' object has no attribute '%s'%s", n.Attr, hint(n.Attr, ArrayType.attrs.list()))})
	}
}

func (a *auditor) assign(value pysyntax.Expr, targets ...pysyntax.Expr) {
	a.exprs(value)
	if len(a.scopes) == 0 || value == nil {
		return
	}
	kind := a.arrayOf(value)
	v, known := a.value(value)
	a.bind(targets...)
	for _, t := range targets {
		if name, ok := t.(*pysyntax.Name); ok {
			a.bindKnown(name.ID, v, known)
			a.scopes[len(a.scopes)-1].arrays[name.ID] = kind
		}
	}
}

func (a *auditor) augmented(n *pysyntax.AugAssign) {
	a.exprs(n.Value)
	switch t := n.Target.(type) {
	case *pysyntax.Name:
		a.changed(n.Pos, t)
	case *pysyntax.Subscript:
		a.exprs(t.Value, t.Index)
		a.changed(n.Pos, t.Value)
		a.changedTable(n.Pos, t.Value, false)
	default:
		a.targets(t)
	}
}

// targets looks at what assignments and del change in something else.
func (a *auditor) targets(targets ...pysyntax.Expr) {
	for _, t := range targets {
		switch t := t.(type) {
		case *pysyntax.Subscript:
			a.exprs(t.Value, t.Index)
			a.changed(t.Pos, t.Value)
			a.changedTable(t.Pos, t.Value, true)
		case *pysyntax.Attribute:
			a.exprs(t.Value)
		case *pysyntax.Tuple:
			a.targets(t.Elts...)
		case *pysyntax.List:
			a.targets(t.Elts...)
		case *pysyntax.Starred:
			a.targets(t.Value)
		}
	}
}

// changed tells of an array that others hold and that is changed in place.
func (a *auditor) changed(at pysyntax.Pos, e pysyntax.Expr) {
	name, ok := e.(*pysyntax.Name)
	if !ok || a.arrayOf(e) != givenArray {
		return
	}
	a.scopes[len(a.scopes)-1].arrays[name.ID] = ownArray // said once
	a.tell(at, Finding{Note: true, Message: fmt.Sprintf("%s.%s changes %s in place: here it changes only its own copy, in OpenFisca the value that every other formula gets; write a copy (%s = %s.copy()) to mean the same in both",
		a.owner, a.fn.Name, name.ID, name.ID, name.ID)})
}
