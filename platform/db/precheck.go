package db

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckDirectory reports why dir can hold no data, without creating anything: a file is in its place or above it, or the
// directory that is to hold it cannot be written. The reason begins with the path at fault.
func CheckDirectory(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for place := dir; ; place = filepath.Dir(place) {
		info, err := os.Stat(place)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is a file", place)
		case err == nil:
			return checkWritable(place)
		case filepath.Dir(place) == place:
			return err
		case errors.Is(err, fs.ErrNotExist) || isBelowFile(place):
			continue
		}
		return fmt.Errorf("%s: %w", place, reason(err))
	}
}

// isBelowFile reports whether a file is above place: systems differ in the error that they return for it.
func isBelowFile(place string) bool {
	info, err := os.Stat(filepath.Dir(place))
	return err == nil && !info.IsDir() || err != nil && filepath.Dir(place) != place && isBelowFile(filepath.Dir(place))
}

// reason leaves out what an error says about the call and the path.
func reason(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

// CheckAddress reports why an address is none of PostgreSQL. The error does not show the address, which may hold a password.
func CheckAddress(address string) error {
	_, _, err := parseAddress(address)
	return err
}

// CheckBus reports why a bus is neither PostgresBus nor addresses of NATS.
func CheckBus(bus string) error { return checkBus(bus) }
