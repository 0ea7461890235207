package population

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
)

// census is the groups of an entity that a part has, so that merging finds one that is in two parts: ranges of those whose names
// are whole numbers, hashes of the others.
type census struct {
	numbers []numberRange
	hashes  []uint64
}

type numberRange struct{ from, to int64 }

func (c *census) add(name []byte) {
	n, ok := serial(name)
	if !ok {
		h := fnv.New64a()
		h.Write(name)
		c.hashes = append(c.hashes, h.Sum64())
		return
	}
	if k := len(c.numbers) - 1; k >= 0 && c.numbers[k].to+1 == n {
		c.numbers[k].to = n
		return
	}
	c.numbers = append(c.numbers, numberRange{n, n})
}

// sort puts the groups in order, in which a later one may be found before.
func (c *census) sort() {
	slices.SortFunc(c.numbers, func(a, b numberRange) int { return compareInts(a.from, b.from) })
	slices.Sort(c.hashes)
}

func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// MarshalBinary implements encoding.BinaryMarshaler: differences of numbers in order, of variable length.
func (c *census) MarshalBinary() ([]byte, error) {
	c.sort()
	out := binary.AppendUvarint(nil, uint64(len(c.numbers)))
	last := int64(0)
	for _, r := range c.numbers {
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(r.from-last)), uint64(r.to-r.from))
		last = r.to
	}
	before := uint64(0)
	for _, h := range c.hashes {
		out = binary.AppendUvarint(out, h-before)
		before = h
	}
	return out, nil
}

var errCensus = errors.New("the groups of the part cannot be read")

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (c *census) UnmarshalBinary(data []byte) error {
	*c = census{}
	r := bytes.NewReader(data)
	count, err := binary.ReadUvarint(r)
	if err != nil || count > uint64(len(data)) {
		return errCensus
	}
	last := int64(0)
	for range count {
		from, err := binary.ReadUvarint(r)
		length, wrong := binary.ReadUvarint(r)
		if err != nil || wrong != nil {
			return errCensus
		}
		one := numberRange{last + int64(from), last + int64(from) + int64(length)}
		if one.from < last || one.to < one.from {
			return errCensus
		}
		c.numbers = append(c.numbers, one)
		last = one.to
	}
	for before := uint64(0); r.Len() > 0; {
		step, err := binary.ReadUvarint(r)
		if err != nil {
			return errCensus
		}
		before += step
		c.hashes = append(c.hashes, before)
	}
	return nil
}

// claim is the groups of a part.
type claim struct {
	part int
	census
}

// apart makes sure that no group is in two parts.
func apart(entity string, claims []claim) error {
	type numbers struct {
		part int
		numberRange
	}
	type hash struct {
		part int
		of   uint64
	}
	var ranges []numbers
	var hashes []hash
	for _, c := range claims {
		for _, r := range c.numbers {
			ranges = append(ranges, numbers{c.part, r})
		}
		for _, h := range c.hashes {
			hashes = append(hashes, hash{c.part, h})
		}
	}
	slices.SortFunc(ranges, func(a, b numbers) int { return compareInts(a.from, b.from) })
	for i := 1; i < len(ranges); i++ {
		if a, b := ranges[i-1], ranges[i]; a.part != b.part && b.from <= a.to {
			return fmt.Errorf("%s %d has members in part %d and in part %d: %s", entity, b.from, min(a.part, b.part), max(a.part, b.part), sortRows(entity))
		}
	}
	slices.SortFunc(hashes, func(a, b hash) int {
		if a.of != b.of {
			return map[bool]int{true: -1, false: 1}[a.of < b.of]
		}
		return a.part - b.part
	})
	for i := 1; i < len(hashes); i++ {
		if a, b := hashes[i-1], hashes[i]; a.part != b.part && a.of == b.of {
			return fmt.Errorf("a %s has members in part %d and in part %d: %s", entity, a.part, b.part, sortRows(entity))
		}
	}
	return nil
}

func sortRows(entity string) string {
	return "sort the rows by " + entity + ", or compute the file without --part"
}
