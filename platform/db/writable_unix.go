//go:build unix

package db

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// checkWritable reports why this process can create nothing in a directory.
func checkWritable(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}
