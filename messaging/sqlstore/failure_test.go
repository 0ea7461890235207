package sqlstore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/platform/db"
	"edict/platform/fault"
)

// service is a messaging service on a database the test can reach.
type service struct {
	*testing.T
	*messaging.Service
	store messaging.Store
	db    *db.DB
	now   time.Time
}

// later moves the clock of the service.
func (s *service) later(d time.Duration) { s.now = s.now.Add(d + time.Hour) } // the store has its own clock, which goes on

var ann = messaging.Caller{UserID: "ann"}

func serve(t *testing.T, dir string) *service {
	t.Helper()
	d, err := db.Open(t.Context(), dir, db.Options{Logger: slog.New(slog.DiscardHandler)}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &service{T: t, store: store, db: d, now: time.Now()}
	s.Service = messaging.New(messaging.Config{Store: store, Users: everybody{}, Now: func() time.Time { return s.now }})
	return s
}

func (s *service) create(name string, maxItems int64) messaging.Ref {
	s.Helper()
	n := messaging.DefaultNewChannel(name)
	n.MaxItems = maxItems
	if _, err := s.CreateChannel(s.Context(), ann, n); err != nil {
		s.Fatal(err)
	}
	return ref(name)
}

func ref(name string) messaging.Ref {
	r, err := messaging.ParseRef(name, messaging.PersonalAbsent)
	if err != nil {
		panic(err)
	}
	return r
}

// ids returns the ids of all items of a channel.
func (s *service) ids(ref messaging.Ref) (ids []string) {
	s.Helper()
	f := messaging.Fetch{Size: 1000}
	for {
		page, err := s.FetchItems(s.Context(), ann, ref, f)
		if err != nil {
			s.Fatal(err)
		}
		for _, i := range page.Items {
			ids = append(ids, i.ID)
		}
		if f = (messaging.Fetch{Size: 1000, Cursor: page.Next}); page.Next == "" {
			return ids
		}
	}
}

// pragma runs a pragma on the writer's connection, once that takes writes.
func (s *service) pragma(text string) (n int64) {
	s.Helper()
	deadline := time.After(20 * time.Second)
	for {
		err := s.db.Write(s.Context(), func(tx *db.Tx) error { return tx.QueryRow(text).Scan(&n) })
		if err == nil {
			return n
		}
		select {
		case <-deadline:
			s.Fatal(err)
		case <-time.After(50 * time.Millisecond): // the writer probes once a second
		}
	}
}

// TestDiskFull: with no room left publishing stops with code 77, reading goes on, nothing that was
// acknowledged is lost, nothing that was refused appears, and it goes on when there is room again.
func TestDiskFull(t *testing.T) {
	s := serve(t, t.TempDir())
	channel, bounded := s.create("c", messaging.Unlimited), s.create("bounded", 3)
	pages := s.pragma("PRAGMA page_count")
	s.pragma(fmt.Sprintf("PRAGMA max_page_count = %d", pages+20))

	var mu sync.Mutex
	var acknowledged []string
	content := []byte(`{"text":"` + strings.Repeat("x", 1000) + `"}`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for {
				id, err := s.Publish(t.Context(), ann, channel, messaging.NewItem{Content: content})
				if err == nil {
					_, err = s.Publish(t.Context(), ann, bounded, messaging.NewItem{Content: content})
					mu.Lock()
					acknowledged = append(acknowledged, id)
					mu.Unlock()
				}
				if err != nil {
					if messaging.CodeOf(err) != messaging.CodeUnavailable || fault.KindOf(err) != fault.Unavailable {
						t.Errorf("publishing failed with %v", err)
					}
					return
				}
			}
		})
	}
	wg.Wait()
	if len(acknowledged) == 0 {
		t.Fatal("nothing was published before the disk was full")
	}
	s.check(channel, bounded, acknowledged)

	s.pragma("PRAGMA max_page_count = 1000000")
	for range 10 {
		id, err := s.Publish(t.Context(), ann, channel, messaging.NewItem{Content: content})
		if err != nil {
			t.Fatal(err)
		}
		acknowledged = append(acknowledged, id)
	}
	s.check(channel, bounded, acknowledged)
}

