package delivery

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxAnswer is how much of an answer is read, and maxRetryAfter how long a service may ask to wait.
const (
	maxAnswer     = 64 << 10
	maxRetryAfter = 24 * time.Hour
)

// answer is what a push service said.
type answer struct {
	status int
	after  time.Duration
	body   []byte
}

func (a *answer) ok() bool { return a.status >= 200 && a.status < 300 }

// do sends a request and reads the answer, all of it, so that the connection can be used again.
func do(client *http.Client, r *http.Request, now func() time.Time) (*answer, error) {
	resp, err := client.Do(r)
	if err != nil {
		return nil, failed("%v", withoutURL(err))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, failed("reading the answer: %v", withoutURL(err))
	}
	return &answer{status: resp.StatusCode, after: retryAfter(resp.Header.Get("Retry-After"), now()), body: body}, nil
}

// withoutURL takes the URL out of an error: whoever has the URL of a push target can push to it.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(text string, now time.Time) (d time.Duration) {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}

// failure is what an answer means that has no meaning of its own at this service.
func (a *answer) failure(reason string) *Failure {
	f := &Failure{After: a.after, Reason: http.StatusText(a.status)}
	if reason != "" {
		f.Reason = reason
	}
	f.Reason = strconv.Itoa(a.status) + " " + f.Reason
	switch {
	case a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable:
		f.Outcome = Busy
	case a.status >= 500:
		f.Outcome = Failed
	default:
		f.Outcome = Refused
	}
	return f
}
