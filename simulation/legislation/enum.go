package legislation

import (
	"slices"
	"strings"

	"edict/simulation/vector"
)

// Enum is the set of values of an enumerated variable: names in the order of definition, with a label each.
type Enum struct {
	// Domain is the identity of the enumeration in columns; its Of field is free for the package that makes the enum.
	Domain *vector.Domain
	// Labels are the values of the members, as text.
	Labels []string
	// Lenient takes what is no member for the first one, as OpenFisca-Core did before version 43.
	Lenient bool

	index map[string]int16
}

// EnumMember is implemented by whatever stands for a member of an enumeration in object columns.
type EnumMember interface {
	EnumMember() (domain *vector.Domain, index int)
}

// NewEnum makes an enumeration. The names are distinct; labels has as many elements.
func NewEnum(name string, names, labels []string, of any) *Enum {
	e := &Enum{Domain: &vector.Domain{Name: name, Members: names, Of: of}, Labels: labels, index: make(map[string]int16, len(names))}
	for i, n := range names {
		e.index[n] = int16(i)
	}
	return e
}

// Index finds a member by name.
func (e *Enum) Index(name string) (int16, bool) {
	i, ok := e.index[name]
	return i, ok
}

// Len counts the members.
func (e *Enum) Len() int { return len(e.Domain.Members) }

// Encode makes an enum column of names, indexes or members. Columns that are enumerations already pass unchanged.
func (e *Enum) Encode(c vector.Column, rules *vector.Rules) (vector.Column, error) {
	n := c.Len()
	if c.Type() == vector.Enum {
		return c, nil
	}
	if c.Taped() {
		return vector.Record(e, e.encoding, rules, c)
	}
	if c.Constant() && n > 0 {
		code, err := e.encodeOne(c, 0, rules)
		return vector.EnumConst(n, e.Domain, code), err
	}
	codes := make([]int16, n)
	for i := range codes {
		code, err := e.encodeOne(c, i, rules)
		if err != nil {
			return vector.Column{}, err
		}
		codes[i] = code
	}
	return vector.Enums(e.Domain, codes), nil
}

// encoding is Encode as it is recorded.
func (e *Enum) encoding(r *vector.Rules, in []vector.Column) (vector.Column, error) {
	return e.Encode(in[0], r)
}

func (e *Enum) encodeOne(c vector.Column, i int, rules *vector.Rules) (int16, error) {
	if e.Lenient {
		return e.encodeLenient(c, i), nil
	}
	switch c.Type() {
	case vector.Int16, vector.Int32, vector.Int64:
		return e.fromIndex(c.Int(i))
	case vector.Str:
		return e.fromName(c.Text(i))
	case vector.Object:
		return e.fromObject(c.Object(i), rules)
	}
	return 0, typeError("values of %s cannot be made of %s: give names, indexes or members", e.Domain.Name, c.DType())
}

// encodeLenient knows members by identity, names in arrays of text, and indexes whatever they are.
func (e *Enum) encodeLenient(c vector.Column, i int) int16 {
	switch c.Type() {
	case vector.Int16, vector.Int32, vector.Int64:
		return int16(c.Int(i))
	case vector.Str:
		return e.index[c.Text(i)]
	case vector.Object:
		if member, ok := c.Object(i).(EnumMember); ok {
			if domain, index := member.EnumMember(); domain == e.Domain || domain.Name == e.Domain.Name {
				return int16(index)
			}
		}
	}
	return 0
}

func (e *Enum) fromObject(v any, rules *vector.Rules) (int16, error) {
	if member, ok := v.(EnumMember); ok {
		domain, index := member.EnumMember()
		if domain != e.Domain && domain.Name != e.Domain.Name {
			return 0, typeError("a member of %s is not a value of %s", domain.Name, e.Domain.Name)
		}
		return e.fromIndex(int64(index))
	}
	if s, ok := v.(string); ok {
		return e.fromName(s)
	}
	if rules != nil && rules.Objects != nil {
		if u := rules.Objects.Unbox(v); u.Type() != vector.Object {
			return e.encodeOne(u, 0, nil)
		}
	}
	return 0, typeError("an object that is neither a name nor a member is not a value of %s", e.Domain.Name)
}

func (e *Enum) fromIndex(i int64) (int16, error) {
	if i >= int64(e.Len()) || i < -1<<15 {
		return 0, &Error{"IndexError", "there is no member with that index in " + e.Domain.Name + ", which has: " + strings.Join(e.Domain.Members, ", ")}
	}
	return int16(i), nil
}

func (e *Enum) fromName(name string) (int16, error) {
	if i, ok := e.index[name]; ok {
		return i, nil
	}
	nearest := Nearest(name, slices.Values(e.Domain.Members))
	return 0, &Error{"IndexError", "'" + name + "' is not a value of " + e.Domain.Name + didYouMean(nearest) + " The values are: " + strings.Join(e.Domain.Members, ", ")}
}
