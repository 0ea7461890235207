package pysyntax

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
)

// errDamaged is what Unpack says of a text that Pack did not write.
var errDamaged = errors.New("the packed tree is damaged")

// Unpack reads what [Pack] wrote. The texts of the tree are parts of data. The body of a function that stands in the
// module or in one of its classes is left packed until [FunctionDef.Statements] asks for it.
func Unpack(file, data string) (m *Module, err error) { return unpackTree(file, data, true) }

// UnpackAll is [Unpack] with the bodies of all functions.
func UnpackAll(file, data string) (m *Module, err error) { return unpackTree(file, data, false) }

func unpackTree(file, data string, late bool) (m *Module, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%w: %v", errDamaged, r)
		}
	}()
	u := &unpacker{in: data, late: late}
	count, size := u.count(), u.count()
	u.ends = data[u.at : u.at+4*count]
	u.at += len(u.ends)
	u.texts = data[u.at : u.at+size]
	u.at += size
	m = &Module{File: file, Body: u.stmtList()}
	if u.at != len(data) {
		return nil, errDamaged
	}
	return m, nil
}

// unpacker reads nodes. What is not as the packer writes it makes it panic.
type unpacker struct {
	in          string
	at          int
	texts, ends string
	late        bool // bodies of functions are left
}

// late is the body of a function that nobody asked for yet.
type late struct{ unpacker }

// Late tells that the body was left packed: that a tree made by [Unpack] has not been asked for it.
func (n *FunctionDef) Late() bool { return n.late != nil }

// Statements returns the body. For a function that Unpack left it makes a new one at each call.
func (n *FunctionDef) Statements() []Stmt {
	if n.late == nil {
		return n.Body
	}
	u := n.late.unpacker
	return u.stmtList()
}

func (u *unpacker) byte() byte {
	b := u.in[u.at]
	u.at++
	return b
}

func (u *unpacker) flag() bool { return u.byte() == 1 }

func (u *unpacker) count() int {
	b := u.in[u.at]
	if b < 0x80 {
		u.at++
		return int(b)
	}
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

func (u *unpacker) int() int64 {
	n, size := binary.Varint([]byte(u.in[u.at:min(len(u.in), u.at+binary.MaxVarintLen64)]))
	if size <= 0 {
		panic("a number is too long")
	}
	u.at += size
	return n
}

func (u *unpacker) float() float64 {
	f := math.Float64frombits(binary.LittleEndian.Uint64([]byte(u.in[u.at : u.at+8])))
	u.at += 8
	return f
}

func (u *unpacker) pos() Pos {
	line := u.count()
	return Pos{int32(line), int32(u.count())}
}

func (u *unpacker) end(i int) int {
	e := u.ends[4*i : 4*i+4]
	return int(e[0]) | int(e[1])<<8 | int(e[2])<<16 | int(e[3])<<24
}

func (u *unpacker) text() string {
	i := u.count()
	from := 0
	if i > 0 {
		from = u.end(i - 1)
	}
	return u.texts[from:u.end(i)]
}

// length begins a list: -1 for none. One that the rest of the data cannot hold is refused before memory is taken for it.
func (u *unpacker) length() int {
	n := u.count() - 1
	if n > len(u.in)-u.at {
		panic("a list is longer than the data")
	}
	return n
}

func (u *unpacker) value() any {
	switch u.byte() {
	case packedNone:
		return nil
	case packedFalse:
		return false
	case packedTrue:
		return true
	case packedInt:
		return u.int()
	case packedBig:
		v, ok := new(big.Int).SetString(u.text(), 10)
		if !ok {
			panic("not a number")
		}
		return v
	case packedFloat:
		return u.float()
	case packedText:
		return u.text()
	case packedBytes:
		return Bytes(u.text())
	case packedEllipsis:
		return Ellipsis{}
	}
	panic("not a value")
}

// body reads the body of a function, or leaves it.
func (u *unpacker) body(n *FunctionDef) {
	length := int(binary.LittleEndian.Uint32([]byte(u.in[u.at : u.at+4])))
	u.at += 4
	if !u.flag() || !u.late {
		n.Body = u.stmtList()
		return
	}
	body := *u
	body.in, body.late = u.in[:u.at+length], false
	n.late = &late{body}
	u.at += length
}
