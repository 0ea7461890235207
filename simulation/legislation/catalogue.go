package legislation

import (
	"context"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/singleflight"
)

// maxCompositions bounds what a catalogue keeps; the oldest composition gives way.
const maxCompositions = 64

// ReformMaker applies one reform to a system.
type ReformMaker func(ctx context.Context, base *System) (*System, error)

// Catalogue gives systems with reforms applied, in order, and keeps those that were made. A composition that several
// callers ask for at once is made once. It is safe for concurrent use.
type Catalogue struct {
	base    *System
	reforms *Ordered[ReformMaker]

	mu     sync.Mutex
	made   map[string]*System
	recent []string
	flight singleflight.Group
}

// NewCatalogue makes a catalogue of a base system and the reforms it knows by name.
func NewCatalogue(base *System, reforms *Ordered[ReformMaker]) *Catalogue {
	return &Catalogue{base: base, reforms: reforms, made: make(map[string]*System)}
}

// Base is the system without reforms.
func (c *Catalogue) Base() *System { return c.base }

// Reforms lists the names of the reforms.
func (c *Catalogue) Reforms() []string { return c.reforms.Keys() }

// System gives the base system with the named reforms applied one after the other.
func (c *Catalogue) System(ctx context.Context, reforms ...string) (*System, error) {
	for _, name := range reforms {
		if _, ok := c.reforms.Get(name); !ok {
			return nil, valueError("there is no reform '%s'%s", name, didYouMean(Nearest(name, slices.Values(c.reforms.Keys()))))
		}
	}
	system := c.base
	for i := range reforms {
		var err error
		if system, err = c.step(ctx, system, reforms[:i+1]); err != nil {
			return nil, err
		}
	}
	return system, nil
}

func (c *Catalogue) step(ctx context.Context, base *System, reforms []string) (*System, error) {
	key := strings.Join(reforms, "\x00")
	if s, ok := c.known(key); ok {
		return s, nil
	}
	made, err, _ := c.flight.Do(key, func() (any, error) {
		// A flight may have landed between the look above and this one's start.
		if s, ok := c.known(key); ok {
			return s, nil
		}
		reform, _ := c.reforms.Get(reforms[len(reforms)-1])
		// The composition serves everybody who waits for it, not only the first caller.
		s, err := reform(context.WithoutCancel(ctx), base)
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

func (c *Catalogue) known(key string) (*System, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.made[key]
	return s, ok
}

func (c *Catalogue) keep(key string, s *System) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.made[key]; !known {
		c.recent = append(c.recent, key)
	}
	c.made[key] = s
	if len(c.recent) > maxCompositions {
		delete(c.made, c.recent[0])
		c.recent = c.recent[1:]
	}
}
