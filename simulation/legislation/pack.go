package legislation

import (
	"encoding/binary"
	"math"

	"edict/simulation/vector"
)

// A packed file is what one parameter file says, in a form for caches that is read many times faster than YAML; it may
// change with any version of this package. Names of items and files are not in it, lines are.

// The kinds of what is packed. Their order is part of the form.
const (
	packedNull byte = iota
	packedFalse
	packedTrue
	packedInt
	packedFloat
	packedText
	packedList
	packedNoMapping // a mapping without a map
	packedMapping
	packedNode
	packedLeaf
	packedScale
)

type packer struct {
	out []byte
	bad bool // something occurred that cannot be packed
}

// packFile packs the data of an index or the item of any other file. False means that it cannot be packed.
func packFile(p *pending) ([]byte, bool) {
	var w packer
	if p.item != nil {
		w.item(p.item)
	} else {
		w.data(p.data)
	}
	return w.out, !w.bad
}

func (w *packer) byte(b byte)   { w.out = append(w.out, b) }
func (w *packer) count(n int)   { w.out = binary.AppendUvarint(w.out, uint64(n)) }
func (w *packer) text(s string) { w.count(len(s)); w.out = append(w.out, s...) }

func (w *packer) data(d Data) {
	switch d.Kind {
	case Null:
		w.node(packedNull, d.Line)
	case Scalar:
		w.scalar(d)
	case List:
		w.node(packedList, d.Line)
		if d.List == nil {
			w.count(0)
			return
		}
		w.count(len(d.List) + 1)
		for _, v := range d.List {
			w.data(v)
		}
	case Mapping:
		if d.Map == nil {
			w.node(packedNoMapping, d.Line)
			return
		}
		w.node(packedMapping, d.Line)
		w.count(d.Map.Len())
		for k, v := range d.Map.All() {
			w.text(k)
			w.data(v)
		}
	}
}

func (w *packer) node(kind byte, line int32) {
	w.byte(kind)
	w.count(int(line))
}

func (w *packer) scalar(d Data) {
	switch d.Scalar.Type() {
	case vector.Bool:
		kind := packedFalse
		if d.Scalar.Bool(0) {
			kind = packedTrue
		}
		w.node(kind, d.Line)
	case vector.Int64:
		w.node(packedInt, d.Line)
		w.out = binary.AppendVarint(w.out, d.Scalar.Int(0))
	case vector.Float64:
		w.node(packedFloat, d.Line)
		w.out = binary.LittleEndian.AppendUint64(w.out, math.Float64bits(d.Scalar.Float(0)))
	case vector.Str:
		w.node(packedText, d.Line)
		w.text(d.Scalar.Text(0))
	default:
		w.bad = true
	}
}

func (w *packer) item(item ParameterItem) {
	info := item.Info()
	switch item := item.(type) {
	case *ParameterNode:
		w.info(packedNode, info)
		w.count(item.Children.Len())
		for key, child := range item.Children.All() {
			w.text(key)
			w.item(child)
		}
	case *Parameter:
		w.info(packedLeaf, info)
		w.count(len(item.Values))
		for _, v := range item.Values {
			w.count(int(v.Start.Year))
			w.byte(byte(v.Start.Month))
			w.byte(byte(v.Start.Day))
			w.data(v.Value)
			w.metadata(v.Metadata())
		}
	case *ParameterScale:
		w.info(packedScale, info)
		w.count(len(item.Brackets))
		for _, b := range item.Brackets {
			w.item(b)
		}
	}
}

func (w *packer) info(kind byte, i *ParameterInfo) {
	w.node(kind, int32(i.Source.Line))
	w.text(i.Description)
	w.text(i.Documentation)
	w.metadata(i.Metadata)
}

// metadata puts the length before it, so that it can be left for later.
func (w *packer) metadata(d Data) {
	length := len(w.out)
	w.out = append(w.out, 0, 0, 0, 0)
	w.data(d)
	binary.LittleEndian.PutUint32(w.out[length:], uint32(len(w.out)-length-4))
}
