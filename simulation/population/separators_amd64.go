package population

import "golang.org/x/sys/cpu"

//go:noescape
func separatorsAVX2(masks *uint64, data *byte, words int, comma byte) (newlines int, quotes bool)

// separators looks for commas and ends of lines in 64 bytes for each mask, which gets a bit for each byte that is one. It counts the
// ends of lines, and tells whether there are quotes. ok is false if this processor cannot do that.
func separators(masks []uint64, data []byte, comma byte) (newlines int, quotes, ok bool) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasPOPCNT || len(masks) == 0 {
		return 0, false, len(masks) == 0
	}
	_ = data[64*len(masks)-1]
	newlines, quotes = separatorsAVX2(&masks[0], &data[0], len(masks), comma)
	return newlines, quotes, true
}
