package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
)

// Errors of settings have one form: the flag, the value, and what to give instead.

// atLeast reports a value below the smallest one.
func atLeast[T cmp.Ordered](flag string, value, bound T) error {
	if value >= bound {
		return nil
	}
	return fmt.Errorf("%s: %v is too small; give %v or more", flag, value, bound)
}

// positive reports a value that is not above zero.
func positive[T ~int | ~int64 | ~float64](flag string, value T) error {
	if value > 0 {
		return nil
	}
	return fmt.Errorf("%s: %v is too small; give more than 0", flag, value)
}

// webURL reports a text that is not an http or https URL with a host; "" stands for none.
func webURL(flag, text string) error {
	u, err := url.Parse(text)
	if text == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return nil
	}
	return fmt.Errorf("%s: %q is not a URL; give one such as https://HOST/PATH", flag, text)
}

// unread says why a file cannot be read, without the name of the system call.
func unread(err error) string {
	text := err.Error()
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		why := path.Err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			why = "there is no such file or directory"
		}
		text = strings.Replace(text, path.Error(), path.Path+": "+why, 1)
	}
	return text
}
