// Package pysyntax turns Python source into a tree with positions.
//
// [Parse] reads a module, and returns an [*Error] that names file, line and column and shows the line with a caret where it
// cannot. [Pack] and [Unpack] keep a tree in a file, [Text] writes an expression as source.
//
// The tests write trees in two ways: as source such that parsing the result gives the same tree
// again, and as CPython 3.11's ast.dump does, which holds the tree to the original.
//
// The tree is this package's own: the grammar is read by a library at one seam (convert.go), so
// nothing above knows which. Nodes are plain data and never change after Parse; they may be shared by
// goroutines. Nesting and size are bounded before anything recurses ([MaxSource], [MaxBrackets],
// [MaxIndent], [MaxDepth]). Constructs the evaluator does not take (async, match, except*, complex
// numbers, type parameters, template strings) are refused here, as an [*Error] with Unsupported set.
package pysyntax

//go:generate go run generate.go

// Pos is a place in a source file: lines and columns count from 1, columns in characters.
// The zero Pos means unknown.
type Pos struct{ Line, Col int32 }

// Position returns the place itself, so that embedding a Pos makes a [Node].
func (p Pos) Position() Pos { return p }

// Node is any part of a tree.
type Node interface{ Position() Pos }

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

// Module is a whole file.
type Module struct {
	File string // as given to Parse
	Body []Stmt
}

// The kinds of expressions. Nil stands for an absent optional part everywhere.
type (
	// Constant is a literal. Value is nil (None), bool, int64, *big.Int, float64, string, Bytes or Ellipsis.
	Constant struct {
		Pos
		Value any
		U     bool // written with a u prefix; only ast.dump cares
	}
	Name struct {
		Pos
		ID string // NFKC-normalised
	}
	Unary struct {
		Pos
		Op      UnaryOp
		Operand Expr
	}
	Binary struct {
		Pos
		Op          BinaryOp
		Left, Right Expr
	}
	// Bool is `a and b and c` or `a or b or c`: two or more Values.
	Bool struct {
		Pos
		Or     bool
		Values []Expr
	}
	// Compare is a chain: Left Ops[0] Rights[0] Ops[1] Rights[1] ...
	Compare struct {
		Pos
		Left   Expr
		Ops    []CompareOp
		Rights []Expr
	}
	Attribute struct {
		Pos
		Value Expr
		Attr  string
	}
	Subscript struct {
		Pos
		Value, Index Expr
	}
	// Slice occurs only inside a Subscript's Index, alone or in a Tuple.
	Slice struct {
		Pos
		Lower, Upper, Step Expr
	}
	Call struct {
		Pos
		Func     Expr
		Args     []Expr // may hold Starred
		Keywords []Keyword
	}
	List struct {
		Pos
		Elts []Expr
	}
	Tuple struct {
		Pos
		Elts []Expr
	}
	Set struct {
		Pos
		Elts []Expr
	}
	Dict struct {
		Pos
		Items []DictItem
	}
	// Comp is a comprehension or generator expression. Value is set for a dict comprehension only.
	Comp struct {
		Pos
		Kind       CompKind
		Elt, Value Expr
		For        []CompFor
	}
	Lambda struct {
		Pos
		Params *Params
		Body   Expr
	}
	Walrus struct {
		Pos
		Target *Name
		Value  Expr
	}
	Starred struct {
		Pos
		Value Expr
	}
	Yield struct {
		Pos
		Value Expr // may be nil
	}
	YieldFrom struct {
		Pos
		Value Expr
	}
	// FString is f'...': Values are string Constants and Formatted parts in order.
	FString struct {
		Pos
		Values []Expr
	}
	// Formatted is one {value!conversion:spec} of an FString; it occurs nowhere else.
	Formatted struct {
		Pos
		Value      Expr
		Conversion byte     // 0, 'r', 's' or 'a'
		Spec       *FString // may be nil
	}
	// IfExp is `body if test else else`.
	IfExp struct {
		Pos
		Body, Test, Else Expr
	}
)

