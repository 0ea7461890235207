package legislation

// SystemCopy is a system in the making that has other values of some parameters than the one it is a copy of: formulas of PolicyEngine's packages
// make such copies, to compute in a branch by the law of another year. It costs what it changes.
type SystemCopy struct {
	builder *Builder
	reforms []*Reform // that the system was derived by
	tree    *derivation
	made    *System // once it is in use
}

// Copy begins a copy of the system.
func (s *System) Copy() *SystemCopy {
	base, c := s, &SystemCopy{}
	if s.derived != nil {
		base, c.reforms = s.derived.base, s.derived.reforms
	}
	c.builder = base.Reform("")
	for _, r := range c.reforms {
		_ = c.builder.neutralize(r) // nothing is wrong with it: the system was derived by it
	}
	c.tree = &derivation{base: base.tree, copies: map[ParameterItem]ParameterItem{}, origins: map[ParameterItem]ParameterItem{}}
	if before := s.tree.derivation; before != nil && before.base == base.tree {
		before.repeatIn(c.tree)
	}
	return c
}

// repeatIn makes another derivation of the same base begin with what this one changes.
func (d *derivation) repeatIn(other *derivation) {
	for item, own := range d.copies {
		if p, ok := own.(*Parameter); ok {
			other.put(item, &Parameter{ParameterInfo: p.ParameterInfo, Values: p.Values})
		} else {
			other.copies[item] = nil
		}
	}
}

// Root is the root of the parameters, as they are in the system that the copy changes: Now says what stands for one of them.
func (c *SystemCopy) Root() *ParameterNode { return c.tree.base.Root }

// Now is what stands for a parameter in the copy.
func (c *SystemCopy) Now(p *Parameter) *Parameter {
	if own, ok := c.tree.copies[p].(*Parameter); ok {
		return own
	}
	return p
}

// Own is what stands for a parameter in the copy, to be changed; above is everything that it lies in, from Root on. It is an error once the copy is
// in use.
func (c *SystemCopy) Own(p *Parameter, above []ParameterItem) (*Parameter, error) {
	if c.made != nil {
		return nil, valueError("the copy of the law is in use: \"%s\" cannot change any more", p.Name)
	}
	if _, own := c.tree.origins[p]; own {
		return p, nil
	}
	return c.tree.own(located{p, above}), nil
}

// System is the copy as a system, which does not change any more.
func (c *SystemCopy) System() *System {
	if c.made == nil {
		c.made = c.builder.buildDerived(c.tree, c.reforms)
	}
	return c.made
}

// Item is what stands for an item of the tree below Root in the system.
func (c *SystemCopy) Item(item ParameterItem) ParameterItem {
	c.System()
	return c.tree.copy(item)
}
