// Package auth is identity: users, their passwords and tokens, the clients that get them, and the issuers whose tokens are accepted.
//
// An [Authority] turns a bearer token into a [web.Caller]. Tokens are signed JWTs of a fixed list of
// issuers: the built-in one, whose Ed25519 key lives in the database, and external OpenID Connect
// issuers. A token that was verified is remembered until it expires or is revoked, so that a request
// costs a hash and a look-up, not a signature and a query. The Authority also serves the routes below
// /auth and /.well-known, the login page among them, and does the work of "edict user", "edict client" and "edict token".
//
// Invariants: nothing of a token is believed before its signature holds under a key of the issuer it
// names; a revocation written by any process is in force here within a second, and one by another server on the same PostgreSQL for
// everybody who comes after it; a password is never
// compared without hashing one, whether the user exists or not; no secret is logged.
package auth

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"edict/platform/cores"
	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/recent"
)

//go:embed schema
var schema embed.FS

// Schema is the tables of this package.
func Schema() db.Migrations { return db.Migrations{Component: "auth", Files: schema} }

// Registration says who may create users over HTTP.
type Registration string

// The two ways.
const (
	RegistrationAdmin Registration = "admin" // admins only
	RegistrationOpen  Registration = "open"  // anybody
)

// Options configures an Authority. The zero value is a server with the built-in issuer alone.
type Options struct {
	Issuer       string        // "iss" of our tokens: the public URL of the server, if it has one; default "edict", for a tool the server's
	Audience     string        // "aud" of our tokens; default "edict"
	AccessTTL    time.Duration // of access tokens; default 7200 s
	RefreshTTL   time.Duration // of refresh tokens; default 30 days
	Registration Registration  // default RegistrationAdmin
	External     []Issuer      // whose tokens are accepted besides ours

	NoPasswordGrant bool // passwords are typed at the login page alone

	Tool        bool          // a command beside a server: no background work
	CacheTokens int           // how many verified tokens to remember; default 100 000
	MaxHashes   int           // passwords of strangers hashed at a time, 19 MiB each, and as many of users from where they signed in before; default half the cores
	AuditFor    time.Duration // how long the audit trail is kept; default 365 days
	MaxSessions int           // sessions of one user, the one longest out of use ends when there is one more; default 100

	Rate float64 // requests per second of one address to the routes that need no token; default 20, negative: no limit

	Client *http.Client     // to reach external issuers; default has a timeout of 10 s
	Logger *slog.Logger     // default slog.Default
	Now    func() time.Time // default time.Now
	Random io.Reader        // default crypto/rand
}

