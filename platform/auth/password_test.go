package auth

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"edict/platform/db"
	"edict/platform/fault"
)

func TestPHC(t *testing.T) {
	h := newHasher(1, rand.Reader)
	stored, err := h.hash(t.Context(), "correct horse")
	if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("%s, %v", stored, err)
	}
	for _, test := range []struct {
		password, stored string
		ok               bool
	}{
		{"correct horse", stored, true}, {"correct horsf", stored, false}, {"", stored, false},
		{"", "", false}, {"x", "", false}, {"correct horse", strings.Replace(stored, "t=2", "t=3", 1), false},
	} {
		if ok, _, err := h.verify(t.Context(), test.password, test.stored, false); ok != test.ok || err != nil {
			t.Errorf("%q against %q: %v, %v", test.password, test.stored, ok, err)
		}
	}
	for _, bad := range []string{
		"", "$", strings.Replace(stored, "argon2id", "argon2i", 1), strings.Replace(stored, "v=19", "v=16", 1),
		strings.Replace(stored, "m=19456", "m=99999999", 1), strings.Replace(stored, "m=19456", "m=019456", 1),
		strings.Replace(stored, "p=1", "p=0", 1), strings.Replace(stored, "p=1", "p=1,x=2", 1), stored + "=", stored + "$",
	} {
		if _, err := parsePHC(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestPHCBounds: every bound of a stored hash is where it is said to be.
func TestPHCBounds(t *testing.T) {
	of := func(memory, time uint32, threads uint8, salt, hash int) phc {
		return phc{argon: argon{memory: memory, time: time, threads: threads}, salt: make([]byte, salt), hash: make([]byte, hash)}
	}
	for _, fine := range []phc{
		of(8, 1, 1, 8, 16), of(256*1024, 16, 16, 64, 64), of(128, 1, 16, 8, 16),
	} {
		if got, err := parsePHC(fine.String()); err != nil || got.String() != fine.String() {
			t.Errorf("%v: %v, %v", fine, got, err)
		}
	}
	for _, bad := range []phc{
		of(7, 1, 1, 8, 16), of(127, 1, 16, 8, 16), of(256*1024+1, 1, 1, 8, 16), of(8, 0, 1, 8, 16), of(8, 17, 1, 8, 16),
		of(8, 1, 0, 8, 16), of(256, 1, 17, 8, 16), of(8, 1, 1, 7, 16), of(8, 1, 1, 65, 16), of(8, 1, 1, 8, 15), of(8, 1, 1, 8, 65),
	} {
		if _, err := parsePHC(bad.String()); err == nil {
			t.Errorf("%v is read", bad)
		}
	}
}

// TestForeignHash: a hash made elsewhere at another cost works and is renewed at the next sign-in.
func TestForeignHash(t *testing.T) {
	w := newWorld(t, Options{})
	w.passwords.cost = recommended
	w.user("alice", "alice", false)
	salt := []byte("somesaltsomesalt")
	old := phc{argon: argon{memory: 64, time: 1, threads: 1}, salt: salt, hash: argon2.IDKey([]byte("secret of alice"), salt, 1, 64, 1, 32)}.String()
	set := func() error {
		return w.store.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE auth_user SET password = ? WHERE key = 'alice'", old)
			return err
		})
	}
	if err := set(); err != nil {
		t.Fatal(err)
	}
	if got := w.signIn("alice"); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.text)
	}
	var now string
	if err := w.store.Read(t.Context()).QueryRow("SELECT password FROM auth_user WHERE key = 'alice'").Scan(&now); err != nil || !strings.Contains(now, "m=19456") {
		t.Errorf("stored %s, %v", now, err)
	}
}

// TestRehashFails: a password that cannot be renewed is told to the operator.
func TestRehashFails(t *testing.T) {
	w := newWorld(t, Options{})
	alice := w.user("alice", "alice", false)
	w.Close()
	var log bytes.Buffer
	w.opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.rehash(ctx, alice, "secret of alice", "")
	if !strings.Contains(log.String(), "keeps its old cost") {
		t.Errorf("the log says %q", log.String())
	}
}

// TestEverySignInHashes: whether there is such a user cannot be told from the work an answer takes.
func TestEverySignInHashes(t *testing.T) {
	w := newWorld(t, Options{MaxHashes: 1})
	w.user("alice", "alice", false)
	if _, err := w.CreateUser(t.Context(), NewUser{Name: "passwordless"}); err != nil {
		t.Fatal(err)
	}
	leave, err := w.passwords.strangers.enter(t.Context()) // nobody else can hash now
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"alice", "passwordless", "nobody", "not a \x00 name"}
	results := make(chan error, len(names))
	for _, name := range names {
		go func() {
			_, err := w.SignIn(context.Background(), SignIn{Name: name, Password: "wrong password"})
			results <- err
		}()
	}
	for deadline := time.Now().Add(20 * time.Second); len(w.passwords.strangers.queue) < 1+len(names); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("only %d of %d sign-ins wait to hash", len(w.passwords.strangers.queue)-1, len(names))
		}
	}
	leave()
	for range names {
		if err := <-results; !errors.Is(err, errSignIn) {
			t.Errorf("got %v", err)
		}
	}
}

func TestHashesAreBounded(t *testing.T) {
	h := newHasher(1, rand.Reader)
	leave, err := h.strangers.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	results := make(chan error, cap(h.strangers.queue)+10)
	for range cap(results) {
		wg.Go(func() {
			_, err := h.hash(ctx, "x")
			results <- err
		})
	}
	for range 11 { // the queue has room for all but these, its holder being one
		if err := <-results; fault.KindOf(err) != fault.Unavailable {
			t.Errorf("got %v", err)
		}
	}
	cancel()
	wg.Wait()
	leave()
	if _, err := h.hash(t.Context(), "x"); err != nil {
		t.Errorf("after all left: %v", err)
	}
}

func FuzzPHC(f *testing.F) {
	f.Add("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g")
	f.Add("$argon2id$v=19$m=8,t=1,p=1$$")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parsePHC(s)
		if err == nil && p.String() != s {
			t.Errorf("%q is written as %q", s, p)
		}
		if err == nil && (p.memory > 256*1024 || p.time > 16 || p.threads > 16 || p.threads == 0) {
			t.Errorf("%q costs too much", s)
		}
	})
}
