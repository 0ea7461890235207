package scenario

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/vector"
)

// Expressions are the sums that people write instead of a number: "12 * 1500". Numbers, + - * / // % ** and parentheses
// mean what they mean in Python, functions what they mean in numpy.

var (
	// errNoExpression says that a text is not an expression at all.
	errNoExpression = errors.New("not an expression")
	// errForbidden says that a text has what could only be meant as code.
	errForbidden = errors.New("forbidden characters")
)

// What the original refuses in an expression without blanks and quoted texts: statements, names of Python's own, and
// attributes that are not the rest of a number.
var (
	blanks    = regexp.MustCompile(`\s+`)
	quoted    = regexp.MustCompile(`'[^']*'`)
	statement = regexp.MustCompile(`[;:\[]|(^|\W)__\w+__($|\W)`)
	attribute = regexp.MustCompile(`\.\b`)
	fraction  = regexp.MustCompile(`^(?:real|imag|\d*[eE]?[+-]?\d+j?|\d*j)\b`)
)

func isForbidden(text string) bool {
	if !strings.ContainsAny(text, ";:[_.") {
		return false
	}
	text = quoted.ReplaceAllString(blanks.ReplaceAllString(text, ""), "")
	if statement.MatchString(text) {
		return true
	}
	for _, dot := range attribute.FindAllStringIndex(text, -1) {
		if !fraction.MatchString(text[dot[1]:]) {
			return true
		}
	}
	return false
}

// maxNesting bounds parentheses and signs.
const maxNesting = 100

// Evaluate computes an expression. It returns ok false for a text that is none, and an error for one that has no value,
// such as a division by zero.
func Evaluate(text string) (value vector.Column, ok bool, err error) {
	if text == "" {
		return value, false, nil
	}
	if isForbidden(text) {
		return value, false, errForbidden
	}
	if strings.TrimLeft(text, " \t") != text {
		return value, false, nil
	}
	p := &expression{rest: text}
	v, err := p.sum()
	if err == nil && p.peek() != "" {
		err = errNoExpression
	}
	if errors.Is(err, errNoExpression) {
		return value, false, nil
	}
	return v.column(), err == nil, err
}

// number is a Python int or float.
type number struct {
	i     int64
	f     float64
	float bool
}

func (n number) float64() float64 {
	if n.float {
		return n.f
	}
	return float64(n.i)
}

func (n number) column() vector.Column {
	if n.float {
		return vector.PyFloat(n.f)
	}
	return vector.PyInt(n.i)
}

func floating(f float64) number { return number{f: f, float: true} }

type expression struct {
	rest  string
	depth int
}

// peek returns the next token, empty at the end.
func (p *expression) peek() string {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return ""
	}
	if strings.HasPrefix(p.rest, "**") || strings.HasPrefix(p.rest, "//") {
		return p.rest[:2]
	}
	if n := numberLength(p.rest); slices.Contains(words, p.rest[:n]) {
		return p.rest[:n]
	}
	if c := p.rest[0]; c != '.' && (c < '0' || c > '9') {
		return p.rest[:1]
	}
	return p.rest[:numberLength(p.rest)]
}

// words are the names that an expression may have.
var words = []string{"False", "True", "abs", "ceil", "floor", "round", "sqrt", "trunc"}

func numberLength(s string) int {
	for i := range len(s) {
		c := s[i]
		sign := (c == '+' || c == '-') && i > 0 && (s[i-1] == 'e' || s[i-1] == 'E') && !strings.HasPrefix(s, "0x")
		if c != '.' && c != '_' && !sign && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return i
		}
	}
	return len(s)
}

func (p *expression) take() string {
	t := p.peek()
	p.rest = p.rest[len(t):]
	return t
}

func (p *expression) sum() (number, error) {
	return p.chain([]string{"+", "-"}, p.product)
}

func (p *expression) product() (number, error) {
	return p.chain([]string{"*", "/", "//", "%"}, p.signed)
}

// chain reads operands joined by operators of one precedence, from left to right.
func (p *expression) chain(operators []string, operand func() (number, error)) (number, error) {
	left, err := operand()
	for err == nil {
		op := p.peek()
		if !slices.Contains(operators, op) {
			return left, nil
		}
		p.take()
		var right number
		if right, err = operand(); err == nil {
			left, err = apply(op, left, right)
		}
	}
	return left, err
}

func (p *expression) signed() (number, error) {
	sign := p.peek()
	if sign != "-" && sign != "+" {
		return p.power()
	}
	p.take()
	if p.depth++; p.depth > maxNesting {
		return number{}, errNoExpression
	}
	v, err := p.signed()
	p.depth--
	if err == nil && sign == "-" {
		v.f = -v.f
		v.i = -v.i
	}
	return v, err
}

func (p *expression) power() (number, error) {
	base, err := p.atom()
	if err != nil || p.peek() != "**" {
		return base, err
	}
	p.take()
	// As in Python, ** binds less tightly than a sign on its right: 2 ** -1.
	exponent, err := p.signed()
	if err != nil {
		return base, err
	}
	return apply("**", base, exponent)
}

