package pysyntax

// BinaryOp is an arithmetic or bitwise operator.
type BinaryOp uint8

// The binary operators.
const (
	Add BinaryOp = iota
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv
)

// UnaryOp is a prefix operator.
type UnaryOp uint8

// The unary operators.
const (
	Invert UnaryOp = iota
	Not
	UAdd
	USub
)

// CompareOp is a comparison.
type CompareOp uint8

// The comparisons.
const (
	Eq CompareOp = iota
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

// operator is how an operator is called in CPython's tree, and how it is written.
type operator struct{ name, sign string }

var (
	binaryOps = [...]operator{
		Add: {"Add", "+"}, Sub: {"Sub", "-"}, Mult: {"Mult", "*"}, MatMult: {"MatMult", "@"}, Div: {"Div", "/"},
		Mod: {"Mod", "%"}, Pow: {"Pow", "**"}, LShift: {"LShift", "<<"}, RShift: {"RShift", ">>"},
		BitOr: {"BitOr", "|"}, BitXor: {"BitXor", "^"}, BitAnd: {"BitAnd", "&"}, FloorDiv: {"FloorDiv", "//"},
	}
	unaryOps   = [...]operator{Invert: {"Invert", "~"}, Not: {"Not", "not "}, UAdd: {"UAdd", "+"}, USub: {"USub", "-"}}
	compareOps = [...]operator{
		Eq: {"Eq", "=="}, NotEq: {"NotEq", "!="}, Lt: {"Lt", "<"}, LtE: {"LtE", "<="}, Gt: {"Gt", ">"}, GtE: {"GtE", ">="},
		Is: {"Is", "is"}, IsNot: {"IsNot", "is not"}, In: {"In", "in"}, NotIn: {"NotIn", "not in"},
	}
)

// String returns the operator as written.
func (op BinaryOp) String() string { return binaryOps[op].sign }

// String returns the operator as written.
func (op UnaryOp) String() string { return unaryOps[op].sign }

// String returns the operator as written.
func (op CompareOp) String() string { return compareOps[op].sign }

// named finds an operator by CPython's name.
func named(table []operator, name string) (int, bool) {
	for i, op := range table {
		if op.name == name {
			return i, true
		}
	}
	return 0, false
}
