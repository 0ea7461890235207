package auth

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"time"
	"unicode/utf8"

	"edict/platform/fault"
	"edict/platform/web"
)

// Lists come in pages. A cursor is where a page ends, and means nothing to clients.

const (
	defaultPage = 200
	maxPage     = 1000
	maxCursor   = 1024 // bytes
)

var (
	cursorParam = web.Param{Name: "cursor", Description: "nextCursor of the previous page. Omit it for the first page.", Example: "YWxpY2U"}
	sizeParam   = web.Param{Name: "size", Description: "Maximum number of entries, 1 to 1000. Default 200.", Type: web.Between(1, maxPage), Example: 50}
)

// page is what a request asks of a list.
type page struct {
	after string // what the cursor holds; "": the beginning
	size  int
}

func pageOf(query url.Values) (page, error) {
	p := page{size: defaultPage}
	if text, given, err := single(query, "size"); err != nil {
		return p, err
	} else if given {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxPage {
			return p, fault.New(fault.Invalid, "size is %.40q: it must be a number between 1 and %d", text, maxPage)
		}
		p.size = n
	}
	text, _, err := single(query, "cursor")
	if err != nil {
		return p, err
	}
	p.after, err = readCursor(text)
	return p, err
}

// single returns a parameter that may be there once.
func single(query url.Values, name string) (value string, given bool, err error) {
	switch values := query[name]; len(values) {
	case 0:
		return "", false, nil
	case 1:
		return values[0], true, nil
	}
	return "", false, fault.New(fault.Invalid, "the parameter %q is there twice", name)
}

// writeCursor returns the cursor of a page that ends at a place.
func writeCursor(place string) *string {
	text := base64.RawURLEncoding.EncodeToString([]byte(place))
	return &text
}

func readCursor(text string) (place string, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(text) > maxCursor || !utf8.Valid(raw) || base64.RawURLEncoding.EncodedLen(len(raw)) != len(text) {
		return "", errCursor
	}
	return string(raw), nil
}

var errCursor = fault.New(fault.Invalid, "the cursor is not one of this list: give nextCursor of the page before, or leave it out")

// stamp returns a time as answers have it, nil for the zero time.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	return &text
}

// self reports whether a request is about the caller; others are for admins, to whom what is forbidden otherwise.
func self(r *http.Request, id, what string) (bool, error) {
	caller := web.CallerOf(r)
	if FoldID(caller.UserID) == FoldID(id) {
		return true, nil
	}
	return false, adminOnly(caller, what)
}
