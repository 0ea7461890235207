package why

// The lengths are about what the parts of an answer take as JSON.

func (n *Node) length() int {
	length := 130 + len(n.Variable.Name) + len(n.Variable.Label) + len(n.Variable.Entity.Key) + len(n.ID)
	if n.Formula != nil {
		length += 60 + len(n.Formula.Source.File)
	}
	return length
}

func (p *Parameter) length() int {
	length := 110 + len(p.Name) + len(p.Label) + len(p.Unit)
	if p.Data != nil {
		length += 40 * max(len(p.Data.List), 10)
	}
	for _, r := range p.References {
		length += 40
		for _, text := range r.Map.All() {
			s, _ := text.Text()
			length += 15 + len(s)
		}
	}
	return length
}

func (c *Condition) length() int {
	length := 60 + len(c.Text)
	for _, s := range c.Sides {
		length += 70 + len(s.Text) + len(s.Variable) + len(s.Parameter) + 15*len(s.Values)
	}
	return length
}
