//go:build linux

package population

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"unsafe"
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

// TestPlacesAtBorder finds separators in texts of every length that end at a border, into just as much room as they may take.
func TestPlacesAtBorder(t *testing.T) {
	from, into := newBorder(t), newBorder(t)
	rng := rand.New(rand.NewPCG(1, 3))
	for n := range 300 {
		for _, some := range []int{0, 4, 30, 64} {
			data := last[byte](from, n)
			for i := range data {
				data[i] = "0123456789-."[rng.IntN(12)]
				if rng.IntN(64) < some {
					data[i] = ",\n"[rng.IntN(2)]
				}
			}
			if n > 0 && rng.IntN(8) == 0 {
				data[rng.IntN(n)] = '"'
			}
			placesAtBorder(t, data, last[int32](into, n&^63+roomBehind))
		}
	}
}

func placesAtBorder(t *testing.T, data []byte, room []int32) {
	t.Helper()
	const at = 1 << 20
	found, newlines, quotes, ok := separators(room, data, ',', at)
	if !ok {
		return
	}
	var want []int32
	data = data[:len(data)&^63]
	for i, c := range data {
		if c == ',' || c == '\n' {
			want = append(want, int32(at+i))
		}
	}
	if !slices.Equal(room[:found], want) || newlines != bytes.Count(data, []byte{'\n'}) || quotes != bytes.Contains(data, []byte{'"'}) {
		t.Fatalf("%q: %v, %d ends of lines, quotes %v; want %v", data, room[:found], newlines, quotes, want)
	}
}

// someNumbers are amounts, and others that are written in another way.
func someNumbers(rng *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(rng.IntN(20_000_000)-1_000_000) / float32(1+rng.IntN(200))
		if rng.IntN(30) == 0 {
			out[i] = 1 / (1 + float32(rng.IntN(3))) // no digits before the point, or none behind
		}
	}
	return out
}

// TestShortAtBorder makes digits of numbers in slices of every length that end at a border.
func TestShortAtBorder(t *testing.T) {
	from, before, behind := newBorder(t), newBorder(t), newBorder(t)
	rng := rand.New(rand.NewPCG(2, 3))
	for n := range 301 {
		values := moved(from, someNumbers(rng, n))
		wholes, fractions := last[uint64](before, n), last[uint64](behind, n)
		for i, done := 0, manyShort(wholes, fractions, values); i < done; i++ {
			whole, fraction := short(values[i])
			if fractions[i] != fraction || fraction != 0 && wholes[i] != whole {
				t.Fatalf("%v: %x.%x, want %x.%x", values[i], wholes[i], fractions[i], whole, fraction)
			}
		}
	}
}

// TestLinesAtBorder writes lines of names and numbers in slices of every length that end at a border, into just as much room as they may take.
func TestLinesAtBorder(t *testing.T) {
	from, of, into := newBorder(t), newBorder(t), newBorder(t)
	rng := rand.New(rand.NewPCG(3, 3))
	for n := range len(shorts{}.before) + 1 {
		for range 40 {
			var m membership
			for range n {
				m.add(strconv.AppendInt(nil, rng.Int64N(1<<rng.IntN(27)+1), 10))
			}
			if n > 0 && rng.IntN(4) == 0 {
				m.names[rng.IntN(n)] = []uint64{0, newlines, ^uint64(0), newlines &^ 0xff}[rng.IntN(4)]
			}
			linesAtBorder(t, last[byte](into, mostLine*n)[:0], moved(of, m.names), moved(from, someNumbers(rng, n)))
		}
	}
}

func linesAtBorder(t *testing.T, room []byte, names []uint64, values []float32) {
	t.Helper()
	var some shorts
	some.fill(values)
	got, lines := manyLines(room, names, values, &some, 0)
	var want []byte
	for i := range lines {
		want = append(appendWord(want, names[i]), ',')
		want = append(appendNumber(want, float64(values[i]), 32), '\n')
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	if lines == len(values) || !hasAVX2 || some.behind[lines] == 0 {
		return
	}
	if name := appendWord(nil, names[lines]); len(name) > 0 && !slices.ContainsFunc(name, func(c byte) bool { return c < '0' || c > '9' }) {
		t.Fatalf("no line of %s and %v", name, values[lines])
	}
}
