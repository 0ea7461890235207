package objectstore

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// readAhead is how much is asked for at least: a request takes longer than the bytes of it.
const readAhead = 4 << 20

// object is a file that is read in ranges, all of the same version.
type object struct {
	ctx                     context.Context // of the job
	store                   *store
	name, bucket, key, etag string
	size                    int64

	mu     sync.Mutex
	window []byte // read last
	from   int64  // where it begins
}

// Size implements population.Object.
func (o *object) Size() int64 { return o.size }

// Close implements population.Object.
func (o *object) Close() error { return nil }

// Identity implements population.Object.
func (o *object) Identity(context.Context) (string, error) {
	return fmt.Sprintf("etag:%s:%d", o.etag, o.size), nil
}

// Unchanged implements population.Object: every range was of the version that was opened.
func (o *object) Unchanged() error {
	ctx, done := o.store.watch(o.ctx)
	defer done()
	info, err := o.store.StatObject(ctx, o.bucket, o.key, minio.StatObjectOptions{})
	if err != nil {
		return o.store.explain(ctx, o.name, err)
	}
	if info.ETag != o.etag {
		return fmt.Errorf("%s was changed while it was read: begin again", o.name)
	}
	return nil
}

// ReadAt implements io.ReaderAt.
func (o *object) ReadAt(p []byte, at int64) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for n < len(p) && at+int64(n) < o.size {
		k := o.known(p[n:], at+int64(n))
		if k == 0 {
			if err := o.fetch(at+int64(n), len(p)-n); err != nil {
				return n, err
			}
		}
		n += k
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// known copies what is in the window.
func (o *object) known(p []byte, at int64) int {
	if at < o.from || at >= o.from+int64(len(o.window)) {
		return 0
	}
	return copy(p, o.window[at-o.from:])
}

// fetch reads a range into the window.
func (o *object) fetch(at int64, length int) error {
	length = int(min(int64(max(length, readAhead)), o.size-at))
	var options minio.GetObjectOptions
	if err := options.SetRange(at, at+int64(length)-1); err != nil {
		return err
	}
	if err := options.SetMatchETag(o.etag); err != nil {
		return err
	}
	ctx, done := o.store.watch(o.ctx)
	defer done()
	body, _, _, err := o.store.GetObject(ctx, o.bucket, o.key, options)
	if err != nil {
		return o.store.explain(ctx, o.name, err)
	}
	defer body.Close()
	window := make([]byte, length)
	if _, err := io.ReadFull(body, window); err != nil {
		return o.store.explain(ctx, o.name, err)
	}
	o.window, o.from = window, at
	return nil
}

// partSize is how much is uploaded at once: 10 000 parts of it are 160 GB.
const partSize = 16 << 20

// draft is a multipart upload.
type draft struct {
	ctx                       context.Context
	store                     *store
	name, bucket, key, upload string
	waits                     []byte
	parts                     []minio.CompletePart
}

// Write implements io.Writer.
func (d *draft) Write(p []byte) (int, error) {
	d.waits = append(d.waits, p...)
	for len(d.waits) >= partSize {
		if err := d.send(d.waits[:partSize]); err != nil {
			return 0, err
		}
		d.waits = append(d.waits[:0], d.waits[partSize:]...)
	}
	return len(p), nil
}

func (d *draft) send(part []byte) error {
	n := len(d.parts) + 1
	ctx, done := d.store.watch(d.ctx)
	defer done()
	sent, err := d.store.PutObjectPart(ctx, d.bucket, d.key, d.upload, n, bytes.NewReader(part), int64(len(part)), minio.PutObjectPartOptions{})
	if err != nil {
		return d.store.explain(ctx, d.name, err)
	}
	d.parts = append(d.parts, minio.CompletePart{PartNumber: n, ETag: sent.ETag})
	return nil
}

// Seal implements population.Draft.
func (d *draft) Seal() error {
	if len(d.waits) == 0 && len(d.parts) > 0 {
		return nil
	}
	err := d.send(d.waits)
	d.waits = nil
	return err
}

// Commit implements population.Draft.
func (d *draft) Commit() error {
	ctx, done := d.store.watch(d.ctx)
	defer done()
	_, err := d.store.CompleteMultipartUpload(ctx, d.bucket, d.key, d.upload, d.parts, minio.PutObjectOptions{})
	if err != nil {
		return d.store.explain(ctx, d.name, err)
	}
	return nil
}

// abortWithin is how long giving up an upload may take.
const abortWithin = 20 * time.Second

// Discard implements population.Draft. It is called when the job has ended, perhaps by a signal, and has some time of its own.
func (d *draft) Discard() {
	ctx, stop := context.WithTimeout(context.WithoutCancel(d.ctx), min(abortWithin, d.store.patience))
	defer stop()
	// What cannot be given up is seen by nobody and cleared by the bucket's own rules.
	_ = d.store.AbortMultipartUpload(ctx, d.bucket, d.key, d.upload)
}
