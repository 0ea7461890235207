package messaging

import "errors"

// Memory asks for bytes before they are used, and returns an error when there are too few. A nil one always has them.
type Memory func(bytes int64) error

// pageWeight is what a page of items or messages weighs while it is read. A page ends where the next would exceed its bytes, or
// where memory ends: a caller that reads on from its cursor misses nothing.
type pageWeight struct {
	bytes, most int64
	memory      Memory
}

func (s *Service) weighPage(memory Memory) pageWeight {
	return pageWeight{most: s.limits.PageBytes, memory: memory}
}

// errFull says that something does not belong to a page any more, which has something already.
var errFull = errors.New("the page is full")

// besides is about what an item or a message takes besides its content, and all of a subscription.
const besides = 256

// add weighs something with so much content. The first always finds its place, if there is memory.
func (w *pageWeight) add(content int) error {
	n := int64(content) + besides
	if w.bytes > 0 && w.bytes+n > w.most {
		return errFull
	}
	if w.memory != nil {
		if err := w.memory(n); err != nil {
			return err
		}
	}
	w.bytes += n
	return nil
}
