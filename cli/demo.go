package cli

// serve --demo is a server to look at: on the loopback interface, with two users, some channels, items and a message,
// and on standard error the commands that show what it can do, ready to paste. Each part brings its own commands
// (part.demo); the data is thrown away with the server unless --data names a directory of its own.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"edict/messaging"
	"edict/platform/auth"
	"edict/platform/fault"
)

// demoTokenLife is how long the printed tokens work.
const demoTokenLife = 24 * time.Hour

// demoCall is one command to paste.
type demoCall struct {
	title   string
	command string
}

// checkDemo refuses what a demonstration must not do: its tokens are printed.
func (c *Config) checkDemo() error {
	if !c.Server.Demo {
		return nil
	}
	return errors.Join(onLoopback("--listen", c.Server.Listen), onLoopback("--admin-listen", c.Server.AdminListen))
}

// onLoopback rejects an address that other machines can reach.
func onLoopback(flag, address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil // empty, or rejected elsewhere
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("--demo: it prints tokens, so it listens only on the loopback interface, and not on %q (%s)", host, flag)
}

// openScratch gives a demonstration a data directory that goes with it.
func openScratch(_ context.Context, s *Server) (part, error) {
	if !s.cfg.Server.Demo || s.cfg.Server.Data != defaultData {
		return part{}, nil
	}
	dir, err := os.MkdirTemp("", "edict-demo-")
	if err != nil {
		return part{}, err
	}
	s.cfg.Server.Data, s.scratch = dir, true
	return part{close: func(context.Context) error { return os.RemoveAll(dir) }}, nil
}

// showDemo fills the parts and prints what to try.
func (s *Server) showDemo(ctx context.Context) error {
	var b strings.Builder
	b.WriteString("\nThis is a demonstration with its own data. Paste these commands into another terminal.\n")
	if s.cfg.Server.Console {
		fmt.Fprintf(&b, "\n# console: open this link in a browser; it signs you in as an admin, once\n%s\n", s.consoleLink())
	}
	for _, p := range s.opened {
		if p.demo == nil {
			continue
		}
		calls, err := p.demo(ctx, s.url)
		if err != nil {
			return fmt.Errorf("demonstration: %w", err)
		}
		for _, c := range calls {
			fmt.Fprintf(&b, "\n# %s\n%s\n", c.title, c.command)
		}
	}
	fmt.Fprintf(&b, "\n# every endpoint, with examples\n%s/docs\n\nData: %s", s.url, s.cfg.Server.Data)
	if s.scratch {
		b.WriteString(", deleted when the server stops; --data DIR keeps it")
	}
	b.WriteString(". Stop with Ctrl-C.\n\n")
	_, err := fmt.Fprint(s.env.Stderr, b.String())
	return err
}

// The users of a demonstration.
const (
	demoAuthor = "ada"
	demoReader = "grace"
)

// demoMessaging makes users, channels, items and a message, unless they are there, and says how to use them.
func (s *Server) demoMessaging(ctx context.Context, url string) ([]demoCall, error) {
	author, err := s.demoUser(ctx, demoAuthor)
	if err != nil {
		return nil, err
	}
	reader, err := s.demoUser(ctx, demoReader)
	if err != nil {
		return nil, err
	}
	if err := s.fillDemo(ctx); err != nil {
		return nil, err
	}
	api, header := url+"/message/api/v2", func(who string) string { return `-H "Authorization: Bearer $` + who + `"` }
	const json = `-H 'Content-Type: application/json'`
	return []demoCall{
		{"tokens of two users: ada writes, grace reads", "ADA=" + author + "\nGRACE=" + reader},
		{"follow grace's events live; leave this running, and paste the tokens and the other commands into a second terminal",
			`curl -N ` + api + `/events ` + header("GRACE")},
		{"or follow a channel on the command line, one line per item", "EDICT_TOKEN=$GRACE edict subscribe --url " + url + " chat"},
		{"publish an item: the response is sent once it is on disk, and the stream shows the item",
			"curl " + api + "/channels/chat/items " + header("ADA") + " " + json + ` -d '{"content": {"text": "Hello, Grace"}}'`},
		{"fetch the newest items",
			`curl "` + api + `/channels/chat/items/fetch?sort_order=DESC&size=5" ` + header("GRACE")},
		{"find channels by a tag", `curl "` + api + `/channels?tag=housing" ` + header("GRACE")},
		{"send a message to a user",
			"curl " + api + "/messages/send_to_user_ids " + header("ADA") + " " + json +
				` -d '{"recipientUserIds": ["grace"], "receipt": true, "content": {"text": "Your form is ready"}}'`},
		{"read the inbox", "curl " + api + "/messages " + header("GRACE")},
	}, nil
}

