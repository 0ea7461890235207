package cli

import (
	"context"
	"errors"
	"os"

	"edict/messaging"
	"edict/messaging/msgapi"
	"edict/messaging/sqlstore"
	"edict/platform/auth"
	"edict/platform/db"
)

type userDisableCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string `arg:"" name:"name|id" help:"Name or id of the user."`
}

// Run disables the user; it works beside a running server.
func (c *userDisableCmd) Run(ctx context.Context, env *Env) error {
	return setDisabled(ctx, c.StoreConfig, env, c.User, true)
}

type userEnableCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string `arg:"" name:"name|id" help:"Name or id of the user."`
}

// Run enables the user; it works beside a running server.
func (c *userEnableCmd) Run(ctx context.Context, env *Env) error {
	return setDisabled(ctx, c.StoreConfig, env, c.User, false)
}

func setDisabled(ctx context.Context, data StoreConfig, env *Env, who string, disabled bool) error {
	return withUser(ctx, data, env, who, func(a *auth.Authority, u auth.User) error {
		_, err := a.UpdateUser(ctx, auth.By{}, u.ID, auth.Change{Disabled: &disabled})
		return err
	})
}

type userExportCmd struct {
	StoreConfig `embed:"" group:"server"`
	User        string `arg:"" name:"name|id" help:"Name or id of the user."`
	File        string `arg:"" help:"File to create, readable only by its owner. It must not exist."`
}

// Run writes the archive; it works beside a running server. One that is not whole is removed.
func (c *userExportCmd) Run(ctx context.Context, env *Env) error {
	return withStore(ctx, c.StoreConfig, env, func(a *auth.Authority, store *db.DB) (err error) {
		u, err := findUser(ctx, a, c.User)
		if err != nil {
			return err
		}
		kept, err := sqlstore.Open(ctx, store, sqlstore.Options{Now: env.Now})
		if err != nil {
			return err
		}
		service := messaging.New(messaging.Config{Store: kept, Users: userDirectory{a}, Now: env.Now})
		a.Keep(userKeeper{service: service, api: msgapi.New(msgapi.Options{Service: service, Now: env.Now}), store: store})
		file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(a.ExportBy(ctx, auth.By{}, u, file), file.Close()); err != nil {
			return errors.Join(err, os.Remove(c.File))
		}
		return nil
	})
}
