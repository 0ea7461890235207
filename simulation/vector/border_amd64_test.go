//go:build linux

package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// border is memory behind which nothing can be read or written: who tries ends the test.
type border []byte

func newBorder(t *testing.T) border {
	const bytes = 1 << 16
	size := bytes + syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	if err := syscall.Mprotect(all[bytes:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return border(all[:bytes])
}

// last gives the last n elements before a border.
func last[T any](b border, n int) []T {
	var zero T
	at := unsafe.Pointer(unsafe.SliceData(b[len(b)-n*int(unsafe.Sizeof(zero)):]))
	return unsafe.Slice((*T)(at), n)
}

// moved gives a copy of elements that ends at a border.
func moved[T any](b border, s []T) []T {
	out := last[T](b, len(s))
	copy(out, s)
	return out
}

const mostAtBorder = 300 // elements

// TestGatherAtBorder gathers into, from and by slices of every length that end at a border.
func TestGatherAtBorder(t *testing.T) {
	into, from, by := newBorder(t), newBorder(t), newBorder(t)
	r := rand.New(rand.NewPCG(1, 3))
	for n := range mostAtBorder + 1 {
		for _, of := range []int{1, 2, 3, 4, 15, 16, 17, 1 + r.IntN(mostAtBorder)} {
			index := last[int32](by, n)
			for i := range index {
				index[i] = int32(r.IntN(of))
				if r.IntN(4) == 0 {
					index[i] = int32(of - 1)
				}
			}
			gatherAtBorder(t, into, from, index, strangeFloats(r, of))
			gatherAtBorder(t, into, from, index, strangeTruths(r, of))
		}
	}
}

func gatherAtBorder[T Element](t *testing.T, into, from border, index []int32, in []T) {
	t.Helper()
	in = moved(from, in)
	got := gatheredWide(last[T](into, len(index)), in, index)
	want := gathered(make([]T, len(index)), in, index)
	if string(storageBytes(got)) != string(storageBytes(want)) {
		t.Fatalf("%d of %d: %v, want %v", len(index), len(in), got, want)
	}
}

func storageBytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// strangeFloats are numbers of which some are zeros of either sign, infinite, tiny, or no number.
func strangeFloats(r *rand.Rand, n int) []float32 {
	strange := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), math.SmallestNonzeroFloat32, math.MaxFloat32, float32(math.NaN())}
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64() * 1000)
		if k := r.IntN(60); k < len(strange) {
			out[i] = strange[k]
		}
	}
	return out
}

func strangeTruths(r *rand.Rand, n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = r.IntN(3) > 0
	}
	return out
}

// TestRunsAtBorder finds groups and adds up and counts their persons in slices of every length that end at a border.
func TestRunsAtBorder(t *testing.T) {
	index, begins, persons, truths, sums, counts := newBorder(t), newBorder(t), newBorder(t), newBorder(t), newBorder(t), newBorder(t)
	r := rand.New(rand.NewPCG(2, 3))
	for n := 1; n <= mostAtBorder; n++ {
		for _, largest := range []int{1, 2, 4, 9, 70} {
			of, from := last[int32](index, n), []int32{0}
			for i, left := 0, 1+r.IntN(largest); i < n; i, left = i+1, left-1 {
				if left == 0 {
					from, left = append(from, int32(i)), 1+r.IntN(largest)
				}
				of[i] = int32(len(from) - 1)
			}
			groups := len(from)
			from = append(from, int32(n))
			if n >= 17 {
				if got := wideBegins(nil, of, groups); hasRuns && !slices.Equal(got, from) {
					t.Fatalf("begins of %v: %v, want %v", of, got, from)
				}
				beginsAtBorder(t, begins, of, from)
			}
			from = moved(begins, from)
			sumsAtBorder(t, last[float64](sums, groups), moved(persons, strangeFloats(r, n)), from)
			countsAtBorder(t, last[uint8](counts, groups), moved(truths, bytesOf(strangeTruths(r, n))), from)
		}
	}
}

// beginsAtBorder has the begins written to just as much room as they may take.
func beginsAtBorder(t *testing.T, room border, index, want []int32) {
	t.Helper()
	if !hasRuns {
		return
	}
	many, groups := (len(index)-1)&^15, len(want)-1
	for _, most := range []int{groups - 1, groups / 2} {
		begins := last[int32](room, most+16)
		found := runBegins(&begins[0], &index[0], many, most)
		first := 1 + slices.IndexFunc(want[1:], func(at int32) bool { return int(at) > many })
		switch {
		case found < 0 && most >= first-1:
			t.Fatalf("no begins of %v, with room for %d", index, most)
		case found >= 0 && !slices.Equal(begins[:found], want[1:first]):
			t.Fatalf("begins of %v: %v, want %v", index[:many+1], begins[:found], want[1:first])
		}
	}
}

func sumsAtBorder(t *testing.T, out []float64, in []float32, begins []int32) {
	t.Helper()
	clear(out)
	sumRuns(out, in, begins)
	for g := range out {
		want := 0.0
		for _, v := range in[begins[g]:begins[g+1]] {
			want += float64(v)
		}
		if math.Float64bits(out[g]) != math.Float64bits(want) && !(math.IsNaN(out[g]) && math.IsNaN(want)) {
			t.Fatalf("the sum of %v is %v, want %v", in[begins[g]:begins[g+1]], out[g], want)
		}
	}
}

func countsAtBorder(t *testing.T, out, in []uint8, begins []int32) {
	t.Helper()
	for i := range out {
		out[i] = 99
	}
	for g := 0; g < len(out); g += 16 {
		done := wideCounts(out[g:], in, begins[g:])
		for i, got := range out[g : g+done] {
			want := uint8(0)
			for _, one := range in[begins[g+i]:begins[g+i+1]] {
				want += one
			}
			if got != want {
				t.Fatalf("%v are %d, want %d", in[begins[g+i]:begins[g+i+1]], got, want)
			}
		}
	}
}

// TestDaysAtBorder looks at days in slices of every length that end at a border.
func TestDaysAtBorder(t *testing.T) {
	if !cpu.X86.HasAVX512F {
		t.Skip("this processor has no AVX-512")
	}
	into, from := newBorder(t), newBorder(t)
	r := rand.New(rand.NewPCG(3, 3))
	for n := 1; n <= mostAtBorder; n++ {
		days := last[int64](from, n)
		for i := range days {
			days[i] = 10_000 + r.Int64N(20_000) - r.Int64N(20_000)
		}
		many := n &^ 7
		first, until, got := wideExtremes(days)
		if all := days[:max(many, 1)]; got != many || first != slices.Min(all) || until != slices.Max(all) {
			t.Fatalf("%v: %d to %d of %d", days, first, until, got)
		}
		first, until = slices.Min(days), slices.Max(days)
		out := last[int32](into, n)
		if got := widePlaces(out, days, first, until); got != many {
			t.Fatalf("%d places of %v", got, days)
		}
		for i, d := range days[:many] {
			if out[i] != int32(d-first) {
				t.Fatalf("day %d from %d on is at %d", d, first, out[i])
			}
		}
		wrong := r.IntN(n)
		days[wrong] += 1 << (17 + r.IntN(40))
		if got := widePlaces(out, days, first, until); got != min(many, wrong&^7) {
			t.Fatalf("%d places, and day %d is beyond", got, wrong)
		}
	}
}