// Bytes is the value of a bytes literal.
type Bytes string

// Ellipsis is the value of `...`.
type Ellipsis struct{}

// Keyword is name=value in a call or class statement; Name is empty for **value.
type Keyword struct {
	Pos
	Name  string
	Value Expr
}

// DictItem is one `key: value` of a display; a nil Key stands for **value.
type DictItem struct {
	Key, Value Expr
}

// CompKind tells the four comprehensions apart.
type CompKind uint8

// The comprehensions.
const (
	ListComp CompKind = iota
	SetComp
	DictComp
	Generator
)

// CompFor is one `for target in iter if a if b` of a comprehension.
type CompFor struct {
	Target, Iter Expr
	Ifs          []Expr
}

// Params is a parameter list. The first PosOnly of Args may not be passed by keyword. Defaults belong
// to the last of Args; KwDefaults is parallel to KwOnly, nil where there is none.
type Params struct {
	Args       []Param
	PosOnly    int
	Defaults   []Expr
	Star       *Param // *args, may be nil
	KwOnly     []Param
	KwDefaults []Expr
	StarStar   *Param // **kwargs, may be nil
}

// Param is one parameter.
type Param struct {
	Pos
	Name       string
	Annotation Expr // may be nil
}

// The kinds of statements.
type (
	ExprStmt struct {
		Pos
		Value Expr
	}
	Assign struct {
		Pos
		Targets []Expr // one or more, as in a = b = value
		Value   Expr
	}
	AugAssign struct {
		Pos
		Target Expr
		Op     BinaryOp
		Value  Expr
	}
	// AnnAssign is `target: annotation = value`; Value may be nil.
	AnnAssign struct {
		Pos
		Target, Annotation, Value Expr
		Simple                    bool // the target is a bare name without parentheses
	}
	Return struct {
		Pos
		Value Expr // may be nil
	}
	Raise struct {
		Pos
		Exc, Cause Expr // may be nil
	}
	Pass     struct{ Pos }
	Break    struct{ Pos }
	Continue struct{ Pos }
	Import   struct {
		Pos
		Names []Alias
	}
	// ImportFrom is `from ..module import names`; Level counts the dots. A star is one Alias named "*".
	ImportFrom struct {
		Pos
		Module string
		Names  []Alias
		Level  int
	}
	Global struct {
		Pos
		Names []string
	}
	Nonlocal struct {
		Pos
		Names []string
	}
	Delete struct {
		Pos
		Targets []Expr
	}
	Assert struct {
		Pos
		Test, Msg Expr // Msg may be nil
	}
	// If holds an elif as the only statement of Else, as CPython's tree does.
	If struct {
		Pos
		Test       Expr
		Body, Else []Stmt
	}
	While struct {
		Pos
		Test       Expr
		Body, Else []Stmt
	}
	For struct {
		Pos
		Target, Iter Expr
		Body, Else   []Stmt
	}
	Try struct {
		Pos
		Body          []Stmt
		Handlers      []Handler
		Else, Finally []Stmt
	}
	With struct {
		Pos
		Items []WithItem
		Body  []Stmt
	}
	FunctionDef struct {
		Pos
		Decorators []Expr
		Name       string
		Params     *Params
		Returns    Expr   // annotation, may be nil
		Body       []Stmt // see Statements for trees made by Unpack

		late *late // the body that Unpack left
	}
	ClassDef struct {
		Pos
		Decorators []Expr
		Name       string
		Bases      []Expr
		Keywords   []Keyword
		Body       []Stmt
	}
)

// Alias is one `name as as` of an import; As is empty without a rename.
type Alias struct {
	Pos
	Name, As string
}

// Handler is one except clause; Type is nil for a bare one, Name empty without `as`.
type Handler struct {
	Pos
	Type Expr
	Name string
	Body []Stmt
}

// WithItem is one `context as target`; Target may be nil.
type WithItem struct {
	Context, Target Expr
}
