package image_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"edict/simulation/image"
)

type (
	shape interface{ area() float64 }
	disc  struct{ r float64 }
	box   struct {
		w, h float64
		next shape
	}
	label string
)

func (d *disc) area() float64 { return d.r * d.r }
func (b box) area() float64   { return b.w * b.h }
func (label) area() float64   { return 0 }

// graph has one of everything.
type graph struct {
	flag   bool
	small  int16
	signed int64
	count  uint32
	single float32
	double float64
	text   string
	list   []string
	empty  []int
	shapes []shape
	named  map[string]*graph
	points map[[2]int]string
	pair   [2]*graph
	self   *graph
	left   string
	call   func()
	native *native
	tagged tagged
	maps   []map[string]int
	stand  secret
}

type native struct{ name string }

// tagged hides of what type it is.
type tagged struct {
	data unsafe.Pointer
	n    int
	text bool
}

type secret struct{ code int }

func typeOfTagged(t *tagged) (reflect.Type, int) {
	if t.text {
		return reflect.TypeFor[string](), t.n
	}
	return reflect.TypeFor[int32](), t.n
}

func newCodec() *image.Codec {
	c := image.New(graph{})
	c.Hold((*disc)(nil), box{}, label(""))
	c.Leave(graph{}, "left")
	image.Refer(c, "data", typeOfTagged, "", int32(0))
	image.Stand(c, func(s *secret) (string, error) {
		if s.code < 0 {
			return "", errors.New("below zero")
		}
		return strings.Repeat("x", s.code), nil
	}, func(s *secret, text *string) { s.code = len(*text) })
	return c
}

// again writes a graph and reads it back.
func again(t *testing.T, g *graph, outside *native) *graph {
	t.Helper()
	data, err := newCodec().Write(g, image.Outside{unsafe.Pointer(outside): "the native"})
	if err != nil {
		t.Fatal(err)
	}
	var back graph
	if err := newCodec().Read(string(data), &back, image.Named{"the native": unsafe.Pointer(outside)}); err != nil {
		t.Fatal(err)
	}
	return &back
}

func TestGraph(t *testing.T) {
	one, words := &disc{2}, []string{"a", "", "a"}
	outside := &native{"here"}
	child := &graph{text: "child", shapes: []shape{one}}
	numbers := map[string]int{"a": 1}
	g := &graph{
		flag: true, small: -7, signed: math.MinInt64, count: math.MaxUint32, single: -0.5, double: math.Copysign(0, -1), text: "grün",
		list: words, empty: []int{}, shapes: []shape{one, box{1, 2, one}, label("a"), nil}, named: map[string]*graph{"child": child},
		points: map[[2]int]string{{1, -1}: "p"}, pair: [2]*graph{child, nil}, self: child, left: "left", native: outside,
		tagged: tagged{unsafe.Pointer(unsafe.SliceData(words)), 3, true}, maps: []map[string]int{numbers, nil, numbers}, stand: secret{3},
	}
	child.self = g
	back := again(t, g, outside)
	child = back.self
	switch {
	case !back.flag, back.small != -7, back.signed != math.MinInt64, back.count != math.MaxUint32, back.single != -0.5, back.text != "grün":
		t.Errorf("scalars: %+v", back)
	case back.double != 0 || !math.Signbit(back.double):
		t.Errorf("minus zero came back as %v", back.double)
	case !cmp.Equal(back.list, words), back.empty == nil, len(back.empty) != 0:
		t.Errorf("slices: %v %v", back.list, back.empty)
	case child.text != "child", back.named["child"] != child, back.pair[0] != child, back.pair[1] != nil:
		t.Error("what was one object is several")
	case child.self != child.self.self.self, child.self.text != "grün":
		t.Error("a cycle is broken")
	case back.shapes[0].(*disc) == one, back.shapes[0] != child.shapes[0], back.shapes[1].(box).next != back.shapes[0], back.shapes[2] != label("a"), back.shapes[3] != nil:
		t.Errorf("interfaces: %v", back.shapes)
	case back.points[[2]int{1, -1}] != "p":
		t.Errorf("maps: %v", back.points)
	case back.left != "" || back.native != outside || back.stand.code != 3:
		t.Errorf("rules: %q %p %v", back.left, back.native, back.stand)
	case unsafe.Pointer(unsafe.SliceData(back.list)) != back.tagged.data:
		t.Error("a hidden pointer does not lead to the slice that it led to")
	}
	if back.maps[0]["b"] = 2; back.maps[2]["b"] != 2 || back.maps[1] != nil {
		t.Errorf("what was one map is several: %v", back.maps)
	}
}

func TestFloats(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Int64(), func(n int64) float64 { return float64(n) })).Draw(r, "f")
		data, err := newCodec().Write(&graph{double: f, single: float32(f), signed: int64(math.Float64bits(f))}, nil)
		if err != nil {
			r.Fatal(err)
		}
		var back graph
		if err := newCodec().Read(string(data), &back, nil); err != nil {
			r.Fatal(err)
		}
		if math.Float64bits(back.double) != math.Float64bits(f) || math.Float32bits(back.single) != math.Float32bits(float32(f)) || back.signed != int64(math.Float64bits(f)) {
			r.Errorf("%v came back as %v, %v and %v", f, back.double, back.single, back.signed)
		}
	})
}

type stranger struct{}

func (stranger) area() float64 { return 0 }

func TestCannotBeWritten(t *testing.T) {
	for want, g := range map[string]*graph{
		"func(), in image_test.graph, cannot be written: it is no data":                                 {call: func() {}},
		"image_test.stranger, in image_test.shape, cannot be written: the codec does not know the type": {shapes: []shape{stranger{}}},
		"image_test.secret, in image_test.graph, cannot be written: below zero":                         {stand: secret{-1}},
	} {
		if _, err := newCodec().Write(g, nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestOutsideIsMissing(t *testing.T) {
	n := &native{}
	data, err := newCodec().Write(&graph{native: n}, image.Outside{unsafe.Pointer(n): "it"})
	if err != nil {
		t.Fatal(err)
	}
	if err := newCodec().Read(string(data), new(graph), nil); fmt.Sprint(err) != "the image needs it, which is not there" {
		t.Error(err)
	}
}

// TestCut reads every beginning of an image: an error each time, never a panic.
func TestCut(t *testing.T) {
	data, err := newCodec().Write(&graph{text: "text", list: []string{"a", "b"}, named: map[string]*graph{"x": {}}, shapes: []shape{box{1, 2, nil}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		if err := newCodec().Read(string(data[:i]), new(graph), nil); err == nil {
			t.Errorf("the first %d of %d bytes are read", i, len(data))
		}
	}
}

func FuzzRead(f *testing.F) {
	data, err := newCodec().Write(&graph{text: "text", list: []string{"a", "b"}, named: map[string]*graph{"x": {}}, shapes: []shape{box{1, 2, &disc{1}}, label("l")}}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Fuzz(func(_ *testing.T, data string) {
		_ = newCodec().Read(data, new(graph), nil) // whatever it says, it ends
	})
}
