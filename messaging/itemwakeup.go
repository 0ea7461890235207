package messaging

import (
	"context"
	"sync"
	"time"
)

// Wake-ups for items. A subscription may ask for them; publishing knows nothing of it. A reader of its own (ItemWaker) follows the log
// behind the publishers: for a channel with new items it goes through the subscriptions that ask, some at a time, and puts the devices
// that are not connected into the queue of wake-ups. How far it has come is in the store (Waking), so that it goes on there after a
// restart. A channel is passed through once for all items that came meanwhile, channels take turns, and the reader works a tenth of its
// time at most: a million subscriptions make wake-ups late, not publishing slow.
//
// A device that was pushed to is left alone until it connects or WakeupQuiet has passed (Device.Woken).

// Wake says which items of a channel wake the devices of a subscriber.
type Wake uint8

// The choices. The zero value is no choice: a subscription keeps what it has, and a new one has WakeNone.
const (
	WakeNone Wake = iota + 1
	WakeAll
)

// String returns the choice as the wire shows it.
func (w Wake) String() string {
	if w == WakeAll {
		return "all"
	}
	return "none"
}

// ParseWake reads a choice; "" is none made.
func ParseWake(s string) (Wake, error) {
	switch s {
	case "":
		return 0, nil
	case "none":
		return WakeNone, nil
	case "all":
		return WakeAll, nil
	}
	return 0, invalid("wake %q is unknown: use all or none", Clip(s))
}

const (
	// WakeupQuiet is how long a device that was woken and does not connect is left alone by items.
	WakeupQuiet = 15 * time.Minute
	// ItemWakeupFor is how long the wake-up for an item is of use.
	ItemWakeupFor = 24 * time.Hour

	wakeBatch   = 100                   // subscriptions looked at, and devices queued, at once
	wakeLook    = 10 * time.Millisecond // of looking before how far it came is stored
	wakeShare   = 9                     // times as long as it worked the reader rests
	wakePause   = time.Second           // the longest rest
	wakeRetry   = 10 * time.Second      // after the store failed
	wakeAuthors = 1000                  // items looked at for who published them
	maxStirred  = 4096                  // channels remembered to have new items; when there are more, all are looked at
	maxNobody   = 1 << 16               // channels remembered to have nobody that asks
	nobodyFor   = 5 * time.Minute       // and for how long: the node that somebody asked may be gone
)

// Waking is how far the wake-ups for a channel's items have come.
type Waking struct {
	Channel ChannelID
	Done    Position // for items up to here everybody was woken
	Upto    Position // for items up to here somebody was: those with subscriptions up to Reached; 0 for no pass under way
	Reached int64    // Subscription.Key
}

// Sleeper is a device that a subscription asks to wake and that no push went to of late.
type Sleeper struct {
	User    UserID
	Device  string
	Service string
	Since   Position // of the subscription
}

// Unseen is a channel whose items a device may have missed.
type Unseen struct {
	Sleeper
	Channel ChannelID
}

// Authored is an item with no more than who published it.
type Authored struct {
	At        Position
	Publisher UserID
}

// WakingReader reads what wake-ups for items need.
type WakingReader interface {
	// Waking returns how far the wake-ups of a channel have come; ok is false when no subscription asks for them.
	Waking(channel ChannelID) (w Waking, ok bool, err error)
	// Stirring returns up to limit channels after one, by id, whose subscriptions ask for wake-ups and that have items they were not woken for.
	Stirring(after ChannelID, limit int) ([]ChannelID, error)
	// Authors returns the last limit items of a channel, after < position ≤ upto, the newest first.
	Authors(channel ChannelID, after, upto Position, limit int) ([]Authored, error)
	// Sleepers returns the devices to wake of the next limit subscriptions of a channel that ask for it, after one, of which those are left out
	// that were woken after a time or wait in the queue for an item, but not those that have connected since their wake-up was claimed. It
	// returns the last subscription it looked at, and how many.
	Sleepers(channel ChannelID, after int64, limit int, wokenBefore time.Time) (s []Sleeper, reached int64, looked int, err error)
	// Unseen returns up to limit subscriptions of a user that ask to wake a device, the same devices as Sleepers has, of channels with items after
	// a position.
	Unseen(user UserID, after Position, wokenBefore time.Time, limit int) ([]Unseen, error)
	// Wakeable returns which of some users, folded, have a device that can be woken.
	Wakeable(users []string) ([]UserID, error)
	// AsksToWake reports whether a subscription of a user asks to wake a device for the items of a channel.
	AsksToWake(channel ChannelID, user UserID, device string) (bool, error)
}

