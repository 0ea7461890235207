package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"edict/platform/fault"
)

const (
	// keysAge is when known keys are fetched again, so that one that was withdrawn is forgotten.
	keysAge = time.Hour
	// keysPause is the least time between two fetches: an unknown key id is anybody's to invent.
	keysPause = 10 * time.Second
	// maxDocument bounds what an issuer may send, maxKeys how many keys of it are kept.
	maxDocument = 1 << 20
	maxKeys     = 100
)

// remoteKeys is the published keys of one external issuer. Each issuer has its own: the same key id at
// two issuers means two keys.
type remoteKeys struct {
	issuer string
	client *http.Client
	log    *slog.Logger

	fetching chan struct{} // holds one token: whoever has it may fetch

	mu      sync.RWMutex
	keys    map[string]jose.JSONWebKey // by key id
	fetched time.Time                  // last success
	tried   time.Time                  // last attempt
	failed  error                      // of the last attempt
}

func newRemoteKeys(issuer string, opts Options) *remoteKeys {
	client := *opts.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &remoteKeys{issuer: issuer, client: &client, log: opts.Logger, fetching: make(chan struct{}, 1)}
}

// find returns the key a token names, asking the issuer when it is not known or known for long.
func (k *remoteKeys) find(ctx context.Context, id, alg string, now time.Time) (any, error) {
	key, ok, old := k.look(id, alg, now)
	err := k.failure()
	if (!ok || old) && k.rested(now) {
		if err = k.refresh(ctx, now); err != nil {
			k.log.Warn("keys of an issuer not fetched; known ones stay in use", "issuer", k.issuer, "error", err)
		}
		key, ok, _ = k.look(id, alg, now)
	}
	switch {
	case ok:
		return key.Key, nil
	case err != nil:
		return nil, fault.Wrap(err, fault.Unavailable, "the keys of the token's issuer cannot be fetched now; try again")
	}
	return nil, errToken
}

// look returns a key, and whether the keys are old.
func (k *remoteKeys) look(id, alg string, now time.Time) (key jose.JSONWebKey, ok, old bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	key, ok = k.keys[id]
	if id == "" && len(k.keys) == 1 { // an issuer with one key need not name it
		for _, key = range k.keys {
			ok = true
		}
	}
	ok = ok && (key.Algorithm == "" || key.Algorithm == alg)
	return key, ok, now.Sub(k.fetched) >= keysAge
}

// refresh fetches the keys, once for all who wait for it.
func (k *remoteKeys) refresh(ctx context.Context, now time.Time) error {
	select {
	case k.fetching <- struct{}{}:
		defer func() { <-k.fetching }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if !k.rested(now) {
		return k.failure() // somebody else did while we waited
	}
	// Whoever asks is one of many who wait for these keys: they come even if this one leaves.
	keys, err := k.fetch(context.WithoutCancel(ctx))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried, k.failed = now, err
	if err == nil {
		k.keys, k.fetched = keys, now
	}
	return err
}

// rested reports whether the issuer may be asked again.
func (k *remoteKeys) rested(now time.Time) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	// A clock that was set back must not keep the keys from being fetched.
	return now.Sub(k.tried) >= keysPause || now.Before(k.tried)
}

// failure is why the last fetch failed, nil when it did not.
func (k *remoteKeys) failure() error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.failed
}

func (k *remoteKeys) fetch(ctx context.Context) (map[string]jose.JSONWebKey, error) {
	var doc struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := k.get(ctx, wellKnown(k.issuer), &doc); err != nil {
		return nil, err
	}
	if doc.Issuer != k.issuer {
		return nil, fmt.Errorf("the discovery document is of issuer %.200q", doc.Issuer)
	}
	if u, err := url.Parse(doc.Keys); err != nil || !secure(u) {
		return nil, fmt.Errorf("the keys are at %.200q, which is not https", doc.Keys)
	}
	var raw struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := k.get(ctx, doc.Keys, &raw); err != nil {
		return nil, err
	}
	return usableKeys(raw.Keys)
}

// usableKeys keeps the public signature keys; one that cannot be read does not spoil the others.
func usableKeys(raw []json.RawMessage) (map[string]jose.JSONWebKey, error) {
	keys := map[string]jose.JSONWebKey{}
	for _, text := range raw {
		var key jose.JSONWebKey
		if err := json.Unmarshal(text, &key); err != nil || !key.IsPublic() || !key.Valid() || key.Use != "" && key.Use != "sig" {
			continue
		}
		if _, taken := keys[key.KeyID]; taken {
			return nil, fmt.Errorf("two keys have the id %.200q", key.KeyID)
		}
		if keys[key.KeyID] = key; len(keys) > maxKeys {
			return nil, fmt.Errorf("more than %d keys", maxKeys)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("no usable key is published")
	}
	return keys, nil
}

func (k *remoteKeys) get(ctx context.Context, from string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	answer, err := k.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", from, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	if err != nil {
		return err
	}
	if len(text) > maxDocument {
		return fmt.Errorf("%s sent more than %d bytes", from, maxDocument)
	}
	return json.Unmarshal(text, into)
}