func (p *expression) atom() (number, error) {
	switch t := p.take(); {
	case t == "(":
		if p.depth++; p.depth > maxNesting {
			return number{}, errNoExpression
		}
		v, err := p.sum()
		p.depth--
		if err == nil && p.take() != ")" {
			err = errNoExpression
		}
		return v, err
	case t == "True":
		return number{i: 1}, nil
	case t == "False":
		return number{}, nil
	case slices.Contains(words, t) && p.peek() == "(":
		return p.call(t)
	case t == "" || t[0] != '.' && (t[0] < '0' || t[0] > '9'):
		return number{}, errNoExpression
	default:
		return literal(t)
	}
}

// call reads the arguments of a function, and gives its value. Of round the second one is how many decimals to leave.
func (p *expression) call(name string) (number, error) {
	p.take()
	if p.depth++; p.depth > maxNesting {
		return number{}, errNoExpression
	}
	v, err := p.sum()
	decimals := number{}
	if err == nil && name == "round" && p.peek() == "," {
		p.take()
		decimals, err = p.sum()
	}
	p.depth--
	if err == nil && (p.take() != ")" || decimals.float || decimals.i < -maxDecimals || decimals.i > maxDecimals) {
		err = errNoExpression
	}
	if err != nil {
		return v, err
	}
	f := v.float64()
	switch name {
	case "abs":
		f = math.Abs(f)
	case "ceil":
		f = math.Ceil(f)
	case "floor":
		f = math.Floor(f)
	case "round":
		c, err := new(vector.Rules).Round(vector.Scalar(f), int(decimals.i))
		if err != nil {
			return v, errNoExpression
		}
		f = c.Float(0)
	case "sqrt":
		f = math.Sqrt(f)
	case "trunc":
		f = math.Trunc(f)
	}
	return floating(f), nil
}

// maxDecimals is how many decimals a number may be rounded to.
const maxDecimals = 300

func literal(t string) (number, error) {
	decimal := strings.Trim(t, "0123456789_") == ""
	if decimal && len(t) > 1 && t[0] == '0' && strings.Trim(t, "0_") != "" {
		return number{}, errNoExpression
	}
	if i, err := strconv.ParseInt(t, 0, 64); err == nil {
		return number{i: i}, nil
	} else if errors.Is(err, strconv.ErrRange) {
		return number{}, errTooLarge
	}
	if strings.HasPrefix(strings.ToLower(t), "0x") {
		return number{}, errNoExpression
	}
	f, err := vector.ParseFloat(t)
	if err != nil {
		return number{}, errNoExpression
	}
	return floating(f), nil
}

var (
	errTooLarge = errors.New("the number is too large")
	errByZero   = errors.New("division by zero")
)

func apply(op string, a, b number) (number, error) {
	if (op == "/" || op == "//" || op == "%") && b.float64() == 0 {
		return number{}, errByZero
	}
	if a.float || b.float || op == "/" || op == "**" && b.i < 0 {
		return applyFloat(op, a.float64(), b.float64())
	}
	return applyInt(op, a.i, b.i)
}

func applyFloat(op string, a, b float64) (number, error) {
	switch op {
	case "+":
		return floating(a + b), nil
	case "-":
		return floating(a - b), nil
	case "*":
		return floating(a * b), nil
	case "/":
		return floating(a / b), nil
	case "//":
		return floating(math.Floor((a - floorMod(a, b)) / b)), nil
	case "%":
		return floating(floorMod(a, b)), nil
	}
	return floating(math.Pow(a, b)), nil
}

func floorMod(a, b float64) float64 {
	m := math.Mod(a, b)
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

func applyInt(op string, a, b int64) (number, error) {
	var r int64
	exact := true
	switch op {
	case "+":
		r = a + b
		exact = (r > a) == (b > 0)
	case "-":
		r = a - b
		exact = (r < a) == (b > 0)
	case "*":
		r, exact = multiply(a, b)
	case "//":
		if r = a / b; a%b != 0 && (a < 0) != (b < 0) {
			r--
		}
	case "%":
		if r = a % b; r != 0 && (r < 0) != (b < 0) {
			r += b
		}
	case "**":
		r, exact = raise(a, b)
	}
	if !exact {
		return number{}, errTooLarge
	}
	return number{i: r}, nil
}

func multiply(a, b int64) (int64, bool) {
	r := a * b
	// A division undoes the product unless it overflowed; the smallest integer overflows in both directions.
	return r, a == 0 || r/a == b && !(a == -1 && b == math.MinInt64)
}

func raise(a, b int64) (int64, bool) {
	switch {
	case b > 0 && (a == 0 || a == 1):
		return a, true
	case a == -1:
		return 1 - 2*(b&1), true
	// No base is left whose power fits, and the loop must not run as long as a caller likes.
	case b > 64:
		return 0, false
	}
	r := int64(1)
	for range b {
		product, exact := multiply(r, a)
		if !exact {
			return 0, false
		}
		r = product
	}
	return r, true
}
