//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"edict/bench/program"
)

const (
	householdRate  = 200 // requests a second, whether the ones before are answered or not
	householdConns = 16
	besideRounds   = 3
	besideFor      = 5 * time.Second // of each turn
)

// household is what is asked meanwhile.
const household = `{"individus":{"ada":{"date_naissance":{"ETERNITY":"1980-03-02"},"salaire_imposable":{"2022":30000}},"cleo":{"date_naissance":{"ETERNITY":"2015-02-02"}}},
"familles":{"f":{"parents":["ada"],"enfants":["cleo"]}},"foyers_fiscaux":{"ff":{"declarants":["ada"],"personnes_a_charge":["cleo"]}},
"menages":{"m":{"personne_de_reference":["ada"],"enfants":["cleo"],"revdisp":{"2022":null}}}}`

// beside measures how long households wait while the server has nothing else to do, while it computes populations that were sent before, and
// while one file after the other arrives as fast as this machine can send it, alternating.
func beside(w io.Writer, a ask) error {
	data, err := os.MkdirTemp("", "population-beside")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	s, err := program.Serve(a.edict, "--only", "simulation", "--simulation-populations", "open", "--simulation-population-max", "1000", "--data", data)
	if err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	u := uploads{addr: s.Addr}
	if u.form, u.contentType, err = a.form(); err != nil {
		return err
	}
	if _, err := askHouseholds(s.Addr, time.Second); err != nil {
		return err
	}
	turns := []*turn{{name: "alone", before: u.nothing}, {name: "computing", before: u.queue}, {name: "sending", before: u.keepSending}}
	for range besideRounds {
		for _, t := range turns {
			if err := t.take(s.Addr, &u); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	fmt.Fprintf(w, "%d requests a second by turns of %v, %d populations computed meanwhile, %d sent\n%12s", householdRate, besideFor, turns[1].jobs, turns[2].jobs, "")
	for i, t := range turns {
		fmt.Fprintf(w, "%12s", t.name)
		if i > 0 {
			fmt.Fprintf(w, "%8s", "ratio")
		}
	}
	for _, q := range []float64{0.5, 0.9, 0.99} {
		fmt.Fprintf(w, "\n%11.0f%%", 100*q)
		for i, t := range turns {
			fmt.Fprintf(w, "%12v", quantile(t.took, q).Round(10*time.Microsecond))
			if i > 0 {
				fmt.Fprintf(w, "%7.1fx", float64(quantile(t.took, q))/float64(quantile(turns[0].took, q)))
			}
		}
	}
	fmt.Fprintln(w)
	return s.Stop()
}

// turn is what households notice of something else.
type turn struct {
	name   string
	before func(context.Context) error // begins it; what continues ends with the context
	took   []time.Duration
	jobs   int
}

func (t *turn) take(addr string, u *uploads) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if err := t.before(ctx); err != nil {
		return err
	}
	took, err := askHouseholds(addr, besideFor)
	stop()
	t.took = append(t.took, took...)
	n, failed := u.clear()
	t.jobs += n
	return errors.Join(err, failed)
}

func quantile(all []time.Duration, q float64) time.Duration {
	slices.Sort(all)
	return all[int(q*float64(len(all)-1))]
}

// askHouseholds asks at fixed moments; the time of an answer counts from the moment of its request, also where the connection was late.
func askHouseholds(addr string, long time.Duration) ([]time.Duration, error) {
	request := fmt.Appendf(nil, "POST /calculate HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", addr, len(household), household)
	var mu sync.Mutex
	var all []time.Duration
	var failed error
	begin := time.Now()
	var group sync.WaitGroup
	for i := range householdConns {
		group.Go(func() {
			took, err := askOn(addr, request, begin.Add(time.Duration(i)*time.Second/householdRate), begin.Add(long))
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			if err != nil {
				failed = err
			}
		})
	}
	group.Wait()
	return all, failed
}

func askOn(addr string, request []byte, at, end time.Time) (took []time.Duration, err error) {
	c, err := program.Dial(addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for ; at.Before(end); at = at.Add(householdConns * time.Second / householdRate) {
		time.Sleep(time.Until(at)) // the moment of the request
		status, body, err := c.Do(request)
		if err != nil || status != http.StatusOK {
			return nil, fmt.Errorf("a household: status %d, %s (%w)", status, body, err)
		}
		took = append(took, time.Since(at))
	}
	return took, nil
}

// uploads are the populations that a server was sent.
type uploads struct {
	addr        string
	form        []byte
	contentType string
	mu          sync.Mutex
	jobs        []string // their addresses
	running     sync.WaitGroup
	failed      error
}

// form is the request that sends the file.
func (a ask) form() (form []byte, contentType string, err error) {
	var buf bytes.Buffer
	m := multipart.NewWriter(&buf)
	_ = m.WriteField("options", fmt.Sprintf(`{"variables": [%q], "period": %q, "output": "none", "income": %[1]q}`, strings.Join(a.Variables, ","), a.Period))
	part, _ := m.CreateFormFile("file", filepath.Base(a.Input))
	rows, err := os.ReadFile(a.Input)
	if err != nil {
		return nil, "", err
	}
	_, _ = part.Write(rows)
	_ = m.Close() // to memory, which does not fail
	return buf.Bytes(), m.FormDataContentType(), nil
}

func (u *uploads) send(ctx context.Context) error {
	var job struct{ ID string }
	if err := askJSON(ctx, http.MethodPost, "http://"+u.addr+"/api/2/populations", u.contentType, bytes.NewReader(u.form), &job); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.jobs = append(u.jobs, "http://"+u.addr+"/api/2/populations/"+job.ID)
	return nil
}

func (u *uploads) nothing(context.Context) error { return nil }

// queue sends more populations than can be computed in a turn.
func (u *uploads) queue(ctx context.Context) error {
	for range 12 {
		if err := u.send(ctx); err != nil {
			return err
		}
	}
	return nil
}

// keepSending sends one file after the other and has what it makes removed before it is computed.
func (u *uploads) keepSending(ctx context.Context) error {
	u.running.Go(func() {
		for ctx.Err() == nil {
			if err := u.send(ctx); err != nil {
				if ctx.Err() == nil {
					u.failed = err
				}
				return
			}
			u.mu.Lock()
			last := u.jobs[len(u.jobs)-1]
			u.mu.Unlock()
			_ = askJSON(ctx, http.MethodDelete, last, "", nil, nil) // what is left is removed after the turn
		}
	})
	return nil
}

// clear awaits what is under way and removes all populations, so that none computes in the next turn. It tells how many were computed, or sent
// and removed at once.
func (u *uploads) clear() (ended int, err error) {
	u.running.Wait()
	for _, url := range u.jobs {
		var job struct{ State, Error string }
		if err := askJSON(context.Background(), http.MethodGet, url, "", nil, &job); err != nil {
			ended++ // it is gone
			continue
		}
		switch job.State {
		case "done":
			ended++
		case "failed":
			u.failed = fmt.Errorf("a population: %s", job.Error)
		}
		_ = askJSON(context.Background(), http.MethodDelete, url, "", nil, nil)
	}
	u.jobs = nil
	return ended, u.failed
}

func askJSON(ctx context.Context, method, url, contentType string, body io.Reader, answer any) error {
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %d %s", method, url, resp.StatusCode, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
