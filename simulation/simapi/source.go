package simapi

import (
	"strings"
	"sync"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
)

// sources finds the text of classes and functions in the files of a package. Files are read when they are first asked for.
type sources struct {
	pkg   *country.Package
	mu    sync.Mutex
	files map[string]*sourceFile
}

type sourceFile struct {
	lines    []string // with their ends
	comments map[int]bool
	blocks   map[int32]block
}

// block is a class or a function: its tree, and the lines it goes over.
type block struct {
	stmt        pysyntax.Stmt
	first, last int // lines, from 1
}

// find returns the class or function that begins on a line; false if the file does not parse or has none there.
func (s *sources) find(at legislation.Source) (*sourceFile, block, bool) {
	s.mu.Lock()
	f, ok := s.files[at.File]
	if !ok {
		// Under the lock, so that a file is parsed once however many ask for it.
		f = s.read(at.File)
		s.files[at.File] = f
	}
	s.mu.Unlock()
	if f == nil {
		return nil, block{}, false
	}
	b, ok := f.blocks[int32(at.Line)]
	return f, b, ok
}

func (s *sources) read(file string) *sourceFile {
	text, err := s.pkg.ReadFile(file)
	if err != nil {
		return nil
	}
	return parseSource(file, text)
}

// parseSource finds the blocks of a file, nil if it does not parse.
func parseSource(file string, text []byte) *sourceFile {
	tree, err := pysyntax.Parse(file, text)
	if err != nil {
		return nil
	}
	f := &sourceFile{lines: strings.SplitAfter(string(text), "\n"), comments: pysyntax.Comments(string(text)), blocks: map[int32]block{}}
	f.collect(tree.Body, len(f.lines))
	return f
}

// collect notes the classes and functions of a body whose text ends before a line.
func (f *sourceFile) collect(body []pysyntax.Stmt, end int) {
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
		f.blocks[line] = block{stmt: stmt, first: int(line), last: f.trim(int(line), last, inner[0])}
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
func (f *sourceFile) trim(first, last int, body pysyntax.Stmt) int {
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

// text is the lines of a block.
func (f *sourceFile) text(b block) string { return strings.Join(f.lines[b.first-1:b.last], "") }

// docstring is the text that a class or function begins with.
func docstring(stmt pysyntax.Stmt) string {
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
