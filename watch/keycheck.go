package watch

import (
	"errors"
	"io/fs"
)

// CheckKeyFile reports why a key file cannot be used. A file that does not exist is no fault: the first start creates it.
func CheckKeyFile(file string) error {
	if err := (&keyring{file: file}).load(); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
