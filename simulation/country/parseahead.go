package country

import (
	"context"
	"maps"
	"path"
	"slices"
	"sync"
	"sync/atomic"

	"edict/platform/cores"
	"edict/simulation/pysyntax"
)

// aheadParser parses the Python files of a package on the other cores while the first ones are being imported. A file is parsed
// once, by whoever comes first; what is wrong with a file is told when it is imported.
type aheadParser struct {
	known *packageCache
	files map[string]*parsed // by the name that Python knows it by
}

type parsed struct {
	file, text string
	once       sync.Once
	tree       *pysyntax.Module
	err        error
}

func (p *parsed) parse(known *packageCache) {
	p.once.Do(func() { p.tree, p.err = known.parse(p.file, p.text) })
}

// parseAhead starts parsing the files of the sources, for imports to take. stop ends it and waits for the end.
func (c *core) parseAhead(ctx context.Context) (stop func()) {
	a := &aheadParser{known: c.known, files: map[string]*parsed{}}
	for _, t := range c.files {
		for name, text := range t.texts {
			if file := "/" + name; path.Ext(name) == ".py" && a.files[file] == nil {
				a.files[file] = &parsed{file: file, text: text}
			}
		}
	}
	order := slices.Sorted(maps.Keys(a.files))
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	var next atomic.Int64
	for range cores.Count() - 1 {
		workers.Go(func() {
			for i := int(next.Add(1)); i <= len(order) && ctx.Err() == nil; i = int(next.Add(1)) {
				a.files[order[i-1]].parse(a.known)
			}
		})
	}
	c.program.Parse = a.parse
	return func() {
		cancel()
		workers.Wait()
		c.program.Parse = pysyntax.ParseText
	}
}

// parse returns the tree of a file. What is not a file of the package, or has changed, is parsed as it is.
func (a *aheadParser) parse(file, text string) (*pysyntax.Module, error) {
	p := a.files[file]
	if p == nil || p.text != text {
		return a.known.parse(file, text)
	}
	p.parse(a.known)
	return p.tree, p.err
}
