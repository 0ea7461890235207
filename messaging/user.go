package messaging

import (
	"context"
	"fmt"
)

// UserID identifies a user: 1–64 of A-Z a-z 0-9 _ . -, unique without regard to case. The spelling is
// that of the user directory; folding happens only in keys.
type UserID string

// OrDeleted is how the user appears where somebody must, also when the account is gone.
func (u UserID) OrDeleted() string {
	if u == "" {
		return DeletedUser
	}
	return string(u)
}

// Fold returns the id as it is compared.
func (u UserID) Fold() string { return foldASCII(string(u)) }

// DeletedUser is shown in place of a user whose account is gone. Inside the domain such a user is "".
const DeletedUser = "deleted"

// User is what the domain needs to know of a user.
type User struct {
	ID       UserID
	Name     string
	Disabled bool // nobody may act as this user
}

// Users is the directory of users.
type Users interface {
	// LookupUsers returns the users that exist among ids, keyed by UserID.Fold of their id.
	LookupUsers(ctx context.Context, ids []UserID) (map[string]User, error)
}

// UserWriter writes what belongs to users as a whole.
type UserWriter interface {
	// EraseContent has the sweeper empty what a user published and sent, and removes the names of the user's deleted private channels. It
	// comes after those are deleted and before ForgetUser, in the same update.
	EraseContent(UserID) error
	// ForgetUser removes a user's subscriptions, ties, devices, wake-ups and inbox. The private channels are deleted before, in
	// the same update. What the user made elsewhere stays, with an empty user in its place. A later update that would keep
	// something of the user again fails with Gone, unless there is a user of that id by then.
	ForgetUser(UserID) error
}

// UnknownUser says that there is no user of an id, and how to find one.
func UnknownUser(id UserID) string {
	return fmt.Sprintf("user %q does not exist: GET /auth/users?username= finds user ids", Clip(string(id)))
}

// Gone is the error of an update that would keep something of a user whose account is gone: it was under way when the account
// was removed.
func Gone(id UserID) error {
	return fail(CodeNotFound, "user %q was removed meanwhile: nothing was done", Clip(string(id)))
}

// lookup finds users by id; the ids that do not exist come back as unknown, in their order. Ids that
// differ in case only are one.
func (s *Service) lookup(ctx context.Context, ids []UserID) (known []User, unknown []UserID, err error) {
	distinct := make([]UserID, 0, len(ids))
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if key := id.Fold(); !seen[key] {
			seen[key] = true
			distinct = append(distinct, id)
		}
	}
	found, err := s.users.LookupUsers(ctx, distinct)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range distinct {
		if u, ok := found[id.Fold()]; ok {
			known = append(known, u)
		} else {
			unknown = append(unknown, id)
		}
	}
	return known, unknown, nil
}

// RemoveUser removes all that is a user's alone: private channels, subscriptions, invitations, bans,
// devices and inbox. Public channels stay, owned by nobody but admins; items and messages stay
// without their author's name. It is for the identity service, which removes the account.
func (s *Service) RemoveUser(ctx context.Context, user UserID) error {
	return s.removeUser(ctx, user, func(Writer) error { return nil })
}

// EraseUser is RemoveUser that also empties what the user published in other channels, and sent. Should it fail half-way, the rest
// is done by Run; calling it again waits for that.
func (s *Service) EraseUser(ctx context.Context, user UserID) error {
	err := s.removeUser(ctx, user, func(w Writer) error { return w.EraseContent(user) })
	for more := true; more && err == nil; {
		more, err = s.Sweep(ctx)
	}
	return err
}

func (s *Service) removeUser(ctx context.Context, user UserID, before func(Writer) error) error {
	return s.store.Update(ctx, func(w Writer) error {
		own, err := w.PrivateChannels(user)
		if err != nil {
			return err
		}
		w.Announce(Event{At: w.Next(), Account: &AccountEvent{User: user}})
		for i := range own {
			if err := deleteChannel(w, &own[i]); err != nil {
				return err
			}
		}
		if err := before(w); err != nil {
			return err
		}
		return w.ForgetUser(user)
	})
}
