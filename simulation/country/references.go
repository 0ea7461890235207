package country

import (
	"strconv"
	"strings"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// references adds members of enumerations, and enumerations that no variable has, to what legislation can name.
type references struct {
	*legislation.References
	core    *core
	classes map[*legislation.Enum]string // by module and class, of those that are imported
}

// References names what programs refer to that were recorded of systems of the package.
func (p *Package) References(systems ...*legislation.System) vector.References {
	return &references{References: legislation.NewReferences(systems...), core: p.core}
}

// What names begin with, beside those of legislation.
const (
	memberName  = "member "
	classMember = "class member "
	classDomain = "class domain "
	settledName = "settled"
)

// Name implements vector.References.
func (r *references) Name(x any) (string, bool) {
	switch x := x.(type) {
	case *member:
		if name, ok := r.EnumName(x.enum); ok {
			return memberName + strconv.Itoa(int(x.index)) + " " + name, true
		}
		name, ok := r.className(x.enum)
		return classMember + strconv.Itoa(int(x.index)) + " " + name, ok
	case memberKey:
		return settledName, x == settledKey
	case *vector.Domain:
		if name, ok := r.References.Name(x); ok {
			return name, true
		}
		class, ok := x.Of.(*py.Class)
		if !ok || enumerationOf(class) == nil {
			return "", false
		}
		name, ok := r.className(enumerationOf(class).enum)
		return classDomain + name, ok
	}
	return r.References.Name(x)
}

// className names an enumeration by the module and the name of its class.
func (r *references) className(e *legislation.Enum) (string, bool) {
	if r.classes == nil {
		r.classes = map[*legislation.Enum]string{}
		for _, name := range r.core.program.Modules() {
			m := r.core.program.Module(name)
			if m == nil || !m.Loaded() {
				continue
			}
			for _, v := range classesOf(m, r.core.enumClass) {
				class := v.Object().(*py.Class)
				if found := enumerationOf(class); found != nil && r.classEnum(name+":"+class.Name) == found {
					r.classes[found.enum] = name + ":" + class.Name
				}
			}
		}
	}
	name, ok := r.classes[e]
	return name, ok
}

// classEnum gives the enumeration of the class with such a name, nil if there is none.
func (r *references) classEnum(name string) *enumeration {
	module, class, _ := strings.Cut(name, ":")
	m := r.core.program.Module(module)
	if m == nil || !m.Loaded() {
		return nil
	}
	v, _ := m.Get(class)
	if c, ok := v.Object().(*py.Class); ok {
		return enumerationOf(c)
	}
	return nil
}

// Find implements vector.References.
func (r *references) Find(name string) (any, bool) {
	if name, ok := strings.CutPrefix(name, classDomain); ok {
		if e := r.classEnum(name); e != nil {
			return e.enum.Domain, true
		}
		return nil, false
	}
	if m := r.member(name); m != nil {
		return m, true
	}
	return r.References.Find(name)
}

// member gives the member of a name, nil if there is none.
func (r *references) member(name string) *member {
	var e *enumeration
	rest, ofClass := strings.CutPrefix(name, classMember)
	if !ofClass {
		rest, _ = strings.CutPrefix(name, memberName)
	}
	place, of, _ := strings.Cut(rest, " ")
	if ofClass {
		e = r.classEnum(of)
	} else if law := r.Enum(of); law != nil {
		if class, ok := law.Domain.Of.(*py.Class); ok {
			e = enumerationOf(class)
		}
	}
	i, err := strconv.Atoi(place)
	if e == nil || err != nil || i < 0 || i >= len(e.members) {
		return nil
	}
	return e.members[i]
}

// Operation implements vector.References.
func (r *references) Operation(name string) (key any, do func(*vector.Rules, []vector.Column) (vector.Column, error), ok bool) {
	if name == settledName {
		return settledKey, firstIsMember, true
	}
	if m := r.member(name); m != nil {
		return m, m.amongOf, true
	}
	return r.References.Operation(name)
}
