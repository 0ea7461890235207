package pyeval

import "strings"

// standardNames are the modules of Python's standard library that are not part of this one. Packages import some of them
// without using them; so importing them works, and what is taken from them says what is missing when it is used.
var standardNames = words(`aifc argparse array ast asyncio atexit audioop base64 binascii bz2 cProfile cgi cmath cmd code colorsys
	compileall concurrent contextvars copyreg crypt ctypes curses dbm difflib dis distutils doctest email encodings errno
	faulthandler fcntl filecmp fileinput ftplib gc getopt getpass gettext graphlib grp gzip hmac html http imaplib imghdr imp
	inspect ipaddress keyword lib2to3 linecache locale lzma mailbox marshal mimetypes mmap modulefinder multiprocessing netrc nntplib
	optparse pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath profile pstats pty pwd py_compile pyclbr pydoc
	queue quopri random readline reprlib resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket
	socketserver sqlite3 ssl stat stringprep struct subprocess symtable sysconfig syslog tarfile telnetlib tempfile termios threading
	timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle unicodedata unittest urllib uu uuid venv wave
	webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`)

// dataNames are libraries by others that packages read and describe data with, which is not done here; they are absent in the same way.
var dataNames = words(`IPython google h5py huggingface_hub microdf plotly polars requests tables tqdm`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// absent stands for something of a module that is not there.
type absent string

// Type implements [Object].
func (absent) Type() *Class { return objectType }

// Attr implements [Attrer]: what is part of something absent is absent too.
func (a absent) Attr(_ *Thread, name string) (Value, bool) {
	if strings.HasPrefix(name, "__") {
		return Value{}, false
	}
	return Obj(a + absent("."+name)), true
}

// Call implements [Callable].
func (a absent) Call(th *Thread, _ []Value, _ []Kw) Value {
	th.Raise(NotImplementedError, "%s", a.refusal())
	return Value{}
}

func (a absent) refusal() string {
	module, _, _ := strings.Cut(string(a), ".")
	return string(a) + " cannot be used: module " + module + " is not among those that packages have here"
}

// Repr implements [Reprer].
func (a absent) Repr(*Thread) string { return "<" + string(a) + ", which is not there>" }

// isAbsent tells that a module is one of the standard library, or for data, which is not there.
func isAbsent(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	return standardNames[top] || dataNames[top]
}

// addAbsent makes a module of which everything is absent.
func (p *Program) addAbsent(name string) *Module {
	m := p.addTable(name, Table{})
	m.absent = true
	return m
}
