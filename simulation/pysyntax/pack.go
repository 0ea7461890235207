package pysyntax

import (
	"encoding/binary"
	"math"
	"math/big"
)

// Pack writes a tree in a compact form, which [Unpack] reads back many times faster than [Parse] reads source. The form
// is for caches: it may change with any version of this package.
//
// A packed tree is three parts: the texts that occur in it, each once; where they end; the nodes in order, each its kind and its
// fields as tree.go declares them. The bodies of functions in a module or in its classes carry their length, so that Unpack can
// leave them for later.
func Pack(m *Module) []byte {
	p := &packer{index: map[string]int{}}
	p.stmtList(m.Body)
	out := make([]byte, 0, len(p.out)+len(p.texts)+4*len(p.ends)+2*binary.MaxVarintLen64)
	out = binary.AppendUvarint(out, uint64(len(p.ends)))
	out = binary.AppendUvarint(out, uint64(len(p.texts)))
	for _, end := range p.ends {
		out = binary.LittleEndian.AppendUint32(out, end)
	}
	out = append(out, p.texts...)
	return append(out, p.out...)
}

type packer struct {
	out    []byte
	index  map[string]int // of texts
	texts  []byte
	ends   []uint32
	inside int // functions around
}

func (p *packer) byte(b byte)  { p.out = append(p.out, b) }
func (p *packer) count(n int)  { p.out = binary.AppendUvarint(p.out, uint64(n)) }
func (p *packer) pos(at Pos)   { p.count(int(at.Line)); p.count(int(at.Col)) }
func (p *packer) flag(on bool) { p.byte(choose(on, 0, 1)) }

func choose(on bool, no, yes byte) byte {
	if on {
		return yes
	}
	return no
}

// length begins a list, and keeps the difference between no list and an empty one.
func (p *packer) length(n int, none bool) {
	if !none {
		n++
	}
	p.count(n)
}

func (p *packer) text(s string) {
	i, ok := p.index[s]
	if !ok {
		i = len(p.ends)
		p.index[s] = i
		p.texts = append(p.texts, s...)
		p.ends = append(p.ends, uint32(len(p.texts)))
	}
	p.count(i)
}

// The types of a [Constant]'s value, as packed.
const (
	packedNone byte = iota
	packedFalse
	packedTrue
	packedInt
	packedBig
	packedFloat
	packedText
	packedBytes
	packedEllipsis
)

func (p *packer) value(v any) {
	switch v := v.(type) {
	case nil:
		p.byte(packedNone)
	case bool:
		p.byte(choose(v, packedFalse, packedTrue))
	case int64:
		p.byte(packedInt)
		p.out = binary.AppendVarint(p.out, v)
	case *big.Int:
		p.byte(packedBig)
		p.text(v.String())
	case float64:
		p.byte(packedFloat)
		p.out = binary.LittleEndian.AppendUint64(p.out, math.Float64bits(v))
	case string:
		p.byte(packedText)
		p.text(v)
	case Bytes:
		p.byte(packedBytes)
		p.text(string(v))
	case Ellipsis:
		p.byte(packedEllipsis)
	}
}

// body puts the length of a function's body before it, and whether the body can wait until the function is called. It
// cannot in a function that declares names global, or puts elements into what a name of its module holds: the names belong
// to the module from the start.
func (p *packer) body(n *FunctionDef) {
	wait := p.inside == 0 && !changesOutside(n)
	p.inside++
	length := len(p.out)
	p.out = append(p.out, 0, 0, 0, 0, choose(wait, 0, 1))
	p.stmtList(n.Statements())
	p.inside--
	binary.LittleEndian.PutUint32(p.out[length:], uint32(len(p.out)-length-5))
}

// changesOutside tells that a function declares names global, or may put elements into something that it has not assigned
// itself.
func changesOutside(n *FunctionDef) bool {
	own, changed, global := map[string]bool{}, map[string]bool{}, false
	for _, a := range n.Params.Args {
		own[a.Name] = true
	}
	note := func(targets ...Expr) {
		for _, t := range targets {
			into := own
			for s, ok := t.(*Subscript); ok; s, ok = t.(*Subscript) {
				into, t = changed, s.Value
			}
			if name, ok := t.(*Name); ok {
				into[name.ID] = true
			}
		}
	}
	WalkAll(n.Statements(), func(node Node) bool {
		switch s := node.(type) {
		case *Global:
			global = true
		case *Assign:
			note(s.Targets...)
		case *AugAssign:
			note(s.Target)
		case *AnnAssign:
			note(s.Target)
		case *For:
			note(s.Target)
		case *Tuple:
			note(s.Elts...)
		}
		return true
	})
	for name := range changed {
		if !own[name] {
			return true
		}
	}
	return global
}
