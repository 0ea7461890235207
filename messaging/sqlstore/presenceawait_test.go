package sqlstore

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"edict/platform/db"
)

// TestAwaitLongTelling: a node that comes waits for another as long as that one tells more, and not for one that says nothing.
func TestAwaitLongTelling(t *testing.T) {
	for name, test := range map[string]struct{ batches, missing int }{
		"all of it":       {batches: 9, missing: 0},
		"it stops midway": {batches: 5, missing: 1},
		"nothing":         {batches: 0, missing: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &Presence{db: &db.DB{}, others: map[string]*nodeStreams{}, heard: make(chan struct{})}
				go func() {
					for i := range test.batches {
						time.Sleep(presencePatience * 3 / 4)
						body, err := json.Marshal(presenceNotice{Node: "other", Begin: i == 0, End: i == 8})
						if err != nil {
							t.Error(err)
						}
						p.told([][]byte{body})
					}
				}()
				began := time.Now()
				missing, err := awaitTold(t.Context(), presencePatience, func() (<-chan struct{}, int) {
					p.mu.Lock()
					defer p.mu.Unlock()
					if o := p.others["other"]; o != nil && o.whole {
						return p.heard, 0
					}
					return p.heard, 1
				})
				want := time.Duration(test.batches) * presencePatience * 3 / 4
				if test.missing > 0 {
					want += presencePatience
				}
				if took := time.Since(began); missing != test.missing || err != nil || took != want {
					t.Errorf("%d missing after %v, %v; want %d after %v", missing, took, err, test.missing, want)
				}
			})
		})
	}
}
