package legislation

import "slices"

// abolitions is where the law has a parameter for each variable that may be abolished, by its name, if the system converts ([Profile.Converts]): such is
// the convention of PolicyEngine's packages, whose reforms set one to true to do without a variable for some years.
var abolitions = []string{"gov", "abolitions"}

// abolish gives variables the parameters that abolish them; most never do, and their variables have none. With copies, only those
// parameters are looked at that have one, which stands for them.
func (b *Builder) abolish(root *ParameterNode, copies map[ParameterItem]ParameterItem) {
	if !b.system.converts {
		return
	}
	item, _ := root.Find(abolitions...)
	node, ok := item.(*ParameterNode)
	if _, changed := copies[item]; !ok || copies != nil && !changed {
		return
	}
	for name, child := range node.Children.All() {
		if copies != nil {
			child = copies[child]
		}
		p, ok := child.(*Parameter)
		v := b.Variable(name)
		if !ok || v == nil {
			continue
		}
		if !p.everTrue() {
			p = nil
		}
		if v.Abolished != p {
			abolished := *v
			abolished.Abolished = p
			b.put(&abolished)
		}
	}
}

func (p *Parameter) everTrue() bool {
	return slices.ContainsFunc(p.Values, func(v DatedValue) bool { return truth(v.Value) })
}
