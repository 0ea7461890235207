package delivery

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// Message encryption for Web Push (RFC 8291) in the content coding aes128gcm (RFC 8188), one record.

const (
	recordSize = 4096 // of the header; a push service takes no larger body

	// All payloads are so long, whatever they say.
	plainLength   = 192
	previewLength = 2048
)

// encrypt encrypts a payload, padded to a length, for the holder of the keys.
func encrypt(text []byte, length int, to *pushKeys) ([]byte, error) {
	from, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	var salt [16]byte
	rand.Read(salt[:]) // never fails
	return seal(pad(text, length), to, from, salt[:])
}

// pad ends the text as the last record and fills it up to a length.
func pad(text []byte, length int) []byte {
	record := append(make([]byte, 0, max(length, len(text)+1)), text...)
	// 2 ends the last record (RFC 8188, section 2); the zeroes behind it are padding.
	record = append(record, 2)
	return record[:cap(record)]
}

// seal encrypts a padded record with a key and a salt that must be used once.
func seal(record []byte, to *pushKeys, from *ecdh.PrivateKey, salt []byte) ([]byte, error) {
	shared, err := from.ECDH(to.public)
	if err != nil {
		return nil, err
	}
	sender := from.PublicKey().Bytes()
	info := "WebPush: info\x00" + string(to.public.Bytes()) + string(sender)
	secret, err := hkdf.Key(sha256.New, shared, to.auth, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	head := binary.BigEndian.AppendUint32(append([]byte(nil), salt...), recordSize)
	head = append(append(head, byte(len(sender))), sender...)
	return gcm.Seal(head, nonce, record, nil), nil
}
