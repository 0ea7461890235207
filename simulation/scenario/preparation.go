package scenario

import (
	"fmt"
	"slices"
	"strings"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// Households of every form and route pass here on their way to a simulation, and get the changes of the package's code (legislation.Preparation).

// prepare returns the inputs that formulas read, and completes the options of their simulation. Option Prepared marks inputs that are ready.
func (s *Situation) prepare(inputs []Input, o *engine.Options) ([]Input, error) {
	p := s.System.Prepares()
	if p == nil || o.Prepared {
		return inputs, nil
	}
	if p.Partial != "" && !s.Partial {
		return nil, s.System.Unprepared()
	}
	o.Prepared, o.Baselines = true, p.Baselines(s.System)
	return s.moved(p, inputs)
}

// moved returns the inputs with those that are moved behind the others: they beat what was given for the variable they are moved to.
func (s *Situation) moved(p *legislation.Preparation, inputs []Input) ([]Input, error) {
	for _, m := range p.Moves {
		from, err := s.System.Lookup(m.From)
		to, none := s.System.Lookup(m.To)
		if err != nil || none != nil || from.Entity != to.Entity || !gives(inputs, from) || m.Spare && gives(inputs, to) {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(inputs), func(in Input) bool { return in.Variable == from })
		for _, in := range inputs {
			if in.Variable != from {
				continue
			}
			in.Path, in.Variable = in.path(), to
			if to.Type == legislation.EnumType && from.Type == legislation.String {
				if in.Values, err = encoded(from, to, in.Values); err != nil {
					return nil, problem(err.Error(), in.Path...)
				}
			}
			kept = append(kept, in)
		}
		inputs = kept
	}
	return inputs, nil
}

func gives(inputs []Input, v *legislation.Variable) bool {
	return slices.ContainsFunc(inputs, func(in Input) bool { return in.Variable == v })
}

// encoded makes members of an enumeration of their names.
func encoded(from, to *legislation.Variable, c vector.Column) (vector.Column, error) {
	codes := make([]int16, c.Len())
	for i := range codes {
		at := i
		if c.Constant() {
			at = 0
		}
		code := slices.Index(to.Enum.Domain.Members, c.Text(at))
		if code < 0 {
			return c, fmt.Errorf("%q is not a value of %s: %s is one of %s", c.Text(at), to.Name, from.Name, strings.Join(to.Enum.Domain.Members, ", "))
		}
		codes[i] = int16(code)
	}
	return vector.Enums(to.Enum.Domain, codes), nil
}

// Found returns the inputs that formulas read, without variation along axes.
func (s *Situation) Found() []Input {
	if p := s.System.Prepares(); p != nil {
		if inputs, err := s.moved(p, s.Inputs); err == nil {
			return inputs
		}
	}
	return s.Inputs
}
