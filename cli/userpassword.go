package cli

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/term"

	"edict/platform/auth"
)

type userPasswdCmd struct {
	StoreConfig   `embed:"" group:"server"`
	User          string `arg:"" name:"name|id" help:"Name or id of the user."`
	PasswordStdin bool   `help:"Read the new password from the first line of standard input instead of the terminal."`
}

// Run sets the password and ends the user's sessions; it works beside a running server.
func (c *userPasswdCmd) Run(ctx context.Context, env *Env) error {
	return withUser(ctx, c.StoreConfig, env, c.User, func(a *auth.Authority, u auth.User) error {
		read := askPassword
		if c.PasswordStdin {
			read = func(env *Env) (string, error) { return readPassword(env.Stdin) }
		}
		password, err := read(env)
		if err != nil {
			return err
		}
		return a.SetPassword(ctx, auth.By{}, u.ID, password)
	})
}

// askPassword asks for a new password on the terminal, twice, without showing it.
func askPassword(env *Env) (string, error) {
	in, ok := env.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", &UsageError{"--password-stdin: standard input is no terminal; give the password there with this flag"}
	}
	var typed [2]string
	for i, question := range []string{"New password: ", "Once more: "} {
		fmt.Fprint(env.Stderr, question)
		password, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(env.Stderr)
		if err != nil {
			return "", err
		}
		typed[i] = string(password)
	}
	if typed[0] != typed[1] {
		return "", fmt.Errorf("the two passwords differ; nothing was changed")
	}
	return typed[0], nil
}

type userResetCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string `arg:"" name:"name|id" help:"Name or id of the user."`
}

// Run prints a code for POST /auth/reset, alone.
func (c *userResetCmd) Run(ctx context.Context, env *Env) error {
	return withUser(ctx, c.StoreConfig, env, c.User, func(a *auth.Authority, u auth.User) error {
		code, expires, err := a.IssueReset(ctx, auth.By{}, u.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.Stderr, "good until %s, once\n", expires.UTC().Format("2006-01-02 15:04:05 MST"))
		_, err = fmt.Fprintln(env.Stdout, code)
		return err
	})
}
