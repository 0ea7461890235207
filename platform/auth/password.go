package auth

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"

	"edict/platform/fault"
)

// argon is the cost of an argon2id hash.
type argon struct {
	memory  uint32 // KiB
	time    uint32
	threads uint8
}

// recommended is what OWASP recommends for servers: 19 MiB, two passes.
var recommended = argon{memory: 19 * 1024, time: 2, threads: 1}

const (
	saltSize = 16
	hashSize = 32
)

// phc is a parsed PHC string: $argon2id$v=19$m=19456,t=2,p=1$salt$hash.
type phc struct {
	argon
	salt, hash []byte
}

func (p phc) String() string {
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.memory, p.time, p.threads, enc.EncodeToString(p.salt), enc.EncodeToString(p.hash))
}

var errPHC = errors.New("not a PHC string of argon2id")

// parsePHC reads a stored hash. The bounds keep a damaged or foreign one from costing the server its memory.
func parsePHC(s string) (phc, error) {
	var p phc
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, errPHC
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil {
		return p, errPHC
	}
	var err1, err2 error
	p.salt, err1 = base64.RawStdEncoding.Strict().DecodeString(parts[4])
	p.hash, err2 = base64.RawStdEncoding.Strict().DecodeString(parts[5])
	bounded := p.memory >= 8*uint32(p.threads) && p.memory <= 256*1024 && p.time >= 1 && p.time <= 16 && p.threads >= 1 && p.threads <= 16 &&
		len(p.salt) >= 8 && len(p.salt) <= 64 && len(p.hash) >= 16 && len(p.hash) <= 64
	// The comparison leaves one spelling: Sscanf also takes signs and spaces.
	if err1 != nil || err2 != nil || !bounded || p.String() != s {
		return phc{}, errPHC
	}
	return p, nil
}

func (p phc) matches(password string) bool {
	got := argon2.IDKey([]byte(password), p.salt, p.time, p.memory, p.threads, uint32(len(p.hash)))
	return subtle.ConstantTimeCompare(got, p.hash) == 1
}

// hasher hashes a few passwords at a time: each takes its memory and tens of milliseconds of a core. Users who come from
// where they signed in before do not wait behind strangers.
type hasher struct {
	strangers, known slotQueue
	random           io.Reader
	cost             argon // of new hashes, and of comparing with none
}

// slotQueue is where hashes wait for their turn.
type slotQueue struct {
	slots chan struct{}
	queue chan struct{} // those who wait, slots included
}

func newSlotQueue(atOnce int) slotQueue {
	return slotQueue{slots: make(chan struct{}, atOnce), queue: make(chan struct{}, 32*atOnce)}
}

func newHasher(atOnce int, random io.Reader) *hasher {
	return &hasher{strangers: newSlotQueue(atOnce), known: newSlotQueue(atOnce), random: random, cost: recommended}
}

func (h *slotQueue) enter(ctx context.Context) (leave func(), err error) {
	select {
	case h.queue <- struct{}{}:
	default:
		e := fault.New(fault.Unavailable, "too many sign-ins at this moment; try again")
		e.RetryAfter = 2
		return nil, e
	}
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots; <-h.queue }, nil
	case <-ctx.Done():
		<-h.queue
		return nil, ctx.Err()
	}
}

// hash returns the PHC string of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	leave, err := h.strangers.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	p := phc{argon: h.cost, salt: make([]byte, saltSize)}
	if _, err := io.ReadFull(h.random, p.salt); err != nil {
		return "", err
	}
	p.hash = argon2.IDKey([]byte(password), p.salt, p.time, p.memory, p.threads, hashSize)
	return p.String(), nil
}

// verify compares a password with a stored PHC string, "" when there is none: that costs the same and
// never matches. known says that the user comes from where they signed in before. outdated says that the hash was made at
// another cost and should be made again.
func (h *hasher) verify(ctx context.Context, password, stored string, known bool) (ok, outdated bool, err error) {
	wait := &h.strangers
	if known {
		wait = &h.known
	}
	leave, err := wait.enter(ctx)
	if err != nil {
		return false, false, err
	}
	defer leave()
	p, err := parsePHC(stored)
	if err != nil {
		// As slow as a wrong password: the time taken must not tell whether there is such a user.
		phc{argon: h.cost, salt: make([]byte, saltSize), hash: make([]byte, hashSize)}.matches(password)
		return false, false, nil
	}
	return p.matches(password), p.argon != h.cost, nil
}
