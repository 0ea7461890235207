package stdlib

// This file defines module _files, on which the modules in Python build: what needs the outside, or sees into values.

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	py "edict/simulation/pyeval"
)

// filesTable is module _files: the only door to files, which are those of the program's roots.
func filesTable() py.Table {
	return py.Table{
		"cache":         py.Pure("cache", py.NewCache),
		"codes":         py.Pure("codes", rowCodes),
		"copy":          py.Pure("copy", py.Copy),
		"csv_columns":   py.Pure("csv_columns", csvColumns),
		"csv_records":   py.Pure("csv_records", py.CSVRecords),
		"csv_rows":      py.Pure("csv_rows", py.CSVRows),
		"deepcopy":      py.Pure("deepcopy", py.DeepCopy),
		"excel_columns": py.Pure("excel_columns", excelColumns),
		"exists":        py.Pure("exists", fileTest(func(fs.FileInfo) bool { return true })),
		"import_module": py.Pure("import_module", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			var name string
			pkg := py.None
			th.Unpack("import_module", args, kws, "name", &name, "package?", &pkg)
			if base, ok := pkg.AsString(); ok && strings.HasPrefix(name, ".") {
				name = base + name
			}
			return py.Obj(th.MustImport(name))
		}),
		"is_dir":  py.Pure("is_dir", fileTest(fs.FileInfo.IsDir)),
		"is_file": py.Pure("is_file", fileTest(func(i fs.FileInfo) bool { return !i.IsDir() })),
		"lines":   py.Pure("lines", fileLines),
		"list":    py.Pure("list", listFiles),
		"match":   py.Pure("match", matchRows),
		"read":    py.Pure("read", readFile),
		"unpack":  py.Pure("unpack", unpackText),
	}
}

func fileTest(test func(fs.FileInfo) bool) py.GoFunc {
	return func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var name string
		th.Unpack("path", args, kws, "path", &name)
		info := th.Program().FileInfo(name)
		return py.Bool(info != nil && test(info))
	}
}

func listFiles(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	th.Unpack("listdir", args, kws, "path", &name)
	entries, err := th.Program().ReadDir(name)
	if err != nil {
		RaiseFile(th, name, err)
	}
	items := make([]py.Value, len(entries))
	for i, e := range entries {
		items[i] = py.String(e.Name())
	}
	return py.Obj(py.NewList(items))
}

// fileLines is lines(content): the lines of str or bytes, with their ends.
func fileLines(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
	content := th.OnlyArg("lines", args)
	text, isText := content.AsString()
	if b, ok := content.Object().(py.Bytes); ok {
		text = string(b)
	}
	th.AllocText(len(text))
	var items []py.Value
	for line := range strings.Lines(text) {
		th.Tick(1)
		if isText {
			items = py.Grown(th, items, py.String(line))
		} else {
			items = py.Grown(th, items, py.BytesValue(line))
		}
	}
	return py.Obj(py.NewList(items))
}

// readFile is read(path, encoding): text, or bytes when the encoding is None.
func readFile(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var name string
	encoding := py.None
	th.Unpack("open", args, kws, "path", &name, "encoding?", &encoding)
	decoding := ""
	if !encoding.IsNone() {
		decoding = th.MustString(encoding, "encoding")
	}
	content := th.Program().Remembered(name, decoding, func() string {
		data, err := th.Program().ReadFile(name)
		if err != nil {
			RaiseFile(th, name, err)
		}
		th.AllocText(len(data))
		if encoding.IsNone() {
			return string(data)
		}
		if path.Ext(name) == ".gz" {
			data = unpacked(th, name, data)
		}
		return decodeFile(th, name, string(data), decoding)
	})
	if encoding.IsNone() {
		return py.BytesValue(content)
	}
	return py.String(content)
}

// maxUnpacked bounds the text of a compressed file.
const maxUnpacked = 256 << 20

// unpacked is the content of a file that gzip has compressed.
func unpacked(th *py.Thread, name string, data []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(r, maxUnpacked+1))
	}
	switch {
	case err != nil:
		RaiseFile(th, name, err)
	case len(data) > maxUnpacked:
		th.Raise(py.ValueError, "%s has more than %d MiB when it is unpacked", name, maxUnpacked>>20)
	}
	th.AllocText(len(data))
	return data
}

// unpackText is unpack(content, encoding): the text of bytes, which gzip may have compressed.
func unpackText(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
	var content py.Value
	var encoding string
	th.Unpack("unpack", args, kws, "content", &content, "encoding", &encoding)
	b, ok := content.Object().(py.Bytes)
	if !ok {
		th.Raise(py.TypeError, "expected bytes, not %s", py.TypeName(content))
	}
	data := []byte(b)
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		data = unpacked(th, "the data read", data)
	}
	return py.String(decodeFile(th, "the data read", string(data), encoding))
}

// decodeFile decodes text with universal newlines.
func decodeFile(th *py.Thread, name, data, encoding string) string {
	switch strings.ToLower(strings.ReplaceAll(encoding, "_", "-")) {
	case "utf-8-sig":
		data = strings.TrimPrefix(data, "\ufeff")
	case "utf-8", "utf8", "ascii":
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "cp1252":
		runes := make([]rune, len(data))
		for i := range len(data) {
			runes[i] = rune(data[i])
		}
		data = string(runes)
	default:
		th.Raise(py.LookupError, "unknown encoding: %s", encoding)
	}
	if !utf8.ValidString(data) {
		th.Raise(py.UnicodeDecodeError, "'%s' codec can't decode %s", encoding, name)
	}
	return strings.ReplaceAll(data, "\r\n", "\n")
}

// RaiseFile raises what reading a file failed with as Python does.
func RaiseFile(th *py.Thread, name string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		th.Raise(py.FileNotFoundError, "[Errno 2] No such file or directory: '%s' (packages can read their own files only)", name)
	}
	th.Raise(py.OSError, "%s: %s", name, err.Error())
}
