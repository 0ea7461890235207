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
	User        string        `required:"" placeholder:"NAME|ID" help:"Name or id of the token's user."`
	Device      string        `placeholder:"ID" help:"Device of the token. Without it, the token belongs to no device."`
	TTL         time.Duration `name:"ttl" default:"2h" placeholder:"TIME" help:"Lifetime of the token."`
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
