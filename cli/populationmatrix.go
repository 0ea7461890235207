package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// matrixRun is one run of a matrix.
type matrixRun struct {
	Name    string
	Period  string
	Reforms []string
	Set     []string
}

// maxRuns bounds the runs of a matrix.
const maxRuns = 100_000

// runs returns the command of each run that is asked for: this one, if there is no matrix.
func (c *populationComputeCmd) runs() ([]populationComputeCmd, error) {
	if c.Matrix == "" {
		if c.Index >= 0 {
			return nil, &UsageError{"--index: it counts the runs of --matrix, which is not given"}
		}
		return []populationComputeCmd{*c}, nil
	}
	if len(c.Reform) > 0 || len(c.Set) > 0 {
		return nil, &UsageError{"--matrix: it says what --reform and --set would: write them there"}
	}
	text, err := os.ReadFile(c.Matrix)
	if err != nil {
		return nil, err
	}
	all, err := parseMatrix(text)
	if err != nil {
		return nil, &UsageError{fmt.Sprintf("--matrix: %s: %v", c.Matrix, err)}
	}
	if c.Index >= len(all) {
		return nil, &UsageError{fmt.Sprintf("--index: %s has %s, the last one is %d", c.Matrix, count(len(all), "run"), len(all)-1)}
	}
	if c.Index < 0 && len(all) > 1 && c.Output != "" && c.place(c.Output, 0, all[0]) == c.Output {
		return nil, &UsageError{"--output: with all runs of a matrix each needs a file of its own: put {name} or {index} into it"}
	}
	var out []populationComputeCmd
	for i, run := range all {
		if c.Index >= 0 && i != c.Index {
			continue
		}
		one := *c
		one.Reform, one.Set = run.Reforms, run.Set
		if run.Period != "" {
			one.Period = run.Period
		}
		one.Output, one.Report = c.place(c.Output, i, run), c.place(c.Report, i, run)
		one.Compare = c.Compare && len(run.Reforms)+len(run.Set) > 0
		out = append(out, one)
	}
	return out, nil
}

// place puts the name and the number of a run into the name of a file.
func (c *populationComputeCmd) place(file string, index int, run matrixRun) string {
	return strings.NewReplacer("{name}", run.Name, "{index}", strconv.Itoa(index)).Replace(file)
}

// parseMatrix reads a list of runs, or lists whose product is taken.
func parseMatrix(text []byte) ([]matrixRun, error) {
	var file struct {
		Runs   []yaml.Node `yaml:"runs"`
		Matrix yaml.Node   `yaml:"matrix"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	var all []matrixRun
	var err error
	switch {
	case len(file.Runs) > 0 && file.Matrix.Kind == 0:
		all, err = listedRuns(file.Runs)
	case len(file.Runs) == 0 && file.Matrix.Kind == yaml.MappingNode:
		all, err = productRuns(&file.Matrix)
	default:
		return nil, fmt.Errorf("either runs: or matrix: is expected, runs: a list of {name, period, reforms, set}, matrix: lists of those")
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, r := range all {
		if seen[r.Name] {
			return nil, fmt.Errorf("two runs are named %q", r.Name)
		}
		seen[r.Name] = true
	}
	return all, nil
}

func listedRuns(nodes []yaml.Node) ([]matrixRun, error) {
	var all []matrixRun
	for i := range nodes {
		run := matrixRun{}
		n := &nodes[i]
		if n.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("line %d: a run is {name, period, reforms, set}", n.Line)
		}
		for k := 0; k < len(n.Content); k += 2 {
			key, value := n.Content[k], n.Content[k+1]
			if key.Value == "name" {
				run.Name = value.Value
				continue
			}
			if err := run.take(key, value); err != nil {
				return nil, err
			}
		}
		if run.Name == "" || strings.ContainsAny(run.Name, `/\`) || strings.HasPrefix(run.Name, ".") {
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
		return fmt.Errorf("line %d: %q is none of name, period, reforms, set", key.Line, key.Value)
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
	for k := 0; k < len(n.Content); k += 2 {
		key, values := n.Content[k], n.Content[k+1]
		if values.Kind != yaml.SequenceNode || len(values.Content) == 0 {
			return nil, fmt.Errorf("line %d: a list of values of %s is expected", values.Line, key.Value)
		}
		if len(all)*len(values.Content) > maxRuns {
			return nil, fmt.Errorf("line %d: there can be %d runs", values.Line, maxRuns)
		}
		var next []matrixRun
		for _, run := range all {
			for _, value := range values.Content {
				one := run
				if err := one.take(key, value); err != nil {
					return nil, err
				}
				texts, _ := textsOf(value)
				one.Name = strings.TrimPrefix(run.Name+"_"+nameOf(texts), "_")
				next = append(next, one)
			}
		}
		all = next
	}
	return all, nil
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
