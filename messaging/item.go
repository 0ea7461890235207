package messaging

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Item is a published item. Its content is shared and must not be changed.
type Item struct {
	At          Position
	ID          string
	Channel     string // full name
	Publisher   UserID // "" once the publisher's account is gone
	Device      string // "" for none
	Content     Content
	MessageType string   // "" for none
	ContentType string   // "" for none
	Edited      Position // of its latest correction, 0 for none
}

// Created returns when the item was published.
func (i *Item) Created() time.Time { return i.At.Time() }

// ItemReader reads items.
type ItemReader interface {
	// EachItemAt calls fn with those of the positions that are items of the channel, in the order of the
	// positions given, until it returns false, as EachItem does.
	EachItemAt(channel ChannelID, at []Position, fn func(*Item) bool) error
	// EachItem calls fn with the items of a range, one after the other, until it returns false. The item
	// is fn's until it returns; its content may be kept.
	EachItem(ItemRange, func(*Item) bool) error
	// ItemPositions returns where a channel has items, after < position ≤ upto, the first limit of them.
	ItemPositions(channel ChannelID, after, upto Position, limit int) ([]Position, error)
	// TrimmedTo returns the last position that retention removed from a channel, 0 when it removed nothing; ok is
	// false when the channel is gone, although its items may still be found.
	TrimmedTo(channel ChannelID) (to Position, ok bool, err error)
	// Corrected returns the channels, of those a user is subscribed to, with items that were corrected after a position.
	Corrected(user UserID, after Position) ([]ChannelID, error)
	// Corrections returns where a channel has corrections, after < position ≤ upto, of items up to and including a position: the
	// first limit of them. A correction is at the place of the latest one of its item.
	Corrections(channel ChannelID, of, after, upto Position, limit int) ([]Correction, error)
	// CountItems counts the items from ≤ position < to.
	CountItems(channel ChannelID, from, to Position) (int64, error)
}

// ItemWriter writes items.
type ItemWriter interface {
	// AppendItem stores an item at its position, which Next gave, in a channel, and removes the
	// oldest ones beyond the channel's MaxItems before the commit.
	AppendItem(channel *Channel, item *Item) error
	// CorrectItem corrects an item that its publisher has in a channel and returns it without its content. ok is false when there is
	// none of that publisher at the position.
	CorrectItem(channel ChannelID, at Position, publisher UserID, d CorrectedItem) (item Item, ok bool, err error)
	// DeleteItems removes items and reports for each position whether it was an item of the channel.
	DeleteItems(channel ChannelID, at []Position) ([]bool, error)
	// KeptBytes returns how many bytes of content a channel keeps. Below a sixteenth of limit, the items of other nodes may not be counted.
	KeptBytes(channel ChannelID, limit int64) (int64, error)
	// ClearItems removes all items.
	ClearItems(channel ChannelID) error
}

// NewItem is the input of Publish.
type NewItem struct {
	Content        []byte // JSON
	WellFormed     bool   // Content is known to be JSON in UTF-8 and may be kept: it is not checked again
	MessageType    string
	ContentType    string
	IdempotencyKey string // "" for none
}

// Publish publishes an item and returns its id once it is on disk. With an idempotency key that the caller
// used for the same item in the same channel before, it returns the id of then.
func (s *Service) Publish(ctx context.Context, caller Caller, ref Ref, d NewItem) (id string, err error) {
	parse := parseContent
	if d.WellFormed {
		parse = acceptContent
	}
	content, err := parse("content", d.Content, s.limits.Payload)
	if err != nil {
		return "", err
	}
	if err := s.limits.checkTypes(d.MessageType, d.ContentType); err != nil {
		return "", err
	}
	once, err := s.limits.once(d.IdempotencyKey, content, []byte(d.MessageType), []byte(d.ContentType))
	if err != nil {
		return "", err
	}
	giveBack, err := s.spend(caller, len(content))
	if err != nil {
		return "", err
	}
	p := publication{service: s, caller: caller, ref: ref, once: once}
	p.item = Item{Publisher: caller.UserID, Device: caller.DeviceID, Content: content, MessageType: d.MessageType, ContentType: d.ContentType}
	err = s.store.Update(ctx, p.write)
	if err != nil || p.item.At == 0 {
		giveBack()
	}
	if err != nil {
		return "", s.suggest(ctx, caller, ref, err)
	}
	return p.item.ID, nil
}

