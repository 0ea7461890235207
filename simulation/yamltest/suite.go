package yamltest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// Suite has the systems that cases run on. It is safe for concurrent use.
type Suite struct {
	pkg  *country.Package
	base *legislation.System

	mu     sync.Mutex
	recent []*composition // the latest last
}

// maxCompositions is how many systems a suite keeps besides its base: each may have all parameters of its own.
const maxCompositions = 4

type composition struct {
	key    string
	once   sync.Once
	system *legislation.System
	err    error
}

// NewSuite makes a suite whose cases run on base, the system of the package or one composed from it.
func NewSuite(pkg *country.Package, base *legislation.System) *Suite {
	return &Suite{pkg: pkg, base: base}
}

// System returns the base with reforms applied in order, then extensions. Combinations that were asked for of late are not made again.
func (s *Suite) System(ctx context.Context, reforms, extensions []string) (*legislation.System, error) {
	if len(reforms)+len(extensions) == 0 {
		return s.base, nil
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(extensions)))
	key := strings.Join(reforms, "\x00") + "\x01" + strings.Join(sorted, "\x00")
	c := s.composition(key)
	// Outside of the lock: other combinations need not wait for this one.
	c.once.Do(func() { c.system, c.err = s.compose(ctx, reforms, extensions) })
	return c.system, c.err
}

// composition finds what is kept under a key, or begins it in the place of what was not asked for for longest.
func (s *Suite) composition(key string) *composition {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &composition{key: key}
	if i := slices.IndexFunc(s.recent, func(c *composition) bool { return c.key == key }); i >= 0 {
		c = s.recent[i]
		s.recent = slices.Delete(s.recent, i, i+1)
	} else if len(s.recent) == maxCompositions {
		s.recent = slices.Delete(s.recent, 0, 1)
	}
	s.recent = append(s.recent, c)
	return c
}

func (s *Suite) compose(ctx context.Context, reforms, extensions []string) (*legislation.System, error) {
	system, err := s.pkg.Compose(ctx, s.base, reforms)
	if err != nil {
		return nil, err
	}
	for _, e := range extensions {
		if s.has(e) {
			continue
		}
		if system, err = s.pkg.Extend(ctx, system, e); err != nil {
			return nil, err
		}
	}
	return system, nil
}

// has reports whether the base was loaded with an extension: a case may name it all the same.
func (s *Suite) has(extension string) bool {
	return slices.ContainsFunc(s.pkg.Extensions, func(src *country.Source) bool { return src.Name == extension })
}

// The days on which a parameter has the value that the input of a case gives it, as PolicyEngine has it.
var (
	inlineFrom  = period.Instant{Year: 2000, Month: 1, Day: 1}
	inlineUntil = period.Instant{Year: 2039, Month: 12, Day: 31}
)

// inline takes the parameters out of the input of a case, whose names have dots, and returns a system where they have these
// values, and the rest of the input.
func (s *Suite) inline(ctx context.Context, system *legislation.System, input legislation.Data) (*legislation.System, legislation.Data, error) {
	if input.Kind == legislation.Null { // PolicyEngine takes it for nothing given
		input = legislation.Data{Kind: legislation.Mapping, Line: input.Line, Map: legislation.NewOrdered[legislation.Data]()}
	}
	rest := legislation.Data{Kind: input.Kind, Line: input.Line, Map: legislation.NewOrdered[legislation.Data]()}
	reform := &legislation.Reform{Name: "parameters of the input"}
	for key, value := range input.Map.All() {
		if strings.Contains(key, ".") {
			reform.Changes = append(reform.Changes, legislation.Change{Path: key, From: inlineFrom, Until: &inlineUntil, Value: value, Free: true})
		} else {
			rest.Map.Set(key, value)
		}
	}
	if len(reform.Changes) == 0 {
		return system, input, nil
	}
	changed, err := s.pkg.Derive(ctx, system, reform)
	return changed, rest, err
}

// withParameters returns a system whose whole parameter tree is the one of a case.
func withParameters(system *legislation.System, c *Case) (*legislation.System, error) {
	item, err := legislation.BuildParameter("", c.Parameters, c.File, legislation.KnownKeys)
	if err != nil {
		return nil, err
	}
	root, ok := item.(*legislation.ParameterNode)
	if !ok {
		return nil, fmt.Errorf("parameters: expected a tree, with a mapping at the top")
	}
	b := system.Reform("parameters of the test")
	b.SetParameters(root)
	return b.Build(), nil
}
