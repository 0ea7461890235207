package messaging

import (
	"context"
	"strconv"
	"sync"
	"time"
)

// Bounds keep a store from filling its disk (internals/decisions/203). Age and number of items are enforced by deleting, bytes by refusing. Below
// the reserve of the disk, nothing new is stored.

// maxAge is the longest age that a channel may ask for.
const maxAge = 100 * 365 * 24 * time.Hour

// ParseAge reads an age: a number of seconds, or a duration as Go writes it.
func ParseAge(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if n, failed := strconv.ParseInt(text, 10, 64); failed == nil {
		d, err = time.Duration(min(max(n, -1), int64(2*maxAge/time.Second)))*time.Second, nil
	}
	if err != nil || d < 0 || d%time.Second != 0 {
		return 0, invalid("%q is not an age: use whole seconds (3600) or a duration (90s, 24h)", Clip(text))
	}
	return d, nil
}

// KeepsItems returns how many items a channel keeps under the limits, Unlimited for all.
func (l Limits) KeepsItems(c *Channel) int64 {
	if l.ChannelItems > 0 && (c.MaxItems < 0 || c.MaxItems > l.ChannelItems) {
		return l.ChannelItems
	}
	return c.MaxItems
}

// KeepsFor returns how long a channel keeps items under the limits, 0 for ever.
func (l Limits) KeepsFor(c *Channel) time.Duration {
	if l.ChannelAge > 0 && (c.MaxAge == 0 || c.MaxAge > l.ChannelAge) {
		return l.ChannelAge
	}
	return c.MaxAge
}

// checkKeeping checks how much and how long a channel is to keep.
func (l Limits) checkKeeping(items int64, age time.Duration) error {
	most := maxAge
	if l.ChannelAge > 0 {
		most = l.ChannelAge
	}
	switch {
	case items < Unlimited:
		return invalid("maxItems is %d: use -1 (unlimited), 0 (nothing is kept) or how many to keep", items)
	case l.ChannelItems > 0 && items > l.ChannelItems:
		return invalid("maxItems is %d: this server keeps up to %d items per channel", items, l.ChannelItems)
	case age < 0 || age%time.Second != 0:
		return invalid("maxAge is %v: use a positive number of whole seconds, or 0 for the server's default", age)
	case age > most:
		return invalid("maxAge is %d seconds: this server keeps items for up to %d", int64(age/time.Second), int64(most/time.Second))
	}
	return nil
}

// holds refuses content for which a channel has no room.
func (s *Service) holds(w ItemWriter, a Access, size int) error {
	most := s.limits.ChannelBytes
	if most == 0 || a.Channel.MaxItems == 0 {
		return nil
	}
	kept, err := w.KeptBytes(a.Channel.ID, most)
	if err == nil && kept+int64(size) > most {
		err = fail(CodeTooLarge, "channel %s keeps %d bytes of content and this item has %d; the limit is %d: delete items, or set maxItems or maxAge", a.As, kept, size, most)
	}
	return err
}

// allowance counts the bytes that users store per day, in the memory of this server.
type allowance struct {
	mu    sync.Mutex
	day   int64
	spent map[UserID]int64
}

const day = 24 * time.Hour

// spend takes n bytes of a user's quota of today, or refuses. giveBack returns them if nothing was stored.
func (s *Service) spend(caller Caller, n int) (giveBack func(), err error) {
	most := s.limits.UserBytesDay
	if most == 0 || caller.Admin {
		return func() {}, nil
	}
	most = max(1, most/int64(max(1, s.nodes())))
	now := s.now()
	today := now.UnixMilli() / day.Milliseconds()
	b := &s.allowance
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.day != today {
		b.day, b.spent = today, map[UserID]int64{}
	}
	if spent := b.spent[caller.UserID]; spent+int64(n) > most {
		f := fail(CodeRateLimit, "you stored %d bytes today and this has %d; the limit is %d bytes per user and day (UTC)", spent, n, most)
		f.RetryAfter = int((day.Milliseconds()-now.UnixMilli()%day.Milliseconds())/1000) + 1
		return nil, f
	}
	b.spent[caller.UserID] += int64(n)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.day == today {
			b.spent[caller.UserID] -= int64(n)
		}
	}, nil
}

// largest is how many channels LargestChannels returns.
const largest = 10

// LargestChannels returns the channels that keep the most content, for operators.
func (s *Service) LargestChannels(ctx context.Context) (all []LargeChannel, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		all, err = r.LargestChannels(largest)
		return err
	})
	return all, err
}
