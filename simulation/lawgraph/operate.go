package lawgraph

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/pysyntax"
)

// one is the constant that a value is.
func one[T any](v value) (T, bool) {
	var none T
	if len(v) != 1 {
		return none, false
	}
	c, ok := v[0].(constant)
	if !ok {
		return none, false
	}
	out, ok := c.v.(T)
	return out, ok
}

// answer is what a condition is known to be.
type answer uint8

const (
	perhaps answer = iota
	yes
	no
)

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// truth is what a value counts as in a condition.
func truth(v value) answer {
	if len(v) != 1 {
		return perhaps
	}
	switch a := v[0].(type) {
	case constant:
		switch c := a.v.(type) {
		case nil:
			return no
		case bool:
			return answerOf(c)
		case string:
			return answerOf(c != "")
		case int64:
			return answerOf(c != 0)
		}
	case population, simulation, law, item, *closure, native:
		return yes
	}
	return perhaps
}

// operate is left op right: texts and lists are joined, whole numbers added, everything else is not known.
func (r *reader) operate(f *frame, op pysyntax.BinaryOp, left, right value, at pysyntax.Pos) value {
	var out value
	for _, a := range left {
		for _, b := range right {
			r.step(1)
			out = join(out, r.operateOn(f, op, a, b, at))
		}
	}
	if len(out) == 0 {
		return unknown
	}
	return out
}

func (r *reader) operateOn(f *frame, op pysyntax.BinaryOp, a, b atom, at pysyntax.Pos) value {
	x, isSequence := a.(*sequence)
	y, both := b.(*sequence)
	switch {
	case isSequence && both && (op == pysyntax.Add || op == pysyntax.BitOr):
		return only(&sequence{items: slices.Concat(x.items, y.items)})
	case isSequence && op != pysyntax.Mod:
		return only(x) // a list times a number, a set without some
	case isText(a) && op == pysyntax.Add:
		return only(concat(origin{f.of.file, at}, a, b))
	case isText(b) && op == pysyntax.Add:
		return only(concat(origin{f.of.file, at}, a, b))
	case isText(a) && op == pysyntax.Mod:
		return only(r.percent(a, b))
	}
	m, ok := numberOf(a)
	n, alike := numberOf(b)
	if !ok || !alike {
		return unknown
	}
	switch op {
	case pysyntax.Add:
		return only(constant{v: m + n})
	case pysyntax.Sub:
		return only(constant{v: m - n})
	case pysyntax.Mult:
		return only(constant{v: m * n})
	}
	return unknown
}

func numberOf(a atom) (int64, bool) {
	c, ok := a.(constant)
	if !ok {
		return 0, false
	}
	n, ok := c.v.(int64)
	return n, ok
}

func isText(a atom) bool {
	switch a := a.(type) {
	case constant:
		_, ok := a.v.(string)
		return ok
	case pattern:
		return true
	}
	return false
}

// written is an atom as a part of a text: a star where it is not known.
func written(a atom) (text string, known bool) {
	switch a := a.(type) {
	case constant:
		switch v := a.v.(type) {
		case string:
			return v, true
		case int64, bool:
			return fmt.Sprint(v), true
		}
	case pattern:
		return a.text, false
	}
	return "*", false
}

// concat is atoms written one after the other.
func concat(at origin, atoms ...atom) atom {
	var text strings.Builder
	all := true
	for _, a := range atoms {
		part, known := written(a)
		text.WriteString(part)
		all = all && known
	}
	// A name that is written whole stands where it is written.
	for _, a := range atoms {
		if c, ok := a.(constant); ok && c.at.file != nil && c.v != "" {
			at = c.at
			break
		}
	}
	if all {
		return constant{text.String(), at}
	}
	return pattern{text.String(), at}
}

// fstring is every text that a f'...' may be.
func (r *reader) fstring(f *frame, e *pysyntax.FString) value {
	parts := [][]atom{nil}
	for _, p := range e.Values {
		var v value
		switch p := p.(type) {
		case *pysyntax.Formatted:
			v = r.expr(f, p.Value)
			if p.Spec != nil || p.Conversion == 'r' {
				v = unknown
			}
		default:
			v = r.expr(f, p)
		}
		parts = r.times(parts, v)
	}
	var out value
	for _, p := range parts {
		out = join(out, only(concat(origin{f.of.file, e.Pos}, p...)))
	}
	return out
}

