package messaging

import (
	"context"
	"time"
)

// What is kept about a user is read in pieces: each is one short look at the store, and fits in memory.

const (
	archiveBytes = 1 << 20 // of content in one piece, about
	archiveLook  = 2000    // items or messages looked at in one piece
	archivePage  = 200     // channels or ties in one piece
)

// ArchiveReader reads what a user has made.
type ArchiveReader interface {
	// OwnedChannels returns up to limit channels that a user owns, public ones too, after one, in the order they were made.
	OwnedChannels(owner UserID, after ChannelID, limit int) ([]Channel, error)
	// TiesOf returns up to limit ties of a user that are invitations or bans, with their channel's name, after a channel, in the order of channels.
	TiesOf(user UserID, after ChannelID, limit int) ([]Tie, error)
	// EachItemBy calls fn with the items that a user published, with their channel's name, among the next look items of the log after a
	// position, until it returns false. It returns the position up to which it has looked, 0 at the end of the log.
	EachItemBy(publisher UserID, after Position, look int, fn func(*Item) bool) (to Position, err error)
	// EachMessageBy is EachItemBy for the messages that a user sent.
	EachMessageBy(sender UserID, after Position, look int, fn func(*Message) bool) (to Position, err error)
}

// ChannelsOf returns some of the channels that a user owns, after one, in the order they were made; none at the end.
func (s *Service) ChannelsOf(ctx context.Context, user UserID, after ChannelID) (channels []Channel, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		channels, err = r.OwnedChannels(user, after, archivePage)
		return err
	})
	return channels, err
}

// TiesOf returns some of a user's invitations and bans, after a channel, in the order of channels; none at the end.
func (s *Service) TiesOf(ctx context.Context, user UserID, after ChannelID) (ties []Tie, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		ties, err = r.TiesOf(user, after, archivePage)
		return err
	})
	return ties, err
}

// PublishedBy returns some of the items that a user published, after a position of the log, and where to go on, 0 at the end.
func (s *Service) PublishedBy(ctx context.Context, user UserID, after Position) (items []Item, next Position, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		items = nil
		piece := piece{}
		next, err = r.EachItemBy(user, after, archiveLook, func(i *Item) bool {
			one := *i
			one.ID = s.codec.ItemID(i.At)
			items = append(items, one)
			return piece.goesOn(len(i.Content))
		})
		return err
	})
	return items, next, err
}

// SentBy returns some of the messages that a user sent, as PublishedBy does items.
func (s *Service) SentBy(ctx context.Context, user UserID, after Position) (messages []Message, next Position, err error) {
	err = s.store.View(ctx, func(r Reader) (err error) {
		messages = nil
		piece := piece{}
		next, err = r.EachMessageBy(user, after, archiveLook, func(m *Message) bool {
			messages = append(messages, s.archived(m))
			return piece.goesOn(len(m.Content) + len(m.Metadata))
		})
		return err
	})
	return messages, next, err
}

// ReceivedBy returns some of the messages that were sent to a user, expired ones too, as PublishedBy does items.
func (s *Service) ReceivedBy(ctx context.Context, user UserID, after Position) (messages []Message, next Position, err error) {
	err = s.store.View(ctx, func(r Reader) error {
		messages, next = nil, 0
		piece := piece{}
		return r.EachMessage(user, after, time.Unix(0, 0), archiveLook, func(m *Message) bool {
			messages = append(messages, s.archived(m))
			next = m.At
			return piece.goesOn(len(m.Content) + len(m.Metadata))
		})
	})
	return messages, next, err
}

func (s *Service) archived(m *Message) Message {
	one := *m
	one.ID = s.codec.MessageID(m.At)
	return one
}

// piece is how much of an archive is in memory.
type piece struct{ bytes int }

func (p *piece) goesOn(more int) bool {
	p.bytes += more
	return p.bytes < archiveBytes
}
