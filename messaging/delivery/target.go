package delivery

import (
	"crypto/ecdh"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"edict/messaging"
	"edict/platform/fault"
)

// endpointTarget is the target of Web Push and UnifiedPush: what a browser's PushSubscription.toJSON returns.
type endpointTarget struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

// tokenTarget is the target of FCM and APNs.
type tokenTarget struct {
	Token string `json:"token"`
}

// CheckTarget refuses a push target that cannot be right, in words for the one who registers it. It is for
// messaging.Config.
func (g *Guard) CheckTarget(p messaging.Push) error {
	var err error
	switch p.Service {
	case "webpush", "unifiedpush":
		_, _, err = g.readEndpoint(p.Target)
	case "fcm":
		_, err = readFCM(p.Target)
	case "apns":
		_, err = readAPNs(p.Target)
	}
	if err != nil {
		return fault.New(fault.Invalid, "%s", err.Error())
	}
	return nil
}

// pushKeys are what a payload is encrypted with.
type pushKeys struct {
	public *ecdh.PublicKey
	auth   []byte
}

// readEndpoint reads a target. keys is nil when it has none: nothing can be said to it in secret.
func (g *Guard) readEndpoint(target json.RawMessage) (endpoint *url.URL, keys *pushKeys, err error) {
	var t endpointTarget
	if err := readTarget(target, &t); err != nil {
		return nil, nil, err
	}
	if t.Endpoint == "" {
		return nil, nil, errors.New("push.endpoint is missing: send the URL that the push service gave")
	}
	if endpoint, err = g.CheckURL(t.Endpoint); err != nil {
		return nil, nil, fmt.Errorf("push.endpoint %w", err)
	}
	if t.Keys.P256dh == "" && t.Keys.Auth == "" {
		return endpoint, nil, nil
	}
	keys = new(pushKeys)
	if keys.auth, err = decode64(t.Keys.Auth); err != nil || len(keys.auth) != 16 {
		return nil, nil, errors.New("push.keys.auth is not 16 bytes in base64url")
	}
	point, err := decode64(t.Keys.P256dh)
	if err == nil {
		keys.public, err = ecdh.P256().NewPublicKey(point)
	}
	if err != nil {
		return nil, nil, errors.New("push.keys.p256dh is not a point of P-256 (65 bytes, uncompressed) in base64url")
	}
	return endpoint, keys, nil
}

// decode64 reads base64url as specified, and the other forms that clients send.
func decode64(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(text, "=")))
}

const maxToken = 4096

func readFCM(target json.RawMessage) (token string, err error) {
	var t tokenTarget
	if err := readTarget(target, &t); err != nil {
		return "", err
	}
	if t.Token == "" || len(t.Token) > maxToken || strings.ContainsFunc(t.Token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", errors.New("push.token is missing or no registration token of FCM: send the one that the FCM library gave")
	}
	return t.Token, nil
}

func readAPNs(target json.RawMessage) (token string, err error) {
	var t tokenTarget
	if err := readTarget(target, &t); err != nil {
		return "", err
	}
	if raw, err := hex.DecodeString(t.Token); err != nil || len(raw) < 16 || len(raw) > 100 {
		return "", errors.New("push.token is missing or no device token of APNs: send it in hexadecimal digits")
	}
	return strings.ToLower(t.Token), nil
}

// readTarget reads a target; of a wrong type it names the field.
func readTarget(target json.RawMessage, into any) error {
	err := json.Unmarshal(target, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("push.%s cannot be a JSON %s", wrong.Field, wrong.Value)
	}
	if err != nil {
		return errors.New("push is not a JSON object")
	}
	return nil
}
