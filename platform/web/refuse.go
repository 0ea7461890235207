package web

import (
	"net/http"
	"net/url"

	"edict/platform/fault"
	"edict/platform/http1"
)

// refuse answers a request that could not be read, in the shape of the service that its path belongs to as far as it can be
// told. The status is given.
func (s *Server) refuse(w http.ResponseWriter, refused *http1.Refused) {
	r := refused.Request
	x := &exchange{Context: r.Context(), server: s, conn: w, service: s.serviceOf(r.URL.Path), id: s.requestID(r), start: s.opts.Now()}
	s.inFlight.Add(1)
	defer s.finish(x, r)
	x.request = *r.WithContext(x)
	r = &x.request
	r.RemoteAddr = s.clientAddress(r)
	if s.greet(x, r) {
		return
	}
	x.conn = fixedStatus{w, refused.Status}
	s.fail(x, r, unreadable(refused))
}

func unreadable(r *http1.Refused) error {
	switch {
	case r.Status == http.StatusRequestHeaderFieldsTooLarge:
		return fault.New(fault.TooLarge, "the head of the request is too large: send less in its headers and its address")
	case r.Status == http.StatusNotImplemented:
		return fault.New(fault.NotImplemented, "the transfer encoding of the request is not understood: send the body with its length, or chunked")
	case r.Status == http.StatusExpectationFailed:
		return fault.New(fault.Invalid, "the expectation of the request is not understood: send \"Expect: 100-continue\" or none")
	case r.Reason == "":
		return fault.New(fault.Invalid, "the request cannot be read as HTTP")
	}
	return fault.New(fault.Invalid, "the request cannot be read: %s%s", r.Reason, remedy(r))
}

// remedy says how to mend an address that cannot be decoded.
func remedy(r *http1.Refused) string {
	if _, err := url.PathUnescape(r.URL.Path); err != nil {
		return " in its path; write a percent sign as %25"
	}
	return ""
}

// fixedStatus is a ResponseWriter whose status is given.
type fixedStatus struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w fixedStatus) WriteHeader(int) { w.ResponseWriter.WriteHeader(w.status) }
