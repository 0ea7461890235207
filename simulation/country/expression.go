package country

import (
	"regexp"

	py "edict/simulation/pyeval"
	"edict/simulation/pysyntax"
	"edict/simulation/vector"
)

// dayLike finds numbers that begin with a zero, as months do, which are none in Python.
var dayLike = regexp.MustCompile(`(^|[^.\d])0\d`)

// evalExpression is commons.eval_expression(text): the value of a sum of numbers, or the text itself if it is something
// else.
func evalExpression(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var text string
	th.Unpack("eval_expression", args, kws, "expression", &text)
	tree, err := pysyntax.ParseText("expression", text)
	if err != nil || len(tree.Body) != 1 || dayLike.MatchString(text) {
		return py.String(text)
	}
	sum, ok := tree.Body[0].(*pysyntax.ExprStmt)
	if !ok {
		return py.String(text)
	}
	v, ok := sumOf(th.Rules(), sum.Value)
	if !ok {
		return py.String(text)
	}
	return py.Col(v)
}

// sumOperators are the operators of sums.
var sumOperators = map[pysyntax.BinaryOp]vector.Op{
	pysyntax.Add: vector.Add, pysyntax.Sub: vector.Subtract, pysyntax.Mult: vector.Multiply, pysyntax.Div: vector.Divide, pysyntax.Pow: vector.Power,
}

// sumOf computes with 32-bit integers and 64-bit floats, as numexpr does.
func sumOf(rules *vector.Rules, e pysyntax.Expr) (vector.Column, bool) {
	switch n := e.(type) {
	case *pysyntax.Constant:
		switch v := n.Value.(type) {
		case int64:
			if v == int64(int32(v)) {
				return vector.Scalar(int32(v)), true
			}
			return vector.Scalar(v), true
		case float64:
			return vector.Scalar(v), true
		case bool:
			return vector.Scalar(v), true
		}
	case *pysyntax.Unary:
		x, ok := sumOf(rules, n.Operand)
		if !ok || n.Op != pysyntax.USub {
			return x, ok && n.Op == pysyntax.UAdd
		}
		c, err := rules.Unary(vector.Negative, x)
		return c, err == nil
	case *pysyntax.Binary:
		x, ok := sumOf(rules, n.Left)
		y, also := sumOf(rules, n.Right)
		op, known := sumOperators[n.Op]
		if !ok || !also || !known {
			return x, false
		}
		c, err := rules.Binary(op, x, y)
		return c, err == nil
	}
	return vector.Column{}, false
}
