package jsonio

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"edict/platform/heap"
)

// AppendString appends a string, escaping what must be escaped and nothing else. What is no character becomes U+FFFD.
func AppendString(b []byte, s string) []byte {
	for i := range len(s) {
		if !plainText[s[i]] {
			return appendOther(b, s, i)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// appendOther is AppendString from the first byte that may have to be written otherwise.
func appendOther(b []byte, s string, first int) []byte {
	const hex = "0123456789abcdef"
	b = append(append(b, '"'), s[:first]...)
	done := first
	for i := first; i < len(s); {
		c := s[i]
		if plainText[c] {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[done:i]...), "\ufffd"...)
				done = i + 1
			}
			i += n
			continue
		}
		b = append(b, s[done:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		done = i
	}
	return append(append(b, s[done:]...), '"')
}

// AppendStringOrNull appends a string, null for an empty one.
func AppendStringOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return AppendString(b, s)
}

// AppendFloat appends the shortest text that reads back to the same number of that many bits, with a fraction or an
// exponent; null if it is not finite.
func AppendFloat(b []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		format = 'e'
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, format, -1, bits)
	if format == 'f' && bytes.IndexByte(b[start:], '.') < 0 {
		b = append(b, ".0"...)
	}
	return b
}

// Buffer is room for a text, which serves for another one when it is given back.
type Buffer struct{ Text []byte }

// buffers are those that nobody uses. Most texts are short.
var buffers = heap.Pool[Buffer]{New: func() *Buffer { return &Buffer{make([]byte, 0, 4<<10)} }}

// Borrow takes a buffer, with some room if more than a short text is to be expected.
func Borrow(room int) *Buffer {
	b := buffers.Get()
	if cap(b.Text) < room {
		b.Text = make([]byte, 0, room)
	}
	b.Text = b.Text[:0]
	return b
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.Text = append(b.Text, p...)
	return len(p), nil
}

// GiveBack ends the use of the buffer and its text; one that grew for a long text is left to the collector.
func (b *Buffer) GiveBack() {
	if cap(b.Text) <= 2*pieceSize {
		buffers.Put(b)
	}
}

// Writer makes a text that may be long. Parts are appended to Text, by whoever writes them and by its methods. With Memory, what
// is full is put aside between parts, if there are bytes for it, so that a long text is never copied.
//
// The zero value keeps everything in Text. After an error nothing that is written counts.
type Writer struct {
	Text   []byte
	Most   int64       // bytes of the whole text; 0: any number
	Memory *heap.Share // what full buffers are held of

	last *Buffer   // that Text is of
	full []*Buffer // before it
	size int64     // of their text
	held int64     // of memory for them
	err  error
}

// pieceSize is the length of a full buffer; a single part may make it longer.
const pieceSize = 32 << 10

// TooLong says that a text would be longer than it may be.
type TooLong struct{ Most int64 }

func (e *TooLong) Error() string { return fmt.Sprintf("the text is longer than %d bytes", e.Most) }

// Begin takes a buffer.
func (w *Writer) Begin() { w.begin(0) }

func (w *Writer) begin(room int) {
	w.last = Borrow(room)
	w.Text = w.last.Text
}

// Name begins a member of an object.
func (w *Writer) Name(first bool, name string) {
	if !first {
		w.Text = append(w.Text, ',')
	}
	w.Text = append(AppendString(w.Text, name), ':')
}

// List writes a list of n elements.
func (w *Writer) List(n int, element func(i int)) {
	w.Text = append(w.Text, '[')
	for i := 0; i < n && w.err == nil; i++ {
		if i > 0 {
			w.Text = append(w.Text, ',')
		}
		element(i)
		w.Spill()
	}
	w.Text = append(w.Text, ']')
}

// Spill puts a full buffer aside. It is called between parts.
func (w *Writer) Spill() {
	if len(w.Text) < pieceSize || w.last == nil {
		return
	}
	w.size += int64(len(w.Text))
	if w.err == nil {
		w.err = w.weigh()
	}
	if w.err != nil {
		// A walk over values has no way out: the rest of them goes into this buffer again and again.
		w.Text = w.Text[:0]
		return
	}
	w.last.Text = w.Text
	w.full = append(w.full, w.last)
	// A little more than a piece: what is written last begins below that size and ends beyond it.
	w.begin(pieceSize + pieceSize/8)
}

// weigh asks for the memory of a buffer that is full.
func (w *Writer) weigh() error {
	if w.Most > 0 && w.size > w.Most {
		return &TooLong{w.Most}
	}
	n := int64(cap(w.Text))
	if err := w.Memory.Take(n); err != nil {
		return err
	}
	w.held += n
	return nil
}

// Err is why the text cannot be made, a *[TooLong] or that of the memory.
func (w *Writer) Err() error { return w.err }

// Len is the length of the text.
func (w *Writer) Len() int64 { return w.size + int64(len(w.Text)) }

// Held is how much memory is held for buffers that were put aside.
func (w *Writer) Held() int64 { return w.held }

// WriteTo writes the text, and gives back each buffer that was put aside once it is written.
func (w *Writer) WriteTo(to io.Writer) (n int64, err error) {
	for i, b := range w.full {
		if _, err := to.Write(b.Text); err != nil {
			return n, err
		}
		n += int64(len(b.Text))
		w.full[i] = nil
		w.Memory.Give(int64(cap(b.Text)))
		b.GiveBack()
	}
	w.full = nil
	m, err := to.Write(w.Text)
	return n + int64(m), err
}

// GiveBack ends the use of the text.
func (w *Writer) GiveBack() {
	if w.last != nil {
		w.last.Text = w.Text
		w.last.GiveBack()
	}
	*w = Writer{}
}
