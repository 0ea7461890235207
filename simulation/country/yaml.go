package country

import (
	"strconv"

	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
)

// yamlTable is module yaml, as far as packages read files of their own with it. Days stay texts, and a key that is
// written twice is refused.
func yamlTable() py.Table {
	loader := py.Obj(py.NewClass("SafeLoader", nil))
	return py.Table{
		"CSafeLoader": loader,
		"FullLoader":  loader,
		"SafeLoader":  loader,
		"YAMLError":   py.Obj(py.ValueError),
		"load":        py.Pure("load", loadYAML),
		"safe_load":   py.Pure("safe_load", loadYAML),
	}
}

// loadYAML is safe_load(stream), where a stream is a text, bytes, or a file.
func loadYAML(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var stream py.Value
	loader := py.None
	th.Unpack("load", args, kws, "stream", &stream, "Loader?", &loader)
	if read, ok := th.Attr(stream, "read"); ok {
		stream = th.Invoke(read)
	}
	text, ok := stream.AsString()
	if b, isBytes := stream.Object().(py.Bytes); isBytes {
		text, ok = string(b), true
	}
	if !ok {
		th.Raise(py.TypeError, "yaml reads a text or a file, not %s", py.TypeName(stream))
	}
	th.Alloc(4 * len(text))
	d, err := legislation.ParseYAML("the text", []byte(text))
	if err != nil {
		th.Raise(py.ValueError, "%s", err.Error())
	}
	return yamlValue(&d)
}

// yamlValue is data as Python has it, with whole numbers as keys where they are written as such.
func yamlValue(d *legislation.Data) py.Value {
	switch d.Kind {
	case legislation.Mapping:
		out := py.NewDict()
		for k, v := range d.Map.All() {
			key := py.String(k)
			if n, err := strconv.ParseInt(k, 10, 64); err == nil && strconv.FormatInt(n, 10) == k {
				key = py.Int(n)
			}
			out.Set(key, yamlValue(&v))
		}
		return py.Obj(out)
	case legislation.List:
		items := make([]py.Value, len(d.List))
		for i := range d.List {
			items[i] = yamlValue(&d.List[i])
		}
		return py.Obj(py.NewList(items))
	}
	return valueOf(d)
}
