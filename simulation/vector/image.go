package vector

import "reflect"

// DataTypes are values of the types that the elements of columns have.
func DataTypes() []any {
	return []any{false, int16(0), int32(0), int64(0), float32(0), float64(0), "", [1]any{}, codes{}, Domain{}}
}

// DataOf tells what the pointer of a column leads to: n values of a type, or, with n of -1, one that columns share. It is nil for a column
// that is being recorded. The pointer itself is not looked at.
func DataOf(c *Column) (t reflect.Type, n int) {
	if c.Taped() {
		return nil, 0
	}
	n = int(c.n)
	if c.constant {
		n = 1
	}
	switch c.typ {
	case Enum:
		if c.constant {
			return reflect.TypeFor[Domain](), -1
		}
		return reflect.TypeFor[codes](), -1
	case Bool:
		return reflect.TypeFor[bool](), n
	case Int16:
		return reflect.TypeFor[int16](), n
	case Int32:
		return reflect.TypeFor[int32](), n
	case Int64, Date, Duration:
		return reflect.TypeFor[int64](), n
	case Float32:
		return reflect.TypeFor[float32](), n
	case Float64:
		return reflect.TypeFor[float64](), n
	case Str, Bytes:
		return reflect.TypeFor[string](), n
	}
	return reflect.TypeFor[any](), n
}
