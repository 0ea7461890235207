package population

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A part is a share of a file that is computed by a process of its own. Which rows it has follows from the file, I and N alone,
// so that parts need not know of each other: the file is cut into N segments of the same length, and every cut is moved on to
// a row that begins new groups. Segments without two members of every entity, of which columns would have one element, belong to
// the part before them; those before the first that has them belong to it.
//
// Where rows begin in a CSV file cannot be seen for certain from the middle of it, because quoted text may have line ends. A
// part that begins in the middle takes what looks like one. Each part makes sure that its end is the beginning of a row, and
// merging that it is the beginning of the next part. Since the first part begins at the beginning, all of them were right then.

// Part says which share of the file to compute: the Index-th of Of, from 1.
type Part struct {
	Index, Of int
}

// maxParts bounds how many parts there are.
const maxParts = 100_000

// ParsePart reads I/N.
func ParsePart(text string) (Part, error) {
	index, of, _ := strings.Cut(text, "/")
	i, wrong := strconv.Atoi(index)
	n, wrongToo := strconv.Atoi(of)
	if wrong != nil || wrongToo != nil || i < 1 || i > n || n > maxParts {
		return Part{}, fmt.Errorf("%q is no part: 3/16 is the third of sixteen, and there can be %d", text, maxParts)
	}
	return Part{i, n}, nil
}

// String is I/N.
func (p Part) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Of) }

// segments are the shares of a file.
type segments struct {
	source source
	layout *layout
	of     int
	cuts   map[int]int64 // that are known, by the segment that begins there
}

// rangeOf finds the rows of a part.
func (s *segments) rangeOf(p Part) (from, to int64, err error) {
	small := func(i int) bool {
		var yes bool
		if err == nil {
			yes, err = s.small(i)
		}
		return yes
	}
	cut := func(i int) int64 {
		var at int64
		if err == nil {
			at, err = s.cut(i)
		}
		return at
	}
	first := p.Index
	if small(p.Index) {
		// Of small ones alone the first has all.
		for i := range s.of {
			if p.Index > 1 || !small(i+1) {
				return cut(p.Index), cut(p.Index), err
			}
		}
	}
	for first > 1 && small(first-1) {
		first--
	}
	if first > 1 {
		first = p.Index
	}
	next := p.Index + 1
	for next <= s.of && small(next) {
		next++
	}
	return cut(first), cut(next), err
}

// cut is where a segment begins.
func (s *segments) cut(i int) (int64, error) {
	from, to := s.source.bounds()
	if i == 1 {
		return from, nil
	}
	if i > s.of {
		return to, nil
	}
	if at, known := s.cuts[i]; known {
		return at, nil
	}
	at := to
	err := s.walk(from+fraction(to-from, i-1, s.of), func(n int, position int64, anew []bool) bool {
		if n == 0 || !all(anew) {
			return true
		}
		at = position
		return false
	})
	s.cuts[i] = at
	return at, err
}

// fraction is i n-ths of a length, which times n may be too large a number.
func fraction(length int64, i, n int) int64 {
	return length/int64(n)*int64(i) + length%int64(n)*int64(i)/int64(n)
}

// small reports whether a segment lacks two members of some entity.
func (s *segments) small(i int) (bool, error) {
	from, err := s.cut(i)
	if err != nil {
		return false, err
	}
	to, err := s.cut(i + 1)
	if err != nil {
		return false, err
	}
	small, groups := true, make([]int, len(s.layout.groups))
	if from == to {
		return true, nil
	}
	return small, s.walk(from, func(n int, position int64, anew []bool) bool {
		if position >= to {
			return false
		}
		small = n == 0
		for g := range groups {
			if n == 0 || anew[g] {
				groups[g]++
			}
			small = small || groups[g] < 2
		}
		return small
	})
}

func all(conditions []bool) bool {
	for _, c := range conditions {
		if !c {
			return false
		}
	}
	return true
}

// walk calls fn for rows from a position on, with which of the row's groups are not those of the row before, until it has
// enough.
func (s *segments) walk(position int64, fn func(n int, position int64, anew []bool) bool) error {
	if err := s.source.seek(position); err != nil {
		return err
	}
	before, anew := make([][]byte, len(s.layout.groups)), make([]bool, len(s.layout.groups))
	for n := 0; ; {
		b, err := s.source.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for row := range b.rows() {
			for i, g := range s.layout.groups {
				var name []byte
				if g.id >= 0 {
					name = b.name(row, g.id)
				}
				anew[i] = len(name) == 0 || !bytes.Equal(name, before[i])
				before[i] = name
			}
			if !fn(n, b.position(row), anew) {
				return nil
			}
			n++
		}
	}
}

// rangeSource is the rows of a source between two positions.
type rangeSource struct {
	source
	from, to int64
	at       int64 // behind the last batch
	ended    bool
}

func (s *segments) narrow(p Part) (*rangeSource, error) {
	from, to, err := s.rangeOf(p)
	if err != nil {
		return nil, err
	}
	return &rangeSource{source: s.source, from: from, to: to, at: from, ended: from == to}, s.source.seek(from)
}

// next implements source.
func (s *rangeSource) next() (batch, error) {
	for !s.ended {
		b, err := s.source.next()
		if errors.Is(err, io.EOF) {
			s.ended, s.at = true, s.to
			if _, end := s.bounds(); s.to != end {
				return nil, errInsideRow
			}
			return nil, io.EOF
		}
		if err != nil {
			return nil, err
		}
		n := b.rows()
		s.at = b.position(n - 1)
		if s.at < s.to {
			return b, nil
		}
		for n > 0 && b.position(n-1) >= s.to {
			n--
		}
		s.ended, s.at = true, s.to
		if b.position(n) != s.to {
			return nil, errInsideRow
		}
		if n > 0 {
			return b.first(n), nil
		}
	}
	return nil, io.EOF
}

var errInsideRow = errors.New("the file cannot be divided here: a part would begin inside a row, because quoted text contains line ends. Use another number of parts, or a Parquet file")

// read implements source: how much of the part has been read.
func (s *rangeSource) read() float64 {
	if s.to == s.from {
		return 1
	}
	return float64(s.at-s.from) / float64(s.to-s.from)
}
