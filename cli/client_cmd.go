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
	Create clientCreateCmd `cmd:"" aliases:"add" help:"Register a client and print its id, and its secret if it has one, as JSON."`
	Delete clientDeleteCmd `cmd:"" aliases:"remove" help:"Remove a client. What it got, for itself and for users, stops working."`
	List   clientListCmd   `cmd:"" help:"List the clients: id, name, kind, scopes, redirect URIs, when registered."`
}

type clientCreateCmd struct {
	StoreConfig `embed:"" group:"server"`
	Name        string   `arg:"" help:"What users read on the login page. It is the id too, if it has letters, digits, _ . and - alone."`
	Redirect    []string `sep:"none" placeholder:"URI" help:"Where users may come back to from the login page, letter by letter: https://…, com.example.app:/…, or http:// on the user's machine, where the port of 127.0.0.1 may be another one. May be repeated."`
	Secret      bool     `help:"Give the client a secret, which is printed once: for backends. Without it the client is public: an application in a browser or on a phone."`
	Scope       []string `placeholder:"SCOPE" help:"What a client with a secret may do for itself: mint, get tokens of users; reset, get codes with which users set new passwords. Neither for admins. May be repeated."`
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
