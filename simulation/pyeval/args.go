package pyeval

// This file defines how Go functions take the arguments that Python code gives them.

import "strings"

// Unpack assigns the arguments of a Go function to its parameters, given as pairs of a name and a
// pointer. A name that ends in "?" is optional, and so are those after it; what is not given keeps the
// value it had. A name that begins with "*" can only be given by keyword. Pointers may be to Value,
// bool, int, int64, float64, string, or to the slice of the rest: *[]Value with the name "*".
// Wrong arguments raise TypeError as Python's own built-ins do.
//
// The pointers do not escape: texts taken from the pairs are cloned before they go into an error, so that
// the caller's variables stay on its stack (TestUnpackAllocates).
func (th *Thread) Unpack(fn string, args []Value, kws []Kw, pairs ...any) {
	th.unpackPositional(fn, args, pairs)
	for i := range kws {
		th.unpackKeyword(fn, &kws[i], len(args), pairs)
	}
	if len(args) < len(pairs)/2 {
		th.unpackComplete(fn, len(args), kws, pairs)
	}
}

// isParameter tells whether a pair is of the parameter of a name, as quickly as can be.
func isParameter(pair any, name string) bool {
	p := pair.(string)
	if len(p) > 1 && p[0] == '*' {
		p = p[1:]
	}
	return p == name || len(p) == len(name)+1 && p[len(name)] == '?' && p[:len(name)] == name
}

// parameter returns what the i-th pair says about its parameter.
func parameter(pairs []any, i int) (name string, optional, kwOnly bool) {
	name = pairs[2*i].(string)
	if kwOnly = len(name) > 1 && name[0] == '*'; kwOnly {
		name = name[1:]
	}
	name, optional = strings.CutSuffix(name, "?")
	return name, optional, kwOnly
}

func (th *Thread) unpackPositional(fn string, args []Value, pairs []any) {
	i := 0
	for ; i < len(args); i++ {
		if i < len(pairs)/2 {
			if p, ok := pairs[2*i+1].(*Value); ok && pairs[2*i].(string)[0] != '*' {
				*p = args[i]
				continue
			}
			name, _, kwOnly := parameter(pairs, i)
			if name == "*" {
				*pairs[2*i+1].(*[]Value) = args[i:]
				return
			}
			if !kwOnly {
				th.unpackInto(fn, name, pairs[2*i+1], &args[i])
				continue
			}
		}
		th.Raise(TypeError, "%s() takes at most %s (%d given)", fn, count(i, "argument"), len(args))
	}
}

func (th *Thread) unpackKeyword(fn string, kw *Kw, given int, pairs []any) {
	for i := range len(pairs) / 2 {
		if !isParameter(pairs[2*i], kw.Name) {
			continue
		}
		if i < given {
			th.Raise(TypeError, "argument for %s() given by name ('%s') and position (%d)", fn, kw.Name, i+1)
		}
		th.unpackInto(fn, kw.Name, pairs[2*i+1], &kw.Value)
		return
	}
	th.unexpectedKeyword(fn, kw, pairs)
}

func (th *Thread) unexpectedKeyword(fn string, kw *Kw, pairs []any) {
	var names []string
	for i := range len(pairs) / 2 {
		name, _, _ := parameter(pairs, i)
		names = append(names, strings.Clone(name))
	}
	th.Raise(TypeError, "%s() got an unexpected keyword argument '%s'%s", fn, kw.Name, hint(kw.Name, names))
}

func (th *Thread) unpackComplete(fn string, given int, kws []Kw, pairs []any) {
	optionalFrom := false
	for i := max(given-1, 0); i < len(pairs)/2 && !optionalFrom; i++ { // if the last that was given is optional, all others are
		name, optional, kwOnly := parameter(pairs, i)
		optionalFrom = optionalFrom || optional
		if optionalFrom || kwOnly || name == "*" || i < given {
			continue
		}
		found := false
		for _, kw := range kws {
			found = found || kw.Name == name
		}
		if !found {
			th.Raise(TypeError, "%s() missing required argument '%s' (pos %d)", fn, strings.Clone(name), i+1)
		}
	}
}

func (th *Thread) unpackInto(fn, name string, to any, given *Value) {
	if p, ok := to.(*Value); ok {
		*p = *given
		return
	}
	ok, v := false, *given
	want := ""
	switch p := to.(type) {
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
		*p, ok = th.Truth(v), true
	}
	if !ok {
		th.Raise(TypeError, "%s() argument '%s' must be %s, not %s", fn, strings.Clone(name), want, TypeName(v))
	}
}
