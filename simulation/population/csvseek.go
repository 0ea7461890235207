package population

import "bytes"

// seek goes on with the first row that begins at a position or behind it, as far as can be seen from there: where the text
// behind it makes rows of the right width only if the position is in the middle of quoted text, it is.
func (s *csvSource) seek(position int64) error {
	if position <= s.body {
		s.offset, s.rest, s.ended, s.line, s.origin = s.body, nil, false, 2, 0
		return s.fill()
	}
	// The byte before it may be the end of a line.
	s.offset, s.rest, s.ended, s.line, s.origin = position-1, nil, false, 1, position
	if err := s.fill(); err != nil {
		return err
	}
	skip, found := lineEnd(s.rest, false)
	if bytes.IndexByte(s.rest, '"') >= 0 && !(found && s.makesRows(skip)) {
		if other, ok := lineEnd(s.rest, true); ok && s.makesRows(other) {
			skip, found = other, true
		}
	}
	for !found && !s.ended {
		if err := s.fill(); err != nil {
			return err
		}
		skip, found = lineEnd(s.rest, false)
	}
	s.rest = s.rest[skip:]
	return nil
}

// lineEnd finds the end of a line outside of quotes, in a text that begins inside of them or not.
func lineEnd(data []byte, quoted bool) (behind int, found bool) {
	for i, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return i + 1, true
		}
	}
	return len(data), false
}

// makesRows reports whether what was read behind so many bytes consists of rows.
func (s *csvSource) makesRows(skip int) bool {
	probe := *s
	probe.rest = s.rest[skip:]
	b := &csvBatch{width: len(s.names), line: 1, data: probe.rest}
	_, err := probe.split(b, len(probe.rest))
	return err == nil
}
