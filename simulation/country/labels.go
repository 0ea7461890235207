package country

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"

	"edict/simulation/legislation"
)

// labelsDirectory is the directory of a Python package with a file of texts per language: openfisca_france/labels/en.yaml.
const labelsDirectory = "labels"

// maxLabelFiles bounds the files of a package.
const maxLabelFiles = 100

// translate gives the system its texts in other languages: those of the package, of its extensions, then those that were given. They
// are read at each load and are in no image, so that an edited file counts at once. Whatever is wrong with them is a warning.
func (p *Package) translate() {
	var files []*legislation.Translation
	for _, s := range p.Sources() {
		found, wrong := translationsOf(s)
		files = append(files, found...)
		p.Warnings = append(slices.Clip(p.Warnings), wrong...)
	}
	files = append(files, p.core.options.Labels...)
	if len(files) == 0 {
		return
	}
	all := legislation.NewTranslations(files...)
	p.System.SetTranslations(all)
	keys := make([]string, len(p.Reforms))
	for i, r := range p.Reforms {
		keys[i] = r.Key
	}
	p.Warnings = append(slices.Clip(p.Warnings), all.Check(p.System, keys)...)
}

// translationsOf reads the files of a package.
func translationsOf(s *Source) (files []*legislation.Translation, wrong legislation.Problems) {
	dir := path.Join(s.Name, labelsDirectory)
	entries, err := fs.ReadDir(s.FS, dir)
	if err != nil {
		return nil, nil // most packages have none
	}
	for _, e := range entries {
		if e.IsDir() || path.Ext(e.Name()) != ".yaml" && path.Ext(e.Name()) != ".yml" {
			continue
		}
		file := path.Join(dir, e.Name())
		if len(files) == maxLabelFiles {
			wrong = append(wrong, legislation.Problem{File: "/" + file, Msg: "the directory has too many files: the rest is not read"})
			break
		}
		text, err := readBeginning(s.FS, file, legislation.MaxTranslation+1)
		if err != nil {
			wrong = append(wrong, legislation.Problem{File: "/" + file, Msg: err.Error()})
			continue
		}
		t, err := legislation.ReadTranslation("/"+file, text)
		if problems, ok := errors.AsType[legislation.Problems](err); ok {
			wrong = append(wrong, problems...)
			continue
		}
		files = append(files, t)
	}
	return slices.Clip(files), wrong
}

// readBeginning reads a file, at most so many bytes of it.
func readBeginning(files fs.FS, name string, most int64) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