func (o Options) withDefaults() Options {
	o.Audience = cmp.Or(o.Audience, "edict")
	o.AccessTTL = cmp.Or(o.AccessTTL, 7200*time.Second)
	o.RefreshTTL = cmp.Or(o.RefreshTTL, 30*24*time.Hour)
	o.Registration = cmp.Or(o.Registration, RegistrationAdmin)
	o.CacheTokens = cmp.Or(o.CacheTokens, 100_000)
	o.MaxHashes = cmp.Or(o.MaxHashes, max(1, cores.Count()/2))
	o.MaxSessions = cmp.Or(o.MaxSessions, 100)
	o.AuditFor = cmp.Or(o.AuditFor, 365*24*time.Hour)
	o.Rate = cmp.Or(o.Rate, 20)
	if o.Client == nil {
		o.Client = &http.Client{Timeout: 10 * time.Second}
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return o
}

// Authority is who decides who a caller is. Its methods may be called from any goroutine.
type Authority struct {
	opts      Options
	db        *db.DB
	keys      *keyring
	passwords *hasher
	issuers   map[string]*issuer // external ones by their "iss"
	tokens    *tokenCache
	revoked   *revocations
	throttles throttles
	page      *loginPage

	unrecorded atomic.Int64 // failed sign-ins that have no line in the audit trail
	exports    exports      // those under way
	looks      recent.Set[look]
	behind     atomic.Bool  // what other servers revoked may be in the database alone
	seenUpTo   atomic.Int64 // until when it is stored who was seen, Unix milliseconds

	hooks struct {
		sync.Mutex
		keeper Keeper
		revoke []func(Revocation)
	}
	removing sync.Mutex // one removal at a time

	stop context.CancelFunc // of the background work
	work sync.WaitGroup
}

// New returns an Authority on a database that has this package's schema, and makes the signing key if
// there is none. Close ends it; the database stays open.
func New(ctx context.Context, d *db.DB, opts Options) (*Authority, error) {
	opts = opts.withDefaults()
	a := &Authority{
		opts: opts, db: d,
		passwords: newHasher(opts.MaxHashes, opts.Random),
		tokens:    newTokenCache(opts.CacheTokens),
		revoked:   newRevocations(),
		throttles: newThrottles(opts.Rate, func() int { return len(d.Nodes()) }, opts.Now),
	}
	if err := a.agreeOnIssuer(ctx); err != nil {
		return nil, err
	}
	if err := a.rekeyNames(ctx); err != nil {
		return nil, err
	}
	var err error
	if a.page, err = newLoginPage(); err != nil {
		return nil, err
	}
	if a.issuers, err = newIssuers(a.opts); err != nil {
		return nil, err
	}
	if a.keys, err = loadKeys(ctx, d, opts); err != nil {
		return nil, err
	}
	a.follow()
	if err := a.poll(ctx); err != nil {
		return nil, err
	}
	a.start()
	return a, nil
}

// agreeOnIssuer leaves the name of the issuer for tools, which must sign under the same.
func (a *Authority) agreeOnIssuer(ctx context.Context) error {
	const setting = "issuer"
	var stored string
	err := a.db.Read(ctx).QueryRow(sqlSetting, setting).Scan(&stored)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if a.opts.Tool {
		a.opts.Issuer = cmp.Or(a.opts.Issuer, stored, "edict")
		return nil
	}
	a.opts.Issuer = cmp.Or(a.opts.Issuer, "edict")
	if a.opts.Issuer == stored {
		return nil
	}
	return a.db.Write(ctx, func(tx *db.Tx) error {
		if tx.Tells() && stored != "" {
			return fault.New(fault.Conflict, "the other servers on this database issue tokens as %q, and this one would as %q; give all the same --public-url", stored, a.opts.Issuer)
		}
		_, err := tx.Exec(sqlSettingSet, setting, a.opts.Issuer)
		return err
	})
}

// Close stops the background work and waits for it.
func (a *Authority) Close() {
	a.stop()
	a.work.Wait()
	if a.opts.Tool {
		return
	}
	if err := a.storeSeen(context.Background()); err != nil {
		a.opts.Logger.Warn("cannot store last-seen times", "error", err)
	}
}

// OnRevoke has fn called for every revocation, by whichever process, once it is in force here: whoever
// keeps a connection of a caller it covers ends it. fn must not block.
func (a *Authority) OnRevoke(fn func(Revocation)) {
	a.hooks.Lock()
	defer a.hooks.Unlock()
	a.hooks.revoke = append(a.hooks.revoke, fn)
}

const (
	// pollInterval is how often a server looks for what other processes revoked or removed.
	pollInterval = 250 * time.Millisecond
	// sweepInterval is how often what has expired is deleted.
	sweepInterval = time.Minute
)

// start begins the background work of a server. Each part has its goroutine: a removal may take long,
// and a revocation must not wait for it.
func (a *Authority) start() {
	var ctx context.Context
	ctx, a.stop = context.WithCancel(context.Background())
	if a.opts.Tool {
		return
	}
	a.work.Go(func() { a.every(ctx, pollInterval, a.poll) })
	a.work.Go(func() { a.every(ctx, pollInterval, a.eldest(a.finishRemovals)) })
	a.work.Go(func() { a.every(ctx, sweepInterval, a.forget) })
	a.work.Go(func() { a.every(ctx, seenStore, a.storeSeen) })
}

// every calls fn each interval until ctx ends. After a failure it leaves three calls out.
func (a *Authority) every(ctx context.Context, interval time.Duration, fn func(context.Context) error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for skip := 0; ; skip-- {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if skip > 0 {
			continue
		}
		if err := fn(ctx); err != nil && ctx.Err() == nil {
			a.opts.Logger.Warn("identity: background work failed; it will be tried again", "error", err)
			skip = 4
		}
	}
}

// eldest has something be done by one of several servers. That two do it for a moment does no harm.
func (a *Authority) eldest(fn func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if !a.db.Eldest() {
			return nil
		}
		return fn(ctx)
	}
}

// forget forgets what has expired, in memory and, as one of several servers does, in the database.
func (a *Authority) forget(ctx context.Context) error {
	now := a.opts.Now()
	a.tokens.sweep(now)
	a.revoked.sweep(now)
	return a.eldest(a.sweep)(ctx)
}

// sweep deletes what has expired, a little at a time.
func (a *Authority) sweep(ctx context.Context) error {
	now := a.opts.Now()
	const step = 500
	for _, old := range []struct {
		statement string
		before    time.Time
	}{
		{sqlRefreshExpired, now}, {sqlSessionExpired, now}, {sqlRevokedExpired, now}, {sqlResetExpired, now}, {sqlCodeExpired, now}, {sqlAuditExpired, now.Add(-a.opts.AuditFor)},
	} {
		for {
			var gone int64
			err := a.db.Write(ctx, func(tx *db.Tx) error {
				result, err := tx.Exec(old.statement, old.before.UnixMilli(), step)
				if err == nil {
					gone, err = result.RowsAffected()
				}
				return err
			})
			if err != nil {
				return err
			}
			if gone < step {
				break
			}
		}
	}
	return nil
}

// randomID returns n random bytes in hexadecimal.
func (a *Authority) randomID(n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(a.opts.Random, b); err != nil {
		return "", err
	}
	return hex.EncodeToString(b), nil
}
