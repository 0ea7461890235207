package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"edict/platform/fault"
)

// readyCmd is "edict ready": the health check of a container that has no other program in it.
type readyCmd struct {
	URL string `arg:"" optional:"" default:"http://127.0.0.1:8080" help:"Server URL."`
}

// readyWait is how long a server may take to answer.
const readyWait = 5 * time.Second

// Run asks /readyz and fails unless the answer is yes.
func (c *readyCmd) Run(ctx context.Context, env *Env) error {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.URL, "/")+"/readyz", nil)
	if err != nil {
		return &UsageError{fmt.Sprintf("%q is not the URL of a server", c.URL)}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "%s cannot be reached", c.URL)
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(response.Body, 4<<10)) // what cannot be read is not shown
	if response.StatusCode != http.StatusOK {
		return fault.New(fault.Unavailable, "%s is not ready: %s", c.URL, strings.TrimSpace(string(said)))
	}
	_, err = fmt.Fprintln(env.Stdout, strings.TrimSpace(string(said)))
	return err
}
