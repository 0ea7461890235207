package db

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// The values that statements take and give are those of SQLite: integers, floats, texts, bytes. A boolean of PostgreSQL is an integer. A
// text may hold what PostgreSQL refuses, a zero byte or something that is not UTF-8: such bytes are written as two hexadecimal digits
// behind a mark, a character of private use, and read back as what they were.

// The types that the schemas use, by their numbers in PostgreSQL.
const (
	oidBool, oidBytes, oidInt8, oidInt2, oidInt4, oidText, oidFloat8, oidUnknown = 16, 17, 20, 21, 23, 25, 701, 705
	oidName, oidVarchar                                                          = 19, 1043
	oidBytesArray, oidTextArray, oidInt8Array                                    = 1001, 1009, 1016
)

// arrayNames are the arrays of types, as they are written in a statement.
var arrayNames = map[uint32]string{oidInt8: "bigint[]", oidText: "text[]", oidBytes: "bytea[]"}

// elements are the types of the elements of arrays.
var elements = map[uint32]uint32{oidInt8Array: oidInt8, oidTextArray: oidText, oidBytesArray: oidBytes}

// normal returns an argument as one of SQLite's types.
func normal(arg any) (any, error) {
	switch v := arg.(type) {
	case nil, string, int64, []byte, float64:
		return v, nil
	case int:
		return int64(v), nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	}
	v, err := driver.DefaultParameterConverter.ConvertValue(arg)
	if err != nil {
		return nil, err
	}
	if b, ok := v.(bool); ok {
		return normal(b)
	}
	return v, nil
}

// encode writes an argument in the binary form of a type; nil is NULL.
func encode(oid uint32, arg any) ([]byte, error) {
	v, err := normal(arg)
	if err != nil {
		return nil, err
	}
	if element, ok := elements[oid]; ok {
		return encodeList(element, v)
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case int64:
		return encodeInt(oid, v)
	case float64:
		if oid == oidFloat8 {
			return binary.BigEndian.AppendUint64(nil, math.Float64bits(v)), nil
		}
	case string:
		switch oid {
		case oidText, oidVarchar, oidName, oidUnknown:
			return []byte(mark(v)), nil
		case oidBytes:
			return []byte(v), nil
		}
	case []byte:
		switch {
		case v == nil:
			return nil, nil
		case oid == oidBytes:
			return v, nil
		case oid == oidText:
			return []byte(mark(string(v))), nil
		}
	}
	return nil, fmt.Errorf("a %T is no value of type %d", v, oid)
}

func encodeInt(oid uint32, v int64) ([]byte, error) {
	switch oid {
	case oidInt8:
		return binary.BigEndian.AppendUint64(nil, uint64(v)), nil
	case oidInt4:
		return binary.BigEndian.AppendUint32(nil, uint32(v)), nil
	case oidInt2:
		return binary.BigEndian.AppendUint16(nil, uint16(v)), nil
	case oidBool:
		return []byte{byte(v & 1)}, nil
	case oidFloat8:
		return binary.BigEndian.AppendUint64(nil, math.Float64bits(float64(v))), nil
	}
	return nil, fmt.Errorf("a number is no value of type %d", oid)
}

// encodeList writes a list, which statements give as JSON, as an array.
func encodeList(element uint32, v any) ([]byte, error) {
	text, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("a list is given as JSON, not as %T", v)
	}
	if element == oidInt8 {
		var all []int64
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return nil, err
		}
		return encodeArray(element, len(all), func(i int) any { return all[i] })
	}
	var all []string
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, err
	}
	return encodeArray(element, len(all), func(i int) any { return all[i] })
}

// encodeArray writes an array of n elements in its binary form.
func encodeArray(element uint32, n int, at func(int) any) ([]byte, error) {
	b := make([]byte, 0, 20+12*n)
	dimensions := uint32(1)
	if n == 0 {
		dimensions = 0
	}
	for _, head := range []uint32{dimensions, 1, element} { // 1: there may be NULLs
		b = binary.BigEndian.AppendUint32(b, head)
	}
	if n == 0 {
		return b, nil
	}
	b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, uint32(n)), 1)
	for i := range n {
		v, err := encode(element, at(i))
		if err != nil {
			return nil, err
		}
		if v == nil {
			b = binary.BigEndian.AppendUint32(b, math.MaxUint32)
			continue
		}
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
	}
	return b, nil
}

// decode reads a value in binary form; raw is not kept.
func decode(oid uint32, raw []byte) (driver.Value, error) {
	if raw == nil {
		return nil, nil
	}
	switch {
	case oid == oidInt8 && len(raw) == 8:
		return int64(binary.BigEndian.Uint64(raw)), nil
	case oid == oidInt4 && len(raw) == 4:
		return int64(int32(binary.BigEndian.Uint32(raw))), nil
	case oid == oidInt2 && len(raw) == 2:
		return int64(int16(binary.BigEndian.Uint16(raw))), nil
	case oid == oidBool && len(raw) == 1:
		return int64(raw[0]), nil
	case oid == oidFloat8 && len(raw) == 8:
		return math.Float64frombits(binary.BigEndian.Uint64(raw)), nil
	case oid == oidText || oid == oidVarchar || oid == oidName || oid == oidUnknown:
		return unmark(string(raw)), nil
	case oid == oidBytes:
		return append([]byte{}, raw...), nil
	}
	return nil, fmt.Errorf("a value of type %d and %d bytes", oid, len(raw))
}

// marker stands before the two digits of a byte; two dashes instead are the character itself.
const marker = "\uf8ff"

// mark writes a text so that PostgreSQL takes it.
func mark(s string) string {
	if strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) && !strings.Contains(s, marker) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == 0 || r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "%s%02x", marker, s[0])
		case s[:size] == marker:
			b.WriteString(marker + "--")
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// unmark is the reverse of mark.
func unmark(s string) string {
	first, rest, found := strings.Cut(s, marker)
	if !found {
		return s
	}
	var b strings.Builder
	b.WriteString(first)
	for found {
		var c byte
		switch _, err := fmt.Sscanf(rest[:min(2, len(rest))], "%02x", &c); {
		case strings.HasPrefix(rest, "--"):
			b.WriteString(marker)
		case err == nil:
			b.WriteByte(c)
		}
		first, rest, found = strings.Cut(rest[min(2, len(rest)):], marker)
		b.WriteString(first)
	}
	return b.String()
}
