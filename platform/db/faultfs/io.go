package faultfs

// verdict is what becomes of a call of SQLite's.
type verdict int

const (
	fine     verdict = iota
	full             // the disk is full
	tornHere         // the write stopped half-way
	broken           // the disk does not answer
)

// write decides about a write of data at an offset and performs as much of it as it allows.
func (d *Dir) write(f *image, data []byte, at int64, perform func(n int) bool) verdict {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, v := d.allowed(f, len(data), at)
	if n > 0 && !perform(n) {
		return broken
	}
	if n > 0 {
		f.pending = append(f.pending, change{at, append([]byte(nil), data[:n]...)})
		f.size = max(f.size, at+int64(n))
	}
	if v != fine {
		d.failures++
	}
	return v
}

// allowed returns how many bytes of a write are written.
func (d *Dir) allowed(f *image, size int, at int64) (int, verdict) {
	switch {
	case d.dead:
		return 0, broken
	case d.tear >= 0 && int64(size) > d.tear:
		n := int(d.tear)
		d.tear = 0
		return n, tornHere
	case d.tear >= 0:
		d.tear -= int64(size)
	}
	if grows := at + int64(size) - f.size; d.room >= 0 && grows > 0 {
		if grows > d.room {
			n := size - int(min(grows-d.room, int64(size)))
			d.room = 0
			return n, full
		}
		d.room -= grows
	}
	return size, fine
}

// truncate decides about a new size.
func (d *Dir) truncate(f *image, size int64, perform func() bool) verdict {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		d.failures++
		return broken
	}
	if !perform() {
		return broken
	}
	f.pending = append(f.pending, change{at: size})
	f.size = size
	return fine
}

// sync decides about a sync. What was written before it began is on disk when it succeeds, and lost when it fails.
func (d *Dir) sync(f *image, perform func() bool) verdict {
	d.mu.Lock()
	upto, fails := f.settled+len(f.pending), d.failSync || d.dead
	d.mu.Unlock()
	d.wait()
	done := fails || perform()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead { // the image is taken
		d.failures++
		return broken
	}
	if d.lie {
		return fine
	}
	n := max(0, upto-f.settled) // another sync may have come first
	if !fails && done {
		for _, c := range f.pending[:n] {
			f.apply(c)
		}
	}
	f.pending, f.settled = append(f.pending[:0:0], f.pending[n:]...), f.settled+n
	if fails || !done {
		d.failures++
		return broken
	}
	return fine
}
