package vector

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestDateConverters: the quick ways from days to months and years, and from months to days, give what the slow one gives, for all that
// they take and around their ends.
func TestDateConverters(t *testing.T) {
	check := func(from, to Unit, v int64) {
		one := []int64{v}
		dateConverter(from, to)(one, one)
		if want := convertDate(v, from, to); one[0] != want {
			t.Fatalf("%d %v are %d %v, want %d", v, from, one[0], to, want)
		}
	}
	for day := int64(-720_000); day < 1_000_000; day++ {
		check(Day, Month, day)
		check(Day, Year, day)
		check(Month, Day, day)
	}
	for day := int64(1_000_000); day < 10_000_100; day += 7 {
		check(Day, Month, day)
		check(Day, Year, day)
	}
	for _, day := range []int64{NaT, NaT + 1, 1 << 40, -1 << 40, 10_000_000} {
		check(Day, Month, day)
		check(Day, Year, day)
		check(Month, Day, day)
	}
}

// TestDaysOf: days of dates near and far are those that CivilOf takes apart.
func TestDaysOf(t *testing.T) {
	for _, days := range []int64{0, -719468, -719469, -800_000, 380_000_000, 390_000_000, -390_000_000, 59, 60} {
		if y, m, d := CivilOf(days); DaysOf(y, m, d) != days {
			t.Errorf("%d-%d-%d is day %d, want %d", y, m, d, DaysOf(y, m, d), days)
		}
	}
	for days := int64(-800_000); days < 800_000; days += 13 {
		if y, m, d := CivilOf(days); DaysOf(y, m, d) != days {
			t.Fatalf("%d-%d-%d is day %d, want %d", y, m, d, DaysOf(y, m, d), days)
		}
	}
}

// TestRemainders holds remainders by multiplication to those by division.
func TestRemainders(t *testing.T) {
	number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1<<31, 1<<31), rapid.Int64Range(-1000, 1000), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, -1 << 30, 1<<30 - 1, 1 << 30}))
	rapid.Check(t, func(r *rapid.T) {
		divisor := rapid.Int64Range(-1, 5000).Draw(r, "divisor")
		x := rapid.SliceOf(number).Draw(r, "numbers")
		out := make([]int64, len(x))
		if !remainders(out, x, divisor) {
			if divisor == 12 {
				r.Fatal("12 is no divisor")
			}
			return
		}
		for i := range x {
			if want := intRemainder(x[i], divisor); out[i] != want {
				r.Fatalf("%d %% %d is %d, want %d", x[i], divisor, out[i], want)
			}
		}
	})
}
