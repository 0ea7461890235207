package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"unsafe"

	"edict/simulation/vector"
)

// block is how many inputs go to numpy at a time, always.
const block = 1 << 20

// question is a function and what it is asked with: "array", "arrays", "scalars" or an exponent.
type question struct {
	label, function, operands string
}

// tally counts results that differ.
type tally struct {
	inputs, differ, units int64
	first                 string
}

// compare asks numpy and simulation/vector the same and counts.
func compare[T float32 | float64](c *comparison, q question, t *tally) error {
	cmd := exec.Command(c.python, "-c", script, q.function, c.dtype, q.operands, strconv.Itoa(block))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	source := newSource[T](c.inputs)
	for {
		a, b := source.next(q)
		if len(a) == 0 {
			break
		}
		if err := ask(in, out, a, b, q, t); err != nil {
			return fmt.Errorf("%w, numpy ends: %w", err, cmd.Wait())
		}
	}
	if err := in.Close(); err != nil {
		return err
	}
	return cmd.Wait()
}

// ask sends one block, computes it here meanwhile, and compares.
func ask[T float32 | float64](in io.Writer, out io.Reader, a, b []T, q question, t *tally) error {
	sent := make(chan error, 1)
	go func() {
		_, err := in.Write(bytesOf(a))
		if err == nil && b != nil {
			_, err = in.Write(bytesOf(b))
		}
		sent <- err
	}()
	got, err := here(a, b, q)
	if err != nil {
		return err
	}
	want := make([]T, len(a))
	if _, err := io.ReadFull(out, bytesOf(want)); err != nil {
		return err
	}
	for i := range want {
		t.inputs++
		if d := distance(got[i], want[i]); d != 0 {
			if t.differ++; t.differ == 1 {
				t.first = fmt.Sprintf("%v: %v here, %v there", a[i], got[i], want[i])
				if b != nil {
					t.first = fmt.Sprintf("%v ** %v: %v here, %v there", a[i], b[i], got[i], want[i])
				}
			}
			t.units = max(t.units, d)
		}
	}
	return <-sent
}

// here computes what numpy is asked for.
func here[T float32 | float64](a, b []T, q question) ([]T, error) {
	r := &vector.Rules{NEP50: true}
	op, ok := vector.ParseOp(q.function)
	if !ok {
		return nil, fmt.Errorf("no such function")
	}
	x := vector.Of(append([]T(nil), a...))
	var result vector.Column
	var err error
	switch q.operands {
	case "array":
		result, err = r.Unary(op, x)
	case "arrays":
		result, err = r.Binary(op, x, vector.Of(append([]T(nil), b...)))
	case "scalars":
		return scalars(r, op, a, b)
	default:
		e, _ := strconv.ParseFloat(q.operands, 64)
		result, err = r.Binary(op, x, vector.PyFloat(e))
	}
	return floats[T](result), err
}

func scalars[T float32 | float64](r *vector.Rules, op vector.Op, a, b []T) ([]T, error) {
	out := make([]T, len(a))
	for i := range a {
		x, _ := vector.Of(a[i : i+1]).At(0)
		y, _ := vector.Of(b[i : i+1]).At(0)
		z, err := r.Binary(op, x, y)
		if err != nil {
			return nil, err
		}
		out[i] = T(z.Float(0))
	}
	return out, nil
}

func floats[T float32 | float64](c vector.Column) []T {
	out := make([]T, c.Len())
	for i := range out {
		out[i] = T(c.Float(i))
	}
	return out
}

func bytesOf[T float32 | float64](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

// distance is how many floats lie between two, and one; all NaN are the same.
func distance[T float32 | float64](x, y T) int64 {
	if x != x && y != y {
		return 0
	}
	d := rank(x) - rank(y)
	return max(d, -d)
}

// rank numbers the floats from the least to the greatest. The two zeros are different numbers.
func rank[T float32 | float64](x T) int64 {
	var b int64
	if s, ok := any(x).(float32); ok {
		b = int64(int32(math.Float32bits(s)))
		if b < 0 {
			return math.MinInt32 - b - 1
		}
		return b
	}
	if b = int64(math.Float64bits(float64(x))); b < 0 {
		return math.MinInt64 - b - 1
	}
	return b
}

// source hands out operands, block by block.
type source[T float32 | float64] struct {
	random *rand.Rand
	left   int
	all    bool
	count  uint64
}

func newSource[T float32 | float64](n int) *source[T] {
	s := &source[T]{random: rand.New(rand.NewPCG(1, 2)), left: (n + block - 1) / block * block} // whole blocks: numpy waits for them
	if n == 0 {
		s.all, s.left = true, 1<<32
	}
	return s
}

func (s *source[T]) next(q question) (a, b []T) {
	n := min(block, s.left)
	s.left -= n
	a = make([]T, n)
	for i := range a {
		a[i] = s.value()
	}
	if q.operands == "arrays" || q.operands == "scalars" {
		b = make([]T, n)
		for i := range b {
			b[i] = s.exponent()
		}
	}
	return a, b
}

// magnitudes are those of amounts.
var magnitudes = [...]int{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000}

func (s *source[T]) value() T {
	s.count++
	if s.all {
		return T(math.Float32frombits(uint32(s.count - 1)))
	}
	if s.count%2 == 0 {
		return bits[T](s.random.Uint64())
	}
	return T(s.random.Float64() * float64(magnitudes[s.random.IntN(len(magnitudes))]))
}

// exponent is one that legislation might have, mostly.
func (s *source[T]) exponent() T {
	switch s.random.IntN(8) {
	case 0:
		return bits[T](s.random.Uint64())
	case 1:
		return T(s.random.IntN(41) - 20)
	}
	return T(s.random.NormFloat64() * 3)
}

func bits[T float32 | float64](b uint64) T {
	var x T
	if unsafe.Sizeof(x) == 4 {
		return T(math.Float32frombits(uint32(b)))
	}
	return T(math.Float64frombits(b))
}
