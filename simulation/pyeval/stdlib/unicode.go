package stdlib

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	py "edict/simulation/pyeval"
)

// unicodedataTable is module unicodedata.
func unicodedataTable() py.Table {
	return py.Table{
		"combining": py.Pure("combining", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var s string
			th.Unpack("combining", args, kws, "chr", &s)
			if utf8.RuneCountInString(s) != 1 {
				th.Raise(py.TypeError, "combining() argument must be a unicode character, not a text of %d", utf8.RuneCountInString(s))
			}
			return py.Int(int64(norm.NFD.PropertiesString(s).CCC()))
		}),
		"normalize": py.Pure("normalize", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var form, s string
			th.Unpack("normalize", args, kws, "form", &form, "unistr", &s)
			f, ok := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}[form]
			if !ok {
				th.Raise(py.ValueError, "invalid normalization form")
			}
			th.Alloc(len(s))
			return py.String(f.String(s))
		}),
	}
}
