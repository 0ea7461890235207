package country

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"path/filepath"
)

// What was computed from a package and is worth keeping for later processes lies in the cache, by a question that its owner knows it by, and by all
// that loading the package depended on. Files that its code read after that are part of what has to be as it was.

// keptSuffix is that of such files.
const keptSuffix = ".kept"

// keptMagic begins them; what comes then is as in an image.
const keptMagic = "edictkp1"

// keptName names the file of a question, and its key.
func (c *core) keptName(question string) (file string, key [sha256.Size]byte) {
	h := sha256.New()
	_, _ = h.Write(c.loaded[:])
	_, _ = h.Write([]byte(question))
	h.Sum(key[:0])
	return filepath.Join(c.options.Cache.dir, hex.EncodeToString(key[:16])+keptSuffix), key
}

// keeps tells whether anything is kept for the package: for one that has an image. Code that reads a working directory, which no key
// tells, keeps nothing.
func (c *core) keeps() bool { return c.loaded != [sha256.Size]byte{} && c.options.Work == nil }

// Kept gives what was kept for a question, "" if there is nothing that holds.
func (p *Package) Kept(question string) string {
	c := p.core
	if !c.keeps() {
		return ""
	}
	file, key := c.keptName(question)
	text, err := readCacheFile(file)
	if err != nil {
		return ""
	}
	head, data, ok := unpackCached(keptMagic, text, key)
	if !ok || !c.holds(&head) {
		return ""
	}
	c.asks(&head)
	return data
}

// Keep keeps something for a question: what follows from it, the package and the files that its code has read so far.
func (p *Package) Keep(question string, data []byte) {
	c := p.core
	if !c.keeps() {
		return
	}
	var head imageHead
	if !c.describe(&head) {
		return
	}
	if text, err := json.Marshal(head); err == nil {
		file, key := c.keptName(question)
		_ = c.options.Cache.write(file, cachedStart(keptMagic, key, text, data), data) // a cache that cannot be written is none
	}
}

// describe writes down what the code of the package has asked for besides its texts; false if that was too much, or has changed since.
func (c *core) describe(head *imageHead) bool {
	if c.program.Clocked() {
		head.Day = c.day()
	}
	for _, t := range c.files {
		asked, ok := t.askedFor()
		if !ok {
			return false
		}
		head.Asked = append(head.Asked, asked)
	}
	return true
}

// asks has the package depend on what a head tells of, as if its code had asked for that: whoever goes by what was kept asks no more.
func (c *core) asks(head *imageHead) {
	if head.Day != "" {
		c.program.Clock()
	}
	for i, asked := range head.Asked {
		c.files[i].ask(maps.Keys(asked))
	}
}

// holds tells whether everything is as it was when a head was written.
func (c *core) holds(head *imageHead) bool {
	if len(head.Asked) != len(c.files) || c.inWork(head.Sought) || head.Day != "" && head.Day != c.day() {
		return false
	}
	for i, asked := range head.Asked {
		for name, was := range asked {
			if fingerprint(c.files[i].below, name) != was {
				return false
			}
		}
	}
	return true
}

// remembered notes what loading the package depended on.
func (c *core) remembered(key [sha256.Size]byte, head []byte) {
	h := sha256.New()
	_, _ = h.Write(key[:])
	_, _ = h.Write(head)
	h.Sum(c.loaded[:0])
}
