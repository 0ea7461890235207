//go:build unix

package db

import (
	"errors"
	"os"
)

// syncDirectory makes a rename in dir durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
