package watch

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"edict/platform/db"
	"edict/platform/db/pgtest"
	"edict/platform/fault"
)

// newNodes are services on one PostgreSQL that share a key file.
func newNodes(t *testing.T, names ...string) []*world {
	t.Helper()
	address, key := pgtest.Address(t), filepath.Join(t.TempDir(), "watch.key")
	nodes := make([]*world, len(names))
	for i, name := range names {
		w, err := open(t, newNode(t, address, name), key)
		if err != nil {
			t.Fatal(err)
		}
		nodes[i] = w
	}
	return nodes
}

func newNode(t *testing.T, address, name string) *db.DB {
	t.Helper()
	d, err := db.OpenPostgres(t.Context(), address, db.Options{Node: name, Logger: slog.New(slog.DiscardHandler)}, Schema())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// atOnce calls fn on every node several times at the same moment, and returns how often it succeeded; everything else is a conflict.
func atOnce(t *testing.T, nodes []*world, times int, fn func(w *world) error) (succeeded int) {
	t.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	begin := make(chan struct{})
	for _, w := range nodes {
		for range times {
			group.Go(func() {
				<-begin
				err := fn(w)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					succeeded++
				} else if fault.KindOf(err) != fault.Conflict {
					t.Error(err)
				}
			})
		}
	}
	close(begin)
	group.Wait()
	return succeeded
}

// TestNodesRace: what there may be one or twenty of is so when nodes are asked at once.
func TestNodesRace(t *testing.T) {
	nodes := newNodes(t, "a", "b")
	if n := atOnce(t, nodes, maxWatches, func(w *world) error {
		_, err := w.Create(t.Context(), household(1))
		return err
	}); n != maxWatches {
		t.Errorf("%d watches were made, %d may be", n, maxWatches)
	}
	start := func(w *world) error {
		_, err := w.Start(t.Context(), Act{UserID: "boss"}, spec, true)
		return err
	}
	if n := atOnce(t, nodes, 8, start); n != 1 {
		t.Errorf("%d runs were started at once", n)
	}
	atOnce(t, nodes, 4, func(w *world) error { return w.workOnce(t.Context()) })
	told := map[string]int{}
	for _, w := range nodes {
		for key, messages := range w.sent {
			told[key] += len(messages)
		}
	}
	if len(told) != maxWatches {
		t.Errorf("%d of %d watches were told", len(told), maxWatches)
	}
	for key, n := range told {
		if n != 1 {
			t.Errorf("%s was sent %d times", key, n)
		}
	}
}

// TestNodesKey: a node that lacks the key of another does not make its own, though there are no watches yet; once the other is gone it may.
func TestNodesKey(t *testing.T) {
	address, dir := pgtest.Address(t), t.TempDir()
	first := newNode(t, address, "a")
	a, err := open(t, first, filepath.Join(dir, "a.key"))
	if err != nil {
		t.Fatal(err)
	}
	second, file := newNode(t, address, "b"), filepath.Join(dir, "b.key")
	for _, is := range []string{"missing", "wrong"} {
		if _, err := open(t, second, file); err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "copy the file of that node") {
			t.Errorf("a %s key file beside another node: %v", is, err)
		}
		if is == "missing" {
			if _, err := os.Stat(file); err == nil {
				t.Error("a key was made")
			}
			other, err := freshSealer()
			if err == nil {
				err = (&keyring{file: file}).write(other)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	a.create(household(1))
	if err := a.Delete(t.Context(), "ada", mustList(t, a)[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := open(t, second, file)
	if err != nil {
		t.Fatalf("alone, without watches: %v", err)
	}
	b.create(household(1))
}

func mustList(t *testing.T, w *world) []Watch {
	t.Helper()
	all, err := w.Watches(t.Context(), "ada")
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	return all
}

// TestNodesFirstKey: nodes that start at once on an empty database and share the file have one key.
func TestNodesFirstKey(t *testing.T) {
	address, file := pgtest.Address(t), filepath.Join(t.TempDir(), "watch.key")
	databases := []*db.DB{newNode(t, address, "a"), newNode(t, address, "b"), newNode(t, address, "c")}
	nodes := make([]*world, len(databases))
	var group sync.WaitGroup
	for i, d := range databases {
		group.Go(func() {
			var err error
			if nodes[i], err = open(t, d, file); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, w := range nodes {
		w.create(household(1))
	}
	for _, w := range nodes {
		if all := mustList(t, w); len(all) != len(nodes) {
			t.Errorf("a node sees %d watches", len(all))
		}
	}
}
