package delivery

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// VAPID says who sends pushes (RFC 8292): a key of P-256 that browsers know from the subscription, and where the push
// service may complain.
type VAPID struct {
	key     *ecdsa.PrivateKey
	public  string
	contact string
	now     func() time.Time

	mu     sync.Mutex
	tokens map[string]vapidToken // by origin
}

type vapidToken struct {
	text    string
	expires time.Time
}

// The life of a token is at most a day by the standard. A token is used until it has an hour left.
const (
	vapidLife    = 12 * time.Hour
	vapidLeast   = time.Hour
	vapidOrigins = 1024 // tokens kept
)

// NewVAPID returns the sender with a key (ParseKey, DeriveKey). contact is a mailto: or https: URL, or "".
func NewVAPID(key *ecdsa.PrivateKey, contact string, now func() time.Time) (*VAPID, error) {
	if contact != "" && !strings.HasPrefix(contact, "mailto:") && !strings.HasPrefix(contact, "https://") {
		return nil, fmt.Errorf("the contact %q is neither mailto:ADDRESS nor an https:// URL", contact)
	}
	if key.Curve != elliptic.P256() {
		return nil, errors.New("the key of Web Push is not on the curve P-256")
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	return &VAPID{key: key, public: base64.RawURLEncoding.EncodeToString(point), contact: contact, now: now, tokens: map[string]vapidToken{}}, nil
}

// PublicKey returns the public key as browsers take it (applicationServerKey), in base64url.
func (v *VAPID) PublicKey() string { return v.public }

// ParseKey reads a private key of an elliptic curve in PEM (PKCS #8 or SEC 1).
func ParseKey(text []byte) (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("there is no key (PEM) in it")
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("its key is neither PKCS #8 nor SEC 1")
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("its key is not one of an elliptic curve")
	}
	return key, nil
}

// DeriveKey makes the key of Web Push from a secret that lives as long as the data, so that subscriptions remain good when
// the data is restored.
func DeriveKey(secret []byte) (*ecdsa.PrivateKey, error) {
	for i := range 100 {
		scalar, err := hkdf.Key(sha256.New, secret, nil, fmt.Sprintf("edict web push %d", i), 32)
		if err != nil {
			return nil, err
		}
		if _, err := ecdh.P256().NewPrivateKey(scalar); err != nil {
			continue // one scalar in 2³² is out of range
		}
		return ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar)
	}
	return nil, errors.New("no key can be made of the secret")
}

// authorization returns the header for an origin.
func (v *VAPID) authorization(origin string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	if t, ok := v.tokens[origin]; ok && now.Add(vapidLeast).Before(t.expires) {
		return t.text, nil
	}
	expires := now.Add(vapidLife)
	claims := map[string]any{"aud": origin, "exp": expires.Unix()}
	if v.contact != "" {
		claims["sub"] = v.contact
	}
	token, err := sign(jose.ES256, v.key, "", claims)
	if err != nil {
		return "", err
	}
	if len(v.tokens) >= vapidOrigins {
		// Origins are chosen by users, so what is kept for them must be bounded; to sign again is cheap.
		clear(v.tokens)
	}
	text := "vapid t=" + token + ", k=" + v.public
	v.tokens[origin] = vapidToken{text, expires}
	return text, nil
}

// sign makes a JWT.
func sign(with jose.SignatureAlgorithm, key any, id string, claims map[string]any) (string, error) {
	options := (&jose.SignerOptions{}).WithType("JWT")
	if id != "" {
		options = options.WithHeader("kid", id)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: with, Key: key}, options)
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}
