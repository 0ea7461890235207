package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/names"
)

// Client is an application that gets tokens: one that users sign in to at the login page, or a backend. A confidential one
// has a secret; a public one, in a browser or on a phone, could not keep it.
type Client struct {
	ID        string
	Name      string   // what people read on the login page
	Redirects []string // URIs that users may be sent back to; none: nobody signs in to it
	Scopes    []string // what it may do for itself: ScopeMint, ScopeReset
	Created   time.Time

	secret []byte // SHA-256; nil: public
}

// Scopes of clients, for what they do for themselves. Neither works on admins.
const (
	ScopeMint  = "mint"  // get tokens of users
	ScopeReset = "reset" // get codes with which users set new passwords
)

var clientScopes = []string{ScopeMint, ScopeReset}

// Confidential reports whether the client has a secret.
func (c *Client) Confidential() bool { return c.secret != nil }

const (
	maxClients   = 1000
	maxRedirects = 20
)

// secretPrefix tells people and secret scanners what the secret of a client is.
const secretPrefix = "edict_cs_"

const secretSize = 32 // random bytes

// clientMark begins the key of a client among those of users, whose ids have no such character.
const clientMark = "@"

// clientKey is what stands for a client where a user's id is meant: in revocations and in the audit trail.
func clientKey(id string) string { return clientMark + FoldID(id) }

// isClient reports whether an id in place of a user's stands for a client.
func isClient(id string) bool { return strings.HasPrefix(id, clientMark) }

// NewClient is what AddClient needs.
type NewClient struct {
	Name      string
	Redirects []string
	Scopes    []string
	Secret    bool // confidential
	By        By
}

// check returns the client that is asked for, or what is wrong with it.
func (n *NewClient) check() (c Client, err error) {
	if c.Name, err = names.User(n.Name); err != nil {
		return c, fault.New(fault.Invalid, "the name of the client: %s", err)
	}
	switch {
	case len(n.Redirects) > maxRedirects:
		return c, fault.New(fault.Invalid, "there are %d redirect URIs: a client has at most %d", len(n.Redirects), maxRedirects)
	case !n.Secret && len(n.Redirects) == 0:
		return c, fault.New(fault.Invalid, "a client needs a redirect URI, for users to come back from the login page, or a secret, to act for itself")
	case !n.Secret && len(n.Scopes) > 0:
		return c, fault.New(fault.Invalid, "the scope %.40q is for clients with a secret", n.Scopes[0])
	}
	for _, uri := range n.Redirects {
		if err := checkRedirect(uri); err != nil {
			return c, err
		}
		if !slices.Contains(c.Redirects, uri) {
			c.Redirects = append(c.Redirects, uri)
		}
	}
	for _, scope := range n.Scopes {
		if !slices.Contains(clientScopes, scope) {
			return c, fault.New(fault.Invalid, "there is no scope %.40q for clients: there are %s", scope, strings.Join(clientScopes, " and "))
		}
	}
	for _, scope := range clientScopes { // in this order, each once
		if slices.Contains(n.Scopes, scope) {
			c.Scopes = append(c.Scopes, scope)
		}
	}
	return c, nil
}

// AddClient registers a client and returns it with its secret, "" for a public one, which is not to be had again. The id is the
// name if it has the form of an id, else it is made. A name that is taken is a fault of kind Conflict.
func (a *Authority) AddClient(ctx context.Context, n NewClient) (c Client, secret string, err error) {
	if c, err = n.check(); err != nil {
		return c, "", err
	}
	if c.ID = c.Name; !names.IsID(c.ID) {
		if c.ID, err = a.randomID(16); err != nil {
			return c, "", err
		}
	}
	if n.Secret {
		raw := make([]byte, secretSize)
		if _, err := io.ReadFull(a.opts.Random, raw); err != nil {
			return c, "", err
		}
		secret = secretPrefix + base64.RawURLEncoding.EncodeToString(raw)
		hash := sha256.Sum256([]byte(secret))
		c.secret = hash[:]
	}
	err = a.db.Write(ctx, func(tx *db.Tx) error {
		c.Created = a.opts.Now().Truncate(time.Millisecond)
		if err := insertClient(tx, c); err != nil {
			return err
		}
		return a.audit(tx, n.By, ActClientAdded, clientKey(c.ID), strings.Join(c.Scopes, " "))
	})
	return c, secret, err
}

