package vector

import "unsafe"

// Pool keeps the storage of results that are no longer needed, so that the next ones find memory that is already mapped
// and warm. It belongs to one goroutine. The zero Pool is ready.
type Pool struct {
	free map[int][]unsafe.Pointer // by size in bytes
	held int
}

const (
	poolSmallest = 4 << 10  // below, the allocator is as fast
	poolLargest  = 64 << 20 // bytes held at most
)

// Put gives the storage of a number column back. The caller vouches that nobody holds c or anything that shares its
// storage. Constants, text and objects are ignored.
func (p *Pool) Put(c Column) {
	size := int(c.n) * elementSize(c.typ)
	if c.constant || c.Taped() || !c.typ.Number() || size < poolSmallest || p.held+size > poolLargest {
		return
	}
	if p.free == nil {
		p.free = map[int][]unsafe.Pointer{}
	}
	p.free[size] = append(p.free[size], c.data)
	p.held += size
}

// take gives storage of that many bytes, with anything in it, or nil.
func (p *Pool) take(size int) unsafe.Pointer {
	if p == nil || size < poolSmallest {
		return nil
	}
	list := p.free[size]
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	p.free[size] = list[:len(list)-1]
	p.held -= size
	return last
}

func elementSize(t Type) int {
	switch t {
	case Bool:
		return 1
	case Int16:
		return 2
	case Int32, Float32:
		return 4
	}
	return 8
}
