// Package stdlib is Python's standard library for programs of package pyeval, as far as country packages use it, and the parts of
// pandas and a few other libraries that they lean on. What needs the outside (files, the calendar, text formats) or speed is Go,
// one table per module; the rest is Python, in python/. [Install] adds it to a program.
package stdlib

import (
	"embed"
	"io/fs"

	py "edict/simulation/pyeval"
)

//go:embed all:python
var stdlibFiles embed.FS

// Install adds the standard library to a program, as far as country packages use it, and pandas.
func Install(p *py.Program) {
	for name, table := range map[string]func() py.Table{
		"_files":      filesTable,
		"datetime":    datetimeTable,
		"enum":        enumTable,
		"hashlib":     hashlibTable,
		"json":        jsonTable,
		"math":        mathTable,
		"re":          reTable,
		"unicodedata": unicodedataTable,
	} {
		p.AddLazyModule(name, table)
	}
	p.DateOf = dateOf
	files, err := fs.Sub(stdlibFiles, "python")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	p.AddLibrary(py.Root{FS: files, Path: "/stdlib"})
}
