package why

import (
	"errors"
	"strconv"
	"strings"

	"edict/simulation/period"
)

// step is one step of a path.
type step struct {
	name string
	at   *period.Period // nil means any
	row  int            // -1 means any
}

var errStep = errors.New("a step of a path is name, name<period>, name[index] or name<period>[index]")

// parseStep reads name<period>[row], of which only the name has to be there.
func parseStep(text string) (step, error) {
	s := step{row: -1}
	if open := strings.LastIndexByte(text, '['); open >= 0 {
		row, err := strconv.Atoi(strings.TrimSuffix(text[open+1:], "]"))
		if err != nil || row < 0 || !strings.HasSuffix(text, "]") {
			return s, errStep
		}
		s.row, text = row, text[:open]
	}
	if open := strings.IndexByte(text, '<'); open >= 0 {
		if !strings.HasSuffix(text, ">") {
			return s, errStep
		}
		at, err := period.Parse(text[open+1 : len(text)-1])
		if err != nil {
			return s, err
		}
		s.at, text = &at, text[:open]
	}
	if s.name = text; text == "" {
		return s, errStep
	}
	return s, nil
}

// is tells whether the step means a figure.
func (s step) is(f Figure) bool {
	return s.name == f.Variable.Name && (s.at == nil || *s.at == f.Period) && (s.row < 0 || s.row == f.Row)
}
