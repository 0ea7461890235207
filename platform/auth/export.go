package auth

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/web"
)

const (
	maxExports   = 4                // at a time, one of each user: each reads all there is
	exportWithin = 15 * time.Minute // of the slowest client
	// A client that makes the server wait for longer than exportPatience, and a second more for each exportRate bytes, is cut off.
	exportPatience = 30 * time.Second
	exportRate     = 16 << 10
)

// exports are the users whose data is being exported.
type exports struct {
	sync.Mutex
	users map[string]bool
}

// begin takes a place for a user. Without an error, end gives it back.
func (e *exports) begin(userID string) (end func(), err error) {
	e.Lock()
	defer e.Unlock()
	key := FoldID(userID)
	if e.users[key] || len(e.users) >= maxExports {
		busy := fault.New(fault.Unavailable, "other exports are under way; try again")
		if e.users[key] {
			busy = fault.New(fault.Unavailable, "an export of this user is under way; try again when it has ended")
		}
		busy.RetryAfter = 30
		return nil, busy
	}
	if e.users == nil {
		e.users = map[string]bool{}
	}
	e.users[key] = true
	return func() {
		e.Lock()
		defer e.Unlock()
		delete(e.users, key)
	}, nil
}

// paced writes to a client that has to read at exportRate. Only the time spent waiting for the client counts.
type paced struct {
	http.ResponseWriter
	now     func() time.Time
	written int
	waited  time.Duration
}

// Write implements io.Writer.
func (p *paced) Write(b []byte) (int, error) {
	begun := p.now()
	patience := exportPatience + time.Duration(p.written/exportRate)*time.Second - p.waited
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(begun.Add(patience)) // a connection without deadlines ends after exportWithin
	n, err := p.ResponseWriter.Write(b)
	p.written, p.waited = p.written+n, p.waited+p.now().Sub(begun)
	return n, err
}

func (a *Authority) exportRoutes() []web.Route {
	return []web.Route{{
		Method: http.MethodGet, Path: "/auth/users/{id}/export", Policy: selfOr, Handle: a.serveExport, Timeout: exportWithin,
		Doc: web.Doc{
			ID: "exportUser", Summary: "Export a user's data",
			Description: "A zip archive of JSON files: the profile, sessions, audit trail, channels, subscriptions, devices, published items, sent and received messages. " +
				"Nothing that others wrote in channels is in it. Only the user's own archive has watches and the messages about them.",
			Answers: []web.Answer{
				{Status: http.StatusOK, ContentType: "application/zip", Type: "", Example: "PK…"},
				{Status: http.StatusNotFound, Description: "there is no such user"},
				{Status: http.StatusTooManyRequests, Description: "too many exports of this user in the last minutes"},
				{Status: http.StatusServiceUnavailable, Description: "another export of this user, or too many exports, in progress"},
			},
		},
	}}
}

func (a *Authority) serveExport(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if _, err := self(r, id, "export other users"); err != nil {
		return err
	}
	u, err := a.UserByID(r.Context(), id)
	if err != nil {
		return err
	}
	end, err := a.exports.begin(u.ID)
	if err != nil {
		return err
	}
	defer end()
	if wait, ok := a.throttles.export.take(FoldID(u.ID)); !ok {
		return tooMany(wait)
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="`+u.ID+`.zip"`)
	if r.Method == http.MethodHead {
		return nil
	}
	if err := a.ExportBy(r.Context(), byOf(r), u, &paced{ResponseWriter: w, now: time.Now}); err != nil {
		a.opts.Logger.Warn("an export was cut short", "user", u.ID, "error", err)
		panic(http.ErrAbortHandler) // an archive that is not whole must not look so
	}
	return nil
}

// ExportBy writes what is stored about a user as a zip archive of JSON, piece by piece. Archives for others lack everything that only the user
// may see: [Keeper].
func (a *Authority) ExportBy(ctx context.Context, by By, u User, w io.Writer) error {
	err := a.db.Write(ctx, func(tx *db.Tx) error { return a.audit(tx, by, ActUserExported, u.ID, "") })
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	add := func(name string) (io.Writer, error) {
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.opts.Now()})
	}
	if err := a.exportIdentity(ctx, u, add); err != nil {
		return err
	}
	if keeper := a.keeper(); keeper != nil {
		if err := keeper.Export(ctx, u.ID, FoldID(by.UserID) == FoldID(u.ID), add); err != nil {
			return err
		}
	}
	return z.Close()
}

// accountBody is a user as the user's own archive has it.
type accountBody struct {
	profileBody
	Admin      bool    `json:"admin"`
	Disabled   bool    `json:"disabled"`
	Issuer     string  `json:"issuer,omitempty"`
	Subject    string  `json:"subject,omitempty"`
	CreatedAt  *string `json:"createdAt"`
	LastSeenAt *string `json:"lastSeenAt"`
}

func (a *Authority) exportIdentity(ctx context.Context, u User, add func(string) (io.Writer, error)) error {
	sessions, err := a.Sessions(ctx, u.ID)
	if err != nil {
		return err
	}
	listed := make([]sessionBody, 0, len(sessions))
	for _, s := range sessions {
		listed = append(listed, sessionOn(s, ""))
	}
	account := accountBody{
		profileBody: profileBody{u.ID, u.Name, u.DisplayName, u.AvatarURL}, Admin: u.Admin, Disabled: u.Disabled,
		Issuer: u.Issuer, Subject: u.Subject, CreatedAt: stamp(u.Created), LastSeenAt: stamp(u.Seen),
	}
	for _, file := range []struct {
		name string
		what any
	}{{"profile.json", account}, {"sessions.json", listed}} {
		w, err := add(file.name)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(w).Encode(file.what); err != nil {
			return err
		}
	}
	w, err := add("audit.json")
	if err != nil {
		return err
	}
	return a.exportAudit(ctx, u, w)
}

// exportAudit writes the lines about a user, the newest first, page by page. Those of the user's acts on others are not
// about the user.
func (a *Authority) exportAudit(ctx context.Context, u User, w io.Writer) error {
	begin := "["
	for before := int64(0); ; {
		entries, err := a.Audit(ctx, u.ID, before, maxPage)
		if err != nil {
			return err
		}
		for _, e := range entries {
			before = e.Seq
			if FoldID(e.UserID) != FoldID(u.ID) {
				continue
			}
			text, err := json.Marshal(auditEntryOf(e))
			if err != nil {
				return err
			}
			if _, err := w.Write(append([]byte(begin+"\n"), text...)); err != nil {
				return err
			}
			begin = ","
		}
		if len(entries) < maxPage {
			break
		}
	}
	if begin == "[" {
		_, err := io.WriteString(w, "[]\n")
		return err
	}
	_, err := io.WriteString(w, "\n]\n")
	return err
}