// times is every list of parts with every alternative of a value behind it.
func (r *reader) times(parts [][]atom, v value) [][]atom {
	if len(parts)*len(v) > maxAlternatives || len(v) == 0 {
		v = unknown
	}
	r.step(len(parts) * len(v))
	var out [][]atom
	for _, p := range parts {
		for _, a := range v {
			out = append(out, append(slices.Clip(p), a))
		}
	}
	return out
}

// percent is text % arguments.
func (r *reader) percent(text, arguments atom) atom {
	pieces, _ := written(text)
	var args []value
	if s, ok := arguments.(*sequence); ok {
		args = s.items
	} else {
		args = []value{only(arguments)}
	}
	for _, v := range args {
		word := "*"
		if len(v) == 1 {
			word, _ = written(v[0])
		}
		for _, mark := range []string{"%s", "%d", "%i"} {
			if strings.Contains(pieces, mark) {
				pieces = strings.Replace(pieces, mark, word, 1)
				break
			}
		}
	}
	return made(pieces, text)
}

// made is a text that was made of another, with stars for what is not known.
func made(text string, of atom) atom {
	at := origin{}
	switch of := of.(type) {
	case constant:
		at = of.at
	case pattern:
		at = of.at
	}
	if strings.Contains(text, "*") {
		return pattern{text, at}
	}
	return constant{text, at}
}

// compare is known for constants only.
func (r *reader) compare(f *frame, e *pysyntax.Compare) value {
	left := r.expr(f, e.Left)
	rights := make([]value, len(e.Rights))
	for i, right := range e.Rights {
		rights[i] = r.expr(f, right)
	}
	if len(rights) != 1 || len(left) != 1 || len(rights[0]) != 1 {
		return unknown
	}
	switch t := compareAtoms(e.Ops[0], left[0], rights[0][0]); t {
	case yes, no:
		return only(constant{v: t == yes})
	}
	return unknown
}

func compareAtoms(op pysyntax.CompareOp, a, b atom) answer {
	x, ok := a.(constant)
	y, both := b.(constant)
	switch {
	case (op == pysyntax.Is || op == pysyntax.IsNot) && both && y.v == nil:
		if _, open := a.(opaque); open {
			return perhaps
		}
		return answerOf((ok && x.v == nil) == (op == pysyntax.Is))
	case !ok:
		return perhaps
	case op == pysyntax.In || op == pysyntax.NotIn:
		found := contains(b, x)
		if found == perhaps {
			return perhaps
		}
		return answerOf((found == yes) == (op == pysyntax.In))
	case !both:
		return perhaps
	case op == pysyntax.Eq:
		return answerOf(x.v == y.v)
	case op == pysyntax.NotEq:
		return answerOf(x.v != y.v)
	}
	return compareNumbers(op, x, y)
}

func compareNumbers(op pysyntax.CompareOp, x, y constant) answer {
	m, ok := x.v.(int64)
	n, both := y.v.(int64)
	if !ok || !both {
		return perhaps
	}
	switch op {
	case pysyntax.Lt:
		return answerOf(m < n)
	case pysyntax.LtE:
		return answerOf(m <= n)
	case pysyntax.Gt:
		return answerOf(m > n)
	case pysyntax.GtE:
		return answerOf(m >= n)
	}
	return perhaps
}

// contains reports whether a list or dict has a constant.
func contains(in atom, c constant) answer {
	switch in := in.(type) {
	case *sequence:
		for _, v := range in.items {
			if len(v) != 1 {
				return perhaps
			}
			other, ok := v[0].(constant)
			if !ok {
				return perhaps
			}
			if other.v == c.v {
				return yes
			}
		}
		return no
	case *mapping:
		for _, e := range in.entries {
			if e.key == nil {
				return perhaps
			}
			if e.key == c.v {
				return yes
			}
		}
		return no
	}
	return perhaps
}
