package faultfs

import (
	"fmt"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// SQLite reaches its files through a table of functions, the VFS. Here a copy of the system's own table gets another
// function for opening files, and becomes the default. A file that is opened in a watched directory has its own table of
// methods, a copy as well, with those replaced that write; the file below is the system's.
//
// The driver is C turned into Go: a pointer to a function is the Go function, memory that SQLite owns is a number.

// install makes the table the default of the process, once.
var install = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	system := lib.Xsqlite3_vfs_find(tls, 0)
	if system == 0 {
		return fmt.Errorf("SQLite has no file system here")
	}
	name, err := libc.CString("faultfs")
	if err != nil {
		return err
	}
	below = *at[lib.Tsqlite3_vfs](system)
	own := below
	own.FzName, own.FpNext = name, 0
	own.FxOpen, own.FxDelete = pointer(open), pointer(remove)
	p := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(own)))
	if p == 0 {
		return fmt.Errorf("out of memory")
	}
	*at[lib.Tsqlite3_vfs](p) = own
	if rc := lib.Xsqlite3_vfs_register(tls, p, 1); rc != lib.SQLITE_OK {
		return fmt.Errorf("SQLite does not take the file system: %d", rc)
	}
	return nil
})

// below is the system's table; it is set before anything of this file runs.
var below lib.Tsqlite3_vfs

// openFiles is what is known of open files, by their address in SQLite.
var openFiles sync.Map

type openFile struct {
	dir     *Dir
	image   *image
	methods lib.Tsqlite3_io_methods // of the system
	table   uintptr                 // of ours
}

// at returns what SQLite has at an address.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// pointer returns a function as SQLite holds it. It must be a declared one, which is never collected.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is the opposite of pointer.
func function[F any](p uintptr) F {
	holder := &struct{ uintptr }{p}
	return *(*F)(unsafe.Pointer(holder))
}

type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
	writeFunc    = func(tls *libc.TLS, file, data uintptr, size int32, offset int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     = func(tls *libc.TLS, file uintptr, flags int32) int32
)

func open(tls *libc.TLS, vfs, name, file uintptr, flags int32, outFlags uintptr) int32 {
	rc := function[openFunc](below.FxOpen)(tls, vfs, name, file, flags, outFlags)
	if rc != lib.SQLITE_OK || name == 0 {
		return rc
	}
	path := libc.GoString(name)
	d := dirOf(path)
	if d == nil {
		return rc
	}
	f := at[lib.Tsqlite3_file](file)
	o := &openFile{dir: d, methods: *at[lib.Tsqlite3_io_methods](f.FpMethods)}
	var err error
	if o.image, err = d.opened(path); err != nil {
		return lib.SQLITE_CANTOPEN
	}
	own := o.methods
	own.FxClose, own.FxWrite, own.FxTruncate, own.FxSync = pointer(closeFile), pointer(writeFile), pointer(truncateFile), pointer(syncFile)
	if o.table = libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(own))); o.table == 0 {
		return lib.SQLITE_NOMEM
	}
	*at[lib.Tsqlite3_io_methods](o.table) = own
	f.FpMethods = o.table
	openFiles.Store(file, o)
	return rc
}

func remove(tls *libc.TLS, vfs, name uintptr, syncDir int32) int32 {
	path := libc.GoString(name)
	if d := dirOf(path); d != nil {
		d.deleted(path)
	}
	return function[deleteFunc](below.FxDelete)(tls, vfs, name, syncDir)
}

func fileAt(file uintptr) *openFile {
	o, _ := openFiles.Load(file)
	return o.(*openFile)
}

func closeFile(tls *libc.TLS, file uintptr) int32 {
	o := fileAt(file)
	openFiles.Delete(file)
	defer libc.Xfree(tls, o.table)
	return function[closeFunc](o.methods.FxClose)(tls, file)
}

func writeFile(tls *libc.TLS, file, data uintptr, size int32, offset int64) int32 {
	o := fileAt(file)
	bytes := unsafe.Slice(at[byte](data), size)
	return o.dir.write(o.image, bytes, offset, func(n int) bool {
		return function[writeFunc](o.methods.FxWrite)(tls, file, data, int32(n), offset) == lib.SQLITE_OK
	}).code(lib.SQLITE_IOERR_WRITE)
}

func truncateFile(tls *libc.TLS, file uintptr, size int64) int32 {
	o := fileAt(file)
	return o.dir.truncate(o.image, size, func() bool {
		return function[truncateFunc](o.methods.FxTruncate)(tls, file, size) == lib.SQLITE_OK
	}).code(lib.SQLITE_IOERR_TRUNCATE)
}

func syncFile(tls *libc.TLS, file uintptr, flags int32) int32 {
	o := fileAt(file)
	return o.dir.sync(o.image, func() bool {
		return function[syncFunc](o.methods.FxSync)(tls, file, flags) == lib.SQLITE_OK
	}).code(lib.SQLITE_IOERR_FSYNC)
}

// code is what SQLite is told.
func (v verdict) code(failure int32) int32 {
	switch v {
	case fine:
		return lib.SQLITE_OK
	case full:
		return lib.SQLITE_FULL
	}
	return failure
}
