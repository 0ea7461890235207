package population

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// copyParts adds the rows of all parts, in their order.
func (m *Merge) copyParts(ctx context.Context, out *files, parts []*partFile, report *Report) error {
	at := &copied{tell: m.Progress}
	for _, p := range parts {
		for _, f := range p.Files {
			at.total += f.Bytes
		}
	}
	for _, p := range parts {
		for i := range out.sinks {
			if err := m.copyFile(ctx, out.sinks[i], p, i, at); err != nil {
				return fmt.Errorf("%s: %w", beside(p.name, p.Files[i].Name), err)
			}
		}
		report.Persons += p.Persons
		at.persons = report.Persons
	}
	return nil
}

// copyFile adds the rows of one file of a part, which must be as the part wrote it.
func (m *Merge) copyFile(ctx context.Context, to sink, p *partFile, i int, at *copied) error {
	o, err := m.Storage.Open(ctx, beside(p.name, p.Files[i].Name))
	if err != nil {
		return err
	}
	defer o.Close()
	at.file, at.read = p.Files[i], 0
	f := &followed{o, ctx, at}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, f.Size())); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != p.Files[i].SHA256 {
		return fmt.Errorf("the file is not what part %d wrote: it was changed, or is of another run", p.Part)
	}
	if err := to.add(f, p.Schemas[i]); err != nil {
		return err
	}
	at.finish()
	return nil
}

// followed is a file of whose reading the progress hears. It is read until the context ends, by one goroutine.
type followed struct {
	Object
	ctx context.Context
	at  *copied
}

// ReadAt implements io.ReaderAt.
func (f *followed) ReadAt(p []byte, from int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.Object.ReadAt(p, from)
	f.at.read += int64(n)
	f.at.show()
	return n, err
}

// copied is how much has been copied: every byte is read twice, first for the hash of its file.
type copied struct {
	tell    func(Progress)
	total   int64 // bytes of all files
	bytes   int64 // of those that are done
	rows    int64 // of those that are done
	persons int
	file    writtenFile // the one being copied
	read    int64       // bytes of it, in both passes
}

// finish has the file done, however much of it was read.
func (c *copied) finish() {
	c.bytes, c.rows = c.bytes+c.file.Bytes, c.rows+c.file.Rows
	c.file, c.read = writtenFile{}, 0
	c.show()
}

// show tells how far copying is. Rows of the file at hand are those that as many bytes have.
func (c *copied) show() {
	if c.tell == nil {
		return
	}
	half := float64(min(c.read, 2*c.file.Bytes)) / 2
	rows := c.rows
	if behind := min(c.read-c.file.Bytes, c.file.Bytes); behind > 0 {
		rows += int64(float64(c.file.Rows) * float64(behind) / float64(c.file.Bytes))
	}
	c.tell(Progress{Persons: c.persons, Rows: int(rows), Read: (float64(c.bytes) + half) / float64(max(c.total, 1))})
}
