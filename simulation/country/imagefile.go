package country

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// imageSteps is how many steps of Python loading a package must take for its first load to make an image. One that only is large gets its
// image from the first load that finds all of it in the cache: while it is being edited, images would be made for nothing.
const imageSteps = 500_000

// LargeText is how much text a package has that takes long to load whatever its code does, and that fills hundreds of megabytes while
// everything in it is computed.
const LargeText = 2 << 20

// imageSuffix is that of the files of the cache that hold the image of a package with its extensions.
const imageSuffix = ".image"

// imageMagic begins such a file. Then come the checksum of the rest, the key, the length of the head, the head and the image, which is empty
// if there can be none.
const imageMagic = "edictim1"

// imageHead is what has to be as it was for an image to hold, besides what the key tells.
type imageHead struct {
	Tables []string            `json:"tables"` // modules written in Go that were imported
	Asked  []map[string]string `json:"asked"`  // of each source: files that the package looked for besides its texts, and what they were
	Sought []string            `json:"sought"` // paths that it did not find: the working directory has none of them
	Day    string              `json:"day"`    // on which it asked for the time, "" if it did not
}

// imageKey tells apart what the same image cannot be for: builds, options, and every text and every name in the directories of the package.
func (c *core) imageKey() (key [sha256.Size]byte) {
	h := sha256.New()
	var length []byte
	add := func(texts ...string) {
		for _, text := range texts {
			length = binary.AppendUvarint(length[:0], uint64(len(text)))
			_, _ = h.Write(length)
			_, _ = h.Write(unsafe.Slice(unsafe.StringData(text), len(text)))
		}
	}
	add(c.options.Cache.build, c.choices)
	for i, s := range c.sources {
		add(s.Name, s.Version, s.Location, s.Distribution, s.URL)
		t := c.files[i]
		add(strconv.Itoa(len(t.dirs)))
		for _, name := range slices.Sorted(maps.Keys(t.dirs)) {
			add(name, strconv.Itoa(len(t.dirs[name])))
			for _, e := range t.dirs[name] {
				add(e.Name(), e.Type().String())
			}
		}
		add(strconv.Itoa(len(t.texts)))
		for _, name := range slices.Sorted(maps.Keys(t.texts)) {
			add(name, t.texts[name])
		}
	}
	h.Sum(key[:0])
	return key
}

// choices tells apart options that make other packages of the same files.
func (o *Options) choices() string {
	return fmt.Sprintln(o.Wide, o.NEP50, o.LenientEnums, o.LenientPeriods, o.LastValues, len(o.Libraries), o.Own != nil)
}

// fingerprint tells what is below a tree under a name: the content of a file, the names in a directory, or nothing.
func fingerprint(files fs.FS, name string) string {
	info, err := fs.Stat(files, name)
	if err != nil {
		return "none"
	}
	h := sha256.New()
	if info.IsDir() {
		entries, _ := fs.ReadDir(files, name)
		for _, e := range entries {
			fmt.Fprintf(h, "%q %d\n", e.Name(), e.Type())
		}
	} else if f, err := files.Open(name); err == nil {
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "none"
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// day is the day that the code of the package takes for today.
func (c *core) day() string { return c.options.Now.Format(time.DateOnly) }

// inWork reports whether the working directory has one of the paths.
func (c *core) inWork(paths []string) bool {
	return c.options.Work != nil && slices.ContainsFunc(paths, func(name string) bool {
		_, err := fs.Stat(c.options.Work, strings.TrimPrefix(path.Clean(name), "/"))
		return err == nil
	})
}

// imageFile names the file of the image of the package.
func (c *core) imageFile() string {
	return strings.TrimSuffix(c.options.Cache.file(c.sources), cacheSuffix) + imageSuffix
}

// worthImage tells whether the package that was loaded in so many steps is to have an image.
func (c *core) worthImage(steps int64) bool {
	if c.known == nil || c.imageless || c.inWork(c.program.Sought()) {
		return false
	}
	text := int64(0)
	for _, t := range c.files {
		text += t.bytes
	}
	return steps >= imageSteps || text >= LargeText && !c.known.changed()
}

// keep writes the image of a package that is worth one, or that there can be none.
func (p *Package) keep(steps int64) {
	c := p.core
	if !c.worthImage(steps) {
		return
	}
	head := imageHead{Sought: c.program.Sought()}
	if !c.describe(&head) {
		return
	}
	runtime.GC() // what loading left behind would lie beside what writing takes
	data, tables, err := p.write(c.known.packedTree)
	if err != nil {
		data, tables = nil, nil // something in it is no data
	}
	head.Tables = tables
	if text, err := json.Marshal(head); err == nil {
		key := c.imageKey()
		_ = c.options.Cache.write(c.imageFile(), cachedStart(imageMagic, key, text, data), data) // a cache that cannot be written is none
		if data != nil {
			c.remembered(key, text)
		}
	}
}

// cachedStart is what comes before the image, or what else is kept, in its file.
func cachedStart(magic string, key [sha256.Size]byte, head, data []byte) []byte {
	const rest = len(imageMagic) + 4
	out := append([]byte(magic), 0, 0, 0, 0)
	out = append(out, key[:]...)
	out = binary.AppendUvarint(out, uint64(len(head)))
	out = append(out, head...)
	binary.LittleEndian.PutUint32(out[len(imageMagic):], crc32.Update(crc32.Checksum(out[rest:], castagnoli), castagnoli, data))
	return out
}

// unpackCached takes a file apart that was written for a key.
func unpackCached(magic, text string, key [sha256.Size]byte) (head imageHead, data string, ok bool) {
	const rest, keyed = len(imageMagic) + 4, len(imageMagic) + 4 + sha256.Size
	if len(text) < keyed || text[:len(imageMagic)] != magic || text[rest:keyed] != string(key[:]) {
		return head, "", false
	}
	if binary.LittleEndian.Uint32([]byte(text[len(imageMagic):rest])) != crc32.Checksum(unsafe.Slice(unsafe.StringData(text), len(text))[rest:], castagnoli) {
		return head, "", false
	}
	n, size := binary.Uvarint([]byte(text[keyed:min(len(text), keyed+binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(text)-keyed-size) {
		return head, "", false
	}
	from := keyed + size
	data = text[from+int(n):]
	err := json.Unmarshal([]byte(text[from:from+int(n)]), &head)
	return head, data, err == nil
}

// recall makes the package from its image; false if there is none that holds. With an error the program of the package is of no use.
func (p *Package) recall(ctx context.Context) (bool, error) {
	c := p.core
	if c.known == nil {
		return false, nil
	}
	text, err := readCacheFile(c.imageFile())
	if err != nil {
		return false, nil
	}
	key := c.imageKey()
	head, data, ok := unpackCached(imageMagic, text, key)
	if c.imageless = ok && data == ""; c.imageless {
		return false, nil
	}
	if !ok || !c.holds(&head) {
		return false, nil
	}
	if err := p.read(ctx, data, head.Tables); err != nil {
		return false, err
	}
	if text, err := json.Marshal(head); err == nil {
		c.remembered(key, text)
	}
	c.forget()
	c.recalled = true
	return true, nil
}
