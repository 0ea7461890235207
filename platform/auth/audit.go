package auth

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"time"

	"edict/platform/db"
	"edict/platform/web"
)

// By is who does something, for the audit trail. The zero value is the command line, or the server itself.
type By struct {
	UserID  string // or clientKey of a client
	Address string // where the request came from
}

// byOf returns who makes a request.
func byOf(r *http.Request) By {
	by := By{Address: web.AddressOf(r)}
	if c := web.CallerOf(r); c != nil {
		by.UserID = c.UserID
	}
	return by
}

// Act is what was done, as the audit trail has it.
type Act string

// The acts that are kept.
const (
	ActAuditRead       Act = "audit.read"
	ActClientAdded     Act = "client.added"
	ActClientRemoved   Act = "client.removed"
	ActDeviceRemoved   Act = "device.removed"
	ActPasswordChanged Act = "password.changed"
	ActPasswordReset   Act = "password.reset"
	ActResetIssued     Act = "reset.issued"
	ActSessionEnded    Act = "session.ended"
	ActSessionsRead    Act = "sessions.read"
	ActSignInFailed    Act = "signin.failed"
	ActTokenCreated    Act = "token.created"
	ActTokenMinted     Act = "token.minted"
	ActUserChanged     Act = "user.changed"
	ActUserCreated     Act = "user.created"
	ActUserDisabled    Act = "user.disabled"
	ActUserEnabled     Act = "user.enabled"
	ActUserExported    Act = "user.exported"
	ActUserRemoved     Act = "user.removed"
	ActUsersRead       Act = "users.read"
)

// Ways in which something is done.
const (
	viaHTTP   = "http"
	viaTool   = "command line"
	viaServer = "server" // by itself
)

// AuditEntry is a line of the audit trail. It holds no secret, and nothing that somebody typed who did not sign in.
type AuditEntry struct {
	Seq    int64
	At     time.Time
	Act    Act
	By     By
	Via    string // "http", "command line" or "server"
	UserID string // on whom, or clientKey of a client; "" when there is no such user
	Detail string
}

// audit adds a line to the audit trail, in the transaction of what it tells.
func (a *Authority) audit(tx *db.Tx, by By, act Act, userID, detail string) error {
	via := viaHTTP
	switch {
	case a.opts.Tool:
		via = viaTool
	case by == (By{}):
		via = viaServer
	}
	_, err := tx.Exec(sqlAuditInsert, a.opts.Now().UnixMilli(), string(act), FoldID(by.UserID), by.UserID, via, FoldID(userID), userID, by.Address, detail)
	return err
}

// AuditAct adds a line about an act of another service to the audit trail, in that service's transaction. The service names its acts.
func (a *Authority) AuditAct(tx *db.Tx, by By, act Act, userID, detail string) error {
	return a.audit(tx, by, act, userID, detail)
}

// look is a read by an admin, as the audit trail has it.
type look struct {
	by             By
	act            Act
	userID, detail string
}

// AuditLook adds a line about a read by an admin to the audit trail, before anything is shown. The same read within ten minutes needs no
// further line. A service other than identity names its acts.
func (a *Authority) AuditLook(ctx context.Context, by By, act Act, userID, detail string) error {
	one, now := look{by, act, FoldID(userID), detail}, a.opts.Now()
	if a.looks.Has(one, now) {
		return nil
	}
	err := a.db.Write(ctx, func(tx *db.Tx) error { return a.audit(tx, by, act, userID, detail) })
	if err == nil {
		a.looks.Add(one, now)
	}
	return err
}

// auditOther is audit for what is not worth a line when people do it to themselves.
func (a *Authority) auditOther(tx *db.Tx, by By, act Act, userID, detail string) error {
	if FoldID(by.UserID) == FoldID(userID) {
		return nil
	}
	return a.audit(tx, by, act, userID, detail)
}

// signInFailed adds a line about a sign-in that failed; u is the user it was for, if there is one. Of many in a row some are
// counted only, and told with the next one that is kept: guessing must not fill the disk.
func (a *Authority) signInFailed(ctx context.Context, u User, address string) {
	if _, ok := a.throttles.audit.take(FoldID(u.ID)); !ok {
		a.unrecorded.Add(1)
		return
	}
	detail := ""
	if n := a.unrecorded.Swap(0); n > 0 {
		detail = fmt.Sprintf("and %d earlier ones, by any caller, that have no line", n)
	}
	err := a.db.Write(ctx, func(tx *db.Tx) error { return a.audit(tx, By{Address: address}, ActSignInFailed, u.ID, detail) })
	if err != nil {
		a.opts.Logger.Warn("a failed sign-in is not in the audit trail", "error", err)
	}
}

// Audit returns up to size lines of the audit trail before a line, the newest first; before 0 is the end. With a user it
// returns those about that user and those of that user's acts.
func (a *Authority) Audit(ctx context.Context, userID string, before int64, size int) ([]AuditEntry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	q := a.db.Read(ctx)
	var rows db.Rows
	var err error
	if key := FoldID(userID); key != "" {
		rows, err = q.Query(sqlAuditOf, key, before, key, before, size)
	} else {
		rows, err = q.Query(sqlAuditPage, before, size)
	}
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row db.Row) (e AuditEntry, err error) {
		var at int64
		err = row.Scan(&e.Seq, &at, &e.Act, &e.By.UserID, &e.Via, &e.UserID, &e.By.Address, &e.Detail)
		e.At = timeOrZero(at)
		return e, err
	})
}
