package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"edict/client"
)

type channelCmd struct {
	Ban          channelBanCmd          `cmd:"" help:"Ban a user from a channel."`
	Bans         channelBansCmd         `cmd:"" help:"List a channel's banned users."`
	Create       channelCreateCmd       `cmd:"" help:"Create a channel."`
	Delete       channelDeleteCmd       `cmd:"" help:"Delete a channel with its items and subscriptions."`
	Invitations  channelInvitationsCmd  `cmd:"" help:"List a channel's invited users."`
	Invite       channelInviteCmd       `cmd:"" help:"Invite users to an invite-only channel."`
	List         channelListCmd         `cmd:"" help:"List public channels and your private ones."`
	Members      channelMembersCmd      `cmd:"" help:"List a channel's members."`
	Mine         channelMineCmd         `cmd:"" help:"List your subscriptions with unread counts."`
	RemoveMember channelRemoveMemberCmd `cmd:"" help:"Remove a member from a channel."`
	Set          channelSetCmd          `cmd:"" help:"Change a channel's settings."`
	Show         channelShowCmd         `cmd:"" help:"Show a channel's settings and item count."`
	Unban        channelUnbanCmd        `cmd:"" help:"Lift a user's ban."`
	Uninvite     channelUninviteCmd     `cmd:"" help:"Withdraw an invitation and end that user's subscription."`
}

// channelArg names the channel of a command; embed it.
type channelArg struct {
	ClientConfig `embed:"" group:"client"`
	Channel      string `arg:"" help:"Channel name, or USER#NAME for another user's private channel."`
}

type channelCreateCmd struct {
	ClientConfig  `embed:"" group:"client"`
	Name          string `arg:"" help:"Channel name: 1 to 50 letters, digits, _ . or -."`
	Description   string `placeholder:"TEXT" help:"Description."`
	Private       bool   `help:"Create a private channel. Other users need its full name, USER#NAME."`
	InviteOnly    bool   `help:"Create a private channel that only invited users can see."`
	Publish       string `enum:"anyone,owner,subscribers" default:"anyone" placeholder:"WHO" help:"Users who may publish: anyone, owner or subscribers."`
	MaxItems      int64  `default:"-1" placeholder:"N" help:"Number of items to keep: -1 for all, 0 for none."`
	MaxAge        Age    `placeholder:"TIME" help:"Time that items are kept, in seconds or as a duration (24h). Defaults to the server's maximum."`
	MaxPayload    int    `placeholder:"BYTES" help:"Maximum size of an item. Defaults to the server's limit."`
	NoSubscribe   bool   `help:"Do not subscribe yourself."`
	Subscriptions bool   `default:"true" negatable:"" help:"Let other users subscribe."`
	WakePreview   bool   `help:"Let wake-up pushes carry a preview of the item that only the device can read."`
}

// Run makes the channel.
func (c *channelCreateCmd) Run(ctx context.Context, _ *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	n := client.NewChannel{
		Name: c.Name, Description: c.Description, Private: c.Private || c.InviteOnly, InviteOnly: c.InviteOnly, PublishPermission: c.Publish,
		MaxItems: &c.MaxItems, SubscriptionEnabled: &c.Subscriptions, WakePreview: c.WakePreview,
	}
	if c.MaxAge > 0 {
		n.MaxAge = c.MaxAge.seconds()
	}
	if c.NoSubscribe {
		n.SubscribeOnCreate = new(false)
	}
	if c.MaxPayload > 0 {
		n.MaxPayloadSize = &c.MaxPayload
	}
	return said(server.CreateChannel(ctx, n))
}

type channelSetCmd struct {
	channelArg
	Description   *string `placeholder:"TEXT" help:"Description."`
	Publish       *string `placeholder:"WHO" help:"Users who may publish: anyone, owner or subscribers."`
	MaxItems      *int64  `placeholder:"N" help:"Number of items to keep: -1 for all, 0 for none. A lower number deletes the oldest items immediately."`
	MaxAge        *Age    `placeholder:"TIME" help:"Time that items are kept, in seconds or as a duration (24h); 0 for the server's maximum."`
	MaxPayload    *int    `placeholder:"BYTES" help:"Maximum size of an item."`
	Subscriptions *bool   `placeholder:"BOOL" help:"Let other users subscribe; =false stops that."`
	InviteOnly    *bool   `placeholder:"BOOL" help:"Hide a private channel from users who are not invited; =false shows it."`
	WakePreview   *bool   `placeholder:"BOOL" help:"Let wake-up pushes carry a preview of the item that only the device can read; =false stops that."`
	Owner         string  `placeholder:"NAME|ID" help:"Transfer a public channel to one of its members."`
}

