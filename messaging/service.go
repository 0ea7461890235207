package messaging

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"edict/platform/nearest"
	"edict/platform/recent"
)

// Caller is who asks. DeviceID is "" for a token that acts for the user as a whole; Issued is when the token was made.
type Caller struct {
	UserID   UserID
	DeviceID string
	Issued   time.Time
	Admin    bool

	// Of an admin's request, for the audit trail: where it came from and what it asks for, as the API names it.
	Address, Operation string
}

// Presence tells which devices have a live connection. Without one nobody has. It is asked inside an
// update and must answer from memory.
type Presence interface {
	Connected(user UserID, device string) bool
}

// Service is the operations of messaging. Make one with New; its methods may be called from any
// goroutine.
type Service struct {
	store    Store
	codec    *Codec
	users    Users
	limits   Limits
	now      func() time.Time
	presence Presence
	log      *slog.Logger

	waker       Waker
	stirred     *stirred
	claiming    *claiming
	checkTarget func(Push) error
	observe     func(StateCounts)
	sweeps      func() bool
	mayGrow     func() error
	nodes       func() int
	allowance   allowance
	looks       recent.Set[AdminAct] // that have a line in the audit trail
}

// Config is what a Service is made of. Store and Users are required.
type Config struct {
	Store     Store
	Users     Users
	Limits    Limits           // DefaultLimits if zero
	Now       func() time.Time // time.Now if nil; the store has its own
	Announcer Announcer        // may be nil
	Presence  Presence         // may be nil
	Log       *slog.Logger     // slog.Default if nil

	Waker       Waker             // may be nil
	CheckTarget func(Push) error  // refuses push targets that cannot be right; may be nil
	Observe     func(StateCounts) // is told of the states copies came to, once committed; may be nil
	MayGrow     func() error      // refuses growth while only the reserve of the disk is left; may be nil
	Nodes       func() int        // servers on the store, which share what users may store per day; 1 if nil
	Sweeps      func() bool       // whether it is this server, of several, that sweeps; if nil it is
}

// New returns a service on a store, which may have others on other nodes.
func New(c Config) *Service {
	s := &Service{
		store: c.Store, codec: NewCodec(c.Store.Identity()), users: c.Users, limits: c.Limits, now: c.Now, presence: c.Presence, log: c.Log,
		waker: c.Waker, checkTarget: c.CheckTarget, observe: c.Observe, sweeps: c.Sweeps, mayGrow: c.MayGrow, nodes: c.Nodes,
	}
	if s.mayGrow == nil {
		s.mayGrow = func() error { return nil }
	}
	if s.nodes == nil {
		s.nodes = func() int { return 1 }
	}
	if s.sweeps == nil {
		s.sweeps = func() bool { return true }
	}
	if s.limits == (Limits{}) {
		s.limits = DefaultLimits()
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	s.stirred, s.claiming = newStirred(), newClaiming()
	if c.Announcer != nil {
		c.Store.OnCommit(func(events []Event) {
			if len(events) == 1 && events[0].Epoch != 0 {
				s.codec.SetEpoch(events[0].Epoch)
			}
			s.stirred.note(events)
			c.Announcer.Announce(events)
		})
	}
	return s
}

// Codec returns the codec of the service's ids and cursors.
func (s *Service) Codec() *Codec { return s.codec }

// Limits returns the limits in force.
func (s *Service) Limits() Limits { return s.limits }

// resolve returns the channel a caller means. Without "personal", a bare name is the public channel if there is one: no private channel
// of the caller hides it. Otherwise it is the caller's own private channel.
func (s *Service) resolve(r ChannelReader, caller Caller, ref Ref) (*Channel, error) {
	switch {
	case ref.Owner != "":
		return find(r, privateKey(ref.Owner, ref.Name), ref)
	case ref.Personal == PersonalTrue:
		return find(r, privateKey(caller.UserID, ref.Name), ref)
	case ref.Personal == PersonalFalse:
		return find(r, publicKey(ref.Name), ref)
	}
	if public, err := r.Channel(publicKey(ref.Name)); err != nil || public != nil {
		return public, err
	}
	return find(r, privateKey(caller.UserID, ref.Name), ref)
}

func find(r ChannelReader, key ChannelKey, ref Ref) (*Channel, error) {
	c, err := r.Channel(key)
	if err == nil && c == nil {
		err = noChannel(ref)
	}
	return c, err
}

// accessReader reads what decides about access to a channel.
type accessReader interface {
	ChannelReader
	SubscriptionReader
}

// enter resolves a channel and asks the policy of the operation.
func (s *Service) enter(r accessReader, caller Caller, ref Ref, policy func(Access) error) (Access, error) {
	c, err := s.resolve(r, caller, ref)
	if err != nil {
		return Access{}, err
	}
	a := Access{Caller: caller, Channel: c, As: ref.String()}
	if c.needsRelation() && c.Owner != caller.UserID {
		if a.Relation, err = r.Relation(c.ID, caller.UserID); err != nil {
			return Access{}, err
		}
	}
	err = policy(a)
	a.ByRight = err == nil && a.byRight(policy)
	return a, err
}

// enterToWrite is enter for an operation that writes, which records what an admin does by the right of one.
func (s *Service) enterToWrite(w Writer, caller Caller, ref Ref, policy func(Access) error) (Access, error) {
	a, err := s.enter(w, caller, ref, policy)
	if err == nil && a.ByRight {
		err = w.Audit(a.act())
	}
	return a, err
}

// view is an operation that only reads: snapshot, resolve, policy, fn.
func (s *Service) view(ctx context.Context, caller Caller, ref Ref, policy func(Access) error, fn func(Reader, Access) error) error {
	var a Access
	err := s.store.View(ctx, func(r Reader) (err error) {
		if a, err = s.enter(r, caller, ref, policy); err != nil {
			return err
		}
		return fn(r, a)
	})
	if err == nil && a.ByRight {
		return s.auditLook(ctx, a.act())
	}
	return s.suggest(ctx, caller, ref, err)
}

// update is an operation that writes: the policy is asked inside the update, so nothing can change
// between the answer and the write.
func (s *Service) update(ctx context.Context, caller Caller, ref Ref, policy func(Access) error, fn func(Writer, Access) error) error {
	err := s.store.Update(ctx, func(w Writer) error {
		a, err := s.enterToWrite(w, caller, ref, policy)
		if err != nil {
			return err
		}
		return fn(w, a)
	})
	return s.suggest(ctx, caller, ref, err)
}

// suggest adds to the error of a name that no channel has the name that was probably meant, of those that the caller finds by
// searching: public channels and their own. It is asked outside of updates, which must not wait for it.
func (s *Service) suggest(ctx context.Context, caller Caller, ref Ref, err error) error {
	if CodeOf(err) != CodeNoChannel {
		return err
	}
	var keys []ChannelKey
	own := ref.Owner != "" && ref.Owner.Fold() == caller.UserID.Fold() || ref.Personal == PersonalTrue
	if !own && ref.Owner == "" {
		keys = append(keys, publicKey(ref.Name))
	}
	if own || ref.Owner == "" && ref.Personal == PersonalAbsent {
		keys = append(keys, privateKey(caller.UserID, ref.Name))
	}
	var names []string
	looked := s.store.View(ctx, func(r Reader) error {
		for _, key := range keys {
			near, err := r.NearNames(key)
			if err != nil {
				return err
			}
			names = append(names, near...)
		}
		return nil
	})
	if name := nearest.Name(ref.Name, slices.Values(names)); looked == nil && name != "" {
		return fail(CodeNoChannel, "%s. Did you mean %s?", err, name)
	}
	return err
}
