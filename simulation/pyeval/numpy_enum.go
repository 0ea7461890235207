package pyeval

import "edict/simulation/vector"

// enumArrayTable is what arrays of enumeration codes have besides the methods of all arrays. The
// domain of the codes leads to their class, which its host made.
func enumArrayTable() Table {
	return Table{
		"decode":          Func("decode", decodeEnum),
		"decode_to_str":   Func("decode_to_str", decodeEnumToStr),
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
		objects[i] = toAny(members[c.Int(i)])
	}
	return Value{c: vector.Objects(objects)}
}

// decodeEnumToStr gives an array of the names of the members.
func decodeEnumToStr(th *Thread, args []Value, _ []Kw) Value {
	c := th.receiver("decode_to_str", args)
	th.enumClass(args[0], "decode_to_str")
	names := make([]string, c.Len())
	for i := range names {
		names[i] = c.Domain().Members[c.Int(i)]
	}
	return Value{c: vector.Strs(names)}
}
