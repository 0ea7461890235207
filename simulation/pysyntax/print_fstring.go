package pysyntax

import "strings"

// fstring writes an f-string in the first kind of quotes that its expressions leave free, so that
// Python 3.11 can read it too; if none is free, Python 3.12 still can.
func fstring(n *FString) string {
	var text string
	for _, quote := range []string{"'", "\"", "'''", "\"\"\""} {
		body, clean := fstringBody(n, quote[0])
		text = "f" + quote + body + quote
		if clean {
			return text
		}
	}
	return text
}

// fstringBody writes the parts of an f-string; clean says that no expression holds the quote, a
// backslash or a line end.
func fstringBody(n *FString, quote byte) (body string, clean bool) {
	var b strings.Builder
	clean = true
	for _, v := range n.Values {
		switch v := v.(type) {
		case *Constant:
			s, _ := v.Value.(string)
			fstringText(&b, s, quote)
		case *Formatted:
			text, ok := formattedText(v, quote)
			b.WriteString(text)
			clean = clean && ok
		}
	}
	return b.String(), clean
}

func formattedText(v *Formatted, quote byte) (text string, clean bool) {
	var p printer
	p.expr(v.Value, atWalrus)
	inner := p.String()
	clean = strings.IndexByte(inner, quote) < 0 && !strings.ContainsAny(inner, "\\\n")
	if strings.HasPrefix(inner, "{") {
		inner = " " + inner
	}
	if needsParens(v.Value) {
		inner = "(" + inner + ")"
	}
	var b strings.Builder
	b.WriteString("{" + inner)
	if v.Conversion != 0 {
		b.WriteString("!" + string(rune(v.Conversion)))
	}
	if v.Spec != nil {
		spec, ok := fstringBody(v.Spec, quote)
		b.WriteString(":" + spec)
		clean = clean && ok
	}
	b.WriteByte('}')
	return b.String(), clean
}

// needsParens tells the expressions whose colon or equals sign would end the field.
func needsParens(e Expr) bool {
	found := false
	switch n := e.(type) {
	case *Lambda, *Walrus:
		found = true
	case *IfExp:
		found = needsParens(n.Else)
	case *Unary:
		found = needsParens(n.Operand)
	case *Yield:
		found = n.Value != nil && needsParens(n.Value)
	case *YieldFrom:
		found = needsParens(n.Value)
	case *Tuple:
		for _, x := range n.Elts {
			found = found || needsParens(x)
		}
	}
	return found
}

func fstringText(b *strings.Builder, s string, quote byte) {
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		i += size
		switch {
		case r == '{' || r == '}':
			b.WriteRune(r)
			b.WriteRune(r)
		case r == rune(quote):
			b.WriteByte('\\')
			b.WriteByte(quote)
		default:
			escape(b, r)
		}
	}
}
