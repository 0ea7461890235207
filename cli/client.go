package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"edict/client"
	"edict/platform/fault"
)

// ClientConfig says which server the commands of messaging talk to, and as whom; embed it with group:"client".
type ClientConfig struct {
	URL   string `name:"url" default:"http://127.0.0.1:8080" placeholder:"URL" help:"Server URL."`
	Token string `placeholder:"TOKEN" help:"Access token from edict token create or POST /auth/token. Prefer the environment variable: other processes can read flags."`
}

func (c ClientConfig) open() (*client.Client, error) {
	if c.Token == "" {
		return nil, &UsageError{"--token: give an access token, or set EDICT_TOKEN: edict token create prints one"}
	}
	return &client.Client{URL: c.URL, Token: c.Token}, nil
}

// contentOf makes a JSON object of arguments: KEY=TEXT, or KEY:=JSON.
func contentOf(args []string) (json.RawMessage, error) {
	b := []byte{'{'}
	seen := map[string]bool{}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, &UsageError{fmt.Sprintf("%q is not KEY=VALUE", arg)}
		}
		raw, isJSON := strings.CutSuffix(key, ":")
		switch {
		case raw == "":
			return nil, &UsageError{fmt.Sprintf("%q has no key", arg)}
		case seen[raw]:
			return nil, &UsageError{fmt.Sprintf("%q is given twice", raw)}
		case isJSON && !json.Valid([]byte(value)):
			return nil, &UsageError{fmt.Sprintf("%s: %q is not JSON; KEY=VALUE takes text as it is", raw, value)}
		case !isJSON:
			value = quoteJSON(value)
		}
		seen[raw] = true
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, quoteJSON(raw)...), ':'), value...)
	}
	return append(b, '}'), nil
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s) // a string: never fails
	return string(b)
}

type publishCmd struct {
	ClientConfig `embed:"" group:"client"`
	Channel      string   `arg:"" help:"Channel name, or USER#NAME for another user's private channel."`
	Content      []string `arg:"" sep:"none" placeholder:"KEY=VALUE" help:"Content: KEY=TEXT or KEY:=JSON."`
	Type         string   `placeholder:"WORD" help:"Kind of the item (messageType)."`
	ContentType  string   `placeholder:"MIME" help:"MIME type of the content."`
}

// Run publishes an item and prints its id once it is on the server's disk.
func (c *publishCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	content, err := contentOf(c.Content)
	if err != nil {
		return err
	}
	id, err := server.Publish(ctx, c.Channel, client.Item{Content: content, MessageType: c.Type, ContentType: c.ContentType})
	if err == nil {
		_, err = fmt.Fprintln(env.Stdout, id)
	}
	return said(err)
}

type sendCmd struct {
	ClientConfig `embed:"" group:"client"`
	Args         []string      `arg:"" sep:"none" name:"user|key=value" help:"Names or ids of the recipients, then the content: KEY=TEXT or KEY:=JSON."`
	Receipt      bool          `help:"Request receipts."`
	TTL          time.Duration `name:"ttl" placeholder:"TIME" help:"Time until the message expires. Defaults to the server's --messaging-ttl."`
}

// Run sends a message and prints its id. Users that do not exist make it fail, after the others got theirs.
func (c *sendCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	m := client.Message{Receipt: c.Receipt, TTL: int64(c.TTL / time.Second)}
	var fields, recipients []string
	for _, arg := range c.Args {
		if strings.Contains(arg, "=") {
			fields = append(fields, arg)
		} else {
			recipients = append(recipients, arg)
		}
	}
	if len(recipients) == 0 || len(fields) == 0 {
		return &UsageError{"give at least one user and one KEY=VALUE"}
	}
	if m.Content, err = contentOf(fields); err != nil {
		return err
	}
	for _, who := range recipients {
		id, err := server.UserID(ctx, who)
		if err != nil {
			return said(err)
		}
		m.Recipients = append(m.Recipients, id)
	}
	id, unsent, err := server.Send(ctx, m)
	if err != nil {
		return said(err)
	}
	failed := make([]error, 0, len(unsent)+1)
	if id != "" {
		_, err := fmt.Fprintln(env.Stdout, id)
		failed = append(failed, err)
	}
	for _, u := range unsent {
		failed = append(failed, errors.New(u.Reason))
	}
	return errors.Join(failed...)
}

// said shows what the server said, and the cause where there is one.
func said(err error) error {
	if err == nil {
		return nil
	}
	f := fault.From(err)
	if f.Cause != nil {
		return fmt.Errorf("%s: %w", f.Message, f.Cause)
	}
	return errors.New(f.Message)
}

// colourful reports whether a writer is a terminal whose user did not ask for plain text.
func colourful(w any) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
