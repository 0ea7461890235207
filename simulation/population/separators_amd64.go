package population

import "golang.org/x/sys/cpu"

var (
	hasAVX2     = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
	hasAVX512   = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
	hasCompress = hasAVX512 && cpu.X86.HasAVX512VBMI2 // of bytes
)

//go:noescape
func placesAVX2(places *int32, data *byte, words int, comma byte, at int32) (found, newlines int, quotes bool)

//go:noescape
func placesAVX512(places *int32, data *byte, words int, comma byte, at int32) (found, newlines int, quotes bool)

// separators writes where commas and ends of lines are in data, of which it takes 64 bytes at a time, counted from at. There is room for all
// of data and some more. It counts the ends of lines, and tells whether there are quotes. ok is false if this processor cannot do that.
func separators(places []int32, data []byte, comma byte, at int32) (found, newlines int, quotes, ok bool) {
	words := len(data) / 64
	if !hasAVX2 || words == 0 {
		return 0, 0, false, words == 0
	}
	_ = places[64*words+roomBehind-1]
	if hasCompress {
		found, newlines, quotes = placesAVX512(&places[0], &data[0], words, comma, at)
		return found, newlines, quotes, true
	}
	found, newlines, quotes = placesAVX2(&places[0], &data[0], words, comma, at)
	return found, newlines, quotes, true
}
