package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"edict/cli"
)

// TestOverview: the overview is one screen with a unit for each number, also of a server that has just started, with a store that fails.
func TestOverview(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"busy", `{"at":"2026-11-19T17:50:12.000+00:00","startedAt":"2026-11-19T14:38:00.000+00:00",
			"streams":{"open":40,"sse":30,"webSocket":10,"queuedBytes":12288,"longestQueueBytes":900,"commitsWaiting":0,"ended":{"gone":7,"slow":12,"drain":0},"refused":{"user":0}},
			"rates":{"seconds":60,"published":12.54,"sent":3,"delivered":480,"acknowledged":3,"requests":20,"failed":0.1,"throttled":0,"commits":9,"pushes":0.4},
			"store":{"healthy":true,"problem":null,"bytes":50541363,"writesWaiting":0,"writesPerCommit":1.7,"commitMillis":1.4,"failures":0},
			"queue":{"devices":2,"lagSeconds":0.5,"services":[],"states":{"RECEIVED":180,"PENDING":2}},
			"push":{"services":[{"service":"webpush","outcomes":{"sent":25},"millis":84.2}]},
			"history":{"everySeconds":10,"at":[1,2],"published":[40,12.5],"sent":[1,3],"delivered":[1480,480],"requests":[20,20],"failed":[0,0.1],"throttled":[0,0],"pushes":[0,0.4],"memoryBytes":[1,125829120],"cpu":[0,0.31]}}`,
			`SERVER          up 3h12m12s at 2026-11-19 17:50:12 UTC
  memory        120 MiB
  CPU           0.3 cores

STORE           accepts writes
  size          48.2 MiB
  commit        1.4 ms for 1.7 writes (mean)
  waiting       0 writes
  failed        0 commits

STREAMS         40 open (30 SSE, 10 WebSocket)
  queued        12.0 KiB, longest 900 B
  waiting       0 commits
  ended         12 slow, 7 gone
  rejected      none

PER SECOND      last 60 s       peak of the hour
  published     12.5            40.0            items
  sent          3.0             3.0             messages
  delivered     480             1480            events
  acknowledged  3.0             -               copies
  requests      20.0            20.0
  failed        0.1             0.1             requests (5xx)
  throttled     0.0             0.0             requests (429)
  commits       9.0             -
  pushes        0.4             0.4

WAKE-UPS        2 devices queued, the first for 0.5 s
  webpush       84.2 ms (mean)  25 sent
MESSAGES        180 RECEIVED, 2 PENDING
`},
		{"broken", `{"at":"2026-11-19T17:50:12.000+00:00","startedAt":"2026-11-19T17:50:00.000+00:00","store":{"healthy":false,"problem":"the disk is full"}}`,
			`SERVER          up 12s at 2026-11-19 17:50:12 UTC

STORE           REJECTS WRITES: the disk is full
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := cli.ShowOverview(&out, []byte(test.raw)); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.HasPrefix(got, test.want) || strings.Count(got, "\n") > 36 {
				t.Errorf("%s\nwant it on one screen, and at first\n%s", got, test.want)
			}
		})
	}
}
