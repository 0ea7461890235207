package logs_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"edict/platform/logs"
)

// TestRepeatedWarningsAreCounted: an outage that causes two warnings a second has a line in thirty seconds for each.
func TestRepeatedWarningsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := logs.New(&out, slog.LevelInfo, "text")
		for i := range 140 { // 70 s
			log.With("part", "store").Warn("the store does not answer", "error", fmt.Errorf("read from port %d: reset", 40000+i), "waited", time.Duration(i))
			log.Warn("no lease", "node", "a")
			log.Info("still here")
			time.Sleep(500 * time.Millisecond)
			if i == 0 {
				time.Sleep(250 * time.Millisecond) // never at the moment at which a count is written
			}
		}
		for _, node := range []string{"b", "c"} {
			log.Warn("no lease", "node", node) // others
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := strings.Count(out.String(), "no lease"); n != 1+3+2 {
			t.Errorf("%d lines of one warning:\n%s", n, out.String())
		}
		if n := strings.Count(out.String(), "still here"); n != 140 {
			t.Errorf("%d of 140 lines that are no warnings", n)
		}
		if text := out.String(); strings.Count(text, "the store does not answer") != 4 || !strings.Contains(text, `part=store error="read from port 40059: reset" waited=59ns repeated=59 within=30s`) {
			t.Errorf("logged:\n%s", text)
		}
		out.Reset()
		log.Warn("no lease", "node", "a")
		if n := strings.Count(out.String(), "no lease"); n != 1 || strings.Contains(out.String(), "repeated") {
			t.Errorf("after a pause: %q", out.String())
		}
	})
}

// TestRequestsAreNotCounted: each failed request has its line.
func TestRequestsAreNotCounted(t *testing.T) {
	var out bytes.Buffer
	log := logs.New(&out, slog.LevelInfo, "text")
	for i := range 1000 {
		log.Error("request failed", "id", fmt.Sprint(i), "error", errors.New("no store"))
	}
	if n := strings.Count(out.String(), "\n"); n != 1000 {
		t.Errorf("%d lines for 1000 requests", n)
	}
}

// TestFlush: counts that wait when the process ends are written.
func TestFlush(t *testing.T) {
	var out bytes.Buffer
	log := logs.New(&out, slog.LevelInfo, "json")
	for range 4 {
		log.Warn("no lease", "took", 1500*time.Microsecond)
	}
	logs.Flush(log)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], `"took":"1.5ms","repeated":3,"within":"30s"`) {
		t.Errorf("logged:\n%s", out.String())
	}
}

// TestManyWarnings: warnings that are all different are all written, and no more are held than the bound.
func TestManyWarnings(t *testing.T) {
	var out bytes.Buffer
	log := logs.New(&out, slog.LevelInfo, "text")
	for i := range 5000 {
		log.Warn("a peer misbehaves", "peer", fmt.Sprint("peer-", i))
	}
	logs.Flush(log)
	if n := strings.Count(out.String(), "\n"); n != 5000 {
		t.Errorf("%d lines for 5000 warnings", n)
	}
}

// TestDurationsHaveUnits: both formats write a duration with its unit, also one in a group.
func TestDurationsHaveUnits(t *testing.T) {
	for format, want := range map[string]string{"json": `"took":"1.5ms","in":{"took":"2s"}`, "text": "took=1.5ms in.took=2s"} {
		var out bytes.Buffer
		logs.New(&out, slog.LevelInfo, format).Info("request", "took", 1500*time.Microsecond, slog.Group("in", "took", 2*time.Second))
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s", format, out.String())
		}
	}
}
