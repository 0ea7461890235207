package web

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTLSConfig(t *testing.T) {
	for name, c := range map[string]struct {
		tls  TLS
		want string
	}{
		"both":         {TLS{CertFile: "a", KeyFile: "b", Hosts: []string{"h"}}, "not both"},
		"half":         {TLS{CertFile: "a"}, "give both files"},
		"missing file": {TLS{CertFile: "/nonexistent/a", KeyFile: "/nonexistent/b"}, "TLS certificate"},
		"terms":        {TLS{Hosts: []string{"h"}, CacheDir: "d"}, "terms"},
		"cache":        {TLS{Hosts: []string{"h"}, AcceptedTerms: true}, "directory"},
	} {
		if _, err := c.tls.config(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if config, err := (TLS{}).config(); config != nil || err != nil {
		t.Errorf("without TLS: %v, %v", config, err)
	}
	config, err := TLS{Hosts: []string{"edict.example"}, CacheDir: t.TempDir(), AcceptedTerms: true, DirectoryURL: "https://127.0.0.1:1/directory"}.config()
	if err != nil || !slices.Contains(config.NextProtos, "acme-tls/1") || !slices.Contains(config.NextProtos, "h2") {
		t.Errorf("ACME: %v, %v", config, err)
	}
}

// TestCertificateFollowsItsFiles renews the files, breaks them, and renews them again.
func TestCertificateFollowsItsFiles(t *testing.T) {
	dir := t.TempDir()
	now := time.Unix(1_000_000, 0)
	files := &certificateFiles{cert: filepath.Join(dir, "c.pem"), key: filepath.Join(dir, "k.pem"), now: func() time.Time { return now }}
	serial := func() int64 {
		t.Helper()
		pair, err := files.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(pair.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		return leaf.SerialNumber.Int64()
	}
	expect := func(want int64, when string) {
		t.Helper()
		if got := serial(); got != want {
			t.Errorf("%s: certificate %d, want %d", when, got, want)
		}
	}
	if _, err := files.get(nil); err == nil {
		t.Error("a certificate without files")
	}
	now = now.Add(time.Minute)
	writePair(t, files, 1, now)
	expect(1, "at first")
	writePair(t, files, 2, now.Add(time.Second))
	expect(1, "renewed within the second")
	now = now.Add(time.Minute)
	expect(2, "renewed")
	if err := os.WriteFile(files.cert, []byte("not a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute)
	expect(2, "half a renewal")
	writePair(t, files, 3, now)
	now = now.Add(time.Minute)
	expect(3, "renewed again")
}

func writePair(t *testing.T, files *certificateFiles, serial int64, stamp time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{files.cert: {Type: "CERTIFICATE", Bytes: der}, files.key: {Type: "EC PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, stamp, stamp); err != nil {
			t.Fatal(err)
		}
	}
}
