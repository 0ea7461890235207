package messaging

import "context"

// What owners do about the people of a channel: end subscriptions, ban, and see who is invited and who is banned.

// someone finds a user by id, nil for one that does not exist.
func (s *Service) someone(ctx context.Context, id UserID) (*User, error) {
	if err := CheckUserID(id); err != nil {
		return nil, err
	}
	known, _, err := s.lookup(ctx, []UserID{id})
	if err != nil || len(known) == 0 {
		return nil, err
	}
	return &known[0], nil
}

// updateMember is update for what an owner does about one user, who must exist: whether one does is told only to a caller that may ask.
func (s *Service) updateMember(
	ctx context.Context, caller Caller, ref Ref, policy func(Access) error, user UserID, fn func(w Writer, a Access, id UserID, relation Relation) error,
) error {
	known, err := s.someone(ctx, user)
	if err != nil {
		return err
	}
	return s.update(ctx, caller, ref, policy, func(w Writer, a Access) error {
		if known == nil {
			return fail(CodeNotFound, "%s", UnknownUser(user))
		}
		relation, err := w.Relation(a.Channel.ID, known.ID)
		if err != nil {
			return err
		}
		return fn(w, a, known.ID, relation)
	})
}

// RemoveMember ends all of a user's subscriptions to a channel and returns how many there were. The user may subscribe again, as
// long as nothing else stands against it.
func (s *Service) RemoveMember(ctx context.Context, caller Caller, ref Ref, user UserID) (n int, err error) {
	err = s.updateMember(ctx, caller, ref, MayRemoveMember, user, func(w Writer, a Access, id UserID, relation Relation) (err error) {
		if !relation.Subscribed {
			return fail(CodeNotSubscribed, "%s is not subscribed to channel %s", id, a.As)
		}
		n, err = tie(w, a.Channel, id, relation, ChannelRemoved)
		return err
	})
	return n, err
}

// Ban keeps a user out of a channel, whether they were ever in it or not: subscriptions and invitation end. It is repeatable, and
// told once.
func (s *Service) Ban(ctx context.Context, caller Caller, ref Ref, user UserID) error {
	return s.updateMember(ctx, caller, ref, MayBan, user, func(w Writer, a Access, id UserID, relation Relation) error {
		switch {
		case id == caller.UserID:
			return invalid("you cannot ban yourself: unsubscribe to leave channel %s", a.As)
		case id == a.Channel.Owner:
			return invalid("%s owns channel %s: an owner cannot be banned", id, a.As)
		case relation.Banned:
			return nil
		}
		relation.Banned, relation.Invited = true, false
		_, err := tie(w, a.Channel, id, relation, ChannelBanned)
		return err
	})
}

// Unban lifts a ban. It is repeatable; subscription and invitation do not come back by it.
func (s *Service) Unban(ctx context.Context, caller Caller, ref Ref, user UserID) error {
	return s.updateMember(ctx, caller, ref, MayBan, user, func(w Writer, a Access, id UserID, relation Relation) error {
		if !relation.Banned {
			return nil
		}
		relation.Banned = false
		_, err := tie(w, a.Channel, id, relation, ChannelUnbanned)
		return err
	})
}

// TiePage is a page of the users that are invited to a channel, or banned from it.
type TiePage struct {
	Ties []Tie
	Next string // cursor of the next page, "" on the last one
}

// Bans lists who is banned from a channel, after a cursor ("" for the beginning).
func (s *Service) Bans(ctx context.Context, caller Caller, ref Ref, cursor string, size int) (TiePage, error) {
	return s.tiePage(ctx, caller, ref, MayBan, true, cursor, size)
}

// Invitations lists who is invited to a channel, subscribed or not, after a cursor ("" for the beginning).
func (s *Service) Invitations(ctx context.Context, caller Caller, ref Ref, cursor string, size int) (TiePage, error) {
	return s.tiePage(ctx, caller, ref, MayInvite, false, cursor, size)
}

func (s *Service) tiePage(ctx context.Context, caller Caller, ref Ref, policy func(Access) error, banned bool, cursor string, size int) (page TiePage, err error) {
	if err := s.limits.checkPage(0, size); err != nil {
		return page, err
	}
	var from tieCursor
	if cursor != "" {
		if from, err = s.codec.parseTieCursor(cursor); err != nil {
			return page, err
		}
	}
	err = s.view(ctx, caller, ref, policy, func(r Reader, a Access) error {
		if cursor != "" && from.channel != a.Channel.ID {
			return invalid("the cursor is of another channel: use it with the one whose page it came with")
		}
		ties, err := r.Ties(a.Channel.ID, banned, from.after, size+1)
		if len(ties) > size {
			ties = ties[:size]
			page.Next = s.codec.tieCursor(tieCursor{channel: a.Channel.ID, after: ties[size-1].Key})
		}
		page.Ties = ties
		return err
	})
	return page, err
}
