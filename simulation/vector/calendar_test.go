package vector

import "testing"

// TestMonthOfDay: the quick way from days to months and years gives what the slow one gives, on every day that it takes and around its ends.
func TestMonthOfDay(t *testing.T) {
	check := func(day int64) {
		if got, want := monthOfDay(day), convertDate(day, Day, Month); got != want {
			t.Fatalf("day %d: month %d, want %d", day, got, want)
		}
		if got, want := yearOfDay(day), convertDate(day, Day, Year); got != want {
			t.Fatalf("day %d: year %d, want %d", day, got, want)
		}
	}
	for day := int64(-720_000); day < 1_000_000; day++ {
		check(day)
	}
	for day := int64(1_000_000); day < 10_000_100; day += 7 {
		check(day)
	}
	for _, day := range []int64{NaT, NaT + 1, 1 << 40, -1 << 40, 10_000_000} {
		check(day)
	}
}
