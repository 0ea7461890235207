package realtime

import "strconv"

// ending is why a stream ended. The code is that of a WebSocket close frame and of the last comment of an
// SSE stream; 0 for a client that left by itself.
type ending struct {
	code int
	name string // in metrics
	text string // for the client: what happened and what to do
}

// The endings. Codes from 4000 are ours.
var (
	endGone     = &ending{0, "gone", ""}
	endClosed   = &ending{1000, "gone", ""}
	endStop     = &ending{1001, "stop", "the server is stopping: connect again with the last cursor"}
	endProtocol = &ending{1002, "protocol", "the frame is not understood"}
	endLarge    = &ending{1009, "protocol", "the message is too large: acknowledge one message at a time"}
	endStore    = &ending{1011, "store", "the log cannot be read now: connect again with the last cursor"}
	endNoMemory = &ending{1013, "memory", "too much is read from the log at this moment: connect again with the last cursor"}
	endMissed   = &ending{1012, "missed", "this node lost touch with the others: connect again with the last cursor"}
	endRevoked  = &ending{4001, "revoked", "the token was revoked: sign in again"}
	endExpired  = &ending{4002, "expired", "the token has expired: get a new one and connect again with the last cursor"}
	endAccount  = &ending{4003, "account", "the account or the device is gone"}
	endDeleted  = &ending{4004, "deleted", "the channel is deleted"}
	endSlow     = &ending{4008, "slow", "slow reader: connect again with the last cursor"}
	endSilent   = &ending{4009, "silent", "nothing was read or answered for too long: connect again with the last cursor"}
	endHistory  = &ending{4011, "history", "the store has lost what came last: connect again without a cursor"}
	endCursor   = &ending{4010, "cursor", "the cursor is refused: connect again without one"}
)

// endings is every one of them, for the metrics.
var endings = []*ending{endGone, endClosed, endProtocol, endLarge, endStop, endStore, endMissed, endNoMemory, endRevoked, endExpired, endAccount, endDeleted, endSlow, endSilent, endHistory, endCursor}

// Error makes an ending what reading a client can fail with.
func (e *ending) Error() string { return e.text }

// goodbye returns the last bytes of a stream, with its opening if nothing was written before, and nil when the client has gone.
func (e *ending) goodbye(as format, opening []byte) []byte {
	switch {
	case e.code == 0:
		return nil
	case as != formatWS:
		b := newWire([]byte(string(opening)+": "+strconv.Itoa(e.code)+" "+e.text+"\n"), 0, as).bytes
		if as == formatChunked {
			b = append(b, lastChunk...)
		}
		return b
	}
	b := appendWSHeader(nil, wsClose, 2+len(e.text))
	return append(append(b, byte(e.code>>8), byte(e.code)), e.text...)
}
