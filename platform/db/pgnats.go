package db

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"edict/platform/fault"
)

// natsBus is NATS: hints go by it once a transaction is committed. The subject belongs to one schema of one database, whichever server has it: several
// clusters may share a NATS.
type natsBus struct {
	conn    *nats.Conn
	subject string
	due     chan struct{} // a hint is to be sent; one stands for all that nobody sent yet
	log     *slog.Logger
}

const selectSubject = "SELECT 'edict.' || md5(system_identifier || ' ' || current_database() || ' ' || current_schema()) FROM pg_control_system()"

// parseNATS reads the addresses of a NATS, with commas in between. No message shows them: they may hold a password.
func parseNATS(which string) (addresses []string, err error) {
	for one := range strings.SplitSeq(which, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" {
			return nil, fault.New(fault.Invalid, "the bus is neither %s nor a list of NATS addresses; write nats://USER:PASSWORD@HOST:PORT, or tls://… with encryption, separated by commas", PostgresBus)
		}
		addresses = append(addresses, u.String())
	}
	return addresses, nil
}

// openNATS connects. A NATS that cannot be reached is tried again for as long as the server runs; one that refuses the server ends the start.
func openNATS(which, subject string, log *slog.Logger) (bus, error) {
	addresses, err := parseNATS(which)
	if err != nil {
		return nil, err
	}
	b := &natsBus{subject: subject, due: make(chan struct{}, 1), log: log}
	options := []nats.Option{
		nats.Name("edict"), nats.NoEcho(), nats.Timeout(2 * time.Second), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1), // a hint that is late is of no use
		nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(2), nats.FlusherTimeout(2 * time.Second),
		nats.ErrorHandler(b.complain),
	}
	servers := strings.Join(addresses, ",")
	if b.conn, err = nats.Connect(servers, options...); err == nil {
		return b, nil
	}
	if refused(err) {
		return nil, fault.Wrap(err, fault.Invalid, "the bus refused the connection (%s); check the user, the password and the certificate of --bus", err)
	}
	log.Warn("the bus cannot be reached; it is tried again until it can", "bus", b.name(), "error", err)
	b.conn, err = nats.Connect(servers, append(options, nats.RetryOnFailedConnect(true))...)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "the bus cannot be used: %s", err)
	}
	return b, nil
}

// refused reports whether waiting cannot make a connection succeed.
func refused(err error) bool {
	for _, of := range []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrSecureConnRequired, nats.ErrSecureConnWanted} {
		if errors.Is(err, of) {
			return true
		}
	}
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	return certificate
}

func (b *natsBus) name() string { return "nats" }

func (b *natsBus) complain(_ *nats.Conn, _ *nats.Subscription, err error) {
	b.log.Warn("the bus complains", "bus", b.name(), "subject", b.subject, "error", err)
}

func (b *natsBus) join(context.Context, *pgWriter) error { return nil }

func (b *natsBus) committed() {
	select {
	case b.due <- struct{}{}:
	default: // one is about to be sent
	}
}

func (b *natsBus) close() { b.conn.Close() }

func (b *natsBus) listen(ctx context.Context, wake func(), hears func(bool)) {
	changed := b.conn.StatusChanged()
	if _, err := b.conn.Subscribe(b.subject, func(*nats.Msg) { wake() }); err != nil {
		b.log.Warn("the bus cannot be listened to", "bus", b.name(), "subject", b.subject, "error", err)
		return
	}
	for {
		hears(b.conn.IsConnected())
		select {
		case <-ctx.Done():
			return
		case <-changed:
			wake()
		case <-b.due:
			_ = b.conn.Publish(b.subject, nil) // without a connection there is nobody to tell, and hears says so
		}
	}
}
