package messaging

import (
	"context"
	"sync"
	"time"
)

// Admins may do what owners may. What an admin does by that right alone, to a channel that would refuse the same caller
// without it, is in the audit trail: acts that change something in the same commit, looks before their answer is given.

// AdminAct is one use of the right of an admin.
type AdminAct struct {
	By        UserID
	Address   string // where the request came from
	Operation string // as the API names it: "deleteChannel"
	On        UserID // whose data it was, "" for nobody's in particular
	Detail    string // the full name of the channel, or what else was looked at
}

// AuditWriter writes to the audit trail.
type AuditWriter interface {
	// Audit adds an act to the audit trail.
	Audit(AdminAct) error
}

func (a Access) act() AdminAct {
	return AdminAct{By: a.Caller.UserID, Address: a.Caller.Address, Operation: a.Caller.Operation, On: a.Channel.Owner, Detail: a.Channel.FullName()}
}

// byRight reports whether a policy that let an admin through would refuse the same caller without the right of one.
func (a Access) byRight(policy func(Access) error) bool {
	if !a.Caller.Admin {
		return false
	}
	a.Caller.Admin = false
	return policy(a) != nil
}

// lookAgain is how long the same look of the same admin needs no further line: a page that is refreshed must not fill the trail.
const lookAgain = 10 * time.Minute

// looks are the looks that have a line already, at most maxLooks of them.
type looks struct {
	mu   sync.Mutex
	last map[AdminAct]time.Time
}

const maxLooks = 1024

// fresh reports whether a look has no line yet that is recent enough.
func (l *looks) fresh(act AdminAct, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	last, ok := l.last[act]
	return !ok || now.Sub(last) >= lookAgain
}

func (l *looks) add(act AdminAct, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || len(l.last) >= maxLooks {
		l.last = map[AdminAct]time.Time{} // at worst some looks get a line more
	}
	l.last[act] = now
}

// auditLook records a look of an admin, unless the trail has had it for a moment.
func (s *Service) auditLook(ctx context.Context, act AdminAct) error {
	now := s.now()
	if !s.looks.fresh(act, now) {
		return nil
	}
	err := s.store.Update(ctx, func(w Writer) error { return w.Audit(act) })
	if err == nil {
		s.looks.add(act, now)
	}
	return err
}
