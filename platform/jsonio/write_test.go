package jsonio_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"edict/platform/heap"
	"edict/platform/jsonio"
)

func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		f    float64
		bits int
		want string
	}{
		{0, 64, "0.0"}, {math.Copysign(0, -1), 64, "-0.0"}, {1, 64, "1.0"}, {0.1, 64, "0.1"}, {float64(float32(0.1)), 32, "0.1"}, {float64(float32(0.1)), 64, "0.10000000149011612"},
		{1e-4, 64, "0.0001"}, {9e-5, 64, "9e-05"}, {1e15, 64, "1000000000000000.0"}, {1e16, 64, "1e+16"}, {math.Inf(1), 64, "null"}, {math.NaN(), 32, "null"},
	} {
		if got := string(jsonio.AppendFloat(nil, c.f, c.bits)); got != c.want {
			t.Errorf("%v of %d bits is written as %s, want %s", c.f, c.bits, got, c.want)
		}
	}
}

// write makes a text of n elements, each a part of its own.
func write(w *jsonio.Writer, n int) {
	w.Begin()
	w.List(n, func(int) { w.Text = jsonio.AppendString(w.Text, "some text") })
}

// TestWriter: a long text is the one that is made in one piece; its memory is held until it is written.
func TestWriter(t *testing.T) {
	const n = 50_000
	share := heap.NewBudget(8 << 20).Share(0)
	defer share.Close()
	w := jsonio.Writer{Most: 1 << 20, Memory: &share}
	write(&w, n)
	want := "[" + strings.TrimSuffix(strings.Repeat(`"some text",`, n), ",") + "]"
	if w.Err() != nil || w.Len() != int64(len(want)) || w.Held() == 0 || share.Held() != w.Held() {
		t.Fatalf("%v, %d of %d bytes, %d and %d bytes are held", w.Err(), w.Len(), len(want), w.Held(), share.Held())
	}
	var got strings.Builder
	if length, err := w.WriteTo(&got); err != nil || length != int64(len(want)) || got.String() != want {
		t.Errorf("%v, %d bytes, equal: %v", err, length, got.String() == want)
	}
	if w.GiveBack(); share.Held() != 0 {
		t.Errorf("%d bytes are held after the text was written", share.Held())
	}
}

func TestWriterBounds(t *testing.T) {
	w := jsonio.Writer{Most: 100_000}
	write(&w, 50_000)
	if _, long := errors.AsType[*jsonio.TooLong](w.Err()); !long {
		t.Errorf("a text over its bound: %v", w.Err())
	}
	w.GiveBack()
	share := heap.NewBudget(128 << 10).Share(0)
	defer share.Close()
	w = jsonio.Writer{Memory: &share}
	write(&w, 50_000)
	if _, short := errors.AsType[*heap.Shortage](w.Err()); !short {
		t.Errorf("a text over the memory: %v", w.Err())
	}
}
