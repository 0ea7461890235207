package auth

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/go-jose/go-jose/v4"

	"edict/platform/db"
)

// keyring is the keys of the built-in issuer. It does not change while the process lives.
type keyring struct {
	public  map[string]ed25519.PublicKey // by key id
	jwks    jose.JSONWebKeySet           // what is published
	newest  string
	private ed25519.PrivateKey
	seals   [][]byte // secrets of refresh tokens, the newest first
}

type storedKey struct {
	id   string
	seed []byte
}

// loadKeys reads the keys, making one when there is none. Two processes that start at once agree: the
// check and the insertion are one transaction.
func loadKeys(ctx context.Context, d *db.DB, opts Options) (*keyring, error) {
	found, err := readKeys(d.Read(ctx))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		seed := make([]byte, ed25519.SeedSize)
		if _, err := io.ReadFull(opts.Random, seed); err != nil {
			return nil, err
		}
		id, err := keyID(ed25519.NewKeyFromSeed(seed))
		if err != nil {
			return nil, err
		}
		err = d.Write(ctx, func(tx *db.Tx) error {
			if found, err = readKeys(tx); err != nil || len(found) > 0 {
				return err
			}
			found = []storedKey{{id, seed}}
			_, err := tx.Exec(sqlKeyInsert, id, seed, opts.Now().UnixMilli())
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return newKeyring(found)
}

func readKeys(q db.Queryer) ([]storedKey, error) {
	rows, err := q.Query(sqlKeyAll)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var keys []storedKey
	for rows.Next() {
		var k storedKey
		if err := rows.Scan(&k.id, &k.seed); err != nil {
			return nil, err
		}
		if len(k.seed) != ed25519.SeedSize {
			return nil, fmt.Errorf("signing key %s is damaged", k.id)
		}
		keys = append(keys, k)
	}
	return keys, rows.Err()
}

// newKeyring signs with the first key and verifies with all.
func newKeyring(keys []storedKey) (*keyring, error) {
	ring := &keyring{public: map[string]ed25519.PublicKey{}}
	for i, k := range keys {
		private := ed25519.NewKeyFromSeed(k.seed)
		if i == 0 {
			ring.newest, ring.private = k.id, private
		}
		ring.seals = append(ring.seals, k.seed)
		public := private.Public().(ed25519.PublicKey)
		ring.public[k.id] = public
		ring.jwks.Keys = append(ring.jwks.Keys, jose.JSONWebKey{Key: public, KeyID: k.id, Algorithm: string(jose.EdDSA), Use: "sig"})
	}
	return ring, nil
}

// keyID is the start of the key's RFC 7638 thumbprint.
func keyID(private ed25519.PrivateKey) (string, error) {
	jwk := jose.JSONWebKey{Key: private.Public()}
	sum, err := jwk.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(sum[:16]), nil
}

// sign returns the compact JWT of a payload with the newest key.
func (k *keyring) sign(typ string, payload []byte) (string, error) {
	options := (&jose.SignerOptions{}).WithType(jose.ContentType(typ)).WithHeader(jose.HeaderKey("kid"), k.newest)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: k.private}, options)
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}
