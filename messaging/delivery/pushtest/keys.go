// Package pushtest is the other end of Web Push, for tests: [Keys] are what a browser gives away with its subscription, and reads pushes with.
package pushtest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
)

// Keys are the keys of a subscription.
type Keys struct {
	private *ecdh.PrivateKey
	auth    [16]byte
}

// NewKeys returns keys that nobody else has.
func NewKeys() (*Keys, error) {
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	k := &Keys{private: private}
	rand.Read(k.auth[:]) // never fails
	return k, err
}

// JSON returns what a device registers as keys.
func (k *Keys) JSON() string {
	encode := base64.RawURLEncoding.EncodeToString
	return fmt.Sprintf(`{"p256dh":%q,"auth":%q}`, encode(k.private.PublicKey().Bytes()), encode(k.auth[:]))
}

// Open decrypts the body of a push (RFC 8291) as a browser does and returns its payload without the padding, and how long it is with that.
func (k *Keys) Open(body []byte) (text string, padded int, err error) {
	if len(body) < 21 || len(body) < 21+int(body[20]) {
		return "", 0, errors.New("the body is too short to have a header")
	}
	salt, size, head := body[:16], binary.BigEndian.Uint32(body[16:20]), 21+int(body[20])
	if int(size) < len(body)-head {
		return "", 0, fmt.Errorf("a record of %d bytes, where the header says %d", len(body)-head, size)
	}
	sender, err := ecdh.P256().NewPublicKey(body[21:head])
	if err != nil {
		return "", 0, err
	}
	gcm, nonce, err := k.cipher(sender, salt)
	if err != nil {
		return "", 0, err
	}
	record, err := gcm.Open(nil, nonce, body[head:], nil)
	if err != nil {
		return "", 0, err
	}
	last, ok := bytes.CutSuffix(bytes.TrimRight(record, "\x00"), []byte{2})
	if !ok {
		return "", 0, fmt.Errorf("%q is not the last record", record)
	}
	return string(last), len(record), nil
}

func (k *Keys) cipher(sender *ecdh.PublicKey, salt []byte) (_ cipher.AEAD, nonce []byte, err error) {
	shared, err := k.private.ECDH(sender)
	if err != nil {
		return nil, nil, err
	}
	info := "WebPush: info\x00" + string(k.private.PublicKey().Bytes()) + string(sender.Bytes())
	secret, err := hkdf.Key(sha256.New, shared, k.auth[:], info, 32)
	if err != nil {
		return nil, nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, nil, err
	}
	if nonce, err = hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12); err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	gcm, err := cipher.NewGCM(block)
	return gcm, nonce, err
}
