package watch

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// The key file has a line for each key, the current one first: its id, which is a digest of it, and the key in Base64. The database
// knows the id of the current key, and a write that was sealed with another is refused and sealed again: so a key can be changed while
// servers write, and none of what they write is sealed with a key that is gone.

// sealer encrypts with AES-256 in Galois/Counter Mode.
type sealer struct {
	id   string
	key  []byte
	aead cipher.AEAD
}

const keyBytes = 32

func newSealer(key []byte) (sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, err
	}
	aead, err := cipher.NewGCM(block)
	digest := sha256.Sum256(append([]byte("edict watch key "), key...))
	return sealer{id: hex.EncodeToString(digest[:8]), key: key, aead: aead}, err
}

// seal encrypts a text for one place: elsewhere it cannot be opened.
func (s sealer) seal(text []byte, place string) []byte {
	nonce := make([]byte, s.aead.NonceSize(), s.aead.NonceSize()+len(text)+s.aead.Overhead())
	_, _ = rand.Read(nonce) // never fails
	return s.aead.Seal(nonce, nonce, text, []byte(place))
}

func (s sealer) open(sealed []byte, place string) ([]byte, error) {
	n := s.aead.NonceSize()
	if len(sealed) < n {
		return nil, errors.New("too short")
	}
	return s.aead.Open(nil, sealed[:n], sealed[n:], []byte(place))
}

// keyring is the keys of a file, read again when the file changes.
type keyring struct {
	file string

	mu    sync.Mutex
	read  fs.FileInfo // nil before the first time
	byID  map[string]sealer
	first string
}

// load reads the file if it has changed.
func (k *keyring) load() error {
	info, err := os.Stat(k.file)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.read != nil && os.SameFile(info, k.read) && info.ModTime().Equal(k.read.ModTime()) && info.Size() == k.read.Size() {
		return nil
	}
	if err := checkMode(k.file, info); err != nil {
		return err
	}
	text, err := os.ReadFile(k.file)
	if err != nil {
		return err
	}
	first, byID, err := parseKeys(text)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "the key file %s cannot be read: put back the right one", k.file)
	}
	k.read, k.first, k.byID = info, first, byID
	return nil
}

// checkMode rejects a key file that others can read or write, or that the group can write. The group may read it: Kubernetes mounts
// secrets so, with fsGroup. Windows has no such modes.
func checkMode(file string, info fs.FileInfo) error {
	mode := info.Mode().Perm()
	if runtime.GOOS == "windows" || mode&0o027 == 0 {
		return nil
	}
	return fault.New(fault.Unavailable, "the key file %s has mode %04o: other users of this machine could read or replace the key. Run: chmod 600 %s", file, mode, file)
}

func parseKeys(text []byte) (first string, byID map[string]sealer, err error) {
	byID = map[string]sealer{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, encoded, _ := strings.Cut(line, " ")
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
		if err != nil || len(key) != keyBytes {
			return "", nil, fmt.Errorf("line %d is no key", n)
		}
		s, err := newSealer(key)
		if err != nil || s.id != id {
			return "", nil, fmt.Errorf("the key in line %d is damaged", n)
		}
		byID[id], first = s, cmp.Or(first, id)
	}
	if first == "" {
		return "", nil, errors.New("it has no key")
	}
	return first, byID, lines.Err()
}

