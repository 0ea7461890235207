package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"edict/simulation/vector"
)

func TestAxes(t *testing.T) {
	line := Axes{{{Min: 0, Max: 1, Count: 4}, {Min: 10, Max: 10, Count: 4}}}
	if got := fmt.Sprint(line.Values(0, 0), line.Values(0, 1)); got != "[0 0.3333333333333333 0.6666666666666666 1] [10 10 10 10]" {
		t.Errorf("one dimension: %s", got)
	}
	// numpy.meshgrid over three dimensions, flattened.
	grid := Axes{{{Min: 0, Max: 1, Count: 2}}, {{Min: 0, Max: 2, Count: 3}}, {{Min: 5, Max: 6, Count: 2}}}
	if got := fmt.Sprint(grid.Values(0, 0)); got != "[0 0 1 1 0 0 1 1 0 0 1 1]" {
		t.Errorf("the first: %s", got)
	}
	if got := fmt.Sprint(grid.Values(1, 0)); got != "[0 0 0 0 1 1 1 1 2 2 2 2]" {
		t.Errorf("the second: %s", got)
	}
	if got := fmt.Sprint(grid.Values(2, 0)); got != "[5 6 5 6 5 6 5 6 5 6 5 6]" {
		t.Errorf("the third: %s", got)
	}
	if n, err := grid.Cells(1000); n != 12 || err != nil {
		t.Errorf("%d cells, %v", n, err)
	}
	for _, bad := range []Axes{{{}}, {{{Count: 0}}}, {{{Count: 2}, {Count: 3}}}, {{{Count: 1 << 40}}, {{Count: 1 << 40}}}} {
		if _, err := bad.Cells(1 << 50); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	c, err := Axis{Index: 1}.Along(vector.Const(6, float32(7)), []float64{1, 2, 3}, nil)
	if err != nil || fmt.Sprint(vector.Slice[float32](c)) != "[7 1 7 2 7 3]" {
		t.Errorf("along: %v, %v", c, err)
	}
	for index, want := range map[int]string{2: "an axis varies member 2, but there are 2", -1: "an axis varies member -1, but there are 2"} {
		if _, err := (Axis{Index: index}).Along(vector.Const(6, float32(7)), []float64{1, 2, 3}, nil); err == nil || err.Error() != want {
			t.Errorf("an axis along nobody: %v, want %s", err, want)
		}
	}
	for _, values := range [][]float64{nil, {1, 2, 3, 4}} {
		if _, err := (Axis{}).Along(vector.Const(6, float32(7)), values, nil); err == nil || !strings.Contains(err.Error(), "do not fit 6 members") {
			t.Errorf("%d values for six members: %v", len(values), err)
		}
	}
}

// TestLinspace compares with numpy, bit by bit.
func TestLinspace(t *testing.T) {
	for _, c := range []struct {
		from, to float64
		want     []float64
	}{
		{0.1, 0.7, []float64{0x1.999999999999ap-4, 0x1.999999999999ap-3, 0x1.3333333333333p-2, 0x1.999999999999ap-2, 0x1p-1, 0x1.3333333333333p-1, 0x1.6666666666666p-1}},
		{3, 100000. / 3, []float64{3, 0x1.047caaaaaaaabp+13, 0x1.0470aaaaaaaabp+14, 0x1.86a3p+14, 0x1.046aaaaaaaaabp+15}},
		{5, 9, []float64{5}},
		{5, 5, []float64{5, 5, 5}},
		{0, 0x1p-1074, []float64{0, 0, 0x1p-1074, 0x1p-1074}}, // the step is too small for a number
	} {
		if got := linspace(c.from, c.to, len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("linspace(%v, %v) = %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// TestMostCells: axes may make as many situations as there may be, and not one more.
func TestMostCells(t *testing.T) {
	axes := Axes{{{Count: 3}}, {{Count: 4}, {Count: 4}}}
	if n, err := axes.Cells(12); n != 12 || err != nil {
		t.Errorf("%d situations, %v", n, err)
	}
	for _, most := range []int{0, 1, 3, 11} {
		if n, err := axes.Cells(most); err == nil {
			t.Errorf("%d situations where there may be %d", n, most)
		}
	}
}

// TestFirstAlong: an axis may vary the first member, which is the only one of each copy or one of several.
func TestFirstAlong(t *testing.T) {
	for members, want := range map[int]string{3: "[1 2 3]", 6: "[1 7 2 7 3 7]"} {
		c, err := Axis{}.Along(vector.Const(members, float32(7)), []float64{1, 2, 3}, nil)
		if err != nil || fmt.Sprint(vector.Slice[float32](c)) != want {
			t.Errorf("%d members are %v (%v), want %s", members, c, err, want)
		}
	}
}
