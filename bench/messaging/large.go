package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"edict/bench/program"
	"edict/bench/seed"
)

// benchLarge measures searches among many channels and fetches from a channel of many items, in a small table and in the
// large one: what does not depend on the size of the table takes the same time in both.
func benchLarge(ctx context.Context, o options, w io.Writer) error {
	const small = 1000
	for _, n := range []int{small, o.manyNames} {
		if err := measure(ctx, o, w, "names", n, seed.Names, searches); err != nil {
			return err
		}
	}
	for _, n := range []int{small, o.manyItems} {
		if err := measure(ctx, o, w, "items", n, seed.Items, fetches); err != nil {
			return err
		}
	}
	return nil
}

// query is a kind of request; next makes one of it.
type query struct {
	name string
	next func() string
}

// answer is what of a search's or a fetch's answer matters here.
type answer struct {
	Total      int
	TotalCount int
	Results    []struct{ Name string }
	Items      []struct{ ItemID string }
	NextCursor string
}

func measure(ctx context.Context, o options, w io.Writer, kind string, n int, build func(context.Context, string, int) error, queries func(*server, *program.Conn, int) ([]query, error)) error {
	data := filepath.Join(o.cache, fmt.Sprintf("%s-%d", kind, n))
	if err := seed.Once(ctx, data, n, build, w); err != nil {
		return err
	}
	s, err := startServer(ctx, o.binary, data, o.rate)
	if err != nil {
		return err
	}
	defer func() { _ = s.Kill() }() // no effect once it is stopped
	c, err := program.Dial(s.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	kinds, err := queries(s, c, n)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d %s\n%44s %10s %10s %10s %10s %9s %9s\n", n, kind, "", "p50", "p99", "rows read", "pages", "results", "total")
	for _, q := range kinds {
		if err := ask(ctx, s, c, q, o.queries, w); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	return s.Stop()
}

// ask makes one kind of request count times, or for at most ten seconds, and prints a line.
func ask(ctx context.Context, s *server, c *program.Conn, q query, count int, w io.Writer) error {
	var took []time.Duration
	var last answer
	before, err := s.figures(ctx)
	if err != nil {
		return err
	}
	for began := time.Now(); len(took) < count && time.Since(began) < 10*time.Second && ctx.Err() == nil; {
		request := get(s, q.next())
		at := time.Now()
		status, body, err := c.Do(request)
		if err != nil || status != 200 {
			return fmt.Errorf("status %d, %.200s (%w)", status, body, err)
		}
		took = append(took, time.Since(at))
		last = answer{}
		if err := json.Unmarshal(body, &last); err != nil {
			return err
		}
	}
	after, err := s.figures(ctx)
	if err != nil {
		return err
	}
	slices.Sort(took)
	n := float64(max(1, len(took)))
	fmt.Fprintf(w, "%44s %10v %10v %10.1f %10.1f %9d %9d\n", q.name, percentile(took, 50), percentile(took, 99),
		(after.rows-before.rows)/n, (after.pages-before.pages)/n, len(last.Results)+len(last.Items), last.Total+last.TotalCount)
	return ctx.Err()
}

// searches are the kinds of search.
func searches(_ *server, _ *program.Conn, n int) ([]query, error) {
	find := func(text string) string { return "/channels?size=20&channelName=" + url.QueryEscape(text) }
	return []query{
		{name: "search, whole name", next: func() string { return find(seed.ChannelName(rand.IntN(n))) }},
		{name: "search, six characters, few match", next: func() string { return find(fmt.Sprintf("%06d", rand.IntN(n))) }},
		{name: "search, three characters, many match", next: func() string { return find(seed.Nouns[rand.IntN(len(seed.Nouns))][:3]) }},
		{name: "search, tag", next: func() string { return fmt.Sprintf("/channels?size=20&tag=t%d", rand.IntN(max(1, n/seed.TagEvery))) }},
	}, nil
}

// fetches are the kinds of fetch.
func fetches(s *server, c *program.Conn, n int) ([]query, error) {
	first, err := pageOf(s, c, "/channels/many/items/fetch?size=100")
	if err != nil {
		return nil, err
	}
	deep, err := deepCursor(s, c, first)
	if err != nil {
		return nil, err
	}
	id := first.Items[len(first.Items)/2].ItemID
	return []query{
		{name: "fetch, newest 100", next: func() string { return "/channels/many/items/fetch?size=100&sort_order=DESC" }},
		{name: "fetch, 100 after a cursor at the beginning", next: func() string { return "/channels/many/items/fetch?size=100&cursor=" + first.NextCursor }},
		{name: "fetch, 100 after a cursor in the middle", next: func() string { return "/channels/many/items/fetch?size=100&cursor=" + deep }},
		{name: "fetch, by id", next: func() string { return "/channels/many/items?id=" + id }},
		{name: "summary", next: func() string { return "/channels/many/summary" }},
	}, nil
}

func pageOf(s *server, c *program.Conn, path string) (answer, error) {
	var a answer
	status, body, err := c.Do(get(s, path))
	if err != nil || status != 200 {
		return a, fmt.Errorf("status %d, %.200s (%w)", status, body, err)
	}
	return a, json.Unmarshal(body, &a)
}

// deepCursor returns a cursor half-way through the channel.
func deepCursor(s *server, c *program.Conn, first answer) (string, error) {
	page, err := pageOf(s, c, fmt.Sprintf("/channels/many/items/fetch?size=1&offset=%d", first.TotalCount/2))
	if err == nil && page.NextCursor == "" {
		err = errors.New("a page in the middle has no cursor")
	}
	return page.NextCursor, err
}
