package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// world is a service on a database of its own, with a law whose figures are the income of a household times a rate.
type world struct {
	*Service
	t    *testing.T
	now  time.Time
	mu   sync.Mutex
	sent map[string][]Message // by key

	refuse  func(h Household) error
	version string // of the law in force
}

func open(t *testing.T, d *db.DB, key string) (*world, error) {
	w := &world{t: t, now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC), sent: map[string][]Message{}, version: "1"}
	s, err := New(t.Context(), Config{
		DB: d, KeyFile: key, Laws: w, Sender: w, Now: func() time.Time { return w.now }, Log: slog.New(slog.DiscardHandler),
		Audit: func(*db.Tx, Act) error { return nil }, Exists: func(*db.Tx, string) (bool, error) { return true, nil },
	})
	w.Service = s
	return w, err
}

func newDB(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{Logger: slog.New(slog.DiscardHandler)}, Schema())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w, err := open(t, newDB(t), filepath.Join(t.TempDir(), "watch.key"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) InForce() (name, version string, err error) { return "law", w.version, nil }

func (w *world) Figures(_ context.Context, h Household) ([]float64, error) { return w.figures(h, 0.1) }

func (w *world) figures(h Household, rate float64) ([]float64, error) {
	if w.refuse != nil {
		if err := w.refuse(h); err != nil {
			return nil, err
		}
	}
	var doc struct{ Income float64 }
	if err := json.Unmarshal(h.Document, &doc); err != nil {
		return nil, err
	}
	out := make([]float64, len(h.Figures))
	for i := range out {
		out[i] = doc.Income * rate
	}
	return out, nil
}

func (w *world) Pair(context.Context, Law, Law) (Pair, error) { return w, nil }

func (w *world) Compare(ctx context.Context, households []Household, done func(int, []float64, []float64, error)) error {
	for i, h := range households {
		before, err := w.figures(h, 0.1)
		after, _ := w.figures(h, 0.2)
		done(i, before, after, err)
	}
	return ctx.Err()
}

func (w *world) Steps(ctx context.Context, households []Household, _ []int, done func(int, json.RawMessage, error)) error {
	for i := range households {
		done(i, json.RawMessage(`[]`), nil)
	}
	return ctx.Err()
}

func (w *world) Send(_ context.Context, n Message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent[n.Key] = append(w.sent[n.Key], n)
	return nil
}

func household(income float64) Watch {
	w := Watch{UserID: "ada"}
	w.Situation, w.Period, w.Locale = fmt.Appendf(nil, `{"income": %v}`, income), "2026", "en"
	w.Figures = []Figure{{Variable: "tax", Label: "Tax"}}
	return w
}

func (w *world) create(made Watch) Watch {
	w.t.Helper()
	made, err := w.Create(w.t.Context(), made)
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

var spec = RunSpec{Base: &LawChoice{}, New: LawChoice{Parameters: json.RawMessage(`{"rate": {"2027-01-01": 0.2}}`)}, Message: map[string]string{"en": "{label} {before} {after} {difference} {date}"}}

// run starts a run and works at it.
func (w *world) run(s RunSpec, send bool) Run {
	w.t.Helper()
	r, err := w.Start(w.t.Context(), Act{UserID: "boss"}, s, send)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.workOnce(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	if r, err = w.Run(w.t.Context(), r.ID); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// outcomesIn counts the outcomes of a run in a state.
func (w *world) outcomesIn(run string, state int) (n int) {
	w.t.Helper()
	if err := w.db.Read(w.t.Context()).QueryRow("SELECT count(*) FROM watch_outcome WHERE run_id = ? AND state = ?", run, state).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// TestRun: everybody whose figure changes enough is told, once.
func TestRun(t *testing.T) {
	w := newWorld(t)
	told := w.create(household(1000))
	silent := household(1000)
	silent.Threshold = &Threshold{Amount: new(500.0)}
	w.create(silent)
	w.create(household(0)) // does not change
	r := w.run(spec, false)
	if r.State != Computed || r.told != 1 || r.Computed != 3 || len(w.sent) != 0 {
		t.Fatalf("%+v, %v", r, w.sent)
	}
	for range 2 {
		if _, err := w.SendRun(t.Context(), Act{}, r.ID); err != nil {
			t.Fatal(err)
		}
		if err := w.workOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.sent) != 1 {
		t.Fatalf("%v", w.sent)
	}
	for _, notices := range w.sent {
		if len(notices) != 1 || notices[0].UserID != "ada" || !bytes.Contains(notices[0].Content, []byte(`"text":"Tax 100 200 +100 1 January 2027"`)) || !bytes.Contains(notices[0].Metadata, []byte(told.ID)) {
			t.Errorf("%s %s", notices[0].Content, notices[0].Metadata)
		}
	}
	if r, err := w.Run(t.Context(), r.ID); err != nil || r.State != Sent || r.sent != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	var left int
	if err := w.db.Read(t.Context()).QueryRow("SELECT count(*) FROM watch_outcome").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d outcomes are left, %v", left, err)
	}
}

// TestRunLeavesOut: watches that do not take part are counted by reason.
func TestRunLeavesOut(t *testing.T) {
	w := newWorld(t)
	for income := range 4 {
		w.create(household(float64(income + 1)))
	}
	w.refuse = func(h Household) error {
		return map[string]error{
			`{"income":1}`: &Refusal{Missing: true}, `{"income":2}`: &Refusal{Period: true}, `{"income":3}`: &Refusal{Status: 422},
		}[string(h.Document)]
	}
	r := w.run(spec, false)
	for state, why := range map[int]string{leftPeriod: "period", leftFigure: "figure", leftFailed: "failed", toBeTold: "told"} {
		if n := w.outcomesIn(r.ID, state); n != 1 {
			t.Errorf("%s: %d", why, n)
		}
	}
}

// TestChangedMeanwhile: what is told is what the watch says when it is told; one that is deleted tells nothing.
func TestChangedMeanwhile(t *testing.T) {
	w := newWorld(t)
	kept, gone := w.create(household(1000)), w.create(household(1000))
	r := w.run(spec, false)
	if _, err := w.Change(t.Context(), "ada", kept.ID, func(one *Watch) bool {
		one.Situation = json.RawMessage(`{"income": 3000}`)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(t.Context(), "ada", gone.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SendRun(t.Context(), Act{}, r.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.workOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, notices := range w.sent {
		if !bytes.Contains(notices[0].Content, []byte("Tax 300 600")) {
			t.Errorf("%s", notices[0].Content)
		}
	}
	if len(w.sent) != 1 {
		t.Errorf("%d were told", len(w.sent))
	}
}

// TestTwoRuns: one run is under way at a time, and one that was cancelled stays so.
func TestTwoRuns(t *testing.T) {
	w := newWorld(t)
	w.create(household(1000))
	first, err := w.Start(t.Context(), Act{}, spec, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Start(t.Context(), Act{}, spec, true); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a second run: %v", err)
	}
	if r, err := w.CancelRun(t.Context(), Act{}, first.ID); err != nil || r.State != Cancelled {
		t.Errorf("%+v, %v", r, err)
	}
	if err := w.workOnce(t.Context()); err != nil || len(w.sent) != 0 {
		t.Errorf("%v, %v", err, w.sent)
	}
}

// TestLease: a run that another node has is left alone until its lease ends; a node that lost it writes nothing more.
func TestLease(t *testing.T) {
	w := newWorld(t)
	w.create(household(1000))
	r, err := w.Start(t.Context(), Act{}, spec, true)
	if err != nil {
		t.Fatal(err)
	}
	exec := func(query string, args ...any) {
		t.Helper()
		if err := w.db.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(query, args...)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	exec(sqlRunClaim, "other", w.now.Add(leaseFor).UnixMilli(), r.ID, w.now.UnixMilli())
	if err := w.workOnce(t.Context()); err != nil || len(w.sent) != 0 {
		t.Fatalf("%v, %v", err, w.sent)
	}
	j := &job{Service: w.Service, run: r, pair: w}
	if err := j.compute(t.Context()); !errors.Is(err, errLost) {
		t.Errorf("a node without the lease: %v", err)
	}
	w.now = w.now.Add(leaseFor + time.Second)
	if err := w.workOnce(t.Context()); err != nil || len(w.sent) != 1 {
		t.Errorf("after the lease: %v, %v", err, w.sent)
	}
}

// TestKey: a key that is missing or wrong while there are watches is an error that names it, never a new key.
func TestKey(t *testing.T) {
	d, dir := newDB(t), t.TempDir()
	key := filepath.Join(dir, "watch.key")
	w, err := open(t, d, key)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 && filepath.Separator == '/' {
		t.Errorf("%v, %v", info, err)
	}
	made := w.create(household(1000))
	if err := os.Rename(key, key+".away"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{key, filepath.Join(dir, "other")} {
		if _, err := open(t, d, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a new key was made")
		}
	}
	if _, err := w.Watch(t.Context(), "ada", made.ID); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), key) {
		t.Errorf("a key that is lost while the server runs: %v", err)
	}
	other, err := freshSealer()
	if err == nil {
		err = (&keyring{file: key}).write(other)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, d, key); err == nil || !strings.Contains(err.Error(), "is not the one that encrypts the watches") {
		t.Errorf("a wrong key: %v", err)
	}
	if err := os.Rename(key+".away", key); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Watch(t.Context(), "ada", made.ID); err != nil {
		t.Errorf("the right key again: %v", err)
	}
}

// TestKeyMode: a key file that others can read, or the group can write, is rejected with the file, its mode and the command that mends it; one that the group
// can read is fine.
func TestKeyMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	d, key := newDB(t), filepath.Join(t.TempDir(), "watch.key")
	if _, err := open(t, d, key); err != nil {
		t.Fatal(err)
	}
	for mode, fine := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o440: true, 0o640: true, 0o644: false, 0o604: false, 0o660: false, 0o620: false, 0o602: false, 0o601: false} {
		if err := os.Chmod(key, mode); err != nil {
			t.Fatal(err)
		}
		_, err := open(t, d, key)
		if fine != (err == nil) {
			t.Errorf("%04o: %v", mode, err)
		}
		if !fine && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s has mode %04o", key, mode)) || !strings.Contains(err.Error(), "chmod 600 "+key)) {
			t.Errorf("%04o: %v", mode, err)
		}
	}
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := RotateKey(t.Context(), d, key, time.Now); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a rotation: %v", err)
	}
}

// TestRotateKey: a new key, while a run is half way and a server writes.
func TestRotateKey(t *testing.T) {
	w := newWorld(t)
	made := w.create(household(1000))
	r := w.run(spec, false)
	before, err := os.ReadFile(w.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	old, err := w.keys.get("")
	if err != nil {
		t.Fatal(err)
	}
	n, err := RotateKey(t.Context(), w.db, w.KeyFile, w.Now)
	if err != nil || n != 2 {
		t.Fatalf("%d, %v", n, err)
	}
	after, err := os.ReadFile(w.KeyFile)
	if err != nil || bytes.Contains(after, []byte(old.id)) || bytes.Equal(before, after) {
		t.Errorf("the file still has the old key: %v", err)
	}
	// What was sealed with the old key before, and comes late, is refused.
	err = w.db.Write(t.Context(), func(tx *db.Tx) error { return checkKey(tx, old.id) })
	if !errors.Is(err, errOtherKey) {
		t.Errorf("%v", err)
	}
	if one, err := w.Watch(t.Context(), "ada", made.ID); err != nil || one.Figures[0].Value != 100 {
		t.Errorf("%+v, %v", one, err)
	}
	w.create(household(2000))
	if _, err := w.SendRun(t.Context(), Act{}, r.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.workOnce(t.Context()); err != nil || len(w.sent) != 1 {
		t.Errorf("%v, %v", err, w.sent)
	}
}

// TestSealed: nothing that a person said is in the database, and what is sealed for one row cannot be opened in another.
func TestSealed(t *testing.T) {
	w := newWorld(t)
	first := household(123456789)
	first.Figures[0].Label = "SECRETLABEL"
	w.create(first)
	second := w.create(household(1))
	w.run(spec, false)
	files, err := filepath.Glob(filepath.Join(w.db.Dir(), "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, _ := os.ReadFile(file) // the lock cannot be read
		for _, secret := range []string{"123456789", "12345678", "SECRETLABEL", "income", "tax"} {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s has %s", filepath.Base(file), secret)
			}
		}
	}
	if err := w.db.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE watch_watch SET sealed = (SELECT sealed FROM watch_watch WHERE id <> ?) WHERE id = ?", second.ID, second.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Watch(t.Context(), "ada", second.ID); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("another row's household: %v", err)
	}
}

// TestExpiry: an owner is told thirty days before, once, and then the watch is gone.
func TestExpiry(t *testing.T) {
	w := newWorld(t)
	made := w.create(household(1000))
	short := household(1000)
	short.Expires = w.now.Add(24 * time.Hour)
	w.create(short)
	sweep := func(wantSent, wantLeft int) {
		t.Helper()
		if err := w.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		all, err := w.Watches(t.Context(), "ada")
		if err != nil || len(all) != wantLeft || len(w.sent) != wantSent {
			t.Errorf("%d watches, %d messages, %v", len(all), len(w.sent), err)
		}
	}
	sweep(0, 2)
	w.now = w.now.AddDate(0, 11, 2)
	sweep(1, 1)
	sweep(1, 1)
	for _, notices := range w.sent {
		if len(notices) != 1 || !bytes.Contains(notices[0].Content, []byte("Your watch expires on 17 November 2027")) {
			t.Errorf("%s", notices[0].Content)
		}
	}
	if _, err := w.Change(t.Context(), "ada", made.ID, func(one *Watch) bool {
		one.Expires = lastDay(w.now)
		return false
	}); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.AddDate(0, 2, 0)
	sweep(1, 1)
	w.now = w.now.AddDate(1, 0, 0)
	sweep(1, 0)
}

// TestMost: a user has twenty watches at most.
func TestMost(t *testing.T) {
	w := newWorld(t)
	for range maxWatches {
		w.create(household(1))
	}
	if _, err := w.Create(t.Context(), household(1)); fault.KindOf(err) != fault.Conflict {
		t.Errorf("%v", err)
	}
	if err := RemoveUser(t.Context(), w.db, "ADA"); err != nil {
		t.Error(err)
	}
	if all, err := w.Watches(t.Context(), "ada"); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// TestDamaged: a household that cannot be opened any more does not keep the others from being told.
func TestDamaged(t *testing.T) {
	w := newWorld(t)
	broken := w.create(household(1000))
	w.create(household(1000))
	if err := w.db.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE watch_watch SET sealed = ? WHERE id = ?", []byte("this is not what was sealed"), broken.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if r := w.run(spec, false); w.outcomesIn(r.ID, leftFailed) != 1 {
		t.Errorf("%+v", r)
	}
	if r := w.run(spec, true); r.State != Sent || len(w.sent) != 1 {
		t.Errorf("%+v, %v", r, w.sent)
	}
}

// TestPinned: a run names the packages of its laws when it starts, and none is its own base.
func TestPinned(t *testing.T) {
	w := newWorld(t)
	w.create(household(1000))
	if r := w.run(spec, false); r.Spec.Base.Package != "law==1" || r.Spec.New.Package != "law==1" || spec.Base.Package != "" {
		t.Errorf("base %+v, new %+v", r.Spec.Base, r.Spec.New)
	}
	for _, version := range []string{"1", "2", "1"} { // nodes with either start in turns
		w.version = version
		if err := w.Adopt(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.version = "2"
	left := spec
	left.Base = nil
	if r := w.run(left, false); r.Spec.Base.Package != "law==1" || r.Spec.New.Package != "law==2" {
		t.Errorf("base %+v, new %+v", r.Spec.Base, r.Spec.New)
	}
	for _, same := range []RunSpec{{Base: &LawChoice{}}, {Base: &LawChoice{Package: "law==2"}}} {
		same.Message = spec.Message
		if _, err := w.Start(t.Context(), Act{}, same, false); err == nil || !strings.Contains(err.Error(), "the same law") {
			t.Errorf("%+v: %v", same.Base, err)
		}
	}
}

// TestTwoRotations: a key is changed by one command at a time; one that was interrupted is finished by the next.
func TestTwoRotations(t *testing.T) {
	w := newWorld(t)
	w.create(household(1000))
	interrupted := &rotation{db: w.db, keys: &keyring{file: w.KeyFile}, now: w.Now}
	if err := w.db.Write(t.Context(), interrupted.begin); err != nil {
		t.Fatal(err)
	}
	if _, err := RotateKey(t.Context(), w.db, w.KeyFile, w.Now); fault.KindOf(err) != fault.Conflict {
		t.Errorf("beside another: %v", err)
	}
	w.now = w.now.Add(rotationAbandoned + time.Second)
	if n, err := RotateKey(t.Context(), w.db, w.KeyFile, w.Now); n != 1 || err != nil {
		t.Errorf("after a minute: %d, %v", n, err)
	}
	if err := interrupted.write(t.Context(), func(*db.Tx) error { return nil }); fault.KindOf(err) != fault.Conflict {
		t.Errorf("the one that was interrupted goes on: %v", err)
	}
	if _, err := w.Watch(t.Context(), "ada", mustList(t, w)[0].ID); err != nil {
		t.Error(err)
	}
}
