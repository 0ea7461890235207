package population

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Answers are what the whole population says to questions of formulas, put together from its parts, which did not agree. They
// belong to one input and to jobs with the same terms.
type Answers struct {
	Format   int    `json:"format"`
	Input    string `json:"input"` // its name, for people
	Identity string `json:"identity"`
	Terms    []Term `json:"terms"`
	// BySide are the answers in the order of the questions, for the base and for the reform if there is one.
	BySide [][]bool `json:"answers"`

	name string // of the file itself
}

// maxAnswers bounds a file with answers.
const maxAnswers = 256 << 20

// ReadAnswers reads what Merge has written.
func ReadAnswers(ctx context.Context, where Storage, name string) (*Answers, error) {
	text, err := readAll(ctx, where, name, maxAnswers)
	if err != nil {
		return nil, err
	}
	a := &Answers{name: name}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, unreadable(name, "file with answers", text, err)
	}
	if a.Format != partFormat || len(a.BySide) == 0 {
		return nil, fmt.Errorf("%s has no answers that this edict knows", name)
	}
	return a, nil
}

// check refuses answers of another job. No answers are those of any.
func (a *Answers) check(j *Job) error {
	if a == nil {
		return nil
	}
	if a.Identity != j.identity {
		return fmt.Errorf("--answers: they are about %s as it was when the parts were computed, and %s is not that", a.Input, j.Input)
	}
	if name, one, other, yes := differ(a.Terms, slices.Concat(j.Terms, j.terms())); yes {
		return fmt.Errorf("--answers: the file belongs to a job with %s %q; this job has %q", name, one, other)
	}
	if sides := 1 + map[bool]int{true: 1}[j.Reform != nil]; len(a.BySide) != sides {
		return errors.New("--answers: they belong to another job")
	}
	return nil
}

func (a *Answers) bySide() [][]bool {
	if a == nil {
		return nil
	}
	return a.BySide
}
