package cli

import (
	"context"
	"errors"
	"io"

	"edict/platform/cores"
)

// serveCmd is "edict serve". Its flags are the configuration, whole.
type serveCmd struct {
	Config `embed:""`
}

// Validate is called by the parser once all flags are set.
func (c *serveCmd) Validate() error { return c.validate() }

// Run serves until ctx is cancelled, then drains.
func (c *serveCmd) Run(ctx context.Context, env *Env) error {
	cores.Spare()
	server := NewServer(c.Config, env)
	if err := server.Start(ctx); err != nil {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return nil // stopped while it started
		}
		return err
	}
	if c.Server.UntilInputEnds {
		var end context.CancelFunc
		ctx, end = context.WithCancel(ctx)
		defer end()
		go untilEnd(env.Stdin, end)
	}
	select {
	case <-ctx.Done():
		server.log.Info("stopping", "drain", c.Server.Drain)
	case <-server.Done():
	}
	return server.Stop()
}

// untilEnd calls end when the input ends, which it does at the latest with the process.
func untilEnd(input io.Reader, end func()) {
	_, _ = io.Copy(io.Discard, input) // an input that cannot be read has ended
	end()
}
