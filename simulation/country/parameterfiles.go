package country

import (
	"path"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// How parameters are made: of data that Python gives, or of files.

// makeNode is ParameterNode(name="", directory_path=None, data=None, file_path=None).
func (c *core) makeNode(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
	base := c.nodeClass
	if class.IsSub(c.bracketClass) {
		base = c.bracketClass
	}
	if v, ok := c.derivedFrom(th, class, base, func() legislation.ParameterItem { return legislation.NewParameterNode("") }, args, kws); ok {
		return v
	}
	name, directory, data, file := "", py.None, py.None, py.None
	th.Unpack(class.Name, args, kws, "name?", &name, "directory_path?", &directory, "data?", &data, "file_path?", &file)
	if dir, ok := th.PathText(directory); ok {
		return py.Obj(c.parameter(c.loadParameters(th, dir, name)))
	}
	if empty, ok := data.Object().(*py.Dict); ok && empty.Len() == 0 {
		return py.Obj(c.parameter(legislation.NewParameterNode(name)))
	}
	item := c.buildParameter(th, name, data, file)
	if _, ok := item.(*legislation.ParameterNode); !ok {
		th.Raise(py.ValueError, "the data of %s %s do not describe a node", class.Name, name)
	}
	return py.Obj(c.parameter(item))
}

// makeParameter is Parameter(name, data, file_path=None) and ParameterScale(name, data, file_path).
func (c *core) makeParameter(th *py.Thread, class *py.Class, args []py.Value, kws []py.Kw) py.Value {
	base := c.parameterClass
	if class.IsSub(c.scaleClass) {
		base = c.scaleClass
	}
	if v, ok := c.derivedFrom(th, class, base, emptyParameter, args, kws); ok {
		return v
	}
	name, data, file := "", py.None, py.None
	th.Unpack(class.Name, args, kws, "name", &name, "data", &data, "file_path?", &file)
	return py.Obj(c.parameter(c.buildParameter(th, name, data, file)))
}

func (c *core) buildParameter(th *py.Thread, name string, data, file py.Value) legislation.ParameterItem {
	where, _ := th.PathText(file)
	item, err := legislation.BuildParameter(name, dataOf(th, data), where, c.keys())
	if err != nil {
		th.Throw(err)
	}
	return c.complete(item)
}

// keys are the properties that data of parameters may have in the dialect of the package.
func (c *core) keys() legislation.Keys {
	if c.policy {
		return legislation.AnyKeys
	}
	return legislation.KnownKeys
}

// complete adds to parameters what the dialect of the package reads into them.
func (c *core) complete(item legislation.ParameterItem) legislation.ParameterItem {
	if c.policy {
		legislation.PropagateScales(item)
	}
	return item
}

// loadParameters reads a directory of YAML files, or one file.
func (c *core) loadParameters(th *py.Thread, where, name string) legislation.ParameterItem {
	files, inside, err := c.find(where)
	if err != nil {
		th.Throw(err)
	}
	var known legislation.KnownFiles
	if c.known != nil {
		known = parameters{c.known, files}
	}
	item, err := legislation.LoadParameters(th.Context(), files, inside, name, known, c.keys())
	if err != nil {
		th.Throw(err)
	}
	return c.complete(item)
}

// loadParameterFile is load_parameter_file(file_path, name="").
func (c *core) loadParameterFile(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var file py.Value
	name := ""
	th.Unpack("load_parameter_file", args, kws, "file_path", &file, "name?", &name)
	return py.Obj(c.parameter(c.loadParameters(th, path.Clean(pathOf(th, file)), name)))
}
