package legislation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/singleflight"
)

// What a catalogue keeps is bounded by number and by what it takes in memory; what was not used for longest gives way.
const (
	maxSystems  = 512
	systemBytes = 192 << 20
)

// ReformMaker applies one reform to a system.
type ReformMaker func(ctx context.Context, base *System) (*System, error)

// Step is a reform of a composition: one that has a key, or one that is written as data.
type Step struct {
	Key  string
	Data *Reform
}

// Steps are the steps of reforms by their keys.
func Steps(keys []string) []Step {
	steps := make([]Step, len(keys))
	for i, key := range keys {
		steps[i].Key = key
	}
	return steps
}

// StepErrors is why a composition cannot be made: everything that is wrong with its steps.
type StepErrors []StepError

// StepError is what is wrong with a step: its position, the place in it if it is written as data, and what.
type StepError struct {
	Step  int
	Place []string
	Err   error
}

// Error has a line for each problem.
func (es StepErrors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Err.Error()
	}
	return strings.Join(lines, "\n")
}

// Catalogue gives systems with reforms applied, in order, and keeps those that were made, by what the reforms say. A
// composition that several callers ask for at once is made once. It is safe for concurrent use.
type Catalogue struct {
	base     *System
	reforms  *Ordered[ReformMaker]
	complete ReformMaker

	mu     sync.Mutex
	made   map[string]*System
	recent []string // by last use, the latest at the end
	uses   int
	flight singleflight.Group
}

// NewCatalogue makes a catalogue of a base system and the reforms it knows by name. The function complete, which
// may be nil, receives every system that reforms make.
func NewCatalogue(base *System, reforms *Ordered[ReformMaker], complete ReformMaker) *Catalogue {
	if complete == nil {
		complete = func(_ context.Context, made *System) (*System, error) { return made, nil }
	}
	return &Catalogue{base: base, reforms: reforms, complete: complete, made: make(map[string]*System)}
}

// Base is the system without reforms.
func (c *Catalogue) Base() *System { return c.base }

// Reforms lists the names of the reforms.
func (c *Catalogue) Reforms() []string { return c.reforms.Keys() }

// System gives the base system with the named reforms applied one after the other.
func (c *Catalogue) System(ctx context.Context, reforms ...string) (*System, error) {
	return c.Compose(ctx, Steps(reforms))
}

