package hdf5

import (
	"fmt"
	"slices"
	"strings"
)

// Group is a group of a file.
type Group struct {
	f        *File
	path     string
	messages []message
	links    []link
}

// link is a name in a group and the object that it leads to.
type link struct {
	name   string
	header uint64
	soft   string // path of another object, "" for none
}

const (
	maxLinks = 1 << 20 // of one group
	maxDepth = 32      // of trees
)

// Root returns the root group.
func (f *File) Root() (*Group, error) { return f.group("", f.root) }

func (f *File) group(path string, address uint64) (*Group, error) {
	messages, err := f.header(address)
	if err != nil {
		return nil, err
	}
	g := &Group{f: f, path: path, messages: messages}
	for _, m := range messages {
		c := &cursor{f: f, data: m.data}
		switch m.kind {
		case symbolTableMessage:
			tree, heap := c.address(), c.address()
			if c.err == nil {
				c.err = g.symbols(tree, heap)
			}
		case linkMessage:
			g.links = append(g.links, g.link(c))
		case linkInfoMessage:
			c.skip(1)
			flags := c.u8()
			if flags&1 != 0 {
				c.skip(8)
			}
			if heap := c.address(); heap != undefined && c.err == nil {
				return nil, unsupported("dense storage of the links of group %s", g.Path())
			}
		}
		if c.err != nil {
			return nil, fmt.Errorf("group %s: %w", g.Path(), c.err)
		}
	}
	return g, nil
}

// Path is where the group is in the file, "/" for the root.
func (g *Group) Path() string {
	if g.path == "" {
		return "/"
	}
	return g.path
}

// link decodes a link message.
func (g *Group) link(c *cursor) link {
	var l link
	if version := c.u8(); version != 1 {
		c.err = damaged("a link of version %d", version)
		return l
	}
	flags, kind := c.u8(), 0
	if flags&8 != 0 {
		kind = c.u8()
	}
	if flags&4 != 0 {
		c.skip(8) // order of creation
	}
	if flags&16 != 0 {
		c.skip(1) // character set
	}
	l.name = string(c.take(int(c.number(1 << (flags & 3)))))
	switch kind {
	case 0:
		l.header = c.address()
	case 1:
		l.soft = string(c.take(c.u16()))
	default: // a link into another file leads nowhere
	}
	return l
}

// symbols reads the links of a group of the old style: a tree of symbol tables, whose names are in a heap.
func (g *Group) symbols(tree, heap uint64) error {
	c, err := g.f.at(heap, 8+2*g.f.lengths+g.f.offsets)
	if err != nil {
		return err
	}
	c.expect("HEAP")
	c.skip(4)
	size := c.length()
	c.skip(g.f.lengths)
	data := c.address()
	if c.err != nil {
		return c.err
	}
	if size > maxHeader {
		return damaged("names of %d bytes", size)
	}
	names, err := g.f.read(data, int(size))
	if err != nil {
		return err
	}
	return g.f.tree(tree, 0, g.f.lengths, func(_ []byte, table uint64) error { return g.table(table, names) })
}

// table reads the entries of one symbol table.
func (g *Group) table(address uint64, names []byte) error {
	c, err := g.f.at(address, 8)
	if err != nil {
		return err
	}
	c.expect("SNOD")
	c.skip(2)
	count := c.u16()
	if c.err != nil {
		return c.err
	}
	entry := 2*g.f.offsets + 24
	if c, err = g.f.at(address+8, count*entry); err != nil {
		return err
	}
	for range count {
		name, header := c.number(g.f.offsets), c.address()
		kind := c.u32()
		c.skip(4)
		scratch := c.take(16)
		text, err := textAt(names, name)
		if err != nil {
			return err
		}
		l := link{name: text, header: header}
		if kind == 2 { // a soft link
			at := cursor{f: g.f, data: scratch}
			if l.soft, err = textAt(names, uint64(at.u32())); err != nil {
				return err
			}
		}
		if g.links = append(g.links, l); len(g.links) > maxLinks {
			return damaged("a group of more than %d links", maxLinks)
		}
	}
	return c.err
}

func textAt(heap []byte, at uint64) (string, error) {
	if at >= uint64(len(heap)) {
		return "", damaged("a name lies beyond its heap")
	}
	c := cursor{data: heap[at:]}
	s := c.text()
	return s, c.err
}

// Names lists the children in the order of the file.
func (g *Group) Names() []string {
	names := make([]string, len(g.links))
	for i, l := range g.links {
		names[i] = l.name
	}
	return names
}

// Child returns a child by its name: a *Group, a *Dataset, or nil if there is none or the link leads nowhere.
func (g *Group) Child(name string) (any, error) { return g.child(name, 0) }

func (g *Group) child(name string, hops int) (any, error) {
	i := slices.IndexFunc(g.links, func(l link) bool { return l.name == name })
	if i < 0 {
		return nil, nil
	}
	l := g.links[i]
	if l.soft != "" {
		return g.follow(l.soft, hops)
	}
	if l.header == undefined || l.header == 0 {
		return nil, nil
	}
	path := g.path + "/" + name
	messages, err := g.f.header(l.header)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !slices.ContainsFunc(messages, func(m message) bool { return m.kind == layoutMessage }) {
		if !slices.ContainsFunc(messages, func(m message) bool { return m.kind == symbolTableMessage || m.kind == linkInfoMessage }) {
			return nil, nil // a named type
		}
		return g.f.group(path, l.header)
	}
	d, err := g.f.dataset(path, messages)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// follow returns the object that a soft link names.
func (g *Group) follow(path string, hops int) (any, error) {
	if hops > 16 {
		return nil, damaged("more than 16 soft links lead to one another")
	}
	at := g
	if strings.HasPrefix(path, "/") {
		root, err := g.f.Root()
		if err != nil {
			return nil, err
		}
		at = root
	}
	var found any = at
	for part := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		group, ok := found.(*Group)
		if !ok {
			return nil, nil
		}
		var err error
		if found, err = group.child(part, hops+1); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// tree visits the leaves of a tree of version 1 in order, each with its key.
func (f *File) tree(address uint64, kind, key int, visit func(key []byte, child uint64) error) error {
	seen := make(map[uint64]bool)
	var walk func(address uint64, depth int) error
	walk = func(address uint64, depth int) error {
		if depth > maxDepth || seen[address] {
			return damaged("a tree that does not end")
		}
		seen[address] = true
		c, err := f.at(address, 8+2*f.offsets)
		if err != nil {
			return err
		}
		c.expect("TREE")
		if got := c.u8(); got != kind && c.err == nil {
			return damaged("a tree of kind %d, not %d", got, kind)
		}
		level, entries := c.u8(), c.u16()
		if c.err != nil {
			return c.err
		}
		if c, err = f.at(address+uint64(8+2*f.offsets), entries*(key+f.offsets)); err != nil {
			return err
		}
		for range entries {
			k, child := c.take(key), c.address()
			if level == 0 {
				err = visit(k, child)
			} else {
				err = walk(child, depth+1)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return walk(address, 0)
}