// WakingWriter writes what wake-ups for items need.
type WakingWriter interface {
	// SetWake stores the choice of a subscription. With WakeAll the channel gets a Waking that begins at a position, unless it has one.
	SetWake(s *Subscription, wake Wake, begin Position) error
	// PutWaking stores how far the wake-ups of a channel have come.
	PutWaking(Waking) error
	// DropWaking forgets it.
	DropWaking(channel ChannelID) error
	// QueueForItem puts a device that has a push target into the queue of wake-ups for an item, or adds the item to its place.
	QueueForItem(s Sleeper, channel ChannelID, item Position, due time.Time) error
	// SetWoken notes when a device of a user was woken; the zero time says that it connected since. The device "" means all of the user's.
	SetWoken(user UserID, device string, at time.Time) error
}

// stirred is the channels that got items since the reader looked. It is the hint that makes the reader look; what there is to
// do is in the store.
type stirred struct {
	mu       sync.Mutex
	channels map[ChannelID]struct{}
	all      bool                   // too many to remember
	nobody   map[ChannelID]struct{} // channels whose subscribers do not ask to be woken, as far as was looked
	asked    int                    // how often somebody asked
	cleared  time.Time              // when nobody was emptied: on another node somebody may ask
	signal   chan struct{}
}

func newStirred() *stirred {
	return &stirred{channels: map[ChannelID]struct{}{}, nobody: map[ChannelID]struct{}{}, signal: make(chan struct{}, 1)}
}

// note remembers the channels of what was published.
func (s *stirred) note(events []Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.channels)
	if time.Since(s.cleared) > nobodyFor {
		clear(s.nobody)
		s.cleared = time.Now()
	}
	for i := range events {
		s.all = s.all || events[i].Missed
		if e := &events[i]; e.Item != nil && e.At == e.Item.Item.At && !s.all {
			if _, idle := s.nobody[e.Item.Channel]; !idle {
				s.channels[e.Item.Channel] = struct{}{}
			}
		}
	}
	if len(s.channels) > maxStirred {
		clear(s.channels)
		s.all = true
	}
	if s.all || len(s.channels) > before {
		s.wake()
	}
}

func (s *stirred) wake() {
	select {
	case s.signal <- struct{}{}:
	default: // one is enough
	}
}

// everything has the reader look at all channels.
func (s *stirred) everything() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = true
	s.wake()
}

// ask says that somebody asks to be woken for the items of a channel. What was published between the subscription and this call is
// looked for too.
func (s *stirred) ask(channel ChannelID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	delete(s.nobody, channel)
	s.channels[channel] = struct{}{}
	s.wake()
}

// askers returns how often somebody asked.
func (s *stirred) askers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// rest has the items of a channel go unnoticed until somebody asks. It does nothing when somebody asked since there were so many askers:
// who looked may not have seen that.
func (s *stirred) rest(channel ChannelID, askers int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked != askers {
		return
	}
	if len(s.nobody) == maxNobody {
		clear(s.nobody)
	}
	s.nobody[channel] = struct{}{}
}

// take returns the channels that were stirred, in any order.
func (s *stirred) take() (channels []ChannelID, all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.channels {
		channels = append(channels, id)
	}
	all = s.all
	clear(s.channels)
	s.all = false
	return channels, all
}

