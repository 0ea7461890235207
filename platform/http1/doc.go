// Package http1 answers requests on HTTP/1.1 connections with less work than net/http does.
//
// net/http prepares every request for whatever a handler may want: a goroutine that watches whether the
// client leaves, a context that ends with it, deadlines set anew for head, body and answer, a copy of the
// headers. For a request that is answered within a millisecond this costs more than the answer. A [Server]
// accepts the connections and reads each request's head. One that arrived whole and is of the plainest form is parsed
// here, by what differs from the head before it. All others (chunked bodies, HTTP/1.0, heads in pieces, malformed requests and
// whatever else there is) are read by http.ReadRequest, so that what can be read at all is for net/http to say. Clients that speak
// HTTP/2 are handed to net/http ([Server.HTTP2]).
//
// What is answered here means the same to net/http: a test has whole conversations, well-formed and not, with both and compares what
// handlers saw and clients got. Where this package is stricter, and why, is a table of that test, which internals/web.md shows: above all a request whose end can be
// understood in two ways is refused. Whatever is refused ends its connection; the words are another's ([Server.Refuse]).
//
// What a handler finds different: the context of a request is given beside it ([Server.Handle]). It ends when the server is
// closed and, if the request is [Watched], when it was answered, when its time is over ([Below]) and, once it has run for a
// while, when its client leaves. The request itself is good until the handler returns; the connection of a [Stream] alone can be
// taken (http.Hijacker).
//
// Every wait for a client has one deadline that what comes does not move: the first request, a head, a body, an answer. Only a
// handler moves the deadline of its answer, on purpose (http.ResponseController).
package http1
