package country

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// Cache is a directory that remembers, from one process to the next, what the files of packages say: trees of Python
// modules and parameters, by the hash of their text; what loading a package made of all its files, if that is worth keeping; and what was computed
// from such a package. It holds one file or two per package, and one per question about one, which only its own user can write.
// What is missing, stale, damaged or of another build is parsed as if there were no cache, and written anew; a cache that
// cannot be written is not. Any number of processes may share one.
type Cache struct {
	dir   string
	build string // what wrote it: another build may read trees differently
}

// Bounds of the directory: the files that were not used for longest go first.
const (
	maxCacheFiles = 32  // of packages; and of what was kept for questions, of which there are many
	maxCacheMarks = 512 // files for questions that say little
	mostOfMark    = 64 << 10
	maxCacheBytes = 1 << 30
	maxCacheFile  = 256 << 20
	cacheSuffix   = ".packed"
)

// cacheFormat is part of every key. It changes with what is packed and how, and with what trees mean to the compiler.
const cacheFormat = 2

// OpenCache uses a directory, which is made if it is not there. It must belong to the user and be writable for nobody else.
func OpenCache(dir string) (*Cache, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || !onlyOurs(info) {
		return nil, fmt.Errorf("%s is not a directory that only this user can write", dir)
	}
	return &Cache{dir: dir, build: thisBuild()}, nil
}

// thisBuild tells builds of the program apart: by the commit, and those of no commit by the file of the program.
func thisBuild() string {
	key := fmt.Sprint(cacheFormat)
	committed := false
	if info, ok := debug.ReadBuildInfo(); ok {
		key += info.GoVersion + info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" || s.Key == "-tags" || strings.HasPrefix(s.Key, "GO") {
				key += s.Key + s.Value
				committed = committed || s.Key == "vcs.modified" && s.Value == "false"
			}
		}
	}
	if committed {
		return key
	}
	if program, err := os.Executable(); err == nil {
		if info, err := os.Stat(program); err == nil {
			key += fmt.Sprint(program, info.Size(), info.ModTime().UnixNano())
		}
	}
	return key
}

// file names the file of a package with its extensions.
func (c *Cache) file(sources []*Source) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q", c.build)
	for _, s := range sources {
		location, err := filepath.Abs(s.Location)
		if err != nil {
			location = s.Location
		}
		fmt.Fprintf(h, "%q%q", s.Name, location)
	}
	return filepath.Join(c.dir, hex.EncodeToString(h.Sum(nil)[:16])+cacheSuffix)
}

// open takes what is remembered of a package; nothing, if there is no cache.
func (c *Cache) open(sources []*Source) *packageCache {
	if c == nil {
		return nil
	}
	return &packageCache{cache: c, file: c.file(sources), fresh: map[string]packed{}, used: map[string]bool{}}
}

func readCacheFile(name string) (string, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "", fs.ErrInvalid // to open a pipe would wait for a writer
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxCacheFile || !onlyOurs(info) {
		return "", fs.ErrInvalid
	}
	if age := time.Since(info.ModTime()); age > time.Minute {
		_ = os.Chtimes(name, time.Time{}, time.Now()) // it is in use; only a hint for prune
	}
	text := make([]byte, info.Size())
	_, err = io.ReadFull(f, text)
	return unsafe.String(unsafe.SliceData(text), len(text)), err
}

// write replaces a file as a whole: a reader sees the old one or the new one.
func (c *Cache) write(name string, parts ...[]byte) error {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size > maxCacheFile {
		return fmt.Errorf("%d bytes are more than a file of the cache may have", size)
	}
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err == nil {
			_, err = f.Write(p)
		}
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	c.prune(name)
	return nil
}

// prune keeps the directory within its bounds; files that a killed process left half written go too.
func (c *Cache) prune(keep string) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasSuffix(e.Name(), cacheSuffix), strings.HasSuffix(e.Name(), imageSuffix), strings.HasSuffix(e.Name(), keptSuffix):
			files = append(files, info)
		case strings.HasPrefix(e.Name(), "new-") && time.Since(info.ModTime()) > time.Hour:
			_ = os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var bytes int64
	ofPackages, kept, marks := maxCacheFiles, maxCacheFiles, maxCacheMarks // none drives out another kind
	for _, info := range files {
		left := &ofPackages
		if strings.HasSuffix(info.Name(), keptSuffix) {
			if left = &kept; info.Size() <= mostOfMark {
				left = &marks
			}
		}
		bytes += info.Size()
		*left--
		if name := filepath.Join(c.dir, info.Name()); name != keep && (*left < 0 || bytes > maxCacheBytes) {
			_ = os.Remove(name)
		}
	}
}
