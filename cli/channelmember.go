package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"edict/client"
)

// memberArg names a channel and a user; embed it.
type memberArg struct {
	channelArg
	User string `arg:"" name:"name|id" help:"Name or id of the user."`
}

// toUser calls the server about the user.
func (c *memberArg) toUser(ctx context.Context, call func(s *client.Client, id string) error) error {
	return c.do(func(s *client.Client) error {
		id, err := s.UserID(ctx, c.User)
		if err != nil {
			return err
		}
		return call(s, id)
	})
}

type channelMembersCmd struct{ channelArg }

// Run lists the subscriptions of the channel in the order they were made.
func (c *channelMembersCmd) Run(ctx context.Context, env *Env) error {
	return c.do(func(s *client.Client) error {
		subs, err := s.Subscriptions(ctx, c.Channel)
		if err != nil {
			return err
		}
		rows := make([][]string, len(subs))
		for i, sub := range subs {
			rows[i] = []string{sub.UserID, orDash(sub.DeviceID), sub.ID}
		}
		return table(env.Stdout, []string{"USER", "DEVICE", "SUBSCRIPTION"}, rows)
	})
}

type channelMineCmd struct {
	ClientConfig `embed:"" group:"client"`
}

// Run lists the caller's subscriptions in the order they were made.
func (c *channelMineCmd) Run(ctx context.Context, env *Env) error {
	return c.do(func(s *client.Client) error {
		subs, err := s.MySubscriptions(ctx)
		if err != nil {
			return err
		}
		rows := make([][]string, len(subs))
		for i, sub := range subs {
			rows[i] = []string{sub.Channel, strconv.FormatInt(sub.Unread, 10), sub.Wake, orDash(sub.DeviceID)}
		}
		return table(env.Stdout, []string{"CHANNEL", "UNREAD", "WAKE", "DEVICE"}, rows)
	})
}

type channelRemoveMemberCmd struct{ memberArg }

// Run ends the user's subscriptions.
func (c *channelRemoveMemberCmd) Run(ctx context.Context, _ *Env) error {
	return c.toUser(ctx, func(s *client.Client, id string) error { return s.RemoveMember(ctx, c.Channel, id) })
}

type channelInviteCmd struct {
	channelArg
	Users []string `arg:"" name:"name|id" help:"Names or ids of the users."`
}

// Run invites all or none, and prints how many were not invited before.
func (c *channelInviteCmd) Run(ctx context.Context, env *Env) error {
	return c.do(func(s *client.Client) error {
		ids := make([]string, len(c.Users))
		for i, who := range c.Users {
			id, err := s.UserID(ctx, who)
			if err != nil {
				return err
			}
			ids[i] = id
		}
		n, err := s.Invite(ctx, c.Channel, ids)
		if err == nil {
			_, err = fmt.Fprintln(env.Stdout, n)
		}
		return err
	})
}

type channelUninviteCmd struct{ memberArg }

// Run withdraws the invitation.
func (c *channelUninviteCmd) Run(ctx context.Context, _ *Env) error {
	return c.toUser(ctx, func(s *client.Client, id string) error { return s.WithdrawInvitation(ctx, c.Channel, id) })
}

type channelInvitationsCmd struct{ channelArg }

// Run prints the ids of those who are invited.
func (c *channelInvitationsCmd) Run(ctx context.Context, env *Env) error {
	return c.do(func(s *client.Client) error {
		return pages(func(cursor string) (string, error) {
			ids, next, err := s.Invitations(ctx, c.Channel, cursor, 0)
			for _, id := range ids {
				fmt.Fprintln(env.Stdout, id)
			}
			return next, err
		})
	})
}

type channelBanCmd struct{ memberArg }

// Run bans the user.
func (c *channelBanCmd) Run(ctx context.Context, _ *Env) error {
	return c.toUser(ctx, func(s *client.Client, id string) error { return s.Ban(ctx, c.Channel, id) })
}

type channelUnbanCmd struct{ memberArg }

// Run lifts the ban.
func (c *channelUnbanCmd) Run(ctx context.Context, _ *Env) error {
	return c.toUser(ctx, func(s *client.Client, id string) error { return s.Unban(ctx, c.Channel, id) })
}

type channelBansCmd struct{ channelArg }

// Run lists the bans.
func (c *channelBansCmd) Run(ctx context.Context, env *Env) error {
	return c.do(func(s *client.Client) error {
		var rows [][]string
		err := pages(func(cursor string) (string, error) {
			banned, next, err := s.Bans(ctx, c.Channel, cursor, 0)
			for _, b := range banned {
				rows = append(rows, []string{b.UserID, b.At.Format(time.RFC3339)})
			}
			return next, err
		})
		if err != nil {
			return err
		}
		return table(env.Stdout, []string{"USER", "SINCE"}, rows)
	})
}

// pages calls page with the cursor that it returned before, "" at first, until it returns none.
func pages(page func(cursor string) (next string, err error)) error {
	for cursor, first := "", true; cursor != "" || first; first = false {
		var err error
		if cursor, err = page(cursor); err != nil {
			return err
		}
	}
	return nil
}