// get returns a key of the file, the first for "".
func (k *keyring) get(id string) (sealer, error) {
	if err := k.load(); err != nil {
		return sealer{}, noKeyFile(k.file, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.byID[cmp.Or(id, k.first)]
	if !ok {
		return s, fault.New(fault.Unavailable, "the key file %s is not the one that encrypts the watches: it lacks the key %s; put back the right file", k.file, id)
	}
	return s, nil
}

func noKeyFile(file string, err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return fault.Wrap(err, fault.Unavailable, "the key file %s, which encrypts watches, cannot be opened: restore it, or give its path with --watch-key", file)
}

// write replaces the file by one with these keys, in one step.
func (k *keyring) write(keys ...sealer) error { return k.publish(os.Rename, keys...) }

// publish writes these keys into a file beside and has place put it where it belongs.
func (k *keyring) publish(place func(from, to string) error, keys ...sealer) error {
	var text bytes.Buffer
	text.WriteString("# Keys that encrypt watches, the current key first. Without this file they are lost; keep it apart from backups of the data.\n")
	for _, s := range keys {
		fmt.Fprintf(&text, "%s %s\n", s.id, base64.StdEncoding.EncodeToString(s.key))
	}
	f, err := os.CreateTemp(filepath.Dir(k.file), ".watch-key-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text.Bytes())
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = place(f.Name(), k.file)
	}
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

func freshSealer() (sealer, error) {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	return newSealer(key)
}

// openKeys finds the key that the database asks for. Where there is none yet one is made; while there are watches, or another node that has
// the key, never.
func openKeys(ctx context.Context, d *db.DB, file string, now time.Time) (*keyring, error) {
	k := &keyring{file: file}
	var known bool
	err := d.Write(ctx, func(tx *db.Tx) (err error) {
		known, err = k.known(tx)
		return err
	})
	if known || err != nil {
		return k, err
	}
	made, err := k.make()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "the key file %s cannot be written", file)
	}
	err = d.Write(ctx, func(tx *db.Tx) error {
		// Another node may have made one meanwhile.
		if known, err := k.known(tx); known || err != nil {
			return err
		}
		s, err := k.get("")
		if err != nil {
			return err
		}
		return makeCurrent(tx, s.id, now)
	})
	if err != nil && made {
		err = errors.Join(err, os.Remove(file)) // nothing is sealed with it
	}
	return k, err
}

// known reports whether the file has the key that the database asks for. It is an error if it has not, and anything may need it.
func (k *keyring) known(tx *db.Tx) (bool, error) {
	var id string
	if err := tx.QueryRow(sqlKeyCurrent).Scan(&id); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return false, err
	}
	_, wrong := k.get(id)
	if wrong == nil {
		return true, nil
	}
	var used bool
	if err := tx.QueryRow(sqlKeyUsed).Scan(&used); err != nil {
		return false, err
	}
	if used {
		return false, wrong
	}
	if tx.Tells() {
		return false, fault.Wrap(wrong, fault.Unavailable, "another node has the key that watches are sealed with, and the file %s has not: copy the file of that node there", k.file)
	}
	return false, nil
}

// make makes the file with a new key, unless there is one.
func (k *keyring) make() (made bool, err error) {
	if _, err := os.Stat(k.file); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	s, err := freshSealer()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(k.file), 0o700) // on PostgreSQL there may be no data directory yet
	}
	if err == nil {
		err = k.publish(os.Link, s) // which never takes the place of a file
	}
	if errors.Is(err, fs.ErrExist) {
		return false, nil // of a node that has the same file
	}
	return err == nil, err
}

// makeCurrent has the database ask for a key.
func makeCurrent(tx *db.Tx, id string, now time.Time) error {
	if _, err := tx.Exec(sqlKeyRetire); err != nil {
		return err
	}
	_, err := tx.Exec(sqlKeyInsert, id, now.UnixMilli())
	return err
}

// errOtherKey says that a row was sealed with a key that is no longer current.
var errOtherKey = errors.New("watch: sealed with a key that is no longer current")

// checkKey refuses a write that was sealed with another key than the current one.
func checkKey(tx *db.Tx, id string) error {
	var current string
	if err := tx.QueryRow(sqlKeyHeld).Scan(&current); err != nil {
		return err
	}
	if current != id {
		return errOtherKey
	}
	return nil
}

// sealing calls write with the current key until no other has become current meanwhile.
func (s *Service) sealing(ctx context.Context, write func(key sealer) error) error {
	for range 5 {
		var id string
		if err := s.db.Read(ctx).QueryRow(sqlKeyCurrent).Scan(&id); err != nil {
			return err
		}
		key, err := s.keys.get(id)
		if err != nil {
			return err
		}
		if err := write(key); !errors.Is(err, errOtherKey) {
			return err
		}
	}
	return fault.New(fault.Unavailable, "the key of watches is being changed: try again")
}
