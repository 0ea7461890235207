package db

import (
	"context"
	"slices"
	"testing"
	"time"

	"edict/platform/db/pgtest"
)

// outage is three nodes whose leases have ended. The first has PostgreSQL; the others are cut off from it.
type outage struct {
	*testing.T
	nodes   [3]*DB
	proxies [3]*pgtest.Proxy
	seen    [3]told // "lost" among them, in order
	tool    *DB
}

func newOutage(t *testing.T) *outage {
	address := pgtest.Address(t)
	o := &outage{T: t, tool: openRemote(t, address, Options{Tool: true})}
	for i := range o.nodes {
		o.proxies[i] = pgtest.NewProxy(t, address)
		o.nodes[i] = openRemote(t, o.proxies[i].Address, Options{Node: string(rune('a' + i))})
		o.seen[i].follow(o.nodes[i])
	}
	for _, d := range o.nodes { // each has joined, and has applied that the others did
		o.ok(d.CatchUp(t.Context()))
	}
	for _, p := range o.proxies[1:] {
		p.Refuse(true)
	}
	o.lease(time.Now().Add(-time.Second).UnixMilli()) // a row whose lease ended long ago is deleted
	return o
}

func (o *outage) ok(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// lease sets the lease of every node that is cut off, and none of the others, to a moment.
func (o *outage) lease(until int64) {
	o.Helper()
	o.ok(o.tool.Write(o.Context(), func(tx *Tx) error {
		return tx.Put("UPDATE node SET lease = ? WHERE name <> 'a'", until)
	}))
}

// late lets a node return and returns what it is told in its first look, its own join included.
func (o *outage) late(node int) []string {
	o.Helper()
	before := len(o.seen[node].all())
	o.proxies[node].Refuse(false)
	for o.nodes[node].CatchUp(o.Context()) != nil { // until it has a connection
		o.ok(o.Context().Err())
	}
	return o.seen[node].all()[before:]
}

// TestReturnAfterOutage has the leases of all nodes end. One returns and commits alone, which it tells nobody; another returns, so that the first
// tells again. The last one returns: it must not apply what was told before it knows that something was missed.
func TestReturnAfterOutage(t *testing.T) {
	t.Parallel()
	o := newOutage(t)
	for range 3 {
		o.ok(o.seen[0].append(t.Context(), o.nodes[0]))
	}
	if got := o.late(1); !slices.Contains(got, "lost") {
		t.Errorf("the second node returned with %q", got)
	}
	o.ok(o.seen[0].append(t.Context(), o.nodes[0]))
	o.ok(o.nodes[1].CatchUp(t.Context()))
	if got := o.seen[1].all(); !slices.Equal(got[len(got)-1:], []string{"3"}) {
		t.Errorf("the second node was told %q", got)
	}
	if got := o.late(2); !slices.Equal(got, []string{"lost"}) {
		t.Errorf("the last node returned with %q, want lost only", got)
	}
	o.ok(o.seen[0].append(t.Context(), o.nodes[0]))
	o.ok(o.nodes[2].CatchUp(t.Context()))
	if got := o.seen[2].all(); got[len(got)-1] != "4" {
		t.Errorf("the last node was told %q after its return", got)
	}
}

// TestGapWithLease has a node's lease seem to live again after others committed without notices, as it may where a standby with another clock
// becomes the primary: the numbers of those commits are missing, so the node loses them before it applies what was told later.
func TestGapWithLease(t *testing.T) {
	t.Parallel()
	tailer := (*DB).CatchUp
	writer := func(d *DB, ctx context.Context) error {
		d.tail.stop()
		d.tail.ended.Wait()
		return d.Write(ctx, func(*Tx) error { return nil })
	}
	for _, test := range []struct {
		name string
		look func(*DB, context.Context) error
		told []string // after the commits without notices
	}{
		{"tailer", tailer, []string{"1"}},
		{"tailer, nothing follows", tailer, nil},
		{"writer", writer, []string{"1"}},
		{"writer, nothing follows", writer, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newOutage(t)
			o.ok(o.seen[0].append(t.Context(), o.nodes[0]))
			o.lease(1 << 60)
			for range test.told {
				o.ok(o.seen[0].append(t.Context(), o.nodes[0]))
			}
			for o.proxies[2].Refuse(false); test.look(o.nodes[2], t.Context()) != nil; {
				o.ok(t.Context().Err())
			}
			if got, want := o.seen[2].all(), append([]string{"lost"}, test.told...); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
