package msgapi

import (
	"context"
	"encoding/json"
	"io"

	"edict/messaging"
)

// Export writes what messaging keeps about a user, file by file, each a list in the shape that the API shows it in: add begins
// the next file. Nothing that others wrote in channels is in it. Messages that shown reports false for are left out.
func (a *API) Export(ctx context.Context, user messaging.UserID, shown func(*messaging.Message) bool, add func(name string) (io.Writer, error)) error {
	messages := func(read messageReader) func(context.Context, messaging.UserID, *exported) error {
		return func(ctx context.Context, user messaging.UserID, out *exported) error {
			return exportMessages(ctx, user, out, read, shown)
		}
	}
	for _, file := range []struct {
		name  string
		write func(context.Context, messaging.UserID, *exported) error
	}{
		{"channels.json", a.exportChannels}, {"subscriptions.json", a.exportSubscriptions}, {"devices.json", a.exportDevices},
		{"invitations.json", a.exportInvitations}, {"bans.json", a.exportBans},
		{"items.json", a.exportItems}, {"sent.json", messages(a.service.SentBy)}, {"received.json", messages(a.service.ReceivedBy)},
	} {
		w, err := add(file.name)
		if err != nil {
			return err
		}
		out := &exported{w: w}
		if err := file.write(ctx, user, out); err != nil {
			return err
		}
		if err := out.end(); err != nil {
			return err
		}
	}
	return nil
}

// exported is a list on its way to a file.
type exported struct {
	w     io.Writer
	begun bool
}

func (e *exported) add(one any) error {
	text, err := json.Marshal(one)
	if err != nil {
		return err
	}
	begin := "[\n"
	if e.begun {
		begin = ",\n"
	}
	e.begun = true
	_, err = e.w.Write(append([]byte(begin), text...))
	return err
}

func (e *exported) end() error {
	end := "\n]\n"
	if !e.begun {
		end = "[]\n"
	}
	_, err := io.WriteString(e.w, end)
	return err
}

// exportedChannel is a channel with what only its owner is shown.
type exportedChannel struct {
	ChannelName string `json:"channelName"`
	channelRecord
}

func (a *API) exportChannels(ctx context.Context, user messaging.UserID, out *exported) error {
	for after := messaging.ChannelID(0); ; {
		channels, err := a.service.ChannelsOf(ctx, user, after)
		if err != nil || len(channels) == 0 {
			return err
		}
		for i := range channels {
			after = channels[i].ID
			if err := out.add(exportedChannel{channels[i].FullName(), a.record(&channels[i], true)}); err != nil {
				return err
			}
		}
	}
}

func (a *API) exportSubscriptions(ctx context.Context, user messaging.UserID, out *exported) error {
	subs, err := a.service.MySubscriptions(ctx, messaging.Caller{UserID: user})
	for i := 0; err == nil && i < len(subs); i++ {
		err = out.add(a.mySubscriptionOf(&subs[i]))
	}
	return err
}

func (a *API) exportDevices(ctx context.Context, user messaging.UserID, out *exported) error {
	devices, err := a.service.Devices(ctx, messaging.Caller{UserID: user})
	for i := 0; err == nil && i < len(devices); i++ {
		err = out.add(deviceOf(&devices[i]))
	}
	return err
}

// exportedInvitation is a channel that the user is invited to.
type exportedInvitation struct {
	ChannelName string `json:"channelName"`
}

func (a *API) exportInvitations(ctx context.Context, user messaging.UserID, out *exported) error {
	return a.exportTies(ctx, user, func(t *messaging.Tie) error {
		if !t.Invited {
			return nil
		}
		return out.add(exportedInvitation{t.Name})
	})
}

// exportedBan is a channel that the user is banned from.
type exportedBan struct {
	ChannelName string `json:"channelName"`
	BannedDate  string `json:"bannedDate"`
}

func (a *API) exportBans(ctx context.Context, user messaging.UserID, out *exported) error {
	return a.exportTies(ctx, user, func(t *messaging.Tie) error {
		if !t.Banned {
			return nil
		}
		return out.add(exportedBan{t.Name, formatTime(t.At.Time())})
	})
}

func (a *API) exportTies(ctx context.Context, user messaging.UserID, add func(*messaging.Tie) error) error {
	for after := messaging.ChannelID(0); ; {
		ties, err := a.service.TiesOf(ctx, user, after)
		if err != nil || len(ties) == 0 {
			return err
		}
		for i := range ties {
			after = ties[i].Channel
			if err := add(&ties[i]); err != nil {
				return err
			}
		}
	}
}

func (a *API) exportItems(ctx context.Context, user messaging.UserID, out *exported) error {
	for after, more := messaging.Position(0), true; more; more = after != 0 {
		items, next, err := a.service.PublishedBy(ctx, user, after)
		if err != nil {
			return err
		}
		for _, one := range itemsOf(items) {
			if err := out.add(one); err != nil {
				return err
			}
		}
		after = next
	}
	return nil
}

// exportedMessage is a direct message without what became of its copies.
type exportedMessage struct {
	MessageID string            `json:"messageId"`
	Sender    string            `json:"sender"`
	DeviceID  *string           `json:"deviceId"`
	Content   messaging.Content `json:"content"`
	Metadata  messaging.Content `json:"metadata"`
	QueuedAt  string            `json:"queuedAt"`
}

// messageReader reads messages of a user by pages.
type messageReader func(context.Context, messaging.UserID, messaging.Position) ([]messaging.Message, messaging.Position, error)

func exportMessages(ctx context.Context, user messaging.UserID, out *exported, read messageReader, shown func(*messaging.Message) bool) error {
	for after, more := messaging.Position(0), true; more; more = after != 0 {
		messages, next, err := read(ctx, user, after)
		if err != nil {
			return err
		}
		for i := range messages {
			m := &messages[i]
			if !shown(m) {
				continue
			}
			one := exportedMessage{m.ID, publisherOf(m.Sender, "").UserID, orNull(m.Device), m.Content, m.Metadata, formatTime(m.Queued())}
			if err := out.add(one); err != nil {
				return err
			}
		}
		after = next
	}
	return nil
}
