package pyeval

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unicodedataTable is module unicodedata.
func unicodedataTable() Table {
	return Table{
		"combining": Pure("combining", func(th *Thread, args []Value, kws []Kw) Value {
			var s string
			th.Unpack("combining", args, kws, "chr", &s)
			if utf8.RuneCountInString(s) != 1 {
				th.Raise(TypeError, "combining() argument must be a unicode character, not a text of %d", utf8.RuneCountInString(s))
			}
			return Int(int64(norm.NFD.PropertiesString(s).CCC()))
		}),
		"normalize": Pure("normalize", func(th *Thread, args []Value, kws []Kw) Value {
			var form, s string
			th.Unpack("normalize", args, kws, "form", &form, "unistr", &s)
			f, ok := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}[form]
			if !ok {
				th.Raise(ValueError, "invalid normalization form")
			}
			th.Alloc(len(s))
			return String(f.String(s))
		}),
	}
}
