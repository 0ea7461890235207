//go:build !linux

package db

import "syscall"

// limitSilence is for Linux; elsewhere keep-alive and the limits of commits have to do.
func limitSilence(string, string, syscall.RawConn) error { return nil }
