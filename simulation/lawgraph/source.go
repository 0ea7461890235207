package lawgraph

import (
	"strings"
	"sync"

	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// Sources finds the text of classes and functions in the files of a package. Files are read when they are first asked for,
// and kept: there are as many as the package has. It is safe for concurrent use.
type Sources struct {
	read  func(file string) ([]byte, error)
	mu    sync.Mutex
	files map[string]*File
}

// NewSources makes the sources of a package whose files read gives.
func NewSources(read func(file string) ([]byte, error)) *Sources {
	return &Sources{read: read, files: map[string]*File{}}
}

// File is a file of Python and the classes and functions in it.
type File struct {
	Name string

	lines    []string // with their ends
	comments map[int]bool
	blocks   map[int32]Block
}

// Block is a class or a function: its tree, and the lines it goes over, from 1.
type Block struct {
	Stmt        pysyntax.Stmt
	First, Last int
}

// Find returns the class or function that begins on a line; false if the file does not parse or has none there.
func (s *Sources) Find(at legislation.Source) (*File, Block, bool) {
	s.mu.Lock()
	f, ok := s.files[at.File]
	if !ok {
		// Under the lock, so that a file is parsed once however many ask for it.
		if text, err := s.read(at.File); err == nil {
			f = ParseFile(at.File, text)
		}
		s.files[at.File] = f
	}
	s.mu.Unlock()
	if f == nil {
		return nil, Block{}, false
	}
	b, ok := f.blocks[int32(at.Line)]
	return f, b, ok
}

// ParseFile finds the classes and functions of a file; it returns nil if it does not parse.
func ParseFile(file string, text []byte) *File {
	tree, err := pysyntax.Parse(file, text)
	if err != nil {
		return nil
	}
	f := &File{Name: file, lines: strings.SplitAfter(string(text), "\n"), comments: pysyntax.Comments(string(text)), blocks: map[int32]Block{}}
	f.collect(tree.Body, len(f.lines))
	return f
}

// collect notes the classes and functions of a body whose text ends before a line.
func (f *File) collect(body []pysyntax.Stmt, end int) {
	for i, stmt := range body {
		last := end
		if i+1 < len(body) {
			last = startOf(body[i+1]) - 1
		}
		var inner []pysyntax.Stmt
		switch s := stmt.(type) {
		case *pysyntax.ClassDef:
			inner = s.Body
		case *pysyntax.FunctionDef:
			inner = s.Body
		default:
			continue
		}
		line := stmt.Position().Line
		f.blocks[line] = Block{Stmt: stmt, First: int(line), Last: f.trim(int(line), last, inner[0])}
		f.collect(inner, last)
	}
}

// startOf is the first line of a statement, its decorators included.
func startOf(stmt pysyntax.Stmt) int {
	line := stmt.Position().Line
	var decorators []pysyntax.Expr
	switch s := stmt.(type) {
	case *pysyntax.ClassDef:
		decorators = s.Decorators
	case *pysyntax.FunctionDef:
		decorators = s.Decorators
	}
	for _, d := range decorators {
		line = min(line, d.Position().Line)
	}
	return int(line)
}

// trim takes blank lines off the end of a block, and comments but for those that are indented as its body is: Python
// counts them in.
func (f *File) trim(first, last int, body pysyntax.Stmt) int {
	indented := body.Position().Line > int32(first)
	for last = min(last, len(f.lines)); last > first; last-- {
		line := f.lines[last-1]
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		if text[0] != '#' || !f.comments[last] || indented && strings.IndexByte(line, '#') >= int(body.Position().Col)-1 {
			break
		}
	}
	return last
}

// Text is the lines of a block.
func (f *File) Text(b Block) string { return strings.Join(f.lines[b.First-1:b.Last], "") }

// At returns the block that begins on a line.
func (f *File) At(line int32) (Block, bool) {
	b, ok := f.blocks[line]
	return b, ok
}

// Docstring is the text that a class or function begins with.
func Docstring(stmt pysyntax.Stmt) string {
	var body []pysyntax.Stmt
	switch s := stmt.(type) {
	case *pysyntax.ClassDef:
		body = s.Body
	case *pysyntax.FunctionDef:
		body = s.Body
	}
	if len(body) == 0 {
		return ""
	}
	first, ok := body[0].(*pysyntax.ExprStmt)
	if !ok {
		return ""
	}
	c, ok := first.Value.(*pysyntax.Constant)
	if !ok {
		return ""
	}
	text, _ := c.Value.(string)
	return text
}
