package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"edict/simulation/population"
)

// matrixRun is one run of a matrix.
type matrixRun struct {
	Name    string
	Period  string
	Reforms []string
	Set     []string
}

const (
	maxRuns    = 100_000 // of a matrix
	maxRunName = 200     // bytes, of the 255 that the name of a file may have
)

// readMatrix reads the runs of --matrix.
func (c *populationComputeCmd) readMatrix() ([]matrixRun, error) {
	text, err := os.ReadFile(c.Matrix)
	if err != nil {
		return nil, fmt.Errorf("--matrix: %w", err)
	}
	all, err := parseMatrix(text)
	if err != nil {
		return nil, &UsageError{fmt.Sprintf("--matrix: %s: %v", c.Matrix, err)}
	}
	return all, nil
}

// parseMatrix reads a list of runs, or lists whose product is taken.
func parseMatrix(text []byte) ([]matrixRun, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errMatrix
	}
	var all []matrixRun
	err := eachKey(doc.Content[0], func(key, value *yaml.Node) (err error) {
		switch {
		case key.Value == "runs" && value.Kind == yaml.SequenceNode && len(value.Content) > 0 && all == nil:
			all, err = listedRuns(value.Content)
		case key.Value == "matrix" && value.Kind == yaml.MappingNode && len(value.Content) > 0 && all == nil:
			all, err = productRuns(value)
		default:
			err = fmt.Errorf("line %d: %w", key.Line, errMatrix)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if all == nil {
		return nil, errMatrix
	}
	return all, checkRunNames(all)
}

var errMatrix = errors.New("expected exactly one of the keys runs and matrix: runs is a list of {name, period, reforms, set}, matrix has a list for each of these keys")

// checkRunNames makes sure that files can be named after all runs.
func checkRunNames(all []matrixRun) error {
	seen := map[string]bool{}
	for _, r := range all {
		if seen[r.Name] {
			return fmt.Errorf("two runs are named %q", population.Shown(r.Name))
		}
		if len(r.Name) > maxRunName {
			return fmt.Errorf("the generated name of run %q has %d bytes, the maximum is %d: list the runs under runs: and name each one", population.Shown(r.Name), len(r.Name), maxRunName)
		}
		seen[r.Name] = true
	}
	return nil
}

// eachKey calls fn with what a mapping has. A key that is there twice is refused.
func eachKey(n *yaml.Node, fn func(key, value *yaml.Node) error) error {
	seen := map[string]bool{}
	for k := 0; k < len(n.Content); k += 2 {
		key := n.Content[k]
		if seen[key.Value] {
			return fmt.Errorf("line %d: %q is there twice", key.Line, population.Shown(key.Value))
		}
		seen[key.Value] = true
		if err := fn(key, n.Content[k+1]); err != nil {
			return err
		}
	}
	return nil
}

func listedRuns(nodes []*yaml.Node) ([]matrixRun, error) {
	if len(nodes) > maxRuns {
		return nil, fmt.Errorf("there can be %d runs", maxRuns)
	}
	var all []matrixRun
	for _, n := range nodes {
		run := matrixRun{}
		if n.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("line %d: a run is {name, period, reforms, set}", n.Line)
		}
		err := eachKey(n, func(key, value *yaml.Node) error {
			if key.Value == "name" {
				run.Name = value.Value
				return nil
			}
			return run.take(key, value)
		})
		if err != nil {
			return nil, err
		}
		if run.Name == "" || strings.ContainsAny(run.Name, `/\`) || strings.ContainsFunc(run.Name, unicode.IsControl) || strings.HasPrefix(run.Name, ".") {
			return nil, fmt.Errorf("line %d: a run needs a name that can be part of the name of a file", n.Line)
		}
		all = append(all, run)
	}
	return all, nil
}

// take reads one of the things a run has.
func (r *matrixRun) take(key, value *yaml.Node) error {
	texts, err := textsOf(value)
	if err != nil {
		return err
	}
	switch key.Value {
	case "period":
		if len(texts) != 1 {
			return fmt.Errorf("line %d: a run has one period", value.Line)
		}
		r.Period = texts[0]
	case "reforms":
		r.Reforms = texts
	case "set":
		r.Set = texts
	default:
		return fmt.Errorf("line %d: %q is none of name, period, reforms, set", key.Line, population.Shown(key.Value))
	}
	return nil
}

// textsOf reads a text or a list of them.
func textsOf(n *yaml.Node) ([]string, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return nil, nil
		}
		return []string{n.Value}, nil
	case yaml.SequenceNode:
		var out []string
		for _, e := range n.Content {
			if e.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("line %d: a text is expected", e.Line)
			}
			out = append(out, e.Value)
		}
		return out, nil
	}
	return nil, fmt.Errorf("line %d: a text or a list of texts is expected", n.Line)
}

// productRuns takes every value of the first list with every value of the next, and so on; the last changes fastest. A run is
// named after its values.
func productRuns(n *yaml.Node) ([]matrixRun, error) {
	all := []matrixRun{{}}
	err := eachKey(n, func(key, values *yaml.Node) error {
		if values.Kind != yaml.SequenceNode || len(values.Content) == 0 {
			return fmt.Errorf("line %d: a list of values of %s is expected", values.Line, key.Value)
		}
		if len(all)*len(values.Content) > maxRuns {
			return fmt.Errorf("line %d: there can be %d runs", values.Line, maxRuns)
		}
		var next []matrixRun
		for _, run := range all {
			for _, value := range values.Content {
				one := run
				if err := one.take(key, value); err != nil {
					return err
				}
				texts, _ := textsOf(value)
				one.Name = strings.TrimPrefix(run.Name+"_"+nameOf(texts), "_")
				next = append(next, one)
			}
		}
		all = next
		return nil
	})
	return all, err
}

// nameOf is what values are called in the name of a file.
func nameOf(texts []string) string {
	if len(texts) == 0 {
		return "none"
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("._=+", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, strings.Join(slices.Clone(texts), "+"))
}
