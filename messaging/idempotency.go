package messaging

import (
	"crypto/sha256"
	"encoding/binary"
)

// IdempotencyKey names a request that must have its effect once.
type IdempotencyKey struct {
	User    UserID
	Channel ChannelID // 0 for direct messages
	Key     string
}

// Remembered is the outcome of a request with an idempotency key.
type Remembered struct {
	At     Position // of the item or message
	Body   [32]byte // digest of the request, to recognise another request under the same key
	Answer []byte   // of a direct message
}

// IdempotencyReader reads the outcomes of requests.
type IdempotencyReader interface {
	// Remembered returns what was stored under an idempotency key, unless it was before since.
	Remembered(key IdempotencyKey, since Position) (Remembered, bool, error)
}

// IdempotencyWriter writes the outcomes of requests.
type IdempotencyWriter interface {
	// Remember stores the outcome of a request under its idempotency key.
	Remember(IdempotencyKey, Remembered) error
}

// once is a request that must have its effect once: the caller's key and a digest of what was asked.
// The zero value is a request without a key.
type once struct {
	key  string
	body [32]byte
}

// once makes the digest of a request's parts.
func (l Limits) once(key string, parts ...[]byte) (once, error) {
	if key == "" {
		return once{}, nil
	}
	if len(key) > l.IdempotencyKey {
		return once{}, invalid("the idempotency key has %d bytes; at most %d are allowed", len(key), l.IdempotencyKey)
	}
	if err := checkText("the idempotency key", key, false); err != nil {
		return once{}, err
	}
	h := sha256.New()
	var length [8]byte
	for _, p := range parts {
		// The length in front keeps two lists of parts from having one digest.
		binary.BigEndian.PutUint64(length[:], uint64(len(p)))
		h.Write(length[:])
		h.Write(p)
	}
	o := once{key: key}
	h.Sum(o.body[:0])
	return o, nil
}

// remembered returns the outcome of the first request with a key. The same key for another request
// is a conflict.
func (s *Service) remembered(r IdempotencyReader, key IdempotencyKey, o once) (Remembered, bool, error) {
	first, ok, err := r.Remembered(key, PositionAt(s.now().Add(-s.limits.IdempotencyFor)))
	if err != nil || !ok {
		return Remembered{}, false, err
	}
	if first.Body != o.body {
		return Remembered{}, false, conflict("the idempotency key %q was used for another request: use a new key", Clip(o.key))
	}
	return first, true, nil
}
