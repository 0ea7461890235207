package messaging

import "context"

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

// auditLook records a look of an admin, unless the trail has had it for a moment.
func (s *Service) auditLook(ctx context.Context, act AdminAct) error {
	now := s.now()
	if s.looks.Has(act, now) {
		return nil
	}
	err := s.store.Update(ctx, func(w Writer) error { return w.Audit(act) })
	if err == nil {
		s.looks.Add(act, now)
	}
	return err
}