// publication is one publish on its way through the store.
type publication struct {
	service *Service
	caller  Caller
	ref     Ref
	once    once
	item    Item
}

func (p *publication) write(w Writer) error {
	a, err := p.service.enterToWrite(w, p.caller, p.ref, MayPublish)
	if err != nil {
		return err
	}
	if err := a.fits(p.item.Content); err != nil {
		return err
	}
	key := IdempotencyKey{User: p.caller.UserID, Channel: a.Channel.ID, Key: p.once.key}
	if p.once.key != "" {
		first, ok, err := p.service.remembered(w, key, p.once)
		if err != nil || ok {
			p.item.ID = p.service.codec.ItemID(first.At)
			return err
		}
	}
	if err := cmp.Or(p.service.mayGrow(), p.service.holds(w, a, len(p.item.Content))); err != nil {
		return err
	}
	p.item.At = w.Next()
	p.item.ID = p.service.codec.ItemID(p.item.At)
	p.item.Channel = a.Channel.FullName()
	if err := w.AppendItem(a.Channel, &p.item); err != nil {
		return err
	}
	w.Announce(Event{At: p.item.At, Item: &ItemEvent{Channel: a.Channel.ID, Item: p.item}})
	if p.once.key == "" {
		return nil
	}
	return w.Remember(key, Remembered{At: p.item.At, Body: p.once.body})
}

// fits refuses content that is larger than the channel takes.
func (a Access) fits(content Content) error {
	if n := len(content); n > a.Channel.MaxPayload {
		return fail(CodeTooLarge, "content has %d bytes; the limit of channel %s is %d", n, a.As, a.Channel.MaxPayload)
	}
	return nil
}

// ItemsByID returns the items with the given ids in the order of the ids; ids that are not items of
// the channel are left out. Items that are more than a page are refused: an answer without some would say that they are gone.
func (s *Service) ItemsByID(ctx context.Context, caller Caller, ref Ref, ids []string, memory Memory) (items []Item, err error) {
	if err := s.checkIDs(ids); err != nil {
		return nil, err
	}
	at := make([]Position, 0, len(ids))
	for _, id := range ids {
		if p, ok := s.codec.ParseItemID(id); ok {
			at = append(at, p)
		}
	}
	err = s.view(ctx, caller, ref, MayReadItems, func(r Reader, a Access) (err error) {
		var short error
		items, short, err = s.gather(memory, func(fn func(*Item) bool) error { return r.EachItemAt(a.Channel.ID, at, fn) })
		if errors.Is(short, errFull) {
			short = invalid("the items exceed %d bytes in total: request fewer ids at a time; a single item is always returned", s.limits.PageBytes)
		}
		s.sealItems(a.Channel, items)
		return cmp.Or(err, short)
	})
	return items, err
}

// gather collects items until they weigh as much as a page may; short says why it ended before the last.
func (s *Service) gather(memory Memory, each func(func(*Item) bool) error) (items []Item, short, err error) {
	weight := s.weighPage(memory)
	err = each(func(i *Item) bool {
		if short = weight.add(len(i.Content)); short == nil {
			items = append(items, *i)
		}
		return short == nil
	})
	return items, short, err
}

func (s *Service) checkIDs(ids []string) error {
	if len(ids) == 0 {
		return invalid("no item ids are given: add ?id=… at least once")
	}
	if len(ids) > s.limits.IDs {
		return invalid("%d ids are given; at most %d are allowed in one request", len(ids), s.limits.IDs)
	}
	return nil
}

func (s *Service) sealItems(c *Channel, items []Item) {
	name := c.FullName()
	for i := range items {
		items[i].ID = s.codec.ItemID(items[i].At)
		items[i].Channel = name
	}
}

// ItemRange is a range of a channel's items as the store gets it: from ≤ position < to.
type ItemRange struct {
	Channel    ChannelID
	From, To   Position
	Descending bool
	Offset     int
	Limit      int
}

// Fetch is the input of FetchItems. A cursor carries its range and order along and excludes Since,
// Until, Descending and Offset.
type Fetch struct {
	Since, Until time.Time // zero for an open end
	Descending   bool
	Offset, Size int // Size is DefaultPage when the caller gave none
	Cursor       string
	Memory       Memory
}

// ItemPage is a page of items, fewer than asked for where they are large. Total ignores paging; on the pages after a cursor
// it is that of the first page.
type ItemPage struct {
	Items []Item
	Total int64
	Next  string // cursor of the next page, "" on the last one
}

