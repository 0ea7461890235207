package pyeval

import (
	"errors"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// filesTable is module _files: the only door to files, which are those of the program's roots.
func filesTable() Table {
	return Table{
		"cache":         Pure("cache", newCache),
		"copy":          Pure("copy", copyOne),
		"csv_columns":   Pure("csv_columns", csvColumns),
		"csv_records":   Pure("csv_records", csvRecords),
		"csv_rows":      Pure("csv_rows", csvRows),
		"deepcopy":      Pure("deepcopy", copyDeep),
		"excel_columns": Pure("excel_columns", excelColumns),
		"exists":        Pure("exists", fileTest(func(fs.FileInfo) bool { return true })),
		"import_module": Pure("import_module", func(th *Thread, args []Value, kws []Kw) Value {
			var name string
			pkg := None
			th.Unpack("import_module", args, kws, "name", &name, "package?", &pkg)
			if base, ok := pkg.AsString(); ok && strings.HasPrefix(name, ".") {
				name = base + name
			}
			return Obj(th.importModule(name))
		}),
		"is_dir":  Pure("is_dir", fileTest(fs.FileInfo.IsDir)),
		"is_file": Pure("is_file", fileTest(func(i fs.FileInfo) bool { return !i.IsDir() })),
		"lines":   Pure("lines", fileLines),
		"list":    Pure("list", listFiles),
		"read":    Pure("read", readFile),
	}
}

func fileTest(test func(fs.FileInfo) bool) GoFunc {
	return func(th *Thread, args []Value, kws []Kw) Value {
		var name string
		th.Unpack("path", args, kws, "path", &name)
		info := th.prog.library.stat(th.prog, name)
		return Bool(info != nil && test(info))
	}
}

func listFiles(th *Thread, args []Value, kws []Kw) Value {
	var name string
	th.Unpack("listdir", args, kws, "path", &name)
	entries, err := th.prog.ReadDir(name)
	if err != nil {
		th.fileError(name, err)
	}
	items := make([]Value, len(entries))
	for i, e := range entries {
		items[i] = String(e.Name())
	}
	return Obj(NewList(items))
}

// fileLines is lines(content): the lines of str or bytes, with their ends.
func fileLines(th *Thread, args []Value, _ []Kw) Value {
	content := th.one("lines", args)
	text, isText := content.AsString()
	if b, ok := content.o.(Bytes); ok {
		text = string(b)
	}
	th.allocText(len(text))
	var items []Value
	for line := range strings.Lines(text) {
		th.step()
		if isText {
			items = grown(th, items, String(line))
		} else {
			items = grown(th, items, BytesValue(line))
		}
	}
	return Obj(NewList(items))
}

// readFile is read(path, encoding): text, or bytes when the encoding is None.
func readFile(th *Thread, args []Value, kws []Kw) Value {
	var name string
	encoding := None
	th.Unpack("open", args, kws, "path", &name, "encoding?", &encoding)
	key := fileKey{path: name}
	if !encoding.IsNone() {
		key.encoding = th.mustString(encoding, "encoding")
	}
	content := th.prog.library.file(key, func() string {
		data, err := th.prog.ReadFile(name)
		if err != nil {
			th.fileError(name, err)
		}
		th.allocText(len(data))
		if encoding.IsNone() {
			return string(data)
		}
		return th.decodeFile(name, string(data), key.encoding)
	})
	if encoding.IsNone() {
		return BytesValue(content)
	}
	return String(content)
}

// decodeFile decodes text with universal newlines.
func (th *Thread) decodeFile(name, data, encoding string) string {
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
		th.Raise(LookupError, "unknown encoding: %s", encoding)
	}
	if !utf8.ValidString(data) {
		th.Raise(UnicodeDecodeError, "'%s' codec can't decode %s", encoding, name)
	}
	return strings.ReplaceAll(data, "\r\n", "\n")
}

func (th *Thread) fileError(name string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		th.Raise(FileNotFoundError, "[Errno 2] No such file or directory: '%s' (packages can read their own files only)", name)
	}
	th.Raise(OSError, "%s: %s", name, err.Error())
}

// builtinOpen is open(), which lives in module io.
func builtinOpen(th *Thread, args []Value, kws []Kw) Value {
	open, _ := th.importModule("io").Get("open")
	return th.call(open, args, kws)
}
