package vector

import "unsafe"

// Pool lends storage to results and takes it back when they are no longer needed, so that the next ones find memory that is
// already mapped and in the cache. It belongs to one goroutine. The zero Pool is ready.
type Pool struct {
	slabs [][]uint64
	// slab and used are where storage that was never lent since the last Reset begins.
	slab, used int
	free       [][]unsafe.Pointer // by size in grains
	runs       []runs             // of groups, since the last Reset
}

const (
	poolGrain  = 512     // bytes: results of about the same length share their storage
	poolGrains = 1 << 10 // storage of more is not lent
	slabBytes  = 4 << 20
)

// Reset takes everything back: the caller vouches that nobody holds any of it.
func (p *Pool) Reset() {
	p.slab, p.used, p.runs = 0, 0, p.runs[:0]
	for i := range p.free {
		p.free[i] = p.free[i][:0]
	}
}

// Put takes the storage of a column of numbers or moments back. The caller vouches that nobody holds c or anything that shares its
// storage. Storage that is none of the pool's is ignored.
func (p *Pool) Put(c Column) {
	if c.constant || c.Taped() || !c.typ.pooled() || !p.lent(c.data) {
		return
	}
	grains := grainsOf(int(c.n) * elementSize(c.typ))
	p.free[grains] = append(p.free[grains], c.data)
}

// giveBack gives storage back that a pool lent for a while; only its end may have been cut off.
func giveBack[T Element](p *Pool, lent []T) {
	if p != nil {
		p.Put(Of(lent[:cap(lent)]))
	}
}

// pooled tells whether columns of a type lie in storage that can be lent.
func (t Type) pooled() bool { return t.Number() || t == Date || t == Duration }

// lent tells whether storage is the pool's.
func (p *Pool) lent(at unsafe.Pointer) bool {
	for _, s := range p.slabs {
		if uintptr(at)-uintptr(unsafe.Pointer(unsafe.SliceData(s))) < slabBytes {
			return true
		}
	}
	return false
}

func grainsOf(bytes int) int { return (bytes + poolGrain - 1) / poolGrain }

// take gives storage of that many bytes, with anything in it; nil if that is too much.
func (p *Pool) take(bytes int) unsafe.Pointer {
	grains := grainsOf(bytes)
	if grains >= poolGrains {
		return nil
	}
	if p.free == nil {
		p.free = make([][]unsafe.Pointer, poolGrains)
	}
	if list := p.free[grains]; len(list) > 0 {
		last := list[len(list)-1]
		p.free[grains] = list[:len(list)-1]
		return last
	}
	if p.used+grains*poolGrain > slabBytes {
		p.slab, p.used = p.slab+1, 0
	}
	if p.slab >= len(p.slabs) {
		p.slabs = append(p.slabs, make([]uint64, slabBytes/8))
	}
	at := unsafe.Pointer(&p.slabs[p.slab][p.used/8])
	p.used += grains * poolGrain
	return at
}

// lend gives n elements of storage with anything in it.
func lend[T Element](p *Pool, n int) []T {
	var zero T
	if p != nil && n > 0 {
		if at := p.take(n * int(unsafe.Sizeof(zero))); at != nil {
			return unsafe.Slice((*T)(at), n)
		}
	}
	return make([]T, n)
}

// lendZeros is lend of zeros.
func lendZeros[T Element](p *Pool, n int) []T {
	out := lend[T](p, n)
	if p != nil {
		clear(out)
	}
	return out
}

// pool is where the results of operations find their storage, nil for new.
func (r *Rules) pool() *Pool {
	if r == nil {
		return nil
	}
	return r.Pool
}

// Floats gives n zeros, to be the storage of a result.
func (r *Rules) Floats(n int) []float64 { return lendZeros[float64](r.pool(), n) }

// Places gives n numbers with anything in them, to tell where the rows of a result are found.
func (r *Rules) Places(n int) []int32 { return lend[int32](r.pool(), n) }

// Gather is [Column.Gather] into storage of the pool.
func (r *Rules) Gather(c Column, index []int32) Column {
	if c.Taped() {
		return c.Gather(index)
	}
	return c.gatherFrom(index, r.pool())
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
