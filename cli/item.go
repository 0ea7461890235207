package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"edict/client"
)

type itemCmd struct {
	Correct  itemCorrectCmd  `cmd:"" help:"Replace the content of an item that you published."`
	Delete   itemDeleteCmd   `cmd:"" help:"Delete items from a channel."`
	List     itemListCmd     `cmd:"" help:"List a channel's items, newest first."`
	MarkRead itemMarkReadCmd `cmd:"" help:"Mark a channel as read, up to an item or entirely."`
}

type itemListCmd struct {
	channelArg
	Size   int       `short:"n" default:"20" placeholder:"N" help:"Maximum number of items; 0 for all."`
	Oldest bool      `help:"List the oldest first."`
	Since  time.Time `placeholder:"TIME" help:"Only items published since this time, such as 2026-11-16T09:30:00Z."`
	JSON   bool      `name:"json" help:"Print each item as one line of JSON."`
}

// Run shows items, page by page.
func (c *itemListCmd) Run(ctx context.Context, env *Env) error {
	if c.Size < 0 {
		return &UsageError{"--size: must not be negative"}
	}
	left := c.Size
	return c.do(func(s *client.Client) error {
		return pages(func(cursor string) (string, error) {
			f := client.Fetch{Newest: !c.Oldest, Cursor: cursor}
			if f.Size = min(left, 1000); cursor == "" {
				f.Since = c.Since
			}
			items, next, err := s.Items(ctx, c.Channel, f)
			if err != nil {
				return "", err
			}
			for i := range items {
				if err := showItem(env.Stdout, &items[i], c.JSON); err != nil {
					return "", err
				}
			}
			if left -= len(items); c.Size > 0 && left <= 0 {
				next = ""
			}
			return next, nil
		})
	})
}

func showItem(out io.Writer, i *client.Published, asJSON bool) error {
	if asJSON {
		line, err := json.Marshal(i)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s\n", line)
		}
		return err
	}
	edited := ""
	if i.MetaData.EditedDate != nil {
		edited = " (edited)"
	}
	_, err := fmt.Fprintf(out, "%s  %s  %s  %s%s\n", i.ID, i.MetaData.CreationDate.Format(time.RFC3339), i.Publisher.UserID, printable(string(i.Content)), edited)
	return err
}

type itemCorrectCmd struct {
	channelArg
	ID      string   `arg:"" name:"id" help:"Id of the item."`
	Content []string `arg:"" sep:"none" placeholder:"KEY=VALUE" help:"New content: KEY=TEXT or KEY:=JSON."`
}

// Run corrects the item.
func (c *itemCorrectCmd) Run(ctx context.Context, _ *Env) error {
	content, err := contentOf(c.Content)
	if err != nil {
		return err
	}
	return c.do(func(s *client.Client) error { return s.Correct(ctx, c.Channel, c.ID, client.Item{Content: content}) })
}

type itemDeleteCmd struct {
	channelArg
	IDs []string `arg:"" optional:"" name:"id" help:"Ids of the items."`
	All bool     `help:"Delete all items."`
}

// Run deletes the items; ids that are no items of the channel make it fail, after the others are gone.
func (c *itemDeleteCmd) Run(ctx context.Context, _ *Env) error {
	if c.All == (len(c.IDs) > 0) {
		return &UsageError{"give the ids of items, or --all"}
	}
	return c.do(func(s *client.Client) error {
		if c.All {
			return s.DeleteAllItems(ctx, c.Channel)
		}
		unknown, err := s.DeleteItems(ctx, c.Channel, c.IDs)
		for _, id := range unknown {
			err = errors.Join(err, fmt.Errorf("%s is no item of %s", id, c.Channel))
		}
		return err
	})
}

type itemMarkReadCmd struct {
	channelArg
	ID string `arg:"" optional:"" name:"id" help:"Id of the last item read. Defaults to the newest."`
}

// Run marks the channel as read.
func (c *itemMarkReadCmd) Run(ctx context.Context, _ *Env) error {
	return c.do(func(s *client.Client) error {
		id := c.ID
		if id == "" {
			newest, _, err := s.Items(ctx, c.Channel, client.Fetch{Newest: true, Size: 1})
			if err != nil || len(newest) == 0 {
				return err
			}
			id = newest[0].ID
		}
		return s.MarkRead(ctx, c.Channel, id)
	})
}
