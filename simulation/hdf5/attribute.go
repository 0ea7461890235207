package hdf5

import "slices"

// Attribute returns an attribute of the group as a column, nil if there is none.
func (g *Group) Attribute(name string) (*Column, error) {
	return g.f.attribute(g.Path(), g.messages, name)
}

// Attribute returns an attribute of the dataset as a column, nil if there is none.
func (d *Dataset) Attribute(name string) (*Column, error) {
	return d.f.attribute(d.path, d.messages, name)
}

func (f *File) attribute(path string, messages []message, name string) (*Column, error) {
	for _, m := range messages {
		c := &cursor{f: f, data: m.data}
		if m.kind == attributeInfo {
			flags := 0
			if c.skip(1); c.err == nil {
				flags = c.u8()
			}
			if flags&1 != 0 {
				c.skip(2)
			}
			if heap := c.address(); heap != undefined && c.err == nil {
				return nil, unsupported("dense storage of the attributes of %s", path)
			}
		}
		if m.kind != attributeMessage || m.shared {
			continue
		}
		d, err := f.decodeAttribute(c, path, name)
		if err != nil {
			return nil, err
		}
		if d != nil {
			return d.Columns()[0], nil
		}
	}
	return nil, nil
}

// decodeAttribute decodes an attribute of some name, nil for one of another name.
func (f *File) decodeAttribute(c *cursor, path, name string) (*Dataset, error) {
	version, flags := c.u8(), c.u8()
	sizes := [3]int{c.u16(), c.u16(), c.u16()}
	if version < 1 || version > 3 {
		return nil, damaged("an attribute of version %d", version)
	}
	if version == 3 {
		c.skip(1) // character set
	}
	var parts [3][]byte
	for i, n := range sizes {
		parts[i] = c.take(n)
		if version == 1 {
			c.skip(min(-n&7, len(c.data)))
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	if got := (&cursor{data: append(slices.Clip(parts[0]), 0)}).text(); got != name {
		return nil, nil
	}
	d := &Dataset{f: f, path: path + "@" + name, layout: layout{compact: c.rest()}}
	space := &cursor{f: f, data: parts[2]}
	d.dataspace(space)
	var err error
	if d.of, err = f.datatype(message{kind: datatypeMessage, shared: version > 1 && flags&1 != 0, data: parts[1]}); err != nil {
		return nil, err
	}
	if d.layout.compact == nil {
		d.layout.compact = []byte{}
	}
	return d, space.err
}
