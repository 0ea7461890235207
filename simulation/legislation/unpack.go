package legislation

import (
	"encoding/binary"
	"fmt"
	"math"

	"edict/simulation/period"
	"edict/simulation/vector"
)

// unpackFile reads what packFile wrote into p. Texts are parts of data. False means that data is something else.
func unpackFile(p *pending, data string) (ok bool) {
	defer func() {
		if recover() != nil {
			p.data, p.item, ok = Data{}, nil, false
		}
	}()
	u := unpacker{in: data, file: p.file}
	if p.key == "index" {
		p.data = u.data()
	} else {
		p.item = u.item(p.name)
	}
	return u.at == len(data)
}

// unpacker panics if the data is not as the packer writes it.
type unpacker struct {
	in   string
	at   int
	file string
}

func (u *unpacker) byte() byte {
	b := u.in[u.at]
	u.at++
	return b
}

func (u *unpacker) count() int {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := u.in[u.at]
		u.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return int(n)
		}
	}
	panic("a number is too long")
}

// room refuses a length that the rest of the data cannot hold, before memory is taken for it.
func (u *unpacker) room(n int) int {
	if n > len(u.in)-u.at {
		panic("a list is longer than the data")
	}
	return n
}

func (u *unpacker) take(n int) string {
	s := u.in[u.at : u.at+n]
	u.at += n
	return s
}

func (u *unpacker) text() string { return u.take(u.count()) }

func (u *unpacker) data() Data {
	kind := u.byte()
	d := Data{Line: int32(u.count()), Kind: Scalar}
	switch kind {
	case packedNull:
		d.Kind = Null
	case packedFalse, packedTrue:
		d.Scalar = vector.PyBool(kind == packedTrue)
	case packedInt:
		n, size := binary.Varint([]byte(u.in[u.at:min(len(u.in), u.at+binary.MaxVarintLen64)]))
		if size <= 0 {
			panic("a number is too long")
		}
		u.at += size
		d.Scalar = vector.PyInt(n)
	case packedFloat:
		d.Scalar = vector.PyFloat(math.Float64frombits(binary.LittleEndian.Uint64([]byte(u.take(8)))))
	case packedText:
		d.Scalar = vector.PyStr(u.text())
	case packedList:
		d.Kind = List
		if n := u.room(u.count()); n > 0 {
			d.List = make([]Data, n-1)
			for i := range d.List {
				d.List[i] = u.data()
			}
		}
	case packedNoMapping:
		d.Kind = Mapping
	case packedMapping:
		d.Kind = Mapping
		d.Map = unpackOrdered(u, func(string) Data { return u.data() })
	default:
		panic("not data")
	}
	return d
}

func unpackOrdered[V any](u *unpacker, value func(key string) V) *Ordered[V] {
	n := u.room(u.count())
	o := &Ordered[V]{}
	if n == 0 {
		return o
	}
	o.keys, o.values = make([]string, n), make([]V, n)
	for i := range n {
		o.keys[i] = u.text()
		o.values[i] = value(o.keys[i])
	}
	if n > fewKeys {
		o.reindex()
	}
	return o
}

func (u *unpacker) item(name string) ParameterItem {
	kind := u.byte()
	info := ParameterInfo{Name: name, Source: Source{File: u.file, Line: u.count()}}
	info.Description, info.Documentation, info.Metadata = u.text(), u.text(), u.metadata()
	switch kind {
	case packedNode:
		return &ParameterNode{info, unpackOrdered(u, func(key string) ParameterItem { return u.item(compose(name, key)) })}
	case packedLeaf:
		return &Parameter{info, u.values()}
	case packedScale:
		s := &ParameterScale{ParameterInfo: info}
		for i := range u.room(u.count()) {
			s.Brackets = append(s.Brackets, u.item(fmt.Sprintf("%s[%d]", name, i)).(*ParameterNode))
		}
		return s
	}
	panic("not an item")
}

func (u *unpacker) values() []DatedValue {
	n := u.room(u.count())
	if n == 0 {
		return nil
	}
	values := make([]DatedValue, n)
	for i := range values {
		v := &values[i]
		v.Start = period.Instant{Year: int16(u.count()), Month: int8(u.byte()), Day: int8(u.byte())}
		v.Value = u.data()
		v.SetMetadata(u.metadata())
	}
	return values
}

// metadata leaves a mapping that says something until somebody asks for it: computing never does.
func (u *unpacker) metadata() Data {
	size := int(binary.LittleEndian.Uint32([]byte(u.take(4))))
	block := unpacker{in: u.take(size), file: u.file}
	if block.in[0] != packedMapping {
		return block.data()
	}
	block.at++
	d := Data{Kind: Mapping, Line: int32(block.count()), Map: &Ordered[Data]{}}
	if empty := block.in[block.at:] == "\x00"; !empty {
		d.Map.late = &lateOrdered[Data]{fill: func() *Ordered[Data] {
			return unpackOrdered(&block, func(string) Data { return block.data() })
		}}
	}
	return d
}