// ItemWaker is the reader that wakes subscribers for items: the channels that wait for their turn, each once. A server has one, which
// looks at all channels first.
type ItemWaker struct {
	service *Service
	queue   []ChannelID
	queued  map[ChannelID]bool
	after   ChannelID // of the look at all channels
	looking bool      // at all channels
}

// NewItemWaker returns a reader that has not begun.
func NewItemWaker(s *Service) *ItemWaker {
	s.stirred.everything()
	return &ItemWaker{service: s, queued: map[ChannelID]bool{}}
}

// Run wakes subscribers for items until ctx ends.
func (w *ItemWaker) Run(ctx context.Context) error {
	for {
		began := time.Now()
		more, err := w.Turn(ctx)
		rest := min(wakeShare*time.Since(began), wakePause)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			w.service.log.Error("subscribers cannot be woken", "error", err)
			w.service.stirred.everything()
			rest, more = wakeRetry, true
		}
		if !w.pause(ctx, rest, more) {
			return nil
		}
	}
}

// pause waits for a time and, when there is nothing to do, for something; it returns false when ctx ends.
func (w *ItemWaker) pause(ctx context.Context, rest time.Duration, more bool) bool {
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	}
	if more {
		return true
	}
	select {
	case <-ctx.Done():
		return false
	case <-w.service.stirred.signal:
		return true
	}
}

// Turn takes one step for the channel whose turn it is, and reports whether there may be more to do.
func (w *ItemWaker) Turn(ctx context.Context) (more bool, err error) {
	if err := w.collect(ctx); err != nil {
		return false, err
	}
	if len(w.queue) == 0 {
		return w.looking, nil
	}
	channel := w.queue[0]
	w.queue = w.queue[1:]
	delete(w.queued, channel)
	again, err := w.service.wakeStep(ctx, channel)
	if again {
		w.add(channel)
	}
	return len(w.queue) > 0 || w.looking, err
}

func (w *ItemWaker) add(channel ChannelID) {
	if !w.queued[channel] {
		w.queued[channel] = true
		w.queue = append(w.queue, channel)
	}
}

// collect adds the channels that have something new. While all are looked at, that is a page of them at a time, while the queue is short.
func (w *ItemWaker) collect(ctx context.Context) error {
	channels, all := w.service.stirred.take()
	for _, id := range channels {
		w.add(id)
	}
	if all {
		w.looking, w.after = true, 0
	}
	if !w.looking || len(w.queue) > maxStirred {
		return nil
	}
	var found []ChannelID
	err := w.service.store.View(ctx, func(r Reader) (err error) {
		found, err = r.Stirring(w.after, wakeBatch)
		return err
	})
	for _, id := range found {
		w.add(id)
		w.after = id
	}
	w.looking = err == nil && len(found) == wakeBatch
	return err
}

// wakeStep wakes some of a channel's subscribers and reports whether more remain.
func (s *Service) wakeStep(ctx context.Context, channel ChannelID) (more bool, err error) {
	var step wakeStep
	askers := s.stirred.askers()
	if err := s.store.View(ctx, func(r Reader) error { return s.lookForSleepers(r, channel, &step) }); err != nil || step.idle {
		if err == nil && step.nobody {
			s.stirred.rest(channel, askers)
		}
		return false, err
	}
	err = s.record(ctx, func(w Writer) error { return step.write(w) })
	return step.more, err
}

// wakeStep is what one step found.
type wakeStep struct {
	idle     bool // nothing to do
	nobody   bool // asks to be woken
	over     bool // nobody asks to be woken any more, or the channel is gone
	more     bool
	now      time.Time
	looked   Waking // as it was
	waking   Waking // to store
	sleepers []Sleeper
	items    []Position // that the sleepers are woken for
}

