package vector

// Rules are the rules of numpy in force. The zero value, and nil, mean numpy 1.x without objects.
// Rules without a Pool are read-only: share them.
type Rules struct {
	// NEP50 selects numpy 2's promotion, where only Python scalars are weak, instead of numpy 1's value-based one.
	NEP50 bool
	// Objects computes with elements of Object columns; nil refuses such operations with a TypeError.
	Objects ObjectMath
	// Pool, if not nil, lends storage to the results of Binary. Rules with a Pool belong to one goroutine.
	Pool *Pool
}

// ObjectMath does Python's operations on the elements of Object columns.
type ObjectMath interface {
	// Box gives the Python object for a column of length 1, as ndarray.astype(object) and tolist do.
	Box(scalar Column) any
	// Unbox gives the Python scalar an object stands for: PyBool, PyInt, PyFloat, PyStr, a date scalar, or PyObject.
	Unbox(v any) Column
	// Binary computes a op b; comparisons and logical operations included.
	Binary(op Op, a, b any) (any, error)
	// Unary computes op a.
	Unary(op Op, a any) (any, error)
	// Truth is Python's bool(v).
	Truth(v any) (bool, error)
	// Format is Python's str(v).
	Format(v any) (string, error)
}

func (r *Rules) nep50() bool { return r != nil && r.NEP50 }

func (r *Rules) objects() (ObjectMath, error) {
	if r == nil || r.Objects == nil {
		return nil, typeError("operation on objects is not supported here")
	}
	return r.Objects, nil
}

// Op names an element-wise operation of one or two operands.
type Op uint8

// The element-wise operations, named as numpy's functions.
const (
	// Two operands.
	Add Op = iota
	Subtract
	Multiply
	Divide
	FloorDivide
	Remainder
	Power
	Equal
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	BitAnd
	BitOr
	BitXor
	LogicalAnd
	LogicalOr
	LogicalXor
	Minimum
	Maximum
	NextAfter
	// One operand.
	Negative
	Positive
	Absolute
	Invert
	LogicalNot
	Floor
	Ceil
	Trunc
	Rint
	Fabs
	Sign
	Square
	Sqrt
	Exp
	Log
	Log2
	Log10
	Log1p
	Exp2
	Expm1
	Cbrt
	Sin
	Cos
	Tan
	Arcsin
	Arccos
	Arctan
	Sinh
	Cosh
	Tanh
	Arcsinh
	Arccosh
	Arctanh
	IsNaN
	IsInf
	IsFinite
)

var opNames = [...]string{
	"add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power",
	"equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
	"bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or", "logical_xor", "minimum", "maximum", "nextafter",
	"negative", "positive", "absolute", "invert", "logical_not", "floor", "ceil", "trunc", "rint", "fabs", "sign", "square",
	"sqrt", "exp", "log", "log2", "log10", "log1p", "exp2", "expm1", "cbrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
	"arcsinh", "arccosh", "arctanh",
	"isnan", "isinf", "isfinite",
}

// String gives numpy's name of the function.
func (op Op) String() string { return opNames[op] }

// ParseOp finds an operation by numpy's name of the function.
func ParseOp(name string) (Op, bool) {
	for op, s := range opNames {
		if s == name {
			return Op(op), true
		}
	}
	return 0, false
}

// Operands returns how many operands op takes.
func (op Op) Operands() int {
	if op < Negative {
		return 2
	}
	return 1
}

func (op Op) elementary() bool { return op >= Log2 && op <= Arctanh }
func (op Op) comparison() bool { return op >= Equal && op <= GreaterEqual }
func (op Op) logical() bool    { return op >= LogicalAnd && op <= LogicalXor }
