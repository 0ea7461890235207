package delivery

import (
	"crypto/ecdh"
	"encoding/base64"
	"net/url"
	"testing"
)

// TestRFC8291 is the example of the standard.
func TestRFC8291(t *testing.T) {
	raw := func(text string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	from, err := ecdh.P256().NewPrivateKey(raw("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	public, err := ecdh.P256().NewPublicKey(raw("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"))
	if err != nil {
		t.Fatal(err)
	}
	to := &pushKeys{public: public, auth: raw("BTBZMqHH6r4Tts7J_aSIgg")}
	body, err := seal(pad([]byte("When I grow up, I want to be a watermelon"), 0), to, from, raw("DGv6ra1nlYgDCS1FRnbzlw"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT" +
		"pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if got := base64.RawURLEncoding.EncodeToString(body); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

func TestOrigin(t *testing.T) {
	for text, want := range map[string]string{
		"https://Push.Example.org/x": "https://push.example.org", "https://push.example.org:443/x": "https://push.example.org",
		"https://push.example.org:8443/x": "https://push.example.org:8443", "http://[::1]:80/x": "http://[::1]",
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := originOf(u); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