// lookForSleepers finds the next devices of a channel to wake.
func (s *Service) lookForSleepers(r Reader, channel ChannelID, step *wakeStep) error {
	*step = wakeStep{now: s.now()}
	w, ok, err := r.Waking(channel)
	if err != nil || !ok {
		step.idle, step.nobody = true, true
		return err
	}
	step.looked = w
	if there, err := r.ChannelByID(channel); err != nil || there == nil {
		step.over, step.waking.Channel = true, channel
		return err
	}
	upto := w.Upto
	if upto == 0 {
		upto = MaxPosition
	}
	authors, err := r.Authors(channel, w.Done, upto, wakeAuthors)
	if err != nil {
		return err
	}
	if len(authors) == 0 {
		// What was published is deleted by now, or this look comes after another that has seen it.
		step.idle, step.waking = w.Upto == 0, Waking{Channel: channel, Done: max(w.Done, w.Upto)}
		return nil
	}
	if w.Upto == 0 {
		w.Upto, w.Reached = authors[0].At, 0
	}
	return s.lookOn(r, w, authors, step)
}

// lookOn goes through subscriptions until it has found some that want to be woken, or has looked for long enough.
func (s *Service) lookOn(r WakingReader, w Waking, authors []Authored, step *wakeStep) error {
	first := w.Reached == 0
	for began := time.Now(); ; {
		found, reached, looked, err := r.Sleepers(w.Channel, w.Reached, wakeBatch, step.now.Add(-WakeupQuiet))
		if err != nil {
			return err
		}
		for _, sleeper := range found {
			if item := newestFor(authors, sleeper.User); item > sleeper.Since && !s.connected(sleeper.User, sleeper.Device) {
				step.sleepers, step.items = append(step.sleepers, sleeper), append(step.items, item)
			}
		}
		w.Reached = max(w.Reached, reached)
		if looked < wakeBatch {
			step.over = first && looked == 0
			step.waking = Waking{Channel: w.Channel, Done: w.Upto}
			// What came meanwhile has its own pass.
			step.more = !step.over
			return nil
		}
		if first = false; len(step.sleepers) >= wakeBatch || time.Since(began) > wakeLook {
			step.waking, step.more = w, true
			return nil
		}
	}
}

// newestFor returns the newest of some items, the newest first, that a user did not publish; 0 for none.
func newestFor(authors []Authored, user UserID) Position {
	for _, a := range authors {
		if a.Publisher != user {
			return a.At
		}
	}
	return 0
}

// write stores what a step found, unless another node has come further meanwhile: then there is a new look.
func (step *wakeStep) write(w Writer) error {
	have, ok, err := w.Waking(step.looked.Channel)
	if err != nil {
		return err
	}
	if !ok || have != step.looked {
		step.more = ok
		return nil
	}
	if step.over {
		return w.DropWaking(step.waking.Channel)
	}
	for i, sleeper := range step.sleepers {
		if err := w.QueueForItem(sleeper, step.waking.Channel, step.items[i], step.now); err != nil {
			return err
		}
	}
	return w.PutWaking(step.waking)
}

// itemReason is what an item has to say in a wake-up.
type itemReason struct {
	channel string    // full name
	expires time.Time // of the wake-up
	preview bool      // of the item may be shown
}

// itemReason returns why a device in the queue is to be woken for an item; ok is false when it is not, or no longer: it is connected, it was
// too long ago, the subscription is gone or asks for nothing, or the channel is gone.
func (s *Service) itemReason(r Reader, q *Wakeup, now time.Time) (reason itemReason, ok bool, err error) {
	if q.Item == 0 || s.connected(q.User, q.Device) {
		return reason, false, nil
	}
	if reason.expires = q.Item.Time().Add(ItemWakeupFor); !reason.expires.After(now) {
		return reason, false, nil
	}
	if asks, err := r.AsksToWake(q.Channel, q.User, q.Device); err != nil || !asks {
		return reason, false, err
	}
	c, err := r.ChannelByID(q.Channel)
	if err != nil || c == nil {
		return reason, false, err
	}
	reason.channel, reason.preview = c.FullName(), c.WakePreview
	return reason, true, nil
}