// demoUser returns a token for a user, who is created unless there.
func (s *Server) demoUser(ctx context.Context, name string) (string, error) {
	u, err := s.identity.UserByID(ctx, name)
	if fault.KindOf(err) == fault.NotFound {
		u, err = s.identity.CreateUser(ctx, auth.NewUser{Name: name, ID: name})
	}
	if err != nil {
		return "", err
	}
	return s.identity.IssueToken(auth.Grant{User: u, TTL: demoTokenLife})
}

// fillDemo makes the channels of the demonstration with something in them. What exists stays as it is.
func (s *Server) fillDemo(ctx context.Context) error {
	author, reader := messaging.Caller{UserID: demoAuthor}, messaging.Caller{UserID: demoReader}
	news := messaging.DefaultNewChannel("news")
	news.Description, news.Permission = "Changes in the law", messaging.PublishOwner
	chat := messaging.DefaultNewChannel("chat")
	chat.Description, chat.MaxItems = "Open to all users", 1000
	notes := messaging.DefaultNewChannel("notes")
	notes.Description, notes.Private = "Ada's own", true
	for _, c := range []struct {
		channel messaging.NewChannel
		tags    []string
		items   []string
	}{
		{news, []string{"housing", "benefits"}, []string{
			`{"title": "Housing allowance goes up in January", "percent": 3.5}`, `{"title": "New form for students", "form": "H-12"}`,
		}},
		{chat, []string{"talk"}, []string{`{"text": "Is anybody here?"}`}},
		{notes, nil, []string{`{"text": "Call Grace about the form", "done": false}`}},
	} {
		if err := s.fillChannel(ctx, author, c.channel, c.tags, c.items); err != nil {
			return err
		}
	}
	for _, name := range []string{news.Name, chat.Name} {
		if _, err := s.messaging.Subscribe(ctx, reader, messaging.Ref{Name: name, Personal: messaging.PersonalFalse}, messaging.NewSubscription{}); err != nil {
			return err
		}
	}
	_, err := s.messaging.Send(ctx, author, messaging.NewMessage{
		Recipients: []messaging.UserID{demoReader}, Content: []byte(`{"text": "Welcome to the demonstration"}`), IdempotencyKey: "demo",
	})
	return err
}

func (s *Server) fillChannel(ctx context.Context, owner messaging.Caller, n messaging.NewChannel, tags, items []string) error {
	_, err := s.messaging.CreateChannel(ctx, owner, n)
	if err != nil && messaging.CodeOf(err) == messaging.CodeChannelExists {
		return nil
	}
	ref := messaging.Ref{Name: n.Name, Personal: messaging.PersonalFalse}
	if n.Private {
		ref.Personal = messaging.PersonalTrue
	}
	if len(tags) > 0 {
		err = errors.Join(err, s.messaging.AddTags(ctx, owner, ref, tags))
	}
	for _, content := range items {
		if err != nil {
			return err
		}
		_, err = s.messaging.Publish(ctx, owner, ref, messaging.NewItem{Content: []byte(content)})
	}
	return err
}
