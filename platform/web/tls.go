package web

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// TLS says where certificates come from: files, or an ACME authority, or (zero) nowhere.
type TLS struct {
	CertFile, KeyFile string // PEM; read again when either changes

	Hosts         []string // names to get certificates for by ACME (TLS-ALPN on the public listener)
	CacheDir      string   // keeps account and certificates between starts
	Email         string   // for the authority, optional
	DirectoryURL  string   // of the authority; "": Let's Encrypt
	AcceptedTerms bool     // of the authority; ACME is refused without
}

func (t TLS) config() (*tls.Config, error) {
	files := t.CertFile != "" || t.KeyFile != ""
	switch {
	case !files && len(t.Hosts) == 0:
		return nil, nil
	case files && len(t.Hosts) > 0:
		return nil, errors.New("TLS: give certificate files or ACME hosts, not both")
	case files:
		return t.fileConfig()
	}
	return t.acmeConfig()
}

func (t TLS) fileConfig() (*tls.Config, error) {
	if t.CertFile == "" || t.KeyFile == "" {
		return nil, errors.New("TLS: a certificate needs its key and a key its certificate: give both files")
	}
	files := &certificateFiles{cert: t.CertFile, key: t.KeyFile, now: time.Now}
	if _, err := files.get(nil); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: files.get, NextProtos: []string{"h2", "http/1.1"}}, nil
}

func (t TLS) acmeConfig() (*tls.Config, error) {
	if !t.AcceptedTerms {
		return nil, errors.New("TLS: the terms of the ACME authority must be accepted to get certificates from it")
	}
	if t.CacheDir == "" {
		return nil, errors.New("TLS: ACME needs a directory to keep certificates in: without one every start asks for new ones and meets the authority's limits")
	}
	m := &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(t.CacheDir),
		HostPolicy: autocert.HostWhitelist(t.Hosts...),
		Email:      t.Email,
	}
	if t.DirectoryURL != "" {
		m.Client = &acme.Client{DirectoryURL: t.DirectoryURL}
	}
	config := m.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	return config, nil
}

// certificateFiles is a certificate that follows its files. It looks at them at most once a second,
// and keeps the one it has when the new files cannot be read: half a renewal must not end service.
type certificateFiles struct {
	cert, key string
	now       func() time.Time

	mu      sync.Mutex
	loaded  *tls.Certificate
	stamps  [2]time.Time
	checked time.Time
}

func (f *certificateFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if f.loaded != nil && now.Sub(f.checked) < time.Second {
		return f.loaded, nil
	}
	f.checked = now
	stamps, err := f.modified()
	if err == nil && (f.loaded == nil || stamps != f.stamps) {
		err = f.load(stamps)
	}
	if f.loaded != nil {
		return f.loaded, nil
	}
	return nil, fmt.Errorf("TLS certificate: %w", err)
}

func (f *certificateFiles) load(stamps [2]time.Time) error {
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return err
	}
	f.loaded, f.stamps = &pair, stamps
	return nil
}

func (f *certificateFiles) modified() (stamps [2]time.Time, err error) {
	for i, name := range []string{f.cert, f.key} {
		info, err := os.Stat(name)
		if err != nil {
			return stamps, err
		}
		stamps[i] = info.ModTime()
	}
	return stamps, nil
}
