package cli

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"edict/platform/auth"
)

type sessionCmd struct {
	List sessionListCmd `cmd:"" help:"List a user's sessions: id, kind, device, address, last use, expiry."`
	End  sessionEndCmd  `cmd:"" help:"End a session, or all sessions of a user."`
}

type sessionListCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string `arg:"" name:"name|id" help:"Name or id of the user."`
}

// Run lists the sessions, the one used last first.
func (c *sessionListCmd) Run(ctx context.Context, env *Env) error {
	return withUser(ctx, c.StoreConfig, env, c.User, func(a *auth.Authority, u auth.User) error {
		sessions, err := a.Sessions(ctx, u.ID)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tKIND\tDEVICE\tADDRESS\tUSED\tENDS")
		for _, s := range sessions {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.ID, s.Kind, orDash(s.DeviceID), orDash(s.Address), s.Seen.Format(time.RFC3339), s.Expires.Format(time.RFC3339))
		}
		return w.Flush()
	})
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

type sessionEndCmd struct {
	StoreConfig `embed:"" group:"server"`
	Session     string `arg:"" optional:"" help:"Id of the session."`
	User        string `placeholder:"NAME|ID" help:"End all sessions of this user instead."`
}

// Run ends sessions; a running server refuses their tokens within a second.
func (c *sessionEndCmd) Run(ctx context.Context, env *Env) error {
	if (c.Session == "") == (c.User == "") {
		return &UsageError{"give the id of a session, or --user to end all of a user"}
	}
	if c.User != "" {
		return withUser(ctx, c.StoreConfig, env, c.User, func(a *auth.Authority, u auth.User) error {
			return a.EndSessions(ctx, auth.By{}, u.ID, "")
		})
	}
	if err := checkData(c.StoreConfig); err != nil {
		return err
	}
	return withIdentity(ctx, c.StoreConfig, env, func(a *auth.Authority) error {
		return a.EndSession(ctx, auth.By{}, "", c.Session)
	})
}

type auditCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string `placeholder:"NAME|ID" help:"Only entries by or about this user. Ids of deleted users work too."`
	Size        int    `short:"n" default:"50" placeholder:"N" help:"Maximum number of entries, newest first."`
}

// Run shows the audit trail.
func (c *auditCmd) Run(ctx context.Context, env *Env) error {
	if c.Size < 1 {
		return &UsageError{"--size: must be one or more"}
	}
	if err := checkData(c.StoreConfig); err != nil {
		return err
	}
	return withIdentity(ctx, c.StoreConfig, env, func(a *auth.Authority) error {
		user := c.User
		if user != "" {
			if u, err := findUser(ctx, a, user); err == nil {
				user = u.ID
			}
		}
		entries, err := a.Audit(ctx, user, 0, c.Size)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "AT\tBY\tVIA\tACT\tUSER\tADDRESS\tDETAIL")
		for _, e := range entries {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.At.Format(time.RFC3339), orDash(e.By.UserID), e.Via, e.Act, orDash(e.UserID), orDash(e.By.Address), e.Detail)
		}
		return errors.Join(err, w.Flush())
	})
}
