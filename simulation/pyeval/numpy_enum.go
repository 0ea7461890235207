package pyeval

import "edict/simulation/vector"

// enumArrayTable is what arrays of enumeration codes have besides the methods of all arrays. The
// domain of the codes leads to their class, which its host made.
func enumArrayTable() Table {
	return Table{
		"decode":          Pure("decode", decodeEnum),
		"decode_to_str":   Pure("decode_to_str", decodeEnumToStr),
		"possible_values": NewProperty(func(th *Thread, v Value) Value { return Obj(th.enumClass(v, "possible_values")) }),
	}
}

// enumClass returns the class of an array of codes; other arrays have none.
func (th *Thread) enumClass(v Value, name string) *Class {
	if v.o == nil && v.c.Type() == vector.Enum {
		if class, ok := v.c.Domain().Of.(*Class); ok {
			return class
		}
	}
	th.noAttr(v, name)
	return nil
}

// decodeEnum gives an array of the members themselves.
func decodeEnum(th *Thread, args []Value, _ []Kw) Value {
	c := th.receiver("decode", args)
	members := th.Collect(Obj(th.enumClass(args[0], "decode")))
	objects := make([]any, c.Len())
	for i := range objects {
		objects[i] = toAny(members[th.memberAt(c, i)])
	}
	return Value{c: vector.Objects(objects)}
}

// memberAt is the place of the member whose code element i is, which may be the code of none.
func (th *Thread) memberAt(c vector.Column, i int) int {
	code, n := int(c.Int(i)), len(c.Domain().Members)
	if code < -n || code >= n {
		th.Raise(IndexError, "index %d is out of bounds for axis 0 with size %d", code, n)
	}
	if code < 0 {
		code += n
	}
	return code
}

// decodeEnumToStr gives an array of the names of the members.
func decodeEnumToStr(th *Thread, args []Value, _ []Kw) Value {
	c := th.receiver("decode_to_str", args)
	th.enumClass(args[0], "decode_to_str")
	names := make([]string, c.Len())
	for i := range names {
		names[i] = c.Domain().Members[th.memberAt(c, i)]
	}
	return Value{c: vector.Strs(names)}
}