// Compose gives the base system with steps applied one after the other. The base of a step that is written as data is
// applied before all such steps that it stands among, unless it is there already. If steps are to blame the error is
// [StepErrors].
func (c *Catalogue) Compose(ctx context.Context, steps []Step) (*System, error) {
	placed, wrong := c.place(steps)
	system := c.base
	for done := 0; done < len(placed); {
		n := done + 1
		for placed[done].Data != nil && n < len(placed) && placed[n].Data != nil {
			n++
		}
		made, err := c.step(ctx, system, placed, done, n)
		if steps, ok := errors.AsType[StepErrors](err); ok {
			wrong = append(wrong, steps...) // and what comes after is looked at as well
		} else if err != nil {
			return nil, err
		} else {
			system = made
		}
		done = n
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return system, nil
}

// placedStep is a step with its position in what was asked for.
type placedStep struct {
	Step
	position int
}

// place leaves out steps whose keys are not known, and puts the bases of steps before them.
func (c *Catalogue) place(steps []Step) (placed []placedStep, wrong StepErrors) {
	data := 0 // where the steps that are written as data begin, of those at the end
	for i, s := range steps {
		if s.Data == nil {
			if err := c.check(s.Key); err != nil {
				wrong = append(wrong, StepError{Step: i, Err: err})
				continue
			}
			placed = append(placed, placedStep{s, i})
			data = len(placed)
			continue
		}
		base := s.Data.Base
		if err := c.check(base); base != "" && err != nil {
			wrong = append(wrong, StepError{i, []string{"base"}, err})
		} else if base != "" && !slices.ContainsFunc(placed, func(p placedStep) bool { return p.Key == base }) {
			placed = slices.Insert(placed, data, placedStep{Step{Key: base}, i})
			data++
		}
		placed = append(placed, placedStep{s, i})
	}
	return placed, wrong
}

// check makes sure that there is a reform of a key.
func (c *Catalogue) check(key string) error {
	if _, ok := c.reforms.Get(key); ok {
		return nil
	}
	return &NoReform{key, c.reforms.Keys()}
}

// NoReform is the error for a key that no reform has.
type NoReform struct {
	Key   string
	Known []string
}

func (e *NoReform) Error() string {
	return fmt.Sprintf("there is no reform '%s'%s", e.Key, didYouMean(Nearest(e.Key, slices.Values(e.Known))))
}

// step applies the steps from one to another, which are one with a key or some that are written as data, to the system
// that those before them made.
func (c *Catalogue) step(ctx context.Context, base *System, placed []placedStep, from, to int) (*System, error) {
	key := contentOf(placed[:to])
	if s, ok := c.known(key); ok {
		return s, nil
	}
	made, err, _ := c.flight.Do(key, func() (any, error) {
		// A flight may have landed between the look above and this one's start.
		if s, ok := c.known(key); ok {
			return s, nil
		}
		// The composition serves everybody who waits for it, not only the first caller.
		s, err := c.make(context.WithoutCancel(ctx), base, placed[from:to])
		if err != nil {
			return nil, err
		}
		c.keep(key, s)
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	return made.(*System), nil
}

// contentOf tells compositions apart.
func contentOf(placed []placedStep) string {
	var parts []string
	for _, p := range placed {
		if p.Data != nil {
			parts = append(parts, "\x01"+p.Data.content())
		} else {
			parts = append(parts, p.Key)
		}
	}
	return strings.Join(parts, "\x00")
}

func (c *Catalogue) make(ctx context.Context, base *System, steps []placedStep) (*System, error) {
	if steps[0].Data == nil {
		reform, _ := c.reforms.Get(steps[0].Key)
		s, err := reform(ctx, base)
		if err == nil {
			s, err = c.complete(ctx, s)
		}
		if err != nil {
			return nil, StepErrors{{Step: steps[0].position, Err: &ReformFailed{steps[0].Key, err}}}
		}
		return s, nil
	}
	reforms := make([]*Reform, len(steps))
	for i, s := range steps {
		reforms[i] = s.Data
	}
	s, wrong := base.Derive(reforms...)
	if len(wrong) == 0 {
		made, err := c.complete(ctx, s)
		if err != nil {
			return nil, StepErrors{{Step: steps[0].position, Err: err}}
		}
		return made, nil
	}
	var at StepErrors
	for _, e := range wrong {
		at = append(at, StepError{steps[e.Reform].position, e.Place, &e})
	}
	return nil, at
}

// ReformFailed says that a reform with a key cannot be applied to what those before it made.
type ReformFailed struct {
	Key string
	Err error
}

func (e *ReformFailed) Error() string {
	return fmt.Sprintf("reform '%s' cannot be applied here: %v; if it builds on another reform, put that reform before it", e.Key, e.Err)
}

func (e *ReformFailed) Unwrap() error { return e.Err }

func (c *Catalogue) known(key string) (*System, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.made[key]
	if ok {
		c.use(key)
	}
	return s, ok
}

// Keeps tells whether a system is one of those that the catalogue has made and not forgotten.
func (c *Catalogue) Keeps(s *System) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, made := range c.made {
		if made == s {
			return true
		}
	}
	return false
}

func (c *Catalogue) keep(key string, s *System) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made[key] = s
	c.use(key)
	c.trim()
}

// use makes a composition the one that was used last. Systems grow with what is learned about them, so that they are
// weighed now and then.
func (c *Catalogue) use(key string) {
	if c.uses++; c.uses%64 == 0 {
		c.trim()
	}
	if n := len(c.recent); n > 0 && c.recent[n-1] == key {
		return
	}
	if i := slices.Index(c.recent, key); i >= 0 {
		c.recent = slices.Delete(c.recent, i, i+1)
	}
	c.recent = append(c.recent, key)
}

// trim forgets what was used longest ago, as long as there is too much.
func (c *Catalogue) trim() {
	var bytes int64
	for _, s := range c.made {
		bytes += s.weight()
	}
	for len(c.recent) > 1 && (len(c.recent) > maxSystems || bytes > systemBytes) {
		bytes -= c.made[c.recent[0]].weight()
		delete(c.made, c.recent[0])
		c.recent = slices.Delete(c.recent, 0, 1)
	}
}

// weight is about what a system takes beside what it shares with the one it was made from, with what was learned about it.
func (s *System) weight() int64 {
	bytes := int64(4096)
	if s.derived != nil {
		bytes += s.derived.weight()
	}
	switch {
	case s.tree.derivation != nil:
		bytes += int64(len(s.tree.derivation.copies))*itemBytes + s.tree.bytes.Load()
	case s.baseline != nil && s.baseline.tree != s.tree:
		bytes += s.tree.weight()
	}
	if s.baseline != nil && len(s.order) > 0 && &s.baseline.order[0] != &s.order[0] {
		bytes += int64(len(s.order)) * variableBytes
	}
	return bytes + s.memory.weight()
}

const (
	itemBytes     = 400
	variableBytes = 64
	changeBytes   = 600 // with the value that comes of it
)

// weight is about what the tree takes if it shares nothing.
func (t *Tree) weight() int64 {
	t.weighed.Do(func() {
		for range t.Root.Descendants() {
			t.items += itemBytes
		}
	})
	return t.items + t.bytes.Load()
}