func insertClient(tx *db.Tx, c Client) error {
	var taken bool
	var count int
	nameKey := names.UserKey(c.Name)
	if err := tx.QueryRow(sqlClientTaken, c.ID, nameKey, FoldID(c.ID), nameKey).Scan(&taken); err != nil {
		return err
	}
	if err := tx.QueryRow(sqlClientCount).Scan(&count); err != nil {
		return err
	}
	switch {
	case taken:
		return fault.New(fault.Conflict, "there is a client %q already; choose another name, or remove it first", c.Name)
	case count >= maxClients:
		return fault.New(fault.Conflict, "there are %d clients, and no more can be had: remove one first", count)
	}
	var secret any
	if c.Confidential() {
		secret = c.secret
	}
	_, err := tx.Exec(sqlClientInsert, c.ID, nameKey, c.Name, secret, strings.Join(c.Scopes, " "), strings.Join(c.Redirects, "\n"), c.Created.UnixMilli())
	return err
}

func scanClient(row db.Row) (c Client, err error) {
	var scope, redirects string
	var created int64
	err = row.Scan(&c.ID, &c.Name, &c.secret, &scope, &redirects, &created)
	c.Scopes, c.Redirects, c.Created = scopeWords(scope), strings.Fields(redirects), timeOrZero(created)
	return c, err
}

// Clients returns all clients in the order of names.
func (a *Authority) Clients(ctx context.Context) ([]Client, error) {
	rows, err := a.db.Read(ctx).Query(sqlClientAll)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanClient)
}

// errNoClient is what callers are told that name no client, or have no right secret: not which.
var errNoClient = worded("invalid_client", fault.Unauthenticated, "there is no such client, or its secret is wrong")

// clientByID returns a client; one that does not exist is errNoClient.
func (a *Authority) clientByID(ctx context.Context, id string) (Client, error) {
	c, err := scanClient(a.db.Read(ctx).QueryRow(sqlClientRead, id))
	if errors.Is(err, sql.ErrNoRows) {
		return c, errNoClient
	}
	return c, err
}

// stillThere refuses a client that was removed since the caller looked: what it gets now no revocation would reach.
func stillThere(tx *db.Tx, c Client) error {
	now, err := scanClient(tx.QueryRow(sqlClientRead, c.ID))
	if errors.Is(err, sql.ErrNoRows) || err == nil && !now.Created.Equal(c.Created) {
		return errNoClient
	}
	return err
}

// hasSecret compares the secret of a client.
func (c *Client) hasSecret(secret string) bool {
	hash := sha256.Sum256([]byte(secret))
	return c.Confidential() && subtle.ConstantTimeCompare(hash[:], c.secret) == 1
}

// RemoveClient removes a client, by id or name: its own tokens and those that it got for users are of no use from the moment it is
// committed, and their sessions end. One that is not there is a fault of kind NotFound.
func (a *Authority) RemoveClient(ctx context.Context, by By, who string) error {
	var c Client
	var done Revocation
	err := a.db.Write(ctx, func(tx *db.Tx) (err error) {
		c, err = scanClient(tx.QueryRow(sqlClientFind, who, names.UserKey(who), foldText(who)))
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.NotFound, "there is no client with the name or the id %.80q; \"edict client list\" shows those there are", who)
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(sqlClientDelete, c.ID); err != nil {
			return err
		}
		done = userRevocation(clientKey(c.ID), "", a.opts.Now())
		return errors.Join(insertRevocation(tx, done), a.audit(tx, by, ActClientRemoved, clientKey(c.ID), ""))
	})
	if err != nil {
		return err
	}
	a.enforce(done)
	return a.deleteClientSessions(ctx, c.ID)
}

// deleteClientSessions removes the sessions of a client that is gone, a few at a time. What a crash leaves of them cannot be
// used, and expires.
func (a *Authority) deleteClientSessions(ctx context.Context, id string) error {
	const step = 500
	for left := step; left == step; {
		err := a.db.Write(ctx, func(tx *db.Tx) error {
			rows, err := tx.Query(sqlClientSessions, id, step)
			if err != nil {
				return err
			}
			ids, err := collect(rows, func(row db.Row) (id string, err error) {
				err = row.Scan(&id)
				return id, err
			})
			left = len(ids)
			for _, id := range ids {
				err = errors.Join(err, deleteSession(tx, id))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
