package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"edict/platform/fault"
)

// What PostgreSQL is told to do must not lose what was acknowledged. A setting that would is refused and not overridden: whoever runs the
// database decides.

// leastVersion is the oldest PostgreSQL, as server_version_num.
const leastVersion = 140000

// maxClockOff is how far apart the clocks may be.
const maxClockOff = 2 * time.Second

// pgState is what is asked of a server.
type pgState struct {
	version               int64
	fsync, pages, commits string
	encoding, standbys    string
	recovery              bool
	now                   int64 // milliseconds
	pid, synced           int64
}

const selectState = `SELECT current_setting('server_version_num')::bigint, current_setting('fsync'), current_setting('full_page_writes'),
	current_setting('synchronous_commit'), current_setting('server_encoding'), current_setting('synchronous_standby_names'), pg_is_in_recovery(),
	(extract(epoch FROM clock_timestamp()) * 1000)::bigint, pg_backend_pid(),
	(SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))`

// selectSafety asks, with every group, for what may have been changed since the start, or by a failover: why nothing may be acknowledged, ""
// when everything may.
const selectSafety = `CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'synchronous_commit ' || current_setting('synchronous_commit')
	WHEN current_setting('fsync') = 'off' THEN 'fsync off' WHEN current_setting('full_page_writes') = 'off' THEN 'full_page_writes off'
	WHEN current_setting('synchronous_standby_names') = '' THEN '' ELSE 'standby' END`

// A server that is to have a synchronous standby and asks for none, and any that would lose what it acknowledged.
var errUnsafe = errors.New("PostgreSQL is not set up to keep what it acknowledges")

// safe says what is wrong with the answer to selectSafety. A standby that is asked for and gone holds commits up by itself.
func (w *pgWriter) safe(answer string) error {
	switch {
	case answer == "standby" || answer == "" && !w.require:
		return nil
	case answer == "":
		return &lostError{fmt.Errorf("%w: synchronous_standby_names is empty, and --store-standby is require", errUnsafe)}
	}
	return &lostError{fmt.Errorf("%w: it has %s", errUnsafe, answer)}
}

func (p *pgOpening) check(ctx context.Context) error {
	var s pgState
	before := time.Now()
	err := p.w.queryRow(ctx, selectState, nil, func() {}).Scan(&s.version, &s.fsync, &s.pages, &s.commits, &s.encoding, &s.standbys, &s.recovery, &s.now, &s.pid, &s.synced)
	if err != nil {
		return unavailable(err, "ask the %s for its settings", p.place)
	}
	after := time.Now()
	if text := s.refusal(int64(p.w.conn.PID())); text != "" {
		return fault.New(fault.Conflict, "the %s %s", p.place, text)
	}
	there := time.UnixMilli(s.now)
	if off := max(before.Sub(there), there.Sub(after)); off > maxClockOff {
		return fault.New(fault.Conflict, "the clock of the %s and that of this machine are %s apart; set them by the same time server", p.place, off.Round(time.Second/10))
	}
	return p.checkStandby(s)
}

// refusal says why a server cannot be a store, "" when it can.
func (s *pgState) refusal(pid int64) string {
	switch {
	case s.version < leastVersion:
		return "is older than PostgreSQL 14; upgrade it"
	case s.recovery:
		return "is a standby, which cannot be written; give the address of the primary, or all of them with target_session_attrs=read-write"
	case s.fsync != "on":
		return "has fsync off: a crash would lose what was acknowledged; turn it on"
	case s.pages != "on":
		return "has full_page_writes off: a crash could destroy it; turn it on"
	case s.commits == "off" || s.commits == "local":
		return "has synchronous_commit " + s.commits + ": what was acknowledged could be lost; set it to on (for the role or the database)"
	case s.encoding != "UTF8":
		return "has the encoding " + s.encoding + "; create it with UTF8"
	case s.pid != pid:
		return "is behind a connection pooler, which would mix up transactions; give the address of PostgreSQL itself"
	}
	return ""
}

func (p *pgOpening) checkStandby(s pgState) error {
	if s.standbys != "" && s.synced > 0 || p.w.relay == nil {
		return nil
	}
	if p.opts.Standby == RequireStandby {
		return fault.New(fault.Conflict, "the %s has no synchronous standby, which --store-standby require asks for; set synchronous_standby_names and start the standby (the role needs pg_monitor to see it)", p.place)
	}
	p.opts.Logger.Warn("the store has no synchronous standby: if its machine is lost, so is what was acknowledged last")
	return nil
}