// FetchItems returns the items of a time range, in the order of publishing or against it.
func (s *Service) FetchItems(ctx context.Context, caller Caller, ref Ref, f Fetch) (page ItemPage, err error) {
	cursor, err := s.fetchCursor(f)
	if err != nil {
		return page, err
	}
	err = s.view(ctx, caller, ref, MayReadItems, func(r Reader, a Access) (err error) {
		page, err = s.fetchPage(r, a.Channel, cursor, f)
		return err
	})
	return page, err
}

// fetchCursor returns the range of a fetch; total is -1 when it is not counted yet.
func (s *Service) fetchCursor(f Fetch) (itemCursor, error) {
	if err := s.limits.checkPage(f.Offset, f.Size); err != nil {
		return itemCursor{}, err
	}
	if f.Cursor != "" {
		if f.Offset != 0 || !f.Since.IsZero() || !f.Until.IsZero() {
			return itemCursor{}, invalid("a cursor continues where its page ended: leave out since, until and offset")
		}
		return s.codec.parseItemCursor(f.Cursor)
	}
	c := itemCursor{until: MaxPosition, descending: f.Descending, total: -1}
	if !f.Since.IsZero() {
		c.since = positionNotBefore(f.Since)
	}
	if !f.Until.IsZero() {
		c.until = positionNotBefore(f.Until)
	}
	return c, nil
}

// positionNotBefore returns the first position whose time is not before t: times of positions have
// milliseconds, t may be finer.
func positionNotBefore(t time.Time) Position {
	if ms := t.Truncate(time.Millisecond); ms.Before(t) {
		t = ms.Add(time.Millisecond)
	}
	return PositionAt(t)
}

func (s *Service) fetchPage(r ItemReader, c *Channel, cur itemCursor, f Fetch) (page ItemPage, err error) {
	if cur.channel != 0 && cur.channel != c.ID {
		return page, invalid("the cursor belongs to another channel: start again without one")
	}
	if cur.total < 0 {
		if cur.total, err = r.CountItems(c.ID, cur.since, cur.until); err != nil {
			return page, err
		}
	}
	// One more than a page, to know whether another follows.
	rg := ItemRange{Channel: c.ID, From: cur.since, To: cur.until, Descending: cur.descending, Offset: f.Offset, Limit: f.Size + 1}
	switch {
	case cur.after != 0 && cur.descending:
		rg.To = min(rg.To, cur.after)
	case cur.after != 0:
		rg.From = max(rg.From, cur.after+1)
	}
	more := false
	items, short, err := s.gather(f.Memory, func(fn func(*Item) bool) error {
		n := 0
		return r.EachItem(rg, func(i *Item) bool {
			n++
			more = n > f.Size || !fn(i)
			return !more
		})
	})
	if err == nil && len(items) == 0 {
		err = short // there is no memory for a single one
	}
	if err != nil {
		return page, err
	}
	page.Total = cur.total
	if more {
		cur.channel, cur.after = c.ID, items[len(items)-1].At
		page.Next = s.codec.itemCursor(cur)
	}
	s.sealItems(c, items)
	page.Items = items
	return page, nil
}

// DeleteItems deletes items by id and reports for each id, also a repeated one, whether it was an item
// of the channel.
func (s *Service) DeleteItems(ctx context.Context, caller Caller, ref Ref, ids []string) (deleted []bool, err error) {
	if err := s.checkIDs(ids); err != nil {
		return nil, err
	}
	at := make([]Position, len(ids))
	for i, id := range ids {
		if p, ok := s.codec.ParseItemID(id); ok {
			at[i] = p
		}
	}
	err = s.update(ctx, caller, ref, MayDeleteItems, func(w Writer, a Access) (err error) {
		deleted, err = w.DeleteItems(a.Channel.ID, at)
		return err
	})
	// The store deletes an id that is repeated once, and says so once.
	first := make(map[Position]bool, len(deleted))
	for i := range deleted {
		deleted[i] = deleted[i] || first[at[i]]
		first[at[i]] = deleted[i]
	}
	return deleted, err
}

// DeleteAllItems deletes all items of a channel.
func (s *Service) DeleteAllItems(ctx context.Context, caller Caller, ref Ref) error {
	return s.update(ctx, caller, ref, MayDeleteItems, func(w Writer, a Access) error {
		return w.ClearItems(a.Channel.ID)
	})
}
