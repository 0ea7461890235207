package pyeval

import "strings"

// Unpack assigns the arguments of a Go function to its parameters, given as pairs of a name and a
// pointer. A name that ends in "?" is optional, and so are those after it; what is not given keeps the
// value it had. A name that begins with "*" can only be given by keyword. Pointers may be to Value,
// bool, int, int64, float64, string, or to the slice of the rest: *[]Value with the name "*".
// Wrong arguments raise TypeError as Python's own built-ins do.
func (th *Thread) Unpack(fn string, args []Value, kws []Kw, pairs ...any) {
	u := unpacker{th, fn, pairs, 0}
	u.positional(args)
	for _, kw := range kws {
		u.keyword(kw, len(args))
	}
	u.complete(len(args), kws)
}

type unpacker struct {
	th    *Thread
	fn    string
	pairs []any
	rest  int // index of the rest pair plus 1
}

func (u *unpacker) params() int { return len(u.pairs) / 2 }

func (u *unpacker) name(i int) (name string, optional, kwOnly bool) {
	name = u.pairs[2*i].(string)
	if kwOnly = len(name) > 1 && name[0] == '*'; kwOnly {
		name = name[1:]
	}
	name, optional = strings.CutSuffix(name, "?")
	return name, optional, kwOnly
}

func (u *unpacker) positional(args []Value) {
	i := 0
	for ; i < len(args); i++ {
		if i < u.params() {
			name, _, kwOnly := u.name(i)
			if name == "*" {
				*u.pairs[2*i+1].(*[]Value) = args[i:]
				return
			}
			if !kwOnly {
				u.assign(i, name, args[i])
				continue
			}
		}
		u.th.Raise(TypeError, "%s() takes at most %s (%d given)", u.fn, count(i, "argument"), len(args))
	}
}

func (u *unpacker) keyword(kw Kw, given int) {
	var names []string
	for i := range u.params() {
		name, _, _ := u.name(i)
		if name != kw.Name {
			names = append(names, name)
			continue
		}
		if i < given {
			u.th.Raise(TypeError, "argument for %s() given by name ('%s') and position (%d)", u.fn, name, i+1)
		}
		u.assign(i, name, kw.Value)
		return
	}
	u.th.Raise(TypeError, "%s() got an unexpected keyword argument '%s'%s", u.fn, kw.Name, hint(kw.Name, names))
}

func (u *unpacker) complete(given int, kws []Kw) {
	optionalFrom := false
	for i := range u.params() {
		name, optional, kwOnly := u.name(i)
		optionalFrom = optionalFrom || optional
		if optionalFrom || kwOnly || name == "*" || i < given {
			continue
		}
		found := false
		for _, kw := range kws {
			found = found || kw.Name == name
		}
		if !found {
			u.th.Raise(TypeError, "%s() missing required argument '%s' (pos %d)", u.fn, name, i+1)
		}
	}
}

func (u *unpacker) assign(i int, name string, v Value) {
	ok := false
	want := ""
	switch p := u.pairs[2*i+1].(type) {
	case *Value:
		*p, ok = v, true
	case *string:
		*p, ok = v.AsString()
		want = "str"
	case *int64:
		*p, ok = v.AsInt()
		want = "int"
	case *int:
		var n int64
		n, ok = v.AsInt()
		*p, want = int(n), "int"
	case *float64:
		*p, ok = v.AsFloat()
		want = "float"
	case *bool:
		*p, ok = u.th.Truth(v), true
	}
	if !ok {
		u.th.Raise(TypeError, "%s() argument '%s' must be %s, not %s", u.fn, name, want, TypeName(v))
	}
}
