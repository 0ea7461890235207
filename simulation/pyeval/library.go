package pyeval

import (
	"io/fs"
	"sync"
	"unicode/utf8"
)

// library is what a program remembers of its files: their contents, the tables they hold, and
// dicts that formulas made of the tables. Packages open the same files at every evaluation; files of
// a program do not change once it is frozen. What is remembered is read-only and shared by all threads.
type library struct {
	mu    sync.Mutex
	files map[fileKey]*document
	known map[fingerprint][]*document
	stats map[string]fs.FileInfo // nil for what does not exist
	bytes int
}

// maxRemembered bounds the bytes a library keeps. Beyond it everything is forgotten and read again.
const maxRemembered = 256 << 20

// maxStats bounds how many paths a library knows to exist or not.
const maxStats = 10_000

type fileKey struct{ path, encoding string }

// document is the content of a file, as bytes or decoded.
type document struct {
	content string

	mu     sync.Mutex
	text   bool // known to be valid UTF-8
	tables map[csvDialect]*csvTable
}

// fingerprint finds a document by its content without reading all of it; the contents are then
// compared, which is free for a string that came from the library.
type fingerprint struct {
	size       int
	head, tail string
}

func fingerprintOf(s string) fingerprint {
	n := min(len(s), 32)
	return fingerprint{len(s), s[:n], s[len(s)-n:]}
}

// smallText is the size below which looking for a document costs more than it saves.
const smallText = 32

// document returns the document with a content, or nil.
func (l *library) document(content string) *document {
	if len(content) < smallText {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.known[fingerprintOf(content)] {
		if d.content == content {
			return d
		}
	}
	return nil
}

// file returns the content of a file, read and decoded by load unless it is remembered.
func (l *library) file(key fileKey, load func() string) string {
	l.mu.Lock()
	d := l.files[key]
	l.mu.Unlock()
	if d != nil {
		return d.content
	}
	d = &document{content: load()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.charge(len(d.content))
	if l.files == nil {
		l.files, l.known = map[fileKey]*document{}, map[fingerprint][]*document{}
	}
	l.files[key] = d
	f := fingerprintOf(d.content)
	l.known[f] = append(l.known[f], d)
	return d.content
}

// remember counts bytes that something shared by all threads holds.
func (l *library) remember(bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.charge(bytes)
}

func (l *library) charge(bytes int) {
	if l.bytes+bytes > maxRemembered {
		l.files, l.known, l.bytes = nil, nil, 0
	}
	l.bytes += bytes
}

// stat describes a file; what it answers is remembered once the program is frozen.
func (l *library) stat(p *Program, name string) fs.FileInfo {
	l.mu.Lock()
	info, ok := l.stats[name]
	l.mu.Unlock()
	if ok {
		return info
	}
	info, err := p.Stat(name)
	if err != nil {
		info = nil
	}
	if !p.frozen.Load() {
		return info
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stats == nil || len(l.stats) >= maxStats {
		l.stats = map[string]fs.FileInfo{}
	}
	l.stats[name] = info
	return info
}

// validText tells whether bytes are UTF-8, from memory for the contents of files.
func (l *library) validText(s string) bool {
	d := l.document(s)
	if d == nil {
		return utf8.ValidString(s)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.text = d.text || utf8.ValidString(s)
	return d.text
}

// table returns the rows of a csv text, parsed unless it is the content of a file that was parsed before.
func (l *library) table(content string, dialect csvDialect, parse func() *csvTable) *csvTable {
	d := l.document(content)
	if d == nil {
		return parse()
	}
	d.mu.Lock()
	t := d.tables[dialect]
	d.mu.Unlock()
	if t != nil {
		return t
	}
	t = parse()
	l.remember(t.size())
	d.mu.Lock()
	defer d.mu.Unlock()
	if first := d.tables[dialect]; first != nil {
		return first
	}
	if d.tables == nil {
		d.tables = map[csvDialect]*csvTable{}
	}
	d.tables[dialect] = t
	return t
}

// Remembered returns the content of a file, read and decoded by load unless it is known. A file is known by its path and
// encoding.
func (p *Program) Remembered(path, encoding string, load func() string) string {
	return p.library.file(fileKey{path, encoding}, load)
}

// FileInfo describes a file, nil if there is none; what it answers is remembered once the program is frozen.
func (p *Program) FileInfo(name string) fs.FileInfo { return p.library.stat(p, name) }