// check compares what is stored with what was acknowledged.
func (s *service) check(channel, bounded messaging.Ref, acknowledged []string) {
	s.Helper()
	slices.Sort(acknowledged)
	if got := s.ids(channel); !slices.Equal(got, acknowledged) {
		s.Errorf("%d items are stored, %d were acknowledged", len(got), len(acknowledged))
	}
	sum, err := s.ChannelSummary(s.Context(), ann, channel)
	if err != nil || sum.Items != int64(len(acknowledged)) {
		s.Errorf("the summary counts %d of %d items (%v)", sum.Items, len(acknowledged), err)
	}
	if n := len(s.ids(bounded)); n > 3 {
		s.Errorf("a channel of 3 items has %d", n)
	}
}

// crashDir is set in the process that TestKill kills.
const crashDir = "EDICT_TEST_CRASH_DIR"

const crashWorkers = 8

// TestKill kills a process that publishes, over and over on one data directory: every id that it
// told is there afterwards, in the order it was told.
func TestKill(t *testing.T) {
	if dir := os.Getenv(crashDir); dir != "" {
		publishUntilKilled(t, dir)
		return
	}
	dir := t.TempDir()
	s := serve(t, dir)
	for i := range crashWorkers {
		s.create(fmt.Sprint("c", i), messaging.Unlimited)
	}
	s.db.Close()
	told := make([][]string, crashWorkers)
	for round := range 4 {
		killAfter(t, dir, 200+round*333, told)
		s := serve(t, dir)
		for i := range crashWorkers {
			stored := s.ids(ref(fmt.Sprint("c", i)))
			if !containsInOrder(stored, told[i]) {
				t.Fatalf("round %d: channel %d lost or reordered some of %d acknowledged items (%d are stored)", round, i, len(told[i]), len(stored))
			}
		}
		s.db.Close()
	}
}

// killAfter runs the publishing process and kills it once it has told n ids.
func killAfter(t *testing.T, dir string, n int, told [][]string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKill$")
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for seen := 0; lines.Scan(); seen++ {
		var worker int
		var id string
		if _, err := fmt.Sscanf(lines.Text(), "told %d %s", &worker, &id); err == nil && len(id) == 24 {
			told[worker] = append(told[worker], id)
		}
		if seen == n {
			cmd.Process.Kill()
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process ended before it was killed")
	}
}

func publishUntilKilled(t *testing.T, dir string) {
	s := serve(t, dir)
	var wg sync.WaitGroup
	for i := range crashWorkers {
		wg.Go(func() {
			for {
				id, err := s.Publish(context.Background(), ann, ref(fmt.Sprint("c", i)), messaging.NewItem{Content: []byte(`{"a":1}`)})
				if err != nil {
					t.Error(err)
					return
				}
				os.Stdout.WriteString(fmt.Sprintf("told %d %s\n", i, id))
			}
		})
	}
	wg.Wait()
}

// containsInOrder reports whether all of want are in have, in their order.
func containsInOrder(have, want []string) bool {
	for _, id := range have {
		if len(want) > 0 && want[0] == id {
			want = want[1:]
		}
	}
	return len(want) == 0
}

// TestRestore: a restored backup has what was there when it was taken, under the same ids; a cursor
// from before is refused, because it may point beyond.
func TestRestore(t *testing.T) {
	s := serve(t, t.TempDir())
	channel := s.create("c", 2)
	for range 4 {
		if _, err := s.Publish(t.Context(), ann, channel, messaging.NewItem{Content: []byte(`{"a":1}`)}); err != nil {
			t.Fatal(err)
		}
	}
	page, err := s.FetchItems(t.Context(), ann, channel, messaging.Fetch{Size: 1})
	if err != nil || page.Next == "" {
		t.Fatal(page, err)
	}
	want := s.ids(channel)
	backup, dir := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "restored")
	if err := s.db.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := db.Restore(t.Context(), dir, backup); err != nil {
		t.Fatal(err)
	}
	restored := serve(t, dir)
	if got := restored.ids(channel); !slices.Equal(got, want) {
		t.Errorf("restored %v, want %v", got, want)
	}
	items, err := restored.ItemsByID(t.Context(), ann, channel, want, nil)
	if err != nil || len(items) != 2 {
		t.Errorf("%d items by their old ids (%v)", len(items), err)
	}
	_, err = restored.FetchItems(t.Context(), ann, channel, messaging.Fetch{Size: 1, Cursor: page.Next})
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("a cursor of another history: %v", err)
	}
	found, _, err := restored.SearchChannels(t.Context(), ann, messaging.Search{Size: 10})
	if err != nil || len(found) != 1 {
		t.Errorf("%d channels found (%v)", len(found), err)
	}
}

