package messaging

import (
	"cmp"
	"context"
	"time"
)

// Correction is a place of the log where an item was corrected.
type Correction struct {
	At   Position // of the correction
	Item Position
}

// CorrectedItem is a correction as the store gets it: nil keeps what the item has.
type CorrectedItem struct {
	At          Position // of the correction, which Next gave
	Content     Content
	MessageType *string
	ContentType *string
}

// NewContent is the input of CorrectItem.
type NewContent struct {
	Content        []byte  // JSON
	WellFormed     bool    // as in NewItem
	MessageType    *string // nil keeps the item's
	ContentType    *string // nil keeps the item's
	IdempotencyKey string  // "" for none
}

// CorrectItem replaces the content of an item that the caller published and returns when, once that is on disk. The item keeps its id and
// its place. With an idempotency key that the caller used for the same correction before, it returns the time of then.
func (s *Service) CorrectItem(ctx context.Context, caller Caller, ref Ref, id string, d NewContent) (edited time.Time, err error) {
	parse := parseContent
	if d.WellFormed {
		parse = acceptContent
	}
	content, err := parse("content", d.Content, s.limits.Payload)
	if err != nil {
		return edited, err
	}
	if err := s.limits.checkTypes(orEmpty(d.MessageType), orEmpty(d.ContentType)); err != nil {
		return edited, err
	}
	once, err := s.limits.once(d.IdempotencyKey, content, digestible(d.MessageType), digestible(d.ContentType), []byte(id))
	if err != nil {
		return edited, err
	}
	giveBack, err := s.spend(caller, len(content))
	if err != nil {
		return edited, err
	}
	c := correction{service: s, caller: caller, ref: ref, once: once, id: id}
	c.new = CorrectedItem{Content: content, MessageType: d.MessageType, ContentType: d.ContentType}
	if err := s.store.Update(ctx, c.write); err != nil {
		giveBack()
		return edited, s.suggest(ctx, caller, ref, err)
	}
	return c.new.At.Time(), nil
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// digestible tells a text that is not given from one that is empty.
func digestible(s *string) []byte {
	if s == nil {
		return nil
	}
	return append([]byte{'='}, *s...)
}

// correction is one correction on its way through the store.
type correction struct {
	service *Service
	caller  Caller
	ref     Ref
	once    once
	id      string
	new     CorrectedItem
}

func (c *correction) write(w Writer) error {
	a, err := c.service.enterToWrite(w, c.caller, c.ref, MayPublish)
	if err != nil {
		return err
	}
	if err := a.fits(c.new.Content); err != nil {
		return err
	}
	key := IdempotencyKey{User: c.caller.UserID, Channel: a.Channel.ID, Key: c.once.key}
	if c.once.key != "" {
		first, ok, err := c.service.remembered(w, key, c.once)
		if err != nil || ok {
			c.new.At = first.At
			return err
		}
	}
	at, ok := c.service.codec.ParseItemID(c.id)
	if !ok {
		return noItem(a.As, c.id)
	}
	if err := cmp.Or(c.service.mayGrow(), c.service.holds(w, a, len(c.new.Content))); err != nil {
		return err
	}
	c.new.At = w.Next()
	item, ok, err := w.CorrectItem(a.Channel.ID, at, c.caller.UserID, c.new)
	if err != nil {
		return err
	}
	if !ok {
		return c.refused(w, a, at)
	}
	item.ID, item.Channel, item.Content = c.id, a.Channel.FullName(), c.new.Content
	w.Announce(Event{At: c.new.At, Item: &ItemEvent{Channel: a.Channel.ID, Item: item}})
	if c.once.key == "" {
		return nil
	}
	return w.Remember(key, Remembered{At: c.new.At, Body: c.once.body})
}

// refused says why the caller has no item at a position: there is none, or it is somebody else's.
func (c *correction) refused(r ItemReader, a Access, at Position) error {
	err := noItem(a.As, c.id)
	failed := r.EachItemAt(a.Channel.ID, []Position{at}, func(i *Item) bool {
		err = MayCorrect(c.caller, i)
		return true
	})
	if failed != nil {
		return failed
	}
	return err
}

func noItem(channel, id string) error {
	return fail(CodeNoMessage, "Channel %s has no item %q: it was deleted, or gave way to newer ones, or never was", channel, Clip(id))
}
