package sqlstore_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"edict/messaging"
	"edict/messaging/sqlstore"
	"edict/messaging/storetest"
	"edict/platform/db"
)

// statements collects the texts of all statements that stores prepare.
type statements struct {
	mu    sync.Mutex
	texts map[string]bool
}

func (s *statements) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[text] = true
}

func (s *statements) open(t testing.TB, dir string, now func() time.Time) (messaging.Store, func()) {
	t.Helper()
	d, err := db.Open(t.Context(), dir, db.Options{Readers: 2, Prepared: s.add}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlstore.Open(t.Context(), d, sqlstore.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return store, func() { d.Close() }
}

// scans are the lines of plans that read a whole table and may: a parameter's list, what a subquery
// yields, the hits of the text index, tables that do not grow (purge is read by its first row), the channels deleted in the
// last month, once for a user that is removed, and single pages (index 1 is their number).
var scans = []string{"SCAN sqlite_dbpage VIRTUAL TABLE INDEX 1:", "SCAN json_each ", "SCAN g ", "SCAN gone ", "SCAN t VIRTUAL TABLE INDEX ", "SCAN channel_text VIRTUAL TABLE INDEX 0:= ", "SCAN CONSTANT ROW", "SCAN purge"}

// replanned finds a limit that SQLite peeks at: a statement is prepared anew whenever such a parameter is bound, which
// costs several times what it does. "+?" is the same and not looked at.
var replanned = regexp.MustCompile(`LIMIT \?`)

// TestConformance runs the conformance suite and looks at the plan of every statement that it and all
// forms of search ran: none may scan a table that grows.
func TestConformance(t *testing.T) {
	all := &statements{texts: map[string]bool{}}
	storetest.Run(t, all.open)
	t.Run("plans", all.check)
}

func (s *statements) check(t *testing.T) {
	s.searches(t)
	d, err := db.Open(t.Context(), t.TempDir(), db.Options{}, sqlstore.Migrations())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	explained := 0
	for _, text := range slices.Sorted(maps.Keys(s.texts)) {
		switch strings.ToUpper(strings.Fields(text)[0]) {
		case "SELECT", "INSERT", "UPDATE", "DELETE":
		default:
			continue
		}
		explained++
		if replanned.MatchString(text) {
			t.Errorf("%s\nis planned again each time it is run: SQLite looks at the value of a bare parameter there", text)
		}
		plan := explain(t, d, text)
		for _, line := range plan {
			if what := wrong(text, line); what != "" {
				t.Errorf("%s\n%s: %s, in the plan\n\t%s", text, what, line, strings.Join(plan, "\n\t"))
			}
		}
	}
	if explained < 60 {
		t.Errorf("only %d statements were seen", explained)
	}
}

// wrong says what a line of a statement's plan must not do, or nothing.
func wrong(text, line string) string {
	switch {
	case strings.HasPrefix(line, "SCAN ") && !slices.ContainsFunc(scans, func(s string) bool { return strings.HasPrefix(line+" ", s) }):
		return "scans"
	case strings.Contains(line, "item_by_channel (channel=?)"):
		return "reads all items of the channel"
	case sorted(text) && strings.Contains(line, "TEMP B-TREE"):
		return "sorts what its index has in order"
	}
	return ""
}

// sorted reports whether a statement pages through something large in the order of an index.
func sorted(text string) bool {
	return strings.Contains(text, "ORDER BY i.at") || strings.Contains(text, "UNION ALL") || strings.Contains(text, "GROUP BY d.message")
}

func explain(t *testing.T, d *db.DB, text string) (plan []string) {
	t.Helper()
	rows, err := d.Read(context.Background()).Query("EXPLAIN QUERY PLAN "+text, make([]any, parameters(text))...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, detail)
	}
	return plan
}

// parameters counts the parameters of a statement, numbered ones once.
func parameters(text string) (n int) {
	highest := 0
	for i, c := range text {
		switch {
		case c != '?':
		case i+1 < len(text) && text[i+1] >= '1' && text[i+1] <= '9':
			highest = max(highest, int(text[i+1]-'0'))
		default:
			n++
		}
	}
	return n + highest
}

// searches runs all forms of search.
func (s *statements) searches(t *testing.T) {
	store, closeStore := s.open(t, t.TempDir(), time.Now)
	defer closeStore()
	err := store.Update(t.Context(), func(w messaging.Writer) error {
		c, err := w.InsertChannel(messaging.Channel{Key: messaging.ChannelKey{Name: "abc"}, Name: "abc", Description: "abc", Owner: "ann"})
		if err != nil {
			return err
		}
		return w.AddTags(c.ID, []string{"a", "b"})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, viewer := range []messaging.UserID{"", "ann"} {
		for _, name := range []string{"", "A", "ABC"} {
			for _, description := range []string{"", "A", "ABC"} {
				for _, tags := range [][]string{nil, {"A", "B"}} {
					for _, all := range []bool{false, true} {
						f := messaging.ChannelFilter{Viewer: viewer, Name: name, Description: description, Tags: tags, AllTags: all, Size: 1}
						err := store.View(t.Context(), func(r messaging.Reader) error {
							found, _, err := r.SearchChannels(f)
							if len(found) != 1 {
								t.Errorf("%+v found %d channels", f, len(found))
							}
							return err
						})
						if err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
}