// Run changes what is given and shows the channel.
func (c *channelSetCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	change := client.ChannelChange{
		Description: c.Description, PublishPermission: c.Publish, MaxItems: c.MaxItems, MaxPayloadSize: c.MaxPayload,
		SubscriptionEnabled: c.Subscriptions, InviteOnly: c.InviteOnly, WakePreview: c.WakePreview,
	}
	if c.MaxAge != nil {
		change.MaxAge = c.MaxAge.seconds()
	}
	if c.Owner != "" {
		id, err := server.UserID(ctx, c.Owner)
		if err != nil {
			return said(err)
		}
		change.Owner = &id
	}
	if change == (client.ChannelChange{}) {
		return &UsageError{"give at least one flag: what to change"}
	}
	record, err := server.ChangeChannel(ctx, c.Channel, change)
	if err != nil {
		return said(err)
	}
	return showChannel(env.Stdout, record, nil)
}

type channelShowCmd struct{ channelArg }

// Run shows the record and, to those who may read the items, what they amount to.
func (c *channelShowCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	record, err := server.Channel(ctx, c.Channel)
	if err != nil {
		return said(err)
	}
	var summary *client.Summary
	if s, err := server.Summary(ctx, c.Channel); err == nil {
		summary = &s
	}
	return showChannel(env.Stdout, record, summary)
}

func showChannel(out io.Writer, c client.Channel, s *client.Summary) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name string, value any) { fmt.Fprintf(w, "%s\t%v\n", name, value) }
	line("name", c.Name)
	line("owner", orDash(c.Owner))
	line("kind", kindOf(c))
	line("description", orDash(printable(c.Description)))
	line("publish", c.PublishPermission)
	line("subscriptions", c.SubscriptionEnabled)
	line("max items", c.MaxItems)
	if c.MaxAge > 0 {
		line("max age", time.Duration(c.MaxAge)*time.Second)
	}
	line("max payload", c.MaxPayloadSize)
	line("wake preview", c.WakePreview)
	line("created", c.CreationDate.Format(time.RFC3339))
	line("modified", c.ModifiedDate.Format(time.RFC3339))
	if s != nil {
		line("items", s.Items)
		if s.LastPublished != nil {
			line("last published", s.LastPublished.Format(time.RFC3339))
		}
	}
	return w.Flush()
}

func kindOf(c client.Channel) string {
	switch {
	case c.InviteOnly:
		return "invite-only"
	case c.Private:
		return "private"
	}
	return "public"
}

type channelListCmd struct {
	ClientConfig `embed:"" group:"client"`
	Name         string   `arg:"" optional:"" help:"Text that the name contains."`
	Description  string   `placeholder:"TEXT" help:"Text that the description contains."`
	Tag          []string `placeholder:"TAG" help:"Tag that the channel has; repeat for any of several."`
	Size         int      `short:"n" default:"200" placeholder:"N" help:"Maximum number of lines."`
}

// Run lists channels by name.
func (c *channelListCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	found, total, err := server.SearchChannels(ctx, client.Search{Name: c.Name, Description: c.Description, Tags: c.Tag, Size: c.Size})
	if err != nil {
		return said(err)
	}
	rows := make([][]string, len(found))
	for i, ch := range found {
		rows[i] = []string{ch.Name, kindOf(ch), ch.PublishPermission, strconv.FormatInt(ch.MaxItems, 10), ch.CreationDate.Format(time.RFC3339), printable(ch.Description)}
	}
	if total > len(found) {
		fmt.Fprintf(env.Stderr, "%d of %d channels; --size shows more\n", len(found), total)
	}
	return table(env.Stdout, []string{"NAME", "KIND", "PUBLISH", "MAX", "CREATED", "DESCRIPTION"}, rows)
}

type channelDeleteCmd struct{ channelArg }

// Run deletes the channel.
func (c *channelDeleteCmd) Run(ctx context.Context, _ *Env) error {
	return c.do(func(s *client.Client) error { return s.DeleteChannel(ctx, c.Channel) })
}

// do calls the server.
func (c *ClientConfig) do(call func(*client.Client) error) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	return said(call(server))
}

// table prints rows below a head.
func table(out io.Writer, head []string, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
