package pyeval

import (
	"embed"
	"io/fs"
)

// The standard library, as far as country packages use it. What needs the outside (files, the
// calendar, text formats) or speed is Go, in stdlib_*.go; the rest is Python, in stdlib/.
//
//go:embed all:stdlib
var stdlibFiles embed.FS

// stdlibRoot is searched after all other roots.
func stdlibRoot() Root {
	files, err := fs.Sub(stdlibFiles, "stdlib")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	return Root{FS: files, Path: "/stdlib"}
}

// standardModules are the modules of the standard library that are written in Go.
func standardModules() map[string]func() Table {
	return map[string]func() Table{
		"_files":         filesTable,
		"datetime":       datetimeTable,
		"enum":           enumTable,
		"json":           jsonTable,
		"math":           mathTable,
		"re":             reTable,
		"scipy.optimize": scipyOptimizeTable,
		"unicodedata":    unicodedataTable,
	}
}
