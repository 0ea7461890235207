package pyindex

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/url"
	"os"
	"strings"
)

// Progress is told how many bytes of a file have come.
type Progress func(bytes int64)

// algorithms are the hashes that are believed, the one to record first.
var algorithms = []struct {
	name string
	make func() hash.Hash
}{{"sha256", sha256.New}, {"sha384", sha512.New384}, {"sha512", sha512.New}}

// MismatchError says that a file is not what was promised.
type MismatchError struct{ File, Algorithm, Want, Got string }

// Error shows both hashes.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s is not the file that was promised: its %s is %s and must be %s; it was not installed", e.File, e.Algorithm, e.Got, e.Want)
}

// Download writes a file to w and returns its SHA-256 in hexadecimal. It checks every hash that the index promised, and
// pin, "sha256:…" or "", which the user did. What was written is worth nothing unless the error is nil. A file of a local directory
// needs no hash.
func (c *Client) Download(ctx context.Context, f File, pin string, w io.Writer, progress Progress) (digest string, err error) {
	want, err := promised(f, pin)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Name, err)
	}
	path, isLocal := local(f.URL)
	if len(want) == 0 && !isLocal {
		return "", fmt.Errorf("%s: %w", f.Name, errNoHash)
	}
	sums := make([]hash.Hash, len(algorithms))
	writers := []io.Writer{w}
	for i, a := range algorithms {
		sums[i] = a.make()
		writers = append(writers, sums[i])
	}
	all := &counted{w: io.MultiWriter(writers...), progress: progress}
	if isLocal {
		err = copyFile(all, path)
	} else {
		err = c.fetch(ctx, f, all)
	}
	if err != nil {
		return "", err
	}
	for i, a := range algorithms {
		got := hex.EncodeToString(sums[i].Sum(nil))
		if i == 0 {
			digest = got
		}
		for _, w := range want[a.name] {
			if subtle.ConstantTimeCompare([]byte(got), []byte(w)) == 0 {
				return "", &MismatchError{f.Name, a.name, w, got}
			}
		}
	}
	return digest, nil
}

// promised collects the hashes of a file that can be checked.
func promised(f File, pin string) (map[string][]string, error) {
	want := map[string][]string{}
	add := func(algorithm, digest string) bool {
		for _, a := range algorithms {
			if a.name == algorithm {
				want[algorithm] = append(want[algorithm], strings.ToLower(digest))
				return true
			}
		}
		return false
	}
	for algorithm, digest := range f.Hashes {
		add(algorithm, digest)
	}
	if pin == "" {
		return want, nil
	}
	algorithm, digest, ok := strings.Cut(pin, ":")
	if !ok || !add(algorithm, digest) {
		return nil, fmt.Errorf("the hash %q is not sha256:, sha384: or sha512: and hexadecimal digits", pin)
	}
	return want, nil
}

func (c *Client) fetch(ctx context.Context, f File, w io.Writer) error {
	if err := c.check(f.URL); err != nil {
		return err
	}
	return c.get(ctx, f.URL, "*/*", maxFile, func(body io.Reader, _ string, _ *url.URL) error {
		_, err := io.Copy(w, body)
		return err
	})
}

func copyFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, &bounded{r: f, left: maxFile})
	return err
}

// counted tells how much was written.
type counted struct {
	w        io.Writer
	n        int64
	progress Progress
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if c.progress != nil {
		c.progress(c.n)
	}
	return n, err
}
