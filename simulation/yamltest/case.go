package yamltest

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Case is one test of a file.
type Case struct {
	File  string
	Index int // from 0
	Line  int
	Name  string

	Description string
	Keywords    []string
	Period      string // empty if the case has none
	Reforms     []string
	Extensions  []string
	// Parameters, if not null, is the whole parameter tree of the case.
	Parameters legislation.Data
	Input      legislation.Data
	Output     legislation.Data
	// Only and Ignore restrict the outputs that are looked at.
	Only, Ignore   []string
	MaxSpiralLoops int
	Absolute       Margin
	Relative       Margin
}

// Margin is how far a result may be from what is expected, by variable; the empty name stands for all others.
type Margin map[string]float64

// Of returns the margin for a variable, nil if there is none.
func (m Margin) Of(variable string) *float64 {
	v, ok := m[variable]
	if !ok {
		v, ok = m[""]
	}
	if !ok {
		return nil
	}
	return &v
}

// Load reads the cases of a file: a list, or a single one. A case that cannot be understood is a Problem with its line;
// the others are returned all the same.
func Load(file string) ([]Case, legislation.Problems) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, legislation.Problems{{File: file, Msg: err.Error()}}
	}
	return Parse(file, text)
}

// Parse is Load on the text of a file.
func Parse(file string, text []byte) ([]Case, legislation.Problems) {
	doc, err := legislation.ParseYAML(file, text)
	if err != nil {
		if p, ok := errors.AsType[legislation.Problem](err); ok {
			return nil, legislation.Problems{p}
		}
		return nil, legislation.Problems{{File: file, Msg: err.Error()}}
	}
	items := doc.List
	if doc.Kind != legislation.List {
		items = []legislation.Data{doc}
	}
	var cases []Case
	var wrong legislation.Problems
	for i, item := range items {
		c := Case{File: file, Index: i, Line: int(item.Line)}
		if err := c.read(item); err != nil {
			wrong = append(wrong, legislation.Problem{File: file, Line: c.Line, Msg: fmt.Sprintf("test %d: %v", i+1, err)})
			continue
		}
		cases = append(cases, c)
	}
	return cases, wrong
}

// keys are what a case may contain, and how each is read.
var keys = map[string]func(c *Case, d legislation.Data) error{
	"absolute_error_margin": func(c *Case, d legislation.Data) (err error) { c.Absolute, err = margin(d); return err },
	"description":           func(c *Case, d legislation.Data) (err error) { c.Description, err = text(d); return err },
	"extensions":            func(c *Case, d legislation.Data) (err error) { c.Extensions, err = texts(d); return err },
	"ignore_variables":      func(c *Case, d legislation.Data) (err error) { c.Ignore, err = texts(d); return err },
	"input":                 func(c *Case, d legislation.Data) error { c.Input = d; return nil },
	"keywords":              func(c *Case, d legislation.Data) (err error) { c.Keywords, err = texts(d); return err },
	"max_spiral_loops":      func(c *Case, d legislation.Data) (err error) { c.MaxSpiralLoops, err = whole(d); return err },
	"name":                  func(c *Case, d legislation.Data) (err error) { c.Name, err = text(d); return err },
	"only_variables":        func(c *Case, d legislation.Data) (err error) { c.Only, err = texts(d); return err },
	"output":                func(c *Case, d legislation.Data) error { c.Output = d; return nil },
	"parameters":            func(c *Case, d legislation.Data) error { c.Parameters = d; return nil },
	"period":                func(c *Case, d legislation.Data) (err error) { c.Period, err = text(d); return err },
	"reforms":               func(c *Case, d legislation.Data) (err error) { c.Reforms, err = texts(d); return err },
	"relative_error_margin": func(c *Case, d legislation.Data) (err error) { c.Relative, err = margin(d); return err },
}

func (c *Case) read(d legislation.Data) error {
	if d.Kind != legislation.Mapping {
		return fmt.Errorf("expected a mapping with input and output")
	}
	c.Input = legislation.Data{Kind: legislation.Mapping, Map: legislation.NewOrdered[legislation.Data]()}
	for key, value := range d.Map.All() {
		read, known := keys[key]
		if !known {
			return fmt.Errorf("'%s' is not a key of a test%s; the keys are %s", key, didYouMean(key), strings.Join(slices.Sorted(maps.Keys(keys)), ", "))
		}
		if value.Kind == legislation.Null && key != "input" {
			continue
		}
		if err := read(c, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func didYouMean(key string) string {
	if near := legislation.Nearest(key, maps.Keys(keys)); near != "" {
		return ": did you mean '" + near + "'?"
	}
	return ""
}

// matches reports whether a filter selects the case: it is part of the file's name or of the case's, or one of its keywords.
func (c *Case) matches(filter string) bool {
	base := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File))
	return strings.Contains(base, filter) || strings.Contains(c.Name, filter) || slices.Contains(c.Keywords, filter)
}

func text(d legislation.Data) (string, error) {
	if d.Kind != legislation.Scalar {
		return "", fmt.Errorf("expected a text")
	}
	return d.Scalar.Format(0), nil
}

func texts(d legislation.Data) ([]string, error) {
	if d.Kind == legislation.Scalar {
		return []string{d.Scalar.Format(0)}, nil
	}
	if d.Kind != legislation.List {
		return nil, fmt.Errorf("expected a list of names")
	}
	out := make([]string, 0, len(d.List))
	for _, item := range d.List {
		s, err := text(item)
		if err != nil {
			return nil, fmt.Errorf("expected a list of names")
		}
		out = append(out, s)
	}
	return out, nil
}

func whole(d legislation.Data) (int, error) {
	if d.Kind != legislation.Scalar || d.Scalar.Type() != vector.Int64 || d.Scalar.Int(0) < 0 || d.Scalar.Int(0) > 1_000_000 {
		return 0, fmt.Errorf("expected a whole number")
	}
	return int(d.Scalar.Int(0)), nil
}

func margin(d legislation.Data) (Margin, error) {
	if d.Kind == legislation.Scalar {
		f, err := number(d)
		return Margin{"": f}, err
	}
	if d.Kind != legislation.Mapping {
		return nil, fmt.Errorf("expected a number, or numbers by variable")
	}
	m := Margin{}
	for name, value := range d.Map.All() {
		if name == "default" {
			name = ""
		}
		if value.Kind == legislation.Null {
			continue
		}
		f, err := number(value)
		if err != nil {
			return nil, err
		}
		m[name] = f
	}
	return m, nil
}

func number(d legislation.Data) (float64, error) {
	if s, ok := d.Text(); ok {
		f, err := vector.ParseFloat(s)
		if err != nil {
			return 0, fmt.Errorf("'%s' is not a number", s)
		}
		return f, nil
	}
	if d.Kind != legislation.Scalar {
		return 0, fmt.Errorf("expected a number")
	}
	return d.Scalar.Float(0), nil
}
