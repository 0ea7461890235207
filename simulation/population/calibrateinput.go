package population

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"edict/simulation/legislation"
)

// measuredColumn is numbers by row. Values of a group are on its first row only.
type measuredColumn struct {
	values  []float64
	present []bool // nil: all
}

// classColumn is texts by row.
type classColumn struct {
	codes []int32
	names []string
	index map[string]int32
}

func (c *classColumn) add(text string) {
	code, ok := c.index[text]
	if !ok {
		code = int32(len(c.names))
		c.names = append(c.names, text)
		c.index[text] = code
	}
	c.codes = append(c.codes, code)
}

// codesOf are the codes of a value: of its text, and of other spellings of the same number.
func (c *classColumn) codesOf(value string) (codes []int32) {
	n, err := strconv.ParseFloat(value, 64)
	for code, name := range c.names {
		m, wrong := strconv.ParseFloat(name, 64)
		if name == value || err == nil && wrong == nil && n == m {
			codes = append(codes, int32(code))
		}
	}
	return codes
}

// read reads weights, households and the columns that targets name.
func (f *calibrated) read(ctx context.Context) error {
	s, err := (&Job{Input: f.Input, Storage: f.Storage}).open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	f.header = s.header()
	if err := checkHeader(f.Input, f.header); err != nil {
		return err
	}
	numbers, classes := f.names(false)
	var wrong wrongs
	var used []int
	column := func(what, name string) int {
		i := slices.Index(f.header, name)
		if i < 0 {
			wrong.add(fmt.Errorf("%s: there is no column %q%s", what, Shown(name), meant(name, slices.Values(f.header))))
		}
		used = append(used, i)
		return i
	}
	weight, household := column("--weight", f.Weight), -1
	if f.Household != "" {
		household = column("--household", f.Household)
	}
	var numberAt, classAt []int
	for _, name := range numbers {
		numberAt = append(numberAt, column("--target", name))
		f.numbers[name] = &measuredColumn{}
	}
	for _, name := range classes {
		classAt = append(classAt, column("--target", name))
		f.classes[name] = &classColumn{index: map[string]int32{}}
	}
	if out := f.WeightOut; out != "" && out != f.Weight && slices.Contains(f.header, out) {
		wrong.add(fmt.Errorf("--weight-out: there is a column %q: choose another name", Shown(out)))
	}
	if err := wrong.join(); err != nil {
		return err
	}
	if err := s.only(used); err != nil {
		return err
	}
	households := map[string]int32{}
	return eachRow(ctx, s, func(b batch, row int) error {
		w, err := b.cell(row, weight).positive(true)
		if err != nil {
			return fmt.Errorf("%s, column %q: %s is no weight: %w", b.place(row), Shown(f.Weight), b.cell(row, weight), err)
		}
		unit := int32(len(f.weights))
		if household >= 0 {
			if name := b.name(row, household); len(name) > 0 {
				if known, ok := households[string(name)]; ok {
					unit = known
				} else {
					households[string(name)] = unit
				}
			}
		}
		if f.first = append(f.first, int(unit) == len(f.weights)); int(unit) == len(f.weights) {
			f.weights = append(f.weights, w)
		} else if f.weights[unit] != w {
			return fmt.Errorf("%s, column %q: weight %v differs from weight %v of another member of the household: one weight per household is needed", b.place(row), Shown(f.Weight), w, f.weights[unit])
		}
		f.unit = append(f.unit, unit)
		for i, name := range numbers {
			x, err := b.cell(row, numberAt[i]).truthOrNumber()
			if err != nil {
				return fmt.Errorf("%s, column %q: %s is no number: %w", b.place(row), Shown(name), b.cell(row, numberAt[i]), err)
			}
			f.numbers[name].values = append(f.numbers[name].values, x)
		}
		for i, name := range classes {
			f.classes[name].add(string(b.name(row, classAt[i])))
		}
		return nil
	})
}

// truthOrNumber is a number; true is 1.
func (c cell) truthOrNumber() (float64, error) {
	if x, err := c.float(); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, nil
	}
	if yes, err := c.truth(); err == nil && yes {
		return 1, nil
	} else if err == nil {
		return 0, nil
	}
	return 0, errNumber
}

