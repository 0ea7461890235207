package elementary

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestRecorded compares every function with numpy's answers, recorded by testdata/record.py: hard inputs one by one, a
// million others by digests of 16384 results.
func TestRecorded(t *testing.T) {
	f, err := os.Open("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	count := map[string]int{}
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		name, kind, rest := words[0], words[1], words[2:]
		count[name]++
		switch kind {
		case "all":
			confirmDigests(t, name, rest)
		case "hard":
			confirmOne(t, name, rest)
		case "of":
			confirmDot(t, rest)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if count["dot"] < 70 {
		t.Errorf("%d products of arrays, want more", count["dot"])
	}
	for name := range functions {
		if count[name] < 2 {
			t.Errorf("%s: %d answers, want digests and hard inputs", name, count[name])
		}
	}
}

// functions by numpy's name; those of one operand ignore the second.
var functions = map[string]func(x, y float32) float32{
	"exp":    unary(Exp),
	"log":    unary(Log),
	"log1p":  unary(Log1p),
	"log10":  unary(Log10),
	"expm1":  unary(Expm1),
	"sin":    unary(Sin),
	"cos":    unary(Cos),
	"log2":   unary(Log2),
	"exp2":   unary(Exp2),
	"power":  Power,
	"scalar": PowerScalar,
}

func unary(f func(float32) float32) func(x, y float32) float32 {
	return func(x, _ float32) float32 { return f(x) }
}

var exponents = []float32{0.3, 0.5, 0.7, 0.25, 0.3333, 1.5, 2, 3, 4, 12, -1, -2, -0.5, 0, 1, -3, 0.1, 2.5, 1e-8, -40, 7, 33.3, 1e30}

func confirmDigests(t *testing.T, name string, digests []string) {
	stride := uint32(4099)
	if name == "scalar" {
		stride *= 16
	}
	for block, want := range digests {
		var results [16384 * 4]byte
		for j := range 16384 {
			i := block*16384 + j
			x := math.Float32frombits(canonical(math.Float32frombits(uint32(i) * stride)))
			r := functions[name](x, exponents[i%len(exponents)])
			binary.LittleEndian.PutUint32(results[4*j:], canonical(r))
		}
		if got := fmt.Sprintf("%08x", crc32.ChecksumIEEE(results[:])); got != want {
			t.Errorf("%s: digest of inputs %d to %d is %s, want %s: bench/elementary tells which differ", name, block*16384, block*16384+16383, got, want)
		}
	}
}

func confirmOne(t *testing.T, name string, words []string) {
	var b []uint32
	for _, w := range words {
		u, err := strconv.ParseUint(w, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, uint32(u))
	}
	x, y, want := math.Float32frombits(b[0]), math.Float32frombits(b[len(b)-2]), b[len(b)-1]
	if got := canonical(functions[name](x, y)); got != want {
		t.Errorf("%s of %v (%08x), %v is %08x, want %08x", name, x, b[0], y, got, want)
	}
}

func confirmDot(t *testing.T, words []string) {
	n, err := strconv.Atoi(words[0])
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]float64, n), make([]float64, n)
	x, y := make([]float32, n), make([]float32, n)
	for i := range a {
		a[i], b[i] = float64(float64(i*7919%10007)*0.1)-300, float64(i*104729%9973)*0.01
		x[i], y[i] = float32(a[i]), float32(b[i])
	}
	got := fmt.Sprintf("%08x %016x", math.Float32bits(Dot32(x, y)), math.Float64bits(Dot64(a, b)))
	if want := words[1] + " " + words[2]; got != want {
		t.Errorf("dot of %d elements is %s, want %s", n, got, want)
	}
}

// canonical is the bits of x, one NaN for all.
func canonical(x float32) uint32 {
	if isNaN(x) {
		return 0x7fc00000
	}
	return math.Float32bits(x)
}

// TestFused compares fma and fmaZero with exact arithmetic where rounding twice goes wrong: sums that lie a little to one
// side of the middle between two floats.
func TestFused(t *testing.T) {
	twice := 0
	for _, x := range []float32{1 + 0x1p-12, 1 + 0x1p-23, 3, 0x1p-12 + 0x1p-30} {
		for _, y := range []float32{1 + 0x1p-12, -(1 + 0x1p-23), 0x1p-24, 0x1p-60, -0x1p-60, 0x1p-12 - 0x1p-30, -0x1p-12 - 0x1p-30} {
			for _, z := range []float32{1, -1, 1 + 0x1p-23, 0x1p-24, 0x1p+23 + 1, -0x1p+30, 0x1p+40, 0} {
				exact := new(big.Float).SetPrec(300).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
				exact.Add(exact, big.NewFloat(float64(z)))
				want, _ := exact.SetMode(big.ToNearestEven).Float32()
				if got := fma(x, y, z); got != want {
					t.Errorf("fma(%x, %x, %x) = %x, want %x", x, y, z, got, want)
				}
				if float32(float64(x)*float64(y)+float64(z)) != want {
					twice++
				}
				down, _ := new(big.Float).SetPrec(24).SetMode(big.ToZero).Set(exact).Float32()
				if got := fmaZero(x, y, z); got != down {
					t.Errorf("fmaZero(%x, %x, %x) = %x, want %x", x, y, z, got, down)
				}
			}
		}
	}
	if twice == 0 {
		t.Error("no case where rounding twice goes wrong")
	}
}
