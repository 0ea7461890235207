//go:build unix

package country

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// heldDirectory is a directory of the machine. A large package has thousands of small files; the calls here are those that
// reading them takes, a third of what os.File makes.
type heldDirectory struct{ *os.File }

// inside opens nothing outside the directory, and does not wait for what is no file.
const inside = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK

func openDirectoryOf(root *os.Root) (directory, error) {
	f, err := root.Open(".")
	return heldDirectory{f}, err
}

func (d heldDirectory) list() ([]fs.DirEntry, error) { return d.ReadDir(-1) }

func (d heldDirectory) sub(name string) (directory, error) {
	fd, err := d.open(name, unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return heldDirectory{os.NewFile(uintptr(fd), filepath.Join(d.Name(), name))}, nil
}

func (d heldDirectory) open(name string, flags int) (fd int, err error) {
	at, err := d.SyscallConn()
	if err != nil {
		return -1, err
	}
	failed := at.Control(func(dir uintptr) {
		err = again(func() error {
			fd, err = unix.Openat(int(dir), name, inside|flags, 0)
			return err
		})
	})
	return fd, errors.Join(failed, err)
}

func (d heldDirectory) read(name string, buffer *scratch) (string, fs.FileInfo, error) {
	fd, err := d.open(name, 0)
	if err != nil {
		return "", nil, err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := again(func() error { return unix.Fstat(fd, &stat) }); err != nil {
		return "", nil, err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return "", nil, fs.ErrInvalid
	}
	text, err := buffer.sized(stat.Size)
	if err != nil {
		return "", nil, err
	}
	for rest := text; len(rest) > 0; {
		n := 0
		err := again(func() (err error) { n, err = unix.Read(fd, rest); return err })
		if err != nil || n == 0 {
			return "", nil, errors.Join(err, io.ErrUnexpectedEOF)
		}
		rest = rest[n:]
	}
	return string(text), textInfo{name, stat.Size, fs.FileMode(stat.Mode).Perm(), time.Unix(stat.Mtim.Unix())}, nil
}

// again repeats a call that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// textInfo describes a regular file.
type textInfo struct {
	name    string
	size    int64
	mode    fs.FileMode
	changed time.Time
}

// Name and the methods below implement fs.FileInfo.
func (i textInfo) Name() string       { return i.name }
func (i textInfo) Size() int64        { return i.size }
func (i textInfo) Mode() fs.FileMode  { return i.mode }
func (i textInfo) ModTime() time.Time { return i.changed }
func (textInfo) IsDir() bool          { return false }
func (textInfo) Sys() any             { return nil }
