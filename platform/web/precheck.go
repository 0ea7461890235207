package web

import (
	"context"
	"net"
)

// CheckListen reports why an address cannot be listened on. It frees the address again.
func CheckListen(ctx context.Context, address string) error {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return cannotListen(address, "", err)
	}
	return l.Close()
}

// Check reports why TLS cannot be served with these settings: files are read, nothing is written.
func (t TLS) Check() error {
	_, err := t.config()
	return err
}
