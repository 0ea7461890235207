//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
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

// beside measures how long households wait while the server has nothing else to do and while it computes one population after the other, by turns.
func beside(w io.Writer, a ask) error {
	data, err := os.MkdirTemp("", "population-beside")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	s, err := program.Serve(a.edict, "--only", "simulation", "--simulation-populations", "open", "--simulation-population-most", "1000", "--data", data)
	if err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	if _, err := askHouseholds(s.Addr, time.Second); err != nil {
		return err
	}
	var quiet, busy []time.Duration
	computed := 0
	for range besideRounds {
		took, err := askHouseholds(s.Addr, besideFor)
		if err != nil {
			return err
		}
		quiet = append(quiet, took...)
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() {
			n, err := populations(ctx, s.Addr, a)
			computed += n
			done <- err
		}()
		took, err = askHouseholds(s.Addr, besideFor)
		stop()
		if failed := <-done; err != nil || failed != nil {
			return fmt.Errorf("%w, %w", err, failed)
		}
		busy = append(busy, took...)
	}
	fmt.Fprintf(w, "%d requests a second by turns of %v, %d populations meanwhile\n%12s %12s %12s %8s\n", householdRate, besideFor, computed, "", "alone", "beside", "ratio")
	for _, q := range []float64{0.5, 0.9, 0.99} {
		x, y := quantile(quiet, q), quantile(busy, q)
		fmt.Fprintf(w, "%11.0f%% %12v %12v %7.1fx\n", 100*q, x.Round(10*time.Microsecond), y.Round(10*time.Microsecond), float64(y)/float64(x))
	}
	return s.Stop()
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

// populations has one population after the other computed until it is told to stop, and returns how many were.
func populations(ctx context.Context, addr string, a ask) (n int, err error) {
	for ; ctx.Err() == nil; n++ {
		if err := onePopulation(ctx, addr, a); err != nil && ctx.Err() == nil {
			return n, err
		}
	}
	return n, nil
}

func onePopulation(ctx context.Context, addr string, a ask) error {
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	_ = m.WriteField("options", fmt.Sprintf(`{"variables": [%q], "period": %q, "output": "none", "income": %[1]q}`, strings.Join(a.Variables, ","), a.Period))
	part, _ := m.CreateFormFile("file", filepath.Base(a.Input))
	rows, err := os.ReadFile(a.Input)
	if err != nil {
		return err
	}
	_, _ = part.Write(rows)
	_ = m.Close() // to memory, which does not fail
	var job struct{ ID, State, Error string }
	if err := askJSON(ctx, http.MethodPost, "http://"+addr+"/api/2/populations", m.FormDataContentType(), &form, &job); err != nil {
		return err
	}
	url := "http://" + addr + "/api/2/populations/" + job.ID
	// What is still there when the turn is over must not compute in the next one.
	defer func() { _ = askJSON(context.WithoutCancel(ctx), http.MethodDelete, url, "", nil, nil) }()
	for job.State == "queued" || job.State == "running" {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond): // it says when it is done, to whoever asks
		}
		if err := askJSON(ctx, http.MethodGet, url, "", nil, &job); err != nil {
			return err
		}
	}
	if job.State != "done" {
		return fmt.Errorf("the population %s: %s", job.State, job.Error)
	}
	return nil
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
