package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"edict/platform/auth"
	"edict/platform/fault"
)

type userCmd struct {
	Create  userCreateCmd  `cmd:"" aliases:"add" help:"Create a user and print its id."`
	Delete  userDeleteCmd  `cmd:"" aliases:"remove" help:"Remove a user with all that is the user's."`
	Disable userDisableCmd `cmd:"" help:"End all that a user is signed in to, and let the user in no more."`
	Enable  userEnableCmd  `cmd:"" help:"Let a disabled user in again."`
	Export  userExportCmd  `cmd:"" help:"Write what is stored about a user to a zip archive of JSON."`
	List    userListCmd    `cmd:"" help:"List the users: id, name, kind, when created."`
	Passwd  userPasswdCmd  `cmd:"" help:"Set the password of a user, whose sessions end."`
	Reset   userResetCmd   `cmd:"" help:"Print a code with which a user can set a new password."`
}

type userCreateCmd struct {
	StoreConfig   `embed:"" group:"server"`
	Name          string `arg:"" help:"Name to sign in with; case does not matter."`
	ID            string `name:"id" placeholder:"ID" help:"Id of the user: letters, digits, _ . and -. Made when absent."`
	Admin         bool   `help:"Let the user do what owners may, everywhere."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input. Without it the user can use tokens only."`
}

// Run creates the user; it works beside a running server.
func (c *userCreateCmd) Run(ctx context.Context, env *Env) error {
	n := auth.NewUser{Name: c.Name, ID: c.ID, Admin: c.Admin}
	if c.PasswordStdin {
		var err error
		if n.Password, err = readPassword(env.Stdin); err != nil {
			return err
		}
	}
	if err := n.Check(); err != nil { // before a data directory is created
		return err
	}
	return withIdentity(ctx, c.StoreConfig, env, func(a *auth.Authority) error {
		u, err := a.CreateUser(ctx, n)
		if err == nil {
			_, err = fmt.Fprintln(env.Stdout, u.ID)
		}
		return err
	})
}

type userListCmd struct {
	StoreConfig `embed:"" group:"server"`
}

// Run lists the users in the order of their names.
func (c *userListCmd) Run(ctx context.Context, env *Env) error {
	if err := checkData(c.StoreConfig); err != nil {
		return err
	}
	return withIdentity(ctx, c.StoreConfig, env, func(a *auth.Authority) error {
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tNAME\tKIND\tCREATED")
		err := a.Users(ctx, func(u auth.User) bool {
			kind := "user"
			switch {
			case u.Disabled:
				kind = "disabled"
			case u.Admin:
				kind = "admin"
			case u.Issuer != "":
				kind = "of " + u.Issuer
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", u.ID, u.Name, kind, u.Created.Format(time.RFC3339))
			return true
		})
		return errors.Join(err, w.Flush())
	})
}

type userDeleteCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string `arg:"" name:"name|id" help:"Name or id of the user."`
	Content     bool   `help:"Also empty what the user published and sent."`
}

// Run ends the user's tokens at once; the server that runs, or the next one, removes the rest.
func (c *userDeleteCmd) Run(ctx context.Context, env *Env) error {
	return withUser(ctx, c.StoreConfig, env, c.User, func(a *auth.Authority, u auth.User) error {
		return a.MarkRemoved(ctx, auth.By{}, u.ID, c.Content)
	})
}

// readPassword reads the first line of standard input.
func readPassword(in io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", errors.New("there is no password on standard input")
	}
	return line, nil
}

// withUser calls fn with a user of the data directory, named by name or id.
func withUser(ctx context.Context, data StoreConfig, env *Env, who string, fn func(*auth.Authority, auth.User) error) error {
	if err := checkData(data); err != nil {
		return err
	}
	return withIdentity(ctx, data, env, func(a *auth.Authority) error {
		u, err := findUser(ctx, a, who)
		if err != nil {
			return err
		}
		return fn(a, u)
	})
}

// findUser returns the user whom a command line names, by name or by id. Users choose both, so a word that is the name of one
// and the id of another is refused: the wrong one could be removed, or get the token.
func findUser(ctx context.Context, a *auth.Authority, who string) (auth.User, error) {
	byID, noID := a.UserByID(ctx, who)
	byName, noName := a.UserByName(ctx, who)
	for _, err := range []error{noID, noName} {
		if err != nil && fault.KindOf(err) != fault.NotFound {
			return auth.User{}, err
		}
	}
	switch {
	case noID != nil && noName != nil:
		return auth.User{}, fmt.Errorf("there is no user with the name or the id %q; \"edict user list\" shows those there are", who)
	case noID != nil:
		return byName, nil
	case noName == nil && byName.ID != byID.ID:
		return auth.User{}, fmt.Errorf("%q is the name of one user, whose id is %s, and the id of another, whose name is %q: give that id or that name", who, byName.ID, byID.Name)
	}
	return byID, nil
}
