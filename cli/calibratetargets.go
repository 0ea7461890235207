package cli

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"edict/simulation/population"
)

var (
	targetKinds   = []string{population.TargetTotal, population.TargetMean, population.TargetCount}
	targetColumns = []string{"kind", "name", "by", "value", "tolerance"}

	errTargets = errors.New("targets: is expected, with a list of {total|mean|count: NAME, by: {COLUMN: VALUE}, value: NUMBER, tolerance: NUMBER}")
)

// readTargets reads the targets of a calibration.
func readTargets(name string) ([]population.Target, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	parse := parseTargets
	if strings.EqualFold(filepath.Ext(name), ".csv") {
		parse = parseTargetTable
	}
	targets, err := parse(text)
	if err == nil && len(targets) == 0 {
		err = errTargets
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return targets, nil
}

// parseTargets reads targets in YAML.
func parseTargets(text []byte) (all []population.Target, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errTargets
	}
	err = eachKey(doc.Content[0], func(key, value *yaml.Node) error {
		if key.Value != "targets" || value.Kind != yaml.SequenceNode {
			return fmt.Errorf("line %d: %w", key.Line, errTargets)
		}
		for _, n := range value.Content {
			t, err := parseTarget(n)
			if err != nil {
				return err
			}
			all = append(all, t)
		}
		return nil
	})
	return all, err
}

func parseTarget(n *yaml.Node) (t population.Target, err error) {
	if n.Kind != yaml.MappingNode {
		return t, fmt.Errorf("line %d: %w", n.Line, errTargets)
	}
	valued := false
	err = eachKey(n, func(key, value *yaml.Node) (err error) {
		switch {
		case slices.Contains(targetKinds, key.Value):
			if t.Kind != "" || value.Kind != yaml.ScalarNode || value.Value == "" {
				return fmt.Errorf("line %d: a target has one of total, mean and count, with a name", key.Line)
			}
			t.Kind, t.Name = key.Value, value.Value
		case key.Value == "by" && value.Kind == yaml.MappingNode:
			return eachKey(value, func(column, wanted *yaml.Node) error {
				if wanted.Kind != yaml.ScalarNode {
					return fmt.Errorf("line %d: one value of %s is expected", wanted.Line, column.Value)
				}
				t.By = append(t.By, population.ByValue{Column: column.Value, Value: wanted.Value})
				return nil
			})
		case key.Value == "value":
			valued = true
			t.Value, err = targetNumber(value.Value, value.Line)
		case key.Value == "tolerance":
			t.Tolerance, err = targetNumber(value.Value, value.Line)
		default:
			err = fmt.Errorf("line %d: %q is none of total, mean, count, by, value and tolerance", key.Line, population.Shown(key.Value))
		}
		return err
	})
	if err == nil && (t.Kind == "" || !valued) {
		err = fmt.Errorf("line %d: a target needs total, mean or count, and value", n.Line)
	}
	return t, err
}

func targetNumber(text string, line int) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("line %d: a number is expected, such as 1250.5, not %q", line, population.Shown(text))
	}
	return f, nil
}

// parseTargetTable reads targets in CSV: kind,name,by,value, and optionally tolerance. by is COLUMN=VALUE, with semicolons between several.
func parseTargetTable(text []byte) (all []population.Target, err error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || len(rows[0]) < 4 || !slices.Equal(rows[0], targetColumns[:len(rows[0])]) {
		return nil, errors.New("the columns are kind,name,by,value and optionally tolerance")
	}
	for i, row := range rows[1:] {
		line := i + 2
		t := population.Target{Kind: row[0], Name: row[1]}
		if !slices.Contains(targetKinds, t.Kind) || t.Name == "" {
			return nil, fmt.Errorf("line %d: kind is one of total, mean and count, with a name", line)
		}
		for _, part := range strings.FieldsFunc(row[2], func(c rune) bool { return c == ';' }) {
			column, value, ok := strings.Cut(part, "=")
			if !ok || strings.TrimSpace(column) == "" {
				return nil, fmt.Errorf("line %d: by is COLUMN=VALUE, with semicolons between several, not %q", line, population.Shown(part))
			}
			t.By = append(t.By, population.ByValue{Column: strings.TrimSpace(column), Value: strings.TrimSpace(value)})
		}
		if t.Value, err = targetNumber(row[3], line); err != nil {
			return nil, err
		}
		if len(row) > 4 && row[4] != "" {
			if t.Tolerance, err = targetNumber(row[4], line); err != nil {
				return nil, err
			}
		}
		all = append(all, t)
	}
	return all, nil
}
