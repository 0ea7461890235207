package numpy

// This file defines what arrays of enumeration codes can do besides.

import (
	py "edict/simulation/pyeval"
	"edict/simulation/vector"
)

// enumArrayTable is what arrays of enumeration codes have besides the methods of all arrays. The
// domain of the codes leads to their class, which its host made.
func enumArrayTable() py.Table {
	return py.Table{
		"decode":          py.Pure("decode", decodeEnum),
		"decode_to_str":   py.Pure("decode_to_str", decodeEnumToStr),
		"possible_values": py.NewProperty(func(th *py.Thread, v py.Value) py.Value { return py.Obj(enumClass(th, v, "possible_values")) }),
	}
}

// enumClass returns the class of an array of codes; other arrays have none.
func enumClass(th *py.Thread, v py.Value, name string) *py.Class {
	if v.Object() == nil && v.Raw().Type() == vector.Enum {
		if class, ok := v.Raw().Domain().Of.(*py.Class); ok {
			return class
		}
	}
	th.NoAttr(v, name)
	return nil
}

// decodeEnum gives an array of the members themselves.
func decodeEnum(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	c := receiver(th, "decode", args)
	members := th.Collect(py.Obj(enumClass(th, args[0], "decode")))
	objects := make([]any, c.Len())
	for i := range objects {
		objects[i] = py.ToAny(members[memberAt(th, c, i)])
	}
	return py.Raw(vector.Objects(objects))
}

// memberAt is the place of the member whose code element i is, which may be the code of none.
func memberAt(th *py.Thread, c vector.Column, i int) int {
	code, n := int(c.Int(i)), len(c.Domain().Members)
	if code < -n || code >= n {
		th.Raise(py.IndexError, "index %d is out of bounds for axis 0 with size %d", code, n)
	}
	if code < 0 {
		code += n
	}
	return code
}

// decodeEnumToStr gives an array of the names of the members.
func decodeEnumToStr(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	c := receiver(th, "decode_to_str", args)
	enumClass(th, args[0], "decode_to_str")
	names := make([]string, c.Len())
	for i := range names {
		names[i] = c.Domain().Members[memberAt(th, c, i)]
	}
	return py.Raw(vector.Strs(names))
}