// TestPanicInUpdate: an update that panics fails alone and leaves nothing, in memory or on disk.
func TestPanicInUpdate(t *testing.T) {
	s := serve(t, t.TempDir())
	store, err := sqlstore.Open(t.Context(), s.db, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := messaging.Channel{Key: messaging.ChannelKey{Name: "c"}, Name: "c", Owner: "ann", MaxItems: 5}
	err = store.Update(t.Context(), func(w messaging.Writer) error {
		if _, err := w.InsertChannel(c); err != nil {
			return err
		}
		panic("on purpose")
	})
	if fault.KindOf(err) != fault.Internal {
		t.Fatalf("got %v", err)
	}
	err = store.Update(t.Context(), func(w messaging.Writer) error {
		if there, err := w.Channel(c.Key); there != nil || err != nil {
			t.Errorf("the channel is there (%v)", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestUndoneInAGroup: an update that fails after others of its group is undone alone, and the next one finds nothing of it, neither on disk
// nor in the memory of the writer.
func TestUndoneInAGroup(t *testing.T) {
	s := serve(t, t.TempDir())
	s.create("c", messaging.Unlimited)
	key := messaging.ChannelKey{Name: "c"}
	wrong := errors.New("on purpose")
	for name, do := range map[string]func(w messaging.Writer, c *messaging.Channel) error{
		"touched": func(w messaging.Writer, c *messaging.Channel) error {
			return w.TouchChannel(c.ID, c.Modified.Add(time.Hour))
		},
		"changed": func(w messaging.Writer, c *messaging.Channel) error {
			changed := *c
			changed.Description = "another"
			return w.ChangeChannel(&changed)
		},
		"banned": func(w messaging.Writer, c *messaging.Channel) error {
			if err := w.SetTie(messaging.Tie{Channel: c.ID, User: "bob", Banned: true, At: w.Next()}); err != nil {
				return err
			}
			_, err := w.Relation(c.ID, "bob") // which is remembered
			return err
		},
		"subscribed": func(w messaging.Writer, c *messaging.Channel) error {
			if _, _, err := w.Subscribe(messaging.Subscription{Channel: c.ID, User: "bob", Since: w.Next()}); err != nil {
				return err
			}
			_, err := w.Relation(c.ID, "bob")
			return err
		},
		"published": func(w messaging.Writer, c *messaging.Channel) error {
			return w.AppendItem(c, &messaging.Item{At: w.Next(), Publisher: "ann", Content: []byte("{}")})
		},
		"deleted": func(w messaging.Writer, c *messaging.Channel) error { return w.DeleteChannel(c, w.Next()) },
	} {
		look := func(w messaging.Writer) string {
			c, err := w.Channel(key)
			if err != nil || c == nil {
				t.Errorf("%s: there is no channel (%v)", name, err)
				return ""
			}
			relation, err := w.Relation(c.ID, "bob")
			if err != nil {
				t.Error(err)
			}
			counters, err := w.Counters(c.ID)
			if err != nil {
				t.Error(err)
			}
			return fmt.Sprintf("%+v %+v %+v", *c, relation, counters)
		}
		var before, after string
		blocked, goOn := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		update := func(fn func(messaging.Writer) error, want error) {
			all.Go(func() {
				if err := s.store.Update(t.Context(), fn); !errors.Is(err, want) {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		begun := sync.OnceFunc(func() { close(blocked) })
		update(func(w messaging.Writer) error {
			begun()
			<-goOn
			before = look(w)
			return nil
		}, nil)
		<-blocked
		for i, fn := range []func(messaging.Writer) error{
			func(w messaging.Writer) error {
				c, err := w.Channel(key)
				if err != nil {
					return err
				}
				return errors.Join(do(w, c), wrong)
			},
			func(w messaging.Writer) error {
				after = look(w)
				return nil
			},
		} {
			update(fn, []error{wrong, nil}[i])
			for s.db.Waiting() <= i {
				time.Sleep(time.Millisecond)
			}
		}
		close(goOn)
		all.Wait()
		if before != after {
			t.Errorf("%s: the channel was\n%s\nand is\n%s", name, before, after)
		}
	}
}
