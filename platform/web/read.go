package web

import (
	"errors"
	"io"
	"net/http"
	"net/url"

	"edict/platform/fault"
	"edict/platform/jsonio"
)

// ReadJSON reads the body of a request into v (a pointer), strictly: see [jsonio.Rules]. Unknown fields
// are ignored, unless the service refuses typing errors and the name is one. A body that is empty, malformed or of the wrong shape is an
// error of kind Invalid that names line, column and field, and holds a *[jsonio.Error]; one over the route's limit is TooLarge. Values of type json.RawMessage alias the body, which belongs to v from then on.
func ReadJSON(r *http.Request, v any) error {
	data, err := ReadBody(r)
	if err != nil {
		return err
	}
	var rules jsonio.Rules
	x := exchangeOf(r.Context())
	if x != nil && x.service != nil {
		rules.Depth, rules.RefuseTypos = x.service.MaxDepth, x.service.RefuseTypos
	}
	if x != nil && x.server != nil && len(data) > largeBody {
		select {
		case x.server.decoding <- struct{}{}:
			defer func() { <-x.server.decoding }()
		case <-x.Done():
			return x.Err()
		}
	}
	return rules.Decode(data, v)
}

// largeBody is how long a body may be that is decoded at once. Larger ones take milliseconds, and wait for each other: together they
// have half of the processors, so that however many arrive, the other half is for small requests.
const largeBody = 256 << 10

// ReadForm reads a body of type application/x-www-form-urlencoded, without the query.
func ReadForm(r *http.Request) (url.Values, error) {
	data, err := ReadBody(r)
	if err != nil {
		return nil, err
	}
	values, err := url.ParseQuery(string(data))
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "the form is malformed: escape names and values as application/x-www-form-urlencoded")
	}
	if x := exchangeOf(r.Context()); x != nil && x.endpoint != nil {
		if err := x.endpoint.checkForm(values); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// firstRead bounds what is allocated on the word of a Content-Length alone.
const firstRead = 64 << 10

// ReadBody reads the body of a request, bounded by the limit of its route and weighed where the service has a budget of
// memory. The bytes belong to the caller.
func ReadBody(r *http.Request) ([]byte, error) {
	if x := exchangeOf(r.Context()); x != nil && x.service != nil && x.service.Memory != nil && (r.ContentLength < 0 || r.ContentLength > firstRead) {
		return ReadBodyWeighed(r, x.hold)
	}
	return ReadBodyWeighed(r, nil)
}

// ReadBodyWeighed is ReadBody that asks for the memory of a body of more than 64 KiB before it is used, as
// the body arrives: a client that only promises one takes nothing. What was asked for is the capacity of the
// bytes; the error of take, which may be nil, ends the reading.
func ReadBodyWeighed(r *http.Request, take func(bytes int64) error) ([]byte, error) {
	if n := r.ContentLength; n >= 0 && n <= firstRead {
		data := make([]byte, n)
		if _, err := io.ReadFull(r.Body, data); err != nil && n > 0 {
			return nil, bodyError(err)
		}
		return data, nil
	}
	data := make([]byte, 0, firstRead)
	for {
		n, err := r.Body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, bodyError(err)
		}
		if len(data) == cap(data) {
			if data, err = roomier(data, r.ContentLength, take); err != nil {
				return nil, err
			}
		}
	}
}

// roomier is a body with room for as much again, or for all of it if that is known to be less.
func roomier(data []byte, length int64, take func(int64) error) ([]byte, error) {
	had, size := cap(data), 2*cap(data)
	if length >= 0 {
		size = min(size, int(length)+1) // the end is read too
	}
	size = max(size, had+1)
	if take != nil {
		more := size - had
		if had == firstRead {
			more = size
		}
		if err := take(int64(more)); err != nil {
			return nil, err
		}
	}
	return append(make([]byte, 0, size), data...), nil
}

func bodyError(err error) error {
	if tooBig, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(tooBig.Limit)
	}
	return fault.Wrap(err, fault.Invalid, "the body did not arrive whole: send it again")
}
