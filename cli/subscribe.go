package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"edict/client"
)

type subscribeCmd struct {
	ClientConfig `embed:"" group:"client"`
	Channels     []string `arg:"" optional:"" sep:"none" name:"channel" help:"Channels to subscribe to and print. Defaults to all the user's events, direct messages included."`
	Since        string   `placeholder:"CURSOR" help:"Start after this cursor: the id of an event, as --json prints it. Later events are replayed."`
	JSON         bool     `name:"json" help:"Print each event as one line of JSON: event, id, data."`
	Count        int      `short:"n" placeholder:"N" help:"Exit after N events."`
}

// errEnough ends a stream that has shown what was asked for.
var errEnough = errors.New("enough")

// Run shows events until it is interrupted. A lost connection is made again and goes on where it was.
func (c *subscribeCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	shown := viewer{out: env.Stdout, note: env.Stderr, json: c.JSON, colour: !c.JSON && colourful(env.Stdout), left: c.Count}
	for _, channel := range c.Channels {
		name, err := server.Subscribe(ctx, channel)
		if err != nil {
			return fmt.Errorf("%s: %w", channel, said(err))
		}
		shown.channels = append(shown.channels, name)
	}
	err = server.Follow(ctx, shown.following(c.Since))
	if errors.Is(err, errEnough) {
		return nil
	}
	return said(err)
}

// following follows a stream from a cursor, and says when it is lost.
func (v *viewer) following(cursor string) client.Following {
	return client.Following{
		Cursor: cursor, Handle: v.show,
		Lost: func(err error) { fmt.Fprintf(v.note, "edict: %v; connecting again\n", said(err)) },
	}
}

// viewer prints events.
type viewer struct {
	out      io.Writer
	note     io.Writer // gets what is no event
	channels []string  // empty: everything
	json     bool
	colour   bool
	left     int // events to show; 0: all
}

// streamed is what the data of events may hold.
type streamed struct {
	ChannelName, Sender, MessageID, Recipient, State, Change string
	From, To, UpTo                                           string
	Edited                                                   bool
	Content                                                  json.RawMessage
	Publisher                                                struct{ UserID string }
	MetaData                                                 struct{ CreationDate time.Time }
	QueuedAt                                                 time.Time
}

func (v *viewer) show(e client.Event) error {
	if e.Event == "ready" {
		_, err := fmt.Fprintln(v.note, "edict: connected; what comes is shown here, until Ctrl-C")
		return err
	}
	var data streamed
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return fmt.Errorf("an event of the stream is not understood: %w", err)
	}
	if !v.wants(&data) {
		return nil
	}
	line := v.line(e, &data)
	if v.json {
		raw, err := json.Marshal(e)
		if err != nil {
			return err
		}
		line = string(raw)
	}
	if _, err := fmt.Fprintln(v.out, line); err != nil {
		return err
	}
	if v.left--; v.left == 0 {
		return errEnough
	}
	return nil
}

func (v *viewer) wants(data *streamed) bool {
	if len(v.channels) == 0 {
		return true
	}
	for _, name := range v.channels {
		if strings.EqualFold(name, data.ChannelName) {
			return true
		}
	}
	return false
}

// line is an event for people.
func (v *viewer) line(e client.Event, data *streamed) string {
	switch e.Event {
	case "item":
		line := fmt.Sprintf("%s %s %s %s", v.time(data.MetaData.CreationDate), v.paint("36", data.ChannelName), v.paint("33", data.Publisher.UserID), printable(data.Content))
		if data.Edited {
			line += " " + v.paint("2", "(edited)")
		}
		return line
	case "read":
		return fmt.Sprintf("%s read up to %s", v.paint("36", data.ChannelName), data.UpTo)
	case "message":
		return fmt.Sprintf("%s %s %s %s", v.time(data.QueuedAt), v.paint("35", "message"), v.paint("33", data.Sender), printable(data.Content))
	case "receipt":
		return fmt.Sprintf("%s %s by %s: %s", v.paint("35", "receipt"), data.MessageID, v.paint("33", data.Recipient), data.State)
	case "gap":
		return fmt.Sprintf("%s %s: items were removed before they could be read", v.paint("31", "gap"), v.paint("36", data.ChannelName))
	case "channel":
		return fmt.Sprintf("%s %s", v.paint("36", data.ChannelName), data.Change)
	}
	return fmt.Sprintf("%s %s", e.Event, printable(e.Data))
}

func (v *viewer) time(t time.Time) string { return v.paint("2", t.Local().Format("15:04:05")) }

func (v *viewer) paint(colour, text string) string {
	if !v.colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// printable escapes what a terminal might take for a command.
func printable[T ~string | ~[]byte](raw T) string {
	var b strings.Builder
	for _, r := range string(raw) {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
