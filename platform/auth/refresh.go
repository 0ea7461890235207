package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"
	"strings"
)

// A refresh token is the id of its session, a number that nobody can guess and a seal over both, made with a secret of the server. The
// number of the token that may be exchanged next is in the database, as a hash; of those before it nothing is kept. One that
// has the seal and is not the next is an old one: it is in two hands, however long ago it was exchanged. One without the
// seal was made up, and costs no look at the database.
//
// Tokens of earlier versions are a random number alone. They are found by their hash, used ones too, until they expire.

// refreshPrefix tells people and secret scanners what a refresh token is.
const refreshPrefix = "edict_rt_"

const (
	refreshPart = 16 // bytes of the session's id, of the random number and of the seal
	plainSize   = 32 // bytes of a token of earlier versions
)

// firstRefresh returns the first token of a session and what the database keeps of it.
func (a *Authority) firstRefresh(session string) (token string, hash [32]byte, err error) {
	number := make([]byte, refreshPart)
	if _, err := io.ReadFull(a.opts.Random, number); err != nil {
		return "", hash, err
	}
	return a.refreshToken(session, number)
}

// nextRefresh returns the token that another one of the session is exchanged for, always the same: an exchange can be answered
// again without the token having been kept.
func (a *Authority) nextRefresh(session, token string) (next string, hash [32]byte, err error) {
	return a.refreshToken(session, mac(a.keys.seals[0], "edict next refresh token", []byte(token)))
}

func (a *Authority) refreshToken(session string, number []byte) (token string, hash [32]byte, err error) {
	raw, err := hex.DecodeString(session)
	if err != nil {
		return "", hash, err
	}
	raw = append(raw, number...)
	raw = append(raw, seal(a.keys.seals[0], raw)...)
	token = refreshPrefix + base64.RawURLEncoding.EncodeToString(raw)
	return token, sha256.Sum256([]byte(token)), nil
}

// seal is what only the server can make of the rest of a token.
func seal(secret, rest []byte) []byte { return mac(secret, "edict refresh token", rest) }

// mac returns what only those who know the secret can make of a text; purpose keeps it from meaning something elsewhere.
func mac(secret []byte, purpose string, text []byte) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(purpose + "\x00"))
	h.Write(text)
	return h.Sum(nil)[:refreshPart]
}

// readRefresh returns the session of a token that has a seal, "" for one of an earlier version, and false for what is no
// refresh token of this server.
func (a *Authority) readRefresh(token string) (session string, ok bool) {
	text, prefixed := strings.CutPrefix(token, refreshPrefix)
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	switch {
	case !prefixed || err != nil || base64.RawURLEncoding.EncodedLen(len(raw)) != len(text):
		return "", false
	case len(raw) == plainSize:
		return "", true
	case len(raw) != 3*refreshPart:
		return "", false
	}
	rest, got := raw[:2*refreshPart], raw[2*refreshPart:]
	sealed := slices.ContainsFunc(a.keys.seals, func(secret []byte) bool { return hmac.Equal(got, seal(secret, rest)) })
	return hex.EncodeToString(raw[:refreshPart]), sealed
}
