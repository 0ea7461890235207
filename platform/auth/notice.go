package auth

import (
	"context"
	"encoding/json"
	"time"

	"edict/platform/db"
)

// What identity tells the other servers on the same database (see db.Follow): revocations, which are in force there before anybody is served who
// comes after them, and failed sign-ins, which count everywhere.

// topic is what notices of identity are told under.
const topic = "auth"

// notice is one of the two.
type notice struct {
	Revoked *revokedNotice `json:"revoked,omitempty"`
	Failed  *failedNotice  `json:"failed,omitempty"`
}

type revokedNotice struct {
	User, Session, Token, Spared string
	Until, Expires               int64 // Unix milliseconds
}

// failedNotice is a failed sign-in as throttles.attempt counted it.
type failedNotice struct{ Account, Address, Known string }

func tell(tx *db.Tx, n notice) error {
	if !tx.Tells() {
		return nil
	}
	body, err := json.Marshal(n)
	if err == nil {
		tx.Tell(topic, body)
	}
	return err
}

func tellRevoked(tx *db.Tx, r Revocation) error {
	return tell(tx, notice{Revoked: &revokedNotice{
		User: r.UserID, Session: r.session, Token: r.token, Spared: r.spared, Until: r.until.UnixMilli(), Expires: r.expires.UnixMilli(),
	}})
}

// follow has what other servers tell be applied here.
func (a *Authority) follow() {
	a.db.Follow(topic, func(bodies [][]byte) {
		for _, body := range bodies {
			if !a.told(body) {
				a.behind.Store(true)
			}
		}
	}, func() {
		// All of them are read again: the store may have gone back, and given the numbers of some to others.
		a.revoked.mu.Lock()
		a.revoked.seq = 0
		a.revoked.mu.Unlock()
		a.behind.Store(true)
	})
}

// told applies a notice; it returns false for one of a newer edict.
func (a *Authority) told(body []byte) bool {
	var n notice
	if err := json.Unmarshal(body, &n); err != nil {
		return false
	}
	switch r, f := n.Revoked, n.Failed; {
	case r != nil:
		a.enforce(Revocation{
			UserID: r.User, session: r.Session, token: r.Token, spared: r.Spared, until: time.UnixMilli(r.Until), expires: time.UnixMilli(r.Expires),
		})
	case f != nil:
		_, _ = a.throttles.attempt(f.Account, f.Address, f.Known) // it was made, whatever is left
	default:
		return false
	}
	return true
}

// tellFailed has a failed sign-in count on the other servers too. That it fails makes guessing no easier than that many servers do.
func (a *Authority) tellFailed(ctx context.Context, f failedNotice) {
	if a.db.Alone() {
		return
	}
	if err := a.db.Write(ctx, func(tx *db.Tx) error { return tell(tx, notice{Failed: &f}) }); err != nil {
		a.opts.Logger.Warn("a failed sign-in is not known to the other servers", "error", err)
	}
}

// catchUp returns when everything that was revoked before the call, on whichever server, is in force here.
func (a *Authority) catchUp(ctx context.Context) error {
	if err := a.db.CatchUp(ctx); err != nil || !a.behind.Load() {
		return err
	}
	// What was told is lost; the rules themselves are in the table. Cleared before the look: what is lost meanwhile is another matter.
	a.behind.Store(false)
	err := a.poll(ctx)
	if err != nil {
		a.behind.Store(true)
	}
	return err
}
