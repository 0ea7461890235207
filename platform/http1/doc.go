// Package http1 answers requests on plain HTTP/1.1 connections with less work than net/http does.
//
// net/http prepares every request for whatever a handler may want: a goroutine that watches whether the
// client leaves, a context that ends with it, deadlines set anew for head, body and answer, a copy of the
// headers. For a request that is answered within a millisecond this costs more than the answer. A [Server]
// accepts the connections and reads each request's head. A request whose head arrived whole, is of the
// plainest form and belongs here by [Server.Kind] is answered here; at the first other one the connection is
// handed to net/http for good, from the first byte of that request on.
//
// So this package refuses nothing and interprets nothing that is unusual: chunked bodies, HTTP/2, malformed
// requests and whatever else there is are net/http's, with its rules; only the words in which it refuses a request before there is
// a handler for it are another's ([Server.Refuse]). Of upgrades it knows the
// usual request for a WebSocket, whose handler takes the connection. What is
// accepted here means the same to net/http; a fuzz test compares the two.
//
// What a handler finds different: the context of a request is given beside it ([Server.Handle]). It ends when the server is
// closed and, if the request is [Watched], when it was answered, when its time is over ([Limit]) and, once it has run for a
// while, when its client leaves. The request itself is good until the handler returns; the connection of a [Stream] alone can be
// taken (http.Hijacker).
package http1
