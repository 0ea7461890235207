package vector

import "math"

// Conversions between numbers, as C casts on the machines numpy runs on: floats truncate, what does not fit gives the
// smallest integer (0 for int16, whose cast goes through int32), integers wrap, anything but zero is true.

// convert fills dst with the elements of a varying number, date, duration or enum from offset lo on.
func convert[T Element](dst []T, c Column, lo int) {
	hi := lo + len(dst)
	switch storageType(c.typ) {
	case Bool:
		convertBools(dst, elems[bool](c)[lo:hi])
	case Int16:
		convertInts(dst, storage[int16](c)[lo:hi])
	case Int32:
		convertInts(dst, elems[int32](c)[lo:hi])
	case Int64:
		convertInts(dst, elems[int64](c)[lo:hi])
	case Float32:
		convertFloats(dst, elems[float32](c)[lo:hi])
	case Float64:
		convertFloats(dst, elems[float64](c)[lo:hi])
	}
}

// constAs converts the value of a constant number, date, duration or enum.
func constAs[T Element](c Column) T {
	if storageType(c.typ) == typeOf[T]() {
		return fromBits[T](c.bits)
	}
	var out [1]T
	switch storageType(c.typ) {
	case Bool:
		in := [1]bool{c.bits != 0}
		convertBools(out[:], in[:])
	case Int16, Int32, Int64:
		in := [1]int64{int64(c.bits)}
		convertInts(out[:], in[:])
	case Float32:
		in := [1]float32{fromBits[float32](c.bits)}
		convertFloats(out[:], in[:])
	case Float64:
		in := [1]float64{fromBits[float64](c.bits)}
		convertFloats(out[:], in[:])
	}
	return out[0]
}

func convertBools[T Element](dst []T, src []bool) {
	switch dst := any(dst).(type) {
	case []bool:
		copy(dst, src)
	case []int16:
		boolsTo(dst, src)
	case []int32:
		boolsTo(dst, src)
	case []int64:
		boolsTo(dst, src)
	case []float32:
		boolsTo(dst, src)
	case []float64:
		boolsTo(dst, src)
	}
}

func boolsTo[T number](dst []T, src []bool) {
	src = src[:len(dst)]
	n := wideConvert(dst, src)
	dst, src = dst[n:], src[n:]
	bytes := bytesOf(src)
	for i := range dst {
		dst[i] = T(bytes[i])
	}
}

func convertInts[T Element, S signed](dst []T, src []S) {
	switch dst := any(dst).(type) {
	case []bool:
		nonZero(dst, src)
	case []int16:
		numbersTo(dst, src)
	case []int32:
		numbersTo(dst, src)
	case []int64:
		numbersTo(dst, src)
	case []float32:
		numbersTo(dst, src)
	case []float64:
		numbersTo(dst, src)
	}
}

func convertFloats[T Element, S floating](dst []T, src []S) {
	switch dst := any(dst).(type) {
	case []bool:
		nonZero(dst, src)
	case []int16:
		for i := range dst {
			dst[i] = int16(floatToInt32(float64(src[i])))
		}
	case []int32:
		n := wideConvert(dst, src)
		for i, f := range src[n:len(dst)] {
			dst[n+i] = floatToInt32(float64(f))
		}
	case []int64:
		for i := range dst {
			dst[i] = floatToInt64(float64(src[i]))
		}
	case []float32:
		numbersTo(dst, src)
	case []float64:
		numbersTo(dst, src)
	}
}

func nonZero[S number](dst []bool, src []S) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = src[i] != 0
	}
}

func numbersTo[T, S number](dst []T, src []S) {
	src = src[:len(dst)]
	n := wideConvert(dst, src)
	dst, src = dst[n:], src[n:]
	for i := range dst {
		dst[i] = T(src[i])
	}
}

func floatToInt64(f float64) int64 {
	if f >= -0x1p63 && f < 0x1p63 {
		return int64(f)
	}
	return math.MinInt64
}

func floatToInt32(f float64) int32 {
	if f > -0x1p31-1 && f < 0x1p31 {
		return int32(f)
	}
	return math.MinInt32
}

// narrow turns float64 to float32, where a tiny number is 0 and false.
func narrow(c Column) Column {
	if c.typ == Float64 {
		return castTo[float32](c, Float32)
	}
	return c
}

// truth gives the truth of every element of a number as a bool column.
func truth(c Column) Column {
	if c.typ == Bool {
		return c
	}
	out := Column{n: c.n, tag: tag{typ: Bool, form: c.form, constant: c.constant}}
	if c.constant {
		out.bits = bitsOf(constAs[bool](c))
		return out
	}
	dst := make([]bool, c.n)
	convert(dst, c, 0)
	return finish(shape{n: c.n, form: c.form}, dst)
}
