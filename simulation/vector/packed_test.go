package vector

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// testNames names the domains of the tests, some objects, and one operation.
type testNames struct{ objects map[any]string }

type twiceKey struct{}

func twice(r *Rules, in []Column) (Column, error) { return r.Binary(Add, in[0], in[0]) }

func (n testNames) Name(x any) (string, bool) {
	switch x := x.(type) {
	case *Domain:
		return "domain " + x.Name, true
	case twiceKey:
		return "twice", true
	}
	name, ok := n.objects[x]
	return name, ok
}

func (n testNames) Find(name string) (any, bool) {
	for _, d := range tapeDomains {
		if name == "domain "+d.Name {
			return d, true
		}
	}
	for x, is := range n.objects {
		if is == name {
			return x, true
		}
	}
	return nil, false
}

func (testNames) Operation(name string) (any, func(*Rules, []Column) (Column, error), bool) {
	return twiceKey{}, twice, name == "twice"
}

// again packs a program and reads it; nil if it cannot be packed. It must be packed alike once more.
func again(t *testing.T, p *Program, names References) *Program {
	t.Helper()
	data, err := p.Pack(names)
	if err != nil {
		t.Log(err)
		return nil
	}
	back, err := UnpackProgram(string(data), names)
	if err != nil {
		t.Fatal(err)
	}
	if more, err := back.Pack(names); err != nil || string(more) != string(data) {
		t.Fatalf("what was read is packed to other bytes (%v)", err)
	}
	return back
}

// seenAgain packs what was seen and reads it.
func seenAgain(t *testing.T, s *Seen, names References) *Seen {
	t.Helper()
	data, err := s.Pack(names)
	if err != nil {
		t.Fatal(err)
	}
	back, err := UnpackSeen(string(data), names)
	if err != nil || len(back.constants) != len(s.constants) {
		t.Fatalf("%v, %d columns of %d", err, len(back.constants), len(s.constants))
	}
	return back
}

// recordedPair is a program of an operation of another package, of a text and of an object.
func recordedPair(t *testing.T, object any) (*Program, []Column) {
	t.Helper()
	rules, tape := &Rules{}, NewRowTape(100)
	x := tape.Input(Of([]float32{1, 2, 3}))
	doubled, err := Record(twiceKey{}, twice, rules, x)
	if err != nil {
		t.Fatal(err)
	}
	many, err := rules.Binary(Greater, doubled, PyFloat(3))
	if err != nil {
		t.Fatal(err)
	}
	text, err := rules.Where(many, PyStr("many"), PyStr("few"))
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := rules.Where(many, PyObject(object), PyObject("none"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := tape.Program([]Column{x}, []Column{doubled, text, chosen})
	if err != nil {
		t.Fatal(err)
	}
	return p, []Column{Of([]float32{5, 1})}
}

// TestPackedReferences: operations, texts and objects are those that they were, and what has no name is not packed.
func TestPackedReferences(t *testing.T) {
	object := &struct{ n int }{1}
	names := testNames{map[any]string{object: "the object", "none": "none"}}
	p, inputs := recordedPair(t, object)
	back := again(t, p, names)
	if back == nil {
		t.Fatal("it cannot be packed")
	}
	var y Player
	out, ok := y.Play(back, &Rules{}, inputs, nil)
	if !ok || out[0].Float(0) != 10 || out[1].Text(0) != "many" || out[1].Text(1) != "few" || out[2].Object(0) != object || out[2].Object(1) != "none" {
		t.Errorf("%t %v", ok, out)
	}
	_, err := p.Pack(testNames{})
	if err == nil || !strings.Contains(err.Error(), "there is no name for") {
		t.Errorf("without names: %v", err)
	}
	data, err := p.Pack(names)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := UnpackProgram(string(data), testNames{}); err == nil || !strings.Contains(err.Error(), `nothing is named "`) {
		t.Errorf("read without names: %v", err)
	}
}

// TestUnpackTakesNoMore: what says that it has more than there are bytes for is not believed.
func TestUnpackTakesNoMore(t *testing.T) {
	many := binary.AppendUvarint(nil, planned)
	nothing := make([]byte, 5)
	for name, data := range map[string][]byte{
		"constants": many,
		"inputs":    append([]byte{0, 0}, many...),
		"steps":     append([]byte{0, 0, 0}, many...),
		"operands":  append([]byte{0, 0, 0, 0}, many...),
		"texts":     slices.Concat([]byte{1, 0, byte(Str), 0, 0, 0}, many, []byte{0, 1}, nothing),
	} {
		for what, read := range map[string]func(string, References) error{
			"a program":     func(s string, names References) error { _, err := UnpackProgram(s, names); return err },
			"what was seen": func(s string, names References) error { _, err := UnpackSeen(s, names); return err },
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read(string(data), testNames{})
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 || err == nil && what == "a program" {
				t.Errorf("%s: %s took %d bytes, %v", name, what, taken, err)
			}
		}
	}
}

// FuzzUnpack: whatever a file says, reading it ends with a program or an error.
func FuzzUnpack(f *testing.F) {
	names := testNames{map[any]string{"x": "x", "none": "none"}}
	p, _ := recordedPair(&testing.T{}, "x")
	data, err := p.Pack(names)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 0x55
		f.Add(changed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = UnpackProgram(string(data), names)
		_, _ = UnpackSeen(string(data), names)
	})
}
