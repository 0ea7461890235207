package shelf

import (
	"io/fs"
	"os"
	"slices"
	"strings"

	"edict/simulation/pyindex"
)

// requirements reads which other packages of legislation an unpacked package needs. What formulas need of Python, numpy
// and OpenFisca-Core is part of edict.
func requirements(dir string) ([]pyindex.Requirement, error) {
	files := os.DirFS(dir)
	var lines []string
	for _, pattern := range []string{"*.dist-info/METADATA", "PKG-INFO"} {
		text, err := readFirst(files, pattern)
		if err != nil {
			return nil, err
		}
		head, _, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
		for line := range strings.Lines(head) {
			if rest, ok := strings.CutPrefix(line, "Requires-Dist:"); ok {
				lines = append(lines, strings.TrimSpace(rest))
			}
		}
	}
	text, err := readFirst(files, "*.egg-info/requires.txt")
	if err != nil {
		return nil, err
	}
	required, _, _ := strings.Cut(text, "[") // the sections behind are optional features
	lines = append(lines, strings.FieldsFunc(required, func(r rune) bool { return r == '\n' || r == '\r' })...)
	var found []pyindex.Requirement
	for _, line := range lines {
		r, err := pyindex.ParseRequirement(line)
		known := func(other pyindex.Requirement) bool { return other.Name == r.Name }
		if err == nil && !r.Extra && isLegislation(r.Name) && !slices.ContainsFunc(found, known) {
			found = append(found, r)
		}
	}
	return found, nil
}

func readFirst(files fs.FS, pattern string) (string, error) {
	names, err := fs.Glob(files, pattern)
	if err != nil || len(names) == 0 {
		return "", err
	}
	text, err := fs.ReadFile(files, names[0])
	return string(text), err
}

// tools are projects of OpenFisca that hold no legislation.
var tools = []string{
	"openfisca-core", "openfisca-matplotlib", "openfisca-parsers", "openfisca-qt", "openfisca-survey-manager", "openfisca-tracker", "openfisca-web-api",
}

// parts are projects that hold part of a legislation under another name.
var parts = []string{"spm-calculator"}

// isLegislation reports whether a project is a country package or an extension, which it can only tell by its name.
func isLegislation(name string) bool {
	return strings.Contains(name, "openfisca") && !slices.Contains(tools, name) || slices.Contains(parts, name)
}
