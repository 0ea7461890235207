package msgapi

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"edict/messaging"
	"edict/platform/fault"
)

// query reads the parameters of a request. The first one that is wrong is kept in err and stops the
// others, so that a handler asks for all it needs and looks once.
type query struct {
	values url.Values
	err    error
}

func queryOf(r *http.Request) *query {
	if r.URL.RawQuery == "" {
		return &query{}
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return &query{err: fault.Wrap(err, fault.Invalid, "the query of the URL cannot be read: encode %% as %%25 and ; as %%3B")}
	}
	return &query{values: values}
}

func (q *query) fail(format string, args ...any) {
	if q.err == nil {
		q.err = fault.New(fault.Invalid, format, args...)
	}
}

// one returns a parameter that may be given once.
func (q *query) one(name string) (string, bool) {
	all := q.values[name]
	if len(all) > 1 {
		q.fail("%s is given %d times: give it once", name, len(all))
	}
	if len(all) == 0 {
		return "", false
	}
	return all[0], true
}

func (q *query) text(name string) string {
	s, _ := q.one(name)
	return s
}

func (q *query) integer(name string, absent int) int {
	s, ok := q.one(name)
	if !ok {
		return absent
	}
	n, err := strconv.Atoi(s)
	switch {
	case errors.Is(err, strconv.ErrRange):
		q.fail("%s: %s is out of range", name, messaging.Clip(s))
	case err != nil:
		q.fail("%s: %q is not a whole number", name, messaging.Clip(s))
	}
	return n
}

func (q *query) personal() messaging.Personal {
	p, err := messaging.ParsePersonal(q.values["personal"])
	if err != nil && q.err == nil {
		q.err = err
	}
	return p
}

// channel returns the channel that path and query name together.
func (q *query) channel(r *http.Request) (messaging.Ref, error) {
	personal := q.personal()
	if q.err != nil {
		return messaging.Ref{}, q.err
	}
	return messaging.ParseRef(r.PathValue(channelParam), personal)
}

// channelOf is for requests whose query has nothing else.
func channelOf(r *http.Request) (messaging.Ref, error) { return queryOf(r).channel(r) }

// publicByDefault makes a bare name without "personal" that of the public channel. It is for the routes whose contract gives
// personal the default false: those that add and remove tags, and those that delete all. A repeated deletion of a public channel
// must not reach the caller's own channel of the same name.
func publicByDefault(ref messaging.Ref, err error) (messaging.Ref, error) {
	if ref.Owner == "" && ref.Personal == messaging.PersonalAbsent {
		ref.Personal = messaging.PersonalFalse
	}
	return ref, err
}
