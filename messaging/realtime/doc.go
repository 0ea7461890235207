// Package realtime is the live connections of one node: Server-Sent Events and WebSocket, one stream
// for all that concerns a caller.
//
// A [Hub] is told of committed changes ([Hub.Announce]) and hands them to the streams they concern. It
// is a cache of sockets: the store is the truth, and whatever a stream missed is read from the log. An
// [API] is the routes; it makes streams and gives them to the hub.
//
// One commit is one batch. A batch is grouped by channel, each group is encoded once per wire format, and
// all streams that get the group write the same bytes (batch.go). The hub is cut into shards, each with
// its part of the streams, its own index and its own goroutine (shard.go). A stream has one writer at a
// time, which joins all that waits into one write; an idle stream has none (stream.go).
//
// Invariants
//   - The ids a stream sends only grow, and whoever resumes with one gets everything after it: what
//     precedes an id in the log, and concerns the stream, was sent before it.
//   - Up to its horizon a stream reads from the log, after it from the hub; the two meet in the shard's
//     lock (replay.go). So nothing is lost or sent twice.
//   - No stream holds up another, the hub or the store: queues are bounded in bytes, and a client that does not
//     read is cut.
//   - Every goroutine of a stream ends with it, and all end with [Hub.Close].
package realtime
