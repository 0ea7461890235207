package program

import (
	"context"
	"net/http"
	"time"
)

// AwaitReady returns when an edict is ready, its legislation included, or when the context is done.
func (s *Server) AwaitReady(ctx context.Context) error {
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Addr+"/readyz", nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
