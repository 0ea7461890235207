package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"edict/platform/auth"
)

type clientCmd struct {
	Create clientCreateCmd `cmd:"" aliases:"add" help:"Register a client and print its id and secret as JSON."`
	Delete clientDeleteCmd `cmd:"" aliases:"remove" help:"Delete a client and revoke all its tokens."`
	List   clientListCmd   `cmd:"" help:"List clients: id, name, kind, scopes, redirect URIs, registration time."`
}

type clientCreateCmd struct {
	StoreConfig `embed:"" group:"server"`
	Name        string   `arg:"" help:"Name shown on the login page. It is also the id if it consists of letters, digits, _ . and -."`
	Redirect    []string `sep:"none" placeholder:"URI" help:"Exact redirect URI: https://…, com.example.app:/…, or http://127.0.0.1, where any port matches. Repeatable."`
	Secret      bool     `help:"Create a secret and print it once, for backends. Without it the client is public, such as a browser or phone application."`
	Scope       []string `placeholder:"SCOPE" help:"Right of a client with a secret: mint issues tokens of users, reset issues password reset codes. Neither works on admins. Repeatable."`
}

// Run registers the client; it works beside a running server.
func (c *clientCreateCmd) Run(ctx context.Context, env *Env) error {
	wanted := auth.NewClient{Name: c.Name, Redirects: c.Redirect, Scopes: c.Scope, Secret: c.Secret}
	if err := wanted.Check(); err != nil { // before a data directory is created
		return err
	}
	return withIdentity(ctx, c.StoreConfig, env, func(a *auth.Authority) error {
		added, secret, err := a.AddClient(ctx, wanted)
		if err != nil {
			return err
		}
		return json.NewEncoder(env.Stdout).Encode(struct {
			ID     string `json:"clientId"`
			Secret string `json:"clientSecret,omitempty"`
		}{added.ID, secret})
	})
}

type clientListCmd struct {
	StoreConfig `embed:"" group:"server"`
}

// Run lists the clients in the order of their names.
func (c *clientListCmd) Run(ctx context.Context, env *Env) error {
	if err := checkData(c.StoreConfig); err != nil {
		return err
	}
	return withIdentity(ctx, c.StoreConfig, env, func(a *auth.Authority) error {
		clients, err := a.Clients(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tNAME\tKIND\tSCOPES\tREDIRECTS\tREGISTERED")
		for _, c := range clients {
			kind := "public"
			if c.Confidential() {
				kind = "confidential"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, c.Name, kind, orDash(strings.Join(c.Scopes, " ")), orDash(strings.Join(c.Redirects, " ")), c.Created.Format(time.RFC3339))
		}
		return w.Flush()
	})
}

type clientDeleteCmd struct {
	StoreConfig `embed:"" group:"server"`
	Client      string `arg:"" name:"name|id" help:"Name or id of the client."`
}

// Run removes the client; a running server refuses its tokens within a second.
func (c *clientDeleteCmd) Run(ctx context.Context, env *Env) error {
	if err := checkData(c.StoreConfig); err != nil {
		return err
	}
	return withIdentity(ctx, c.StoreConfig, env, func(a *auth.Authority) error {
		return a.RemoveClient(ctx, auth.By{}, c.Client)
	})
}
