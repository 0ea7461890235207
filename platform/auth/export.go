package auth

import (
	"archive/zip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/web"
)

const (
	maxExports   = 2                // at a time: each reads all there is
	exportWithin = 15 * time.Minute // of the slowest client
)

func (a *Authority) exportRoutes() []web.Route {
	return []web.Route{{
		Method: http.MethodGet, Path: "/auth/users/{id}/export", Policy: selfOr, Handle: a.serveExport, Timeout: exportWithin,
		Doc: web.Doc{
			ID: "exportUser", Summary: "Export what is stored about a user",
			Description: "A zip archive of JSON files: the profile, sessions, audit trail, channels, subscriptions, devices, published items, sent and received messages. " +
				"Nothing that others wrote in channels is in it.",
			Answers: []web.Answer{
				{Status: http.StatusOK, ContentType: "application/zip", Type: "", Example: "PK…"},
				{Status: http.StatusNotFound, Description: "there is no such user"},
				{Status: http.StatusTooManyRequests, Description: "the user was exported a few times in the last minutes"},
				{Status: http.StatusServiceUnavailable, Description: "other exports are under way"},
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
	if wait, ok := a.throttles.export.take(FoldID(u.ID)); !ok {
		return tooMany(wait)
	}
	select {
	case a.exports <- struct{}{}:
		defer func() { <-a.exports }()
	default:
		e := fault.New(fault.Unavailable, "other exports are under way; try again")
		e.RetryAfter = 30
		return e
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="`+u.ID+`.zip"`)
	if r.Method == http.MethodHead {
		return nil
	}
	if err := a.ExportBy(r.Context(), byOf(r), u, w); err != nil {
		a.opts.Logger.Warn("an export was cut short", "user", u.ID, "error", err)
		panic(http.ErrAbortHandler) // an archive that is not whole must not look so
	}
	return nil
}

// ExportBy writes what is stored about a user as a zip archive of JSON, piece by piece.
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
		if err := keeper.Export(ctx, u.ID, add); err != nil {
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