// eachRow calls fn with all rows of a source.
func eachRow(ctx context.Context, s source, fn func(b batch, row int) error) error {
	for {
		b, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		b.hold()
		for row := range b.rows() {
			if err := fn(b, row); err != nil {
				return err
			}
		}
		b.release()
	}
}

// compute computes the variables that targets name.
func (f *calibrated) compute(ctx context.Context) error {
	if f.Variables == nil {
		return nil
	}
	numbers, classes := f.names(true)
	columns, more := f.names(false)
	all := slices.Concat(numbers, classes)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 0 {
		return nil
	}
	files := &memoryFiles{Storage: f.Storage, files: map[string]*memoryFile{}}
	j := *f.Variables
	j.Input, j.Storage, j.Output, j.Variables = f.Input, files, memoryName, all
	j.Extra = slices.Concat(j.Extra, columns, more, []string{f.Weight})
	if f.computed(f.Household) == nil && f.Household != "" {
		j.Extra = append(j.Extra, f.Household)
	}
	if _, err := j.Run(ctx); err != nil {
		return err
	}
	for _, name := range all {
		texts, first, err := f.valuesOf(ctx, files, f.computed(name))
		if err != nil {
			return fmt.Errorf("%s: %w", f.Input, err)
		}
		if slices.Contains(numbers, name) {
			m := &measuredColumn{present: first}
			for row, text := range texts {
				x, err := text.truthOrNumber()
				if err != nil && (first == nil || first[row]) {
					return fmt.Errorf("--target: %s of row %d is %s, which is no number", name, row+1, text)
				}
				if v := f.computed(name); v.Type == legislation.Float && !f.Variables.System.Wide() {
					x = float64(float32(x)) // as reports have it
				}
				m.values = append(m.values, x)
			}
			f.numbers[name] = m
		}
		if slices.Contains(classes, name) {
			c := &classColumn{index: map[string]int32{}}
			for _, text := range texts {
				c.add(string(text.name()))
			}
			f.classes[name] = c
		}
	}
	return nil
}

// valuesOf reads the computed values of a variable by row, and for a group's variable the first row of each group.
func (f *calibrated) valuesOf(ctx context.Context, files *memoryFiles, v *legislation.Variable) (values []cell, first []bool, err error) {
	var s source
	for _, file := range files.files {
		one, err := openCSV(file.object())
		if err != nil {
			return nil, nil, err
		}
		defer one.close()
		if slices.Contains(one.header(), v.Name) {
			s = one
		}
	}
	if s == nil {
		return nil, nil, fmt.Errorf("%s was not computed", v.Name)
	}
	at, id := slices.Index(s.header(), v.Name), slices.Index(s.header(), idName(v.Entity))
	of := map[string]cell{}
	err = eachRow(ctx, s, func(b batch, row int) error {
		c := b.cell(row, at)
		c.text = slices.Clone(c.text)
		if v.Entity.IsPerson {
			values = append(values, c)
			return nil
		}
		of[string(b.name(row, id))] = c
		return nil
	})
	if err != nil || v.Entity.IsPerson {
		return values, nil, err
	}
	return f.ofGroups(ctx, v, of)
}

// ofGroups gives each row the value of its group.
func (f *calibrated) ofGroups(ctx context.Context, v *legislation.Variable, of map[string]cell) (values []cell, first []bool, err error) {
	s, err := (&Job{Input: f.Input, Storage: f.Storage}).open(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	id := slices.Index(s.header(), idName(v.Entity))
	if id < 0 {
		return nil, nil, fmt.Errorf("%s is a variable of %s: the column %s is needed, which names each person's", v.Name, v.Entity.Plural, idName(v.Entity))
	}
	if err := s.only([]int{id}); err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	err = eachRow(ctx, s, func(b batch, row int) error {
		name := string(b.name(row, id))
		value, ok := of[name]
		if !ok || name == "" {
			return fmt.Errorf("%s, column %s: every person needs a %s, because %s is a variable of it", b.place(row), idName(v.Entity), v.Entity.Key, v.Name)
		}
		values, first = append(values, value), append(first, !seen[name])
		seen[name] = true
		return nil
	})
	return values, first, err
}
