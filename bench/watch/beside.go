//go:build unix

package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/bench/program"
)

const (
	besideRate   = 100 // requests of each kind a second, whether the ones before are answered or not
	besideConns  = 8
	besideRounds = 3
	besideFor    = 5 * time.Second // of each turn
)

// measureBeside measures how long households and messages wait while nothing else happens and while a run is under way, alternating.
func (b *bench) measureBeside(ctx context.Context) error {
	var quiet, busy [2][]time.Duration
	if _, err := b.both(ctx); err != nil { // warms
		return err
	}
	computed := 0
	for range besideRounds {
		took, err := b.both(ctx)
		if err != nil {
			return err
		}
		p, err := b.ask(ctx, http.MethodPost, runs, strings.Replace(b.law.run, `{"base"`, `{"dry": false, "base"`, 1))
		if err != nil {
			return err
		}
		besides, err := b.both(ctx)
		if err != nil {
			return err
		}
		if p, err = b.ask(ctx, http.MethodGet, runs+"/"+p.ID, ""); err != nil {
			return err
		}
		if computed += p.Computed; p.State != "computing" && p.State != "sending" {
			return fmt.Errorf("the run is %s before the turn ended: take more watches", p.State)
		}
		if _, err := b.ask(ctx, http.MethodPost, runs+"/"+p.ID+"/cancel", ""); err != nil {
			return err
		}
		for i := range took {
			quiet[i], busy[i] = append(quiet[i], took[i]...), append(busy[i], besides[i]...)
		}
	}
	fmt.Fprintf(b.out, "%d households and %d messages a second by turns of %v, %d watches computed meanwhile\n", besideRate, besideRate, besideFor, computed)
	for i, what := range []string{"household", "message"} {
		fmt.Fprintf(b.out, "%12s %12s %12s %8s\n", what, "alone", "beside", "ratio")
		for _, q := range []float64{0.5, 0.9, 0.99} {
			x, y := quantile(quiet[i], q), quantile(busy[i], q)
			fmt.Fprintf(b.out, "%11.0f%% %12v %12v %7.1fx\n", 100*q, x.Round(10*time.Microsecond), y.Round(10*time.Microsecond), float64(y)/float64(x))
		}
	}
	return nil
}

func quantile(all []time.Duration, q float64) time.Duration {
	slices.Sort(all)
	return all[int(q*float64(len(all)-1))]
}

// both asks for households and sends messages for a turn.
func (b *bench) both(ctx context.Context) (took [2][]time.Duration, err error) {
	message := `{"recipientUserIds": ["boss"], "content": {"text": "hello"}}`
	requests := [2][]byte{
		b.request("/calculate", b.law.household), b.request("/message/api/v2/messages/send_to_user_ids", message),
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	begin := time.Now()
	for kind, request := range requests {
		for i := range besideConns {
			group.Go(func() {
				times, failed := b.askOn(ctx, request, begin.Add(time.Duration(i)*time.Second/besideRate), begin.Add(besideFor))
				mu.Lock()
				defer mu.Unlock()
				if took[kind] = append(took[kind], times...); failed != nil {
					err = failed
				}
			})
		}
	}
	group.Wait()
	return took, err
}

func (b *bench) request(path, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, b.Addr, b.boss, len(body), body)
}

// askOn asks at fixed moments; the time of an answer counts from the moment of its request, also where the connection was late.
func (b *bench) askOn(ctx context.Context, request []byte, at, end time.Time) (took []time.Duration, err error) {
	c, err := program.Dial(b.Addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for ; at.Before(end) && ctx.Err() == nil; at = at.Add(besideConns * time.Second / besideRate) {
		time.Sleep(time.Until(at)) // the moment of the request
		status, body, err := c.Do(request)
		if err != nil || status >= 300 {
			return nil, fmt.Errorf("status %d, %s (%w)", status, body, err)
		}
		took = append(took, time.Since(at))
	}
	return took, ctx.Err()
}
