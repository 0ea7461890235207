package cli

import (
	"context"
	"fmt"
	"time"

	"edict/platform/auth"
)

type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Issue an access token and print it."`
}

type tokenCreateCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string        `required:"" placeholder:"NAME|ID" help:"Name or id of the user the token is for."`
	Device      string        `placeholder:"ID" help:"Device the token acts for; without it the token acts for the user as a whole."`
	TTL         time.Duration `name:"ttl" default:"2h" placeholder:"TIME" help:"How long the token is valid."`
}

// Run issues the token; it works beside a running server.
func (c *tokenCreateCmd) Run(ctx context.Context, env *Env) error {
	if c.TTL <= 0 {
		return &UsageError{"--ttl: must be more than nothing"}
	}
	return withUser(ctx, c.StoreConfig, env, c.User, func(a *auth.Authority, u auth.User) error {
		token, err := a.CreateToken(ctx, auth.By{}, auth.Grant{User: u, DeviceID: c.Device, TTL: c.TTL})
		if err == nil {
			_, err = fmt.Fprintln(env.Stdout, token)
		}
		return err
	})
}
