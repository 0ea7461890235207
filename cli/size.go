package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes, written as a whole number with or without a unit: 65536, 64KiB, 4MiB, 1GiB.
type Size int64

// units from large to small; the last always divides.
var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(text []byte) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(string(text), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/u.bytes {
			break
		}
		*s = Size(n * u.bytes)
		return nil
	}
	return fmt.Errorf("%q is not a size: write bytes as a whole number, or with KiB, MiB or GiB", text)
}

// MarshalText writes a size as UnmarshalText reads it.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String writes a size in the largest unit that divides it.
func (s Size) String() string {
	for _, u := range units {
		if int64(s)%u.bytes == 0 && s != 0 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return "0"
}
