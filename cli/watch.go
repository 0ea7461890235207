package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"edict/client"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/watch"
)

type watchCmd struct {
	List      watchListCmd      `cmd:"" help:"List your watches."`
	Run       watchRunCmd       `cmd:"" help:"Compute all watches under two laws and print the report, with approximate counts. For admins."`
	Send      watchSendCmd      `cmd:"" help:"Send the messages of a run. For admins."`
	RotateKey watchRotateKeyCmd `cmd:"" name:"rotate-key" help:"Encrypt all watches with a new key. Works while the server runs."`
}

type watchListCmd struct {
	ClientConfig `embed:"" group:"client"`
}

// Run lists the caller's watches, a line for each figure.
func (c *watchListCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	watches, err := server.Watches(ctx)
	if err != nil {
		return said(err)
	}
	var rows [][]string
	for _, w := range watches {
		for _, f := range w.Figures {
			rows = append(rows, []string{w.ID, w.Period, f.Variable, orDash(f.Label), fmt.Sprintf("%.2f", f.Value), w.ExpiresAt.Format(time.DateOnly)})
		}
	}
	return table(env.Stdout, []string{"WATCH", "PERIOD", "FIGURE", "LABEL", "VALUE", "EXPIRES"}, rows)
}

type watchRunCmd struct {
	ClientConfig `embed:"" group:"client"`
	File         string `arg:"" help:"File with the run as JSON, as for POST /watch/api/v1/runs. - reads standard input."`
}

// Run starts a run, waits for it and prints its id and its report.
func (c *watchRunCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	text, err := readRun(c.File, env)
	if err != nil {
		return err
	}
	run, err := server.StartRun(ctx, text)
	if err != nil {
		return said(err)
	}
	if _, err := fmt.Fprintln(env.Stdout, run.ID); err != nil {
		return err
	}
	return awaitRun(ctx, server, run, env)
}

func readRun(file string, env *Env) (json.RawMessage, error) {
	text, err := []byte(nil), error(nil)
	if file == "-" {
		text, err = io.ReadAll(io.LimitReader(env.Stdin, 1<<20))
	} else {
		text, err = os.ReadFile(file)
	}
	if err == nil && !json.Valid(text) {
		err = &UsageError{file + " is not JSON"}
	}
	return text, err
}

type watchSendCmd struct {
	ClientConfig `embed:"" group:"client"`
	ID           string `arg:"" name:"run" help:"Id of the run, as printed by edict watch run."`
}

// Run has the messages of a run sent and waits for it.
func (c *watchSendCmd) Run(ctx context.Context, env *Env) error {
	server, err := c.open()
	if err != nil {
		return err
	}
	run, err := server.SendRun(ctx, c.ID)
	if err != nil {
		return said(err)
	}
	return awaitRun(ctx, server, run, env)
}

// awaitRun waits until nothing of a run is under way, and prints what it found, or about how many people were notified.
func awaitRun(ctx context.Context, server *client.Client, run client.WatchRun, env *Env) (err error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for run.UnderWay() {
		select {
		case <-ctx.Done():
			return errors.New("interrupted; the run continues on the server")
		case <-tick.C:
		}
		if run, err = server.Run(ctx, run.ID); err != nil {
			return said(err)
		}
	}
	switch run.State {
	case "sent":
		sent := "sent"
		if run.Sent != nil {
			sent = fmt.Sprintf("sent to about %d people", *run.Sent)
		}
		_, err = fmt.Fprintf(env.Stdout, "%s (%s)\n", sent, count(int(run.Watches), "watch"))
	case "computed":
		var report bytes.Buffer
		if err := json.Indent(&report, run.Report, "", "  "); err != nil {
			return err
		}
		_, err = fmt.Fprintln(env.Stdout, report.String())
	default:
		err = fmt.Errorf("the run is %s: %s", run.State, run.Failure)
	}
	return err
}

type watchRotateKeyCmd struct {
	StoreConfig `embed:"" group:"server"`
	WatchKey    string `group:"server" placeholder:"FILE" help:"Key file. Defaults to DATA/watch.key."`
}

// Run makes a new key and encrypts everything with it.
func (c *watchRotateKeyCmd) Run(ctx context.Context, env *Env) error {
	return withStore(ctx, c.StoreConfig, env, func(_ *auth.Authority, store *db.DB) error {
		n, err := watch.RotateKey(ctx, store, ServerConfig{StoreConfig: c.StoreConfig, WatchKey: c.WatchKey}.keyFile(), env.Now)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.Stdout, "%s encrypted with a new key; the old key was removed from the file\n", count(n, "row"))
		return err
	})
}
