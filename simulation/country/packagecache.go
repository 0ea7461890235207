package country

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"edict/simulation/pysyntax"
)

// packageCache is what a cache remembers of one package: for each file what it says, and the hash of the text that says so. A nil
// one remembers nothing. It is used from several goroutines while a package is loaded.
type packageCache struct {
	cache *Cache
	file  string
	once  sync.Once
	old   map[string]packed // see written

	mu    sync.Mutex
	fresh map[string]packed // what old does not have
	used  map[string]bool   // of old
}

// packed is what one file says.
type packed struct {
	text [16]byte // the hash of the text
	data string
}

func hashText(text string) [16]byte {
	sum := sha256.Sum256(unsafe.Slice(unsafe.StringData(text), len(text)))
	return [16]byte(sum[:])
}

// written is what the file says. It is read when that is asked first, which it is not for a package that has an image.
func (s *packageCache) written() map[string]packed {
	s.once.Do(func() {
		if text, err := readCacheFile(s.file); err == nil {
			s.old, _ = unpackFiles(text)
		}
	})
	return s.old
}

// settle leaves out modules that were not loaded, or failed: nobody knows whether they compile.
func (s *packageCache) settle(loaded map[string]bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.fresh, func(file string, _ packed) bool { return strings.HasSuffix(file, ".py") && !loaded[file] })
}

// changed tells whether there is something that the file does not say.
func (s *packageCache) changed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.fresh) > 0
}

// get returns what a file with this text says.
func (s *packageCache) get(file, text string) (string, bool) {
	p, ok := s.written()[file]
	if !ok || p.text != hashText(text) {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[file] = true
	return p.data, true
}

func (s *packageCache) put(file, text string, data []byte) {
	p := packed{hashText(text), unsafe.String(unsafe.SliceData(data), len(data))} // data is ours now
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh[file] = p
}

// parse returns the tree of a module. A tree that comes from the cache was compiled before.
func (s *packageCache) parse(file, text string) (*pysyntax.Module, error) {
	if s == nil {
		return pysyntax.ParseText(file, text)
	}
	if data, ok := s.get(file, text); ok {
		if m, err := pysyntax.Unpack(file, data); err == nil {
			return m, nil
		}
	}
	m, err := pysyntax.ParseText(file, text)
	if err == nil {
		s.put(file, text, pysyntax.Pack(m))
	}
	return m, err
}

// packedTree is the tree of a module that was loaded, packed.
func (s *packageCache) packedTree(file string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.fresh[file]
	if !ok && s.used[file] {
		p, ok = s.old[file]
	}
	return p.data, ok
}

// parameters is the cache as legislation asks it, for the files of one tree.
type parameters struct {
	*packageCache
	files *tree
}

// Packed implements legislation.KnownFiles.
func (p parameters) Packed(file string) (string, bool) {
	text, ok := p.files.texts[file]
	if !ok {
		return "", false
	}
	return p.get(file, text)
}

// Keep implements legislation.KnownFiles.
func (p parameters) Keep(file string, data []byte) {
	if text, ok := p.files.texts[file]; ok {
		p.put(file, text, data)
	}
}

// save writes the cache if there is something new in it.
func (s *packageCache) save() {
	if s == nil || !s.changed() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := maps.Clone(s.fresh)
	for file := range s.used {
		if _, ok := all[file]; !ok {
			all[file] = s.old[file]
		}
	}
	_ = s.cache.write(s.file, packFiles(all)) // a cache that cannot be written is none
}

// cacheMagic begins a file. Then come the checksum of the rest and how many files there are; for each its name, the hash of its
// text and the length of what it says; then what they say, in the same order.
const cacheMagic = "edictpk1"

var (
	castagnoli   = crc32.MakeTable(crc32.Castagnoli)
	errCacheFile = errors.New("the file of the cache is damaged")
)

func packFiles(files map[string]packed) []byte {
	names := slices.Sorted(maps.Keys(files))
	size := len(cacheMagic) + 16
	for name, p := range files {
		size += len(name) + len(p.text) + len(p.data) + 2*binary.MaxVarintLen32
	}
	out := append(make([]byte, 0, size), cacheMagic...)
	out = append(out, 0, 0, 0, 0)
	out = binary.AppendUvarint(out, uint64(len(names)))
	for _, name := range names {
		p := files[name]
		out = binary.AppendUvarint(out, uint64(len(name)))
		out = append(out, name...)
		out = append(out, p.text[:]...)
		out = binary.AppendUvarint(out, uint64(len(p.data)))
	}
	for _, name := range names {
		out = append(out, files[name].data...)
	}
	binary.LittleEndian.PutUint32(out[len(cacheMagic):], crc32.Checksum(out[len(cacheMagic)+4:], castagnoli))
	return out
}

func unpackFiles(text string) (files map[string]packed, err error) {
	const head = len(cacheMagic) + 4
	if len(text) < head || text[:len(cacheMagic)] != cacheMagic {
		return nil, errCacheFile
	}
	if binary.LittleEndian.Uint32([]byte(text[len(cacheMagic):head])) != crc32.Checksum(unsafe.Slice(unsafe.StringData(text), len(text))[head:], castagnoli) {
		return nil, errCacheFile
	}
	defer func() {
		if recover() != nil {
			// A damaged length shows as a slice that is out of range.
			files, err = nil, errCacheFile
		}
	}()
	r := packedReader{text, head}
	// A damaged count must not ask for more memory than the file could fill.
	names := make([]string, min(r.count(), len(text)))
	lengths := make([]int, len(names))
	files = make(map[string]packed, len(names))
	hashes := make([][16]byte, len(names))
	for i := range names {
		names[i] = r.take(r.count())
		copy(hashes[i][:], r.take(16))
		lengths[i] = r.count()
	}
	for i, name := range names {
		files[name] = packed{hashes[i], r.take(lengths[i])}
	}
	if r.at != len(text) {
		return nil, errCacheFile
	}
	return files, nil
}

// packedReader panics at the end of the text.
type packedReader struct {
	text string
	at   int
}

func (r *packedReader) count() int {
	n, size := binary.Uvarint([]byte(r.text[r.at:min(len(r.text), r.at+binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(r.text)) {
		panic(errCacheFile)
	}
	r.at += size
	return int(n)
}

func (r *packedReader) take(n int) string {
	s := r.text[r.at : r.at+n]
	r.at += n
	return s
}
