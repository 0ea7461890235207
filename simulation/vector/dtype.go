package vector

import (
	"fmt"
	"strconv"
	"strings"
)

// Type is the element type of a column.
type Type uint8

// The element types, ordered within numbers as numpy orders them by kind, then by size.
const (
	Bool Type = iota
	Int16
	Int32
	Int64
	Float32
	Float64
	Date     // numpy datetime64: int64 count of Units since 1970, NaT
	Duration // numpy timedelta64: int64 count of Units, NaT
	Enum     // int16 code into a Domain
	Str      // numpy <U: text of at most Width code points
	Bytes    // numpy S: bytes, at most Width of them
	Object   // any Python object
)

var typeNames = [...]string{"bool", "int16", "int32", "int64", "float32", "float64", "datetime64", "timedelta64", "enum", "str", "bytes", "object"}

func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "type(" + strconv.Itoa(int(t)) + ")"
}

// Number reports whether t is bool, an integer or a float.
func (t Type) Number() bool { return t <= Float64 }

// Indexes reports whether columns of t name places in arrays: integers, and the codes of enums, which are int16 to numpy.
func (t Type) Indexes() bool { return t.integer() || t == Enum }

func (t Type) integer() bool { return t >= Int16 && t <= Int64 }
func (t Type) float() bool   { return t == Float32 || t == Float64 }
func (t Type) time() bool    { return t == Date || t == Duration }
func (t Type) text() bool    { return t == Str || t == Bytes }

// Unit is the unit of a Date or Duration, or the width of an Int16 that has eight bits.
type Unit uint8

// The units of datetime64 and timedelta64, from coarse to fine. Generic is the unit of timedelta64(3).
const (
	Generic Unit = iota
	Year
	Month
	Week
	Day
	Hour
	Minute
	Second
	Milli
	Micro
	Nano

	Signed8   // of Int16: int8
	Unsigned8 // of Int16: uint8
)

var unitNames = [...]string{"generic", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", Signed8: "int8", Unsigned8: "uint8"}

func (u Unit) String() string { return unitNames[u] }

// ParseUnit reads numpy's letter for a unit, such as "D".
func ParseUnit(s string) (Unit, bool) {
	for u, name := range unitNames[:Nano+1] {
		if name == s {
			return Unit(u), true
		}
	}
	return Generic, false
}

// NaT is numpy's not-a-time, in columns of dates and durations.
const NaT = -1 << 63

// DType is a full numpy type: what astype takes and .dtype gives. It is comparable with ==.
type DType struct {
	Type  Type
	Unit  Unit  // of Date and Duration; Signed8 or Unsigned8 with Int16
	Width int32 // of Str (code points) and Bytes; 0 in Cast means as wide as needed
}

// String gives numpy's name: "float32", "datetime64[D]", "<U5", "|S5".
func (d DType) String() string {
	switch d.Type {
	case Int16:
		if d.eight() {
			return d.Unit.String()
		}
	case Date, Duration:
		if d.Unit == Generic {
			return d.Type.String()
		}
		return d.Type.String() + "[" + d.Unit.String() + "]"
	case Enum:
		return "int16"
	case Str:
		return "<U" + strconv.Itoa(int(d.Width))
	case Bytes:
		return "|S" + strconv.Itoa(int(d.Width))
	}
	return d.Type.String()
}

var dtypeNames = map[string]Type{
	"bool": Bool, "bool_": Bool, "bool8": Bool, "?": Bool, "b1": Bool,
	"int16": Int16, "short": Int16, "h": Int16, "i2": Int16,
	"int32": Int32, "intc": Int32, "i": Int32, "i4": Int32,
	"int64": Int64, "int": Int64, "int_": Int64, "intp": Int64, "longlong": Int64, "long": Int64, "l": Int64, "q": Int64, "i8": Int64,
	"float32": Float32, "single": Float32, "f": Float32, "f4": Float32,
	"float64": Float64, "float": Float64, "float_": Float64, "double": Float64, "d": Float64, "f8": Float64,
	"datetime64": Date, "M8": Date, "M": Date, "timedelta64": Duration, "m8": Duration, "m": Duration,
	"str": Str, "str_": Str, "U": Str, "unicode": Str, "bytes": Bytes, "bytes_": Bytes, "S": Bytes, "a": Bytes,
	"object": Object, "object_": Object, "O": Object,
}

var eightBitNames = map[string]Unit{
	"int8": Signed8, "byte": Signed8, "b": Signed8, "i1": Signed8,
	"uint8": Unsigned8, "ubyte": Unsigned8, "B": Unsigned8, "u1": Unsigned8,
}

// ParseDType reads a numpy type name: "float32", "<f4", "datetime64[D]", "U5", "i8", "int".
func ParseDType(s string) (DType, error) {
	name := strings.TrimLeft(s, "<=|>")
	if base, unit, ok := strings.Cut(name, "["); ok {
		t, known := dtypeNames[base]
		u, fine := ParseUnit(strings.TrimSuffix(unit, "]"))
		if known && t.time() && fine && strings.HasSuffix(unit, "]") {
			return DType{Type: t, Unit: u}, nil
		}
		return DType{}, typeError("data type %q not understood", s)
	}
	if u, ok := eightBitNames[name]; ok {
		return DType{Type: Int16, Unit: u}, nil
	}
	if t, ok := dtypeNames[name]; ok {
		return DType{Type: t}, nil
	}
	if len(name) > 1 && strings.ContainsRune("USa", rune(name[0])) {
		if w, err := strconv.ParseInt(name[1:], 10, 32); err == nil && w >= 0 {
			return DType{Type: dtypeNames[name[:1]], Width: int32(w)}, nil
		}
	}
	return DType{}, typeError("data type %q not understood", s)
}

// ErrorKind is the Python exception that numpy would raise.
type ErrorKind string

// The kinds of error that operations on columns give.
const (
	TypeError     ErrorKind = "TypeError"
	ValueError    ErrorKind = "ValueError"
	IndexError    ErrorKind = "IndexError"
	OverflowError ErrorKind = "OverflowError"
	ZeroDivision  ErrorKind = "ZeroDivisionError"
)

// Error is a refusal in numpy's sense: the Python exception and its message.
type Error struct {
	Kind ErrorKind
	Msg  string
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Msg }

func typeError(format string, args ...any) *Error {
	return &Error{TypeError, fmt.Sprintf(format, args...)}
}

func valueError(format string, args ...any) *Error {
	return &Error{ValueError, fmt.Sprintf(format, args...)}
}

func indexError(format string, args ...any) *Error {
	return &Error{IndexError, fmt.Sprintf(format, args...)}
}
