package messaging

import (
	"context"
	"encoding/binary"
	"time"
)

// What operators see of other people's traffic: admins alone, and never contents, but of a channel they tap. All of it is audited.

// MayOperate is the policy of what is for operators.
func MayOperate(c Caller) error {
	if c.Admin {
		return nil
	}
	return fail(CodeNotPermitted, "You are not an admin: only admins see what concerns others")
}

// Operate asks whether the caller may look at what is for operators, and records the look.
func (s *Service) Operate(ctx context.Context, caller Caller) error {
	if err := MayOperate(caller); err != nil {
		return err
	}
	return s.auditLook(ctx, AdminAct{By: caller.UserID, Address: caller.Address, Operation: caller.Operation})
}

// TapChannel opens a channel to an operator, whoever may read it else. Each time is in the audit trail before anything of the channel is shown.
func (s *Service) TapChannel(ctx context.Context, caller Caller, ref Ref) (c Channel, err error) {
	if err := MayOperate(caller); err != nil {
		return c, err
	}
	err = s.store.Update(ctx, func(w Writer) error {
		found, err := s.resolve(w, caller, ref)
		if err != nil {
			return err
		}
		c = *found
		return w.Audit(Access{Caller: caller, Channel: found}.act())
	})
	return c, s.suggest(ctx, caller, ref, err)
}

// BeginTap returns what a stream of one channel begins with: the end of the log, and the channel as if it were subscribed from its beginning.
func (s *Service) BeginTap(ctx context.Context, c *Channel) (start StreamStart, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		start.Head, err = r.Head()
		return err
	})
	start.Subscriptions = []Subscription{{Channel: c.ID, Name: c.FullName()}}
	return start, err
}

// DeliveryQuery is the input of Deliveries.
type DeliveryQuery struct {
	User   UserID    // the recipient, "" for everybody
	Since  time.Time // zero for the beginning
	Cursor string
	Size   int // DefaultPage when the caller gave none
}

// DeliveryRecord is a copy of a message as operators see it.
type DeliveryRecord struct {
	Delivery
	ID      string
	Sender  UserID // "" once the sender's account is gone
	Expires time.Time
}

// DeliveryPage is a page of copies, those of the newest messages first, with the places that their devices have in the queue of wake-ups.
type DeliveryPage struct {
	Copies  []DeliveryRecord
	Wakeups []Wakeup
	Next    string // cursor of the next page, "" on the last one
}

// Deliveries tells an operator where the copies of messages are, and which of their devices are to be woken.
func (s *Service) Deliveries(ctx context.Context, caller Caller, q DeliveryQuery) (page DeliveryPage, err error) {
	if err := MayOperate(caller); err != nil {
		return page, err
	}
	from, err := s.deliveryRange(q)
	if err != nil {
		return page, err
	}
	if err := s.checkRecipient(ctx, &q); err != nil {
		return page, err
	}
	err = s.auditLook(ctx, AdminAct{By: caller.UserID, Address: caller.Address, Operation: caller.Operation, On: q.User})
	if err != nil {
		return page, err
	}
	err = s.store.View(ctx, func(r Reader) (err error) {
		page, err = s.deliveryPage(r, from, q.Size)
		return err
	})
	return page, err
}

// checkRecipient refuses a user that does not exist, and finds the spelling of one that does.
func (s *Service) checkRecipient(ctx context.Context, q *DeliveryQuery) error {
	if q.User == "" {
		return nil
	}
	known, _, err := s.lookup(ctx, []UserID{q.User})
	switch {
	case err != nil:
		return err
	case len(known) == 0:
		return fail(CodeNotFound, "%s", UnknownUser(q.User))
	}
	q.User = known[0].ID
	return nil
}

// DeliveryRange is a range of copies as the store gets it: of messages from ≤ position ≤ upto, newest first, without the first skip ones.
type DeliveryRange struct {
	User       UserID // "" for everybody
	From, Upto Position
	Skip       int
	Limit      int
}

func (s *Service) deliveryRange(q DeliveryQuery) (DeliveryRange, error) {
	if err := s.limits.checkPage(0, q.Size); err != nil {
		return DeliveryRange{}, err
	}
	r := DeliveryRange{User: q.User, Upto: MaxPosition, Limit: q.Size + 1}
	if !q.Since.IsZero() {
		r.From = positionNotBefore(q.Since)
	}
	if q.Cursor == "" {
		return r, nil
	}
	var err error
	r.Upto, r.Skip, err = s.codec.parseDeliveryCursor(q.Cursor)
	return r, err
}

// deliveryPage reads a page; r asks for one more than it, to know whether another follows.
func (s *Service) deliveryPage(r Reader, rg DeliveryRange, size int) (page DeliveryPage, err error) {
	copies, err := r.DeliveryRecords(rg)
	if err != nil {
		return page, err
	}
	if len(copies) > size {
		copies = copies[:size]
		page.Next = s.codec.deliveryCursor(nextDelivery(rg, copies))
	}
	now := s.now()
	for i := range copies {
		copies[i].ID = s.codec.MessageID(copies[i].Message)
		copies[i].Delivery = copies[i].at(now, copies[i].Expires)
	}
	page.Copies = copies
	page.Wakeups, err = wakeupsOf(r, copies)
	return page, err
}

// nextDelivery returns where the page after these copies begins: a message, and how many of its copies to leave out.
func nextDelivery(rg DeliveryRange, copies []DeliveryRecord) (Position, int) {
	last := copies[len(copies)-1].Message
	skip := 0
	for i := len(copies) - 1; i >= 0 && copies[i].Message == last; i-- {
		skip++
	}
	if last == rg.Upto {
		skip += rg.Skip
	}
	return last, skip
}

// wakeupsOf returns the places in the queue of wake-ups that the devices of copies have.
func wakeupsOf(r WakeupReader, copies []DeliveryRecord) (wakeups []Wakeup, err error) {
	type place struct{ user, device string }
	seen := map[place]bool{}
	for _, c := range copies {
		p := place{c.Recipient.Fold(), c.Device}
		if c.Device == "" || seen[p] {
			continue
		}
		seen[p] = true
		q, ok, err := r.Wakeup(c.Recipient, c.Device)
		if err != nil {
			return nil, err
		}
		if ok {
			wakeups = append(wakeups, q)
		}
	}
	return wakeups, nil
}

const deliveryCursorMore = 8

func (c *Codec) deliveryCursor(p Position, skip int) string {
	var more [deliveryCursorMore]byte
	binary.BigEndian.PutUint64(more[:], uint64(skip))
	return c.cursor(cursorDeliveries, p, more[:])
}

func (c *Codec) parseDeliveryCursor(s string) (p Position, skip int, err error) {
	p, more, err := c.parseCursor(cursorDeliveries, s, deliveryCursorMore)
	if err != nil {
		return 0, 0, err
	}
	n := binary.BigEndian.Uint64(more)
	if n > maxSkip {
		return 0, 0, invalid("the cursor %q is malformed: pass one back exactly as it was given", Clip(s))
	}
	return p, int(n), nil
}

// maxSkip is more copies than a message can have.
const maxSkip = 1 << 30
