package messaging

import "errors"

// Room asks for so many bytes of memory before they are read into. A nil one always has them.
type Room func(bytes int64) error

// load is what a page of items or messages weighs while it is read. A page ends where the next would exceed its bytes, or
// where memory ends: who reads on from its cursor misses nothing.
type load struct {
	bytes, most int64
	room        Room
}

func (s *Service) load(room Room) load { return load{most: s.limits.PageBytes, room: room} }

// errFull says that something does not belong to a page any more, which has something already.
var errFull = errors.New("the page is full")

// besides is about what an item or a message takes besides its content.
const besides = 256

// add weighs something with so much content. The first always finds its place, if there is memory.
func (l *load) add(content int) error {
	n := int64(content) + besides
	if l.bytes > 0 && l.bytes+n > l.most {
		return errFull
	}
	if l.room != nil {
		if err := l.room(n); err != nil {
			return err
		}
	}
	l.bytes += n
	return nil
}
