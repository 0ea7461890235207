package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"edict/client"
)

type adminCmd struct {
	Deliveries adminDeliveriesCmd `cmd:"" help:"List deliveries of direct messages, newest first."`
	Overview   adminOverviewCmd   `cmd:"" help:"Print server status: store, streams, rates, wake-ups."`
	Tap        adminTapCmd        `cmd:"" help:"Print a channel's events live."`
}

type adminOverviewCmd struct {
	ClientConfig `embed:"" group:"client"`
	JSON         bool `name:"json" help:"Print all figures as JSON, with the history of the last hour."`
}

// Run prints the overview.
func (c *adminOverviewCmd) Run(ctx context.Context, env *Env) error {
	return c.do(func(s *client.Client) error {
		overview, err := s.Overview(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return indented(env.Stdout, overview)
		}
		return showOverview(env.Stdout, overview)
	})
}

type adminTapCmd struct {
	channelArg
	Since string `placeholder:"CURSOR" help:"Start after this cursor: the id of an event, as --json prints it."`
	JSON  bool   `name:"json" help:"Print each event as one line of JSON: event, id, data."`
	Count int    `short:"n" placeholder:"N" help:"Exit after N events."`
}

// Run shows events until it is interrupted, as subscribe does.
func (c *adminTapCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	shown := viewer{out: env.Stdout, note: env.Stderr, json: c.JSON, colour: !c.JSON && colourful(env.Stdout), left: c.Count}
	err = server.Tap(ctx, c.Channel, shown.following(c.Since))
	if errors.Is(err, errEnough) {
		return nil
	}
	return said(err)
}

type adminDeliveriesCmd struct {
	ClientConfig `embed:"" group:"client"`
	User         string    `placeholder:"NAME|ID" help:"Only deliveries to this user."`
	Since        time.Time `placeholder:"TIME" help:"Only deliveries queued since this time, such as 2026-11-16T09:30:00Z."`
	Size         int       `short:"n" default:"50" placeholder:"N" help:"Maximum number of lines."`
}

// Run lists copies of messages and then the devices of theirs that are to be woken.
func (c *adminDeliveriesCmd) Run(ctx context.Context, env *Env) error {
	return c.do(func(s *client.Client) error {
		user := c.User
		if user != "" {
			id, err := s.UserID(ctx, user)
			if err != nil {
				return err
			}
			user = id
		}
		page, err := s.Deliveries(ctx, user, c.Since, "", c.Size)
		if err != nil {
			return err
		}
		rows := make([][]string, len(page.Deliveries))
		for i, d := range page.Deliveries {
			rows[i] = []string{d.MessageID, d.QueuedAt.Format(time.RFC3339), d.Sender, d.Recipient, orDash(d.DeviceID), d.State}
		}
		if err := table(env.Stdout, []string{"MESSAGE", "QUEUED", "FROM", "TO", "DEVICE", "STATE"}, rows); err != nil || len(page.Wakeups) == 0 {
			return err
		}
		rows = make([][]string, len(page.Wakeups))
		for i, w := range page.Wakeups {
			rows[i] = []string{w.UserID, w.DeviceID, w.Service, w.DueAt.Format(time.RFC3339), fmt.Sprint(w.Attempts)}
		}
		fmt.Fprintln(env.Stdout)
		return table(env.Stdout, []string{"TO BE WOKEN", "DEVICE", "BY", "DUE", "FAILURES"}, rows)
	})
}
