package auth

import (
	"io/fs"
	"log/slog"
	"testing"
	"testing/fstest"

	"edict/platform/db"
)

// writeOld makes data with the first migrations only, and the statements.
func writeOld(t *testing.T, dir string, migrations int, statements ...string) {
	t.Helper()
	all, err := fs.Glob(schema, "schema/sqlite/*.sql")
	if err != nil || len(all) < migrations {
		t.Fatal(err, all)
	}
	files := fstest.MapFS{}
	for _, name := range all[:migrations] {
		text, err := fs.ReadFile(schema, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	old, err := db.Open(t.Context(), dir, db.Options{Logger: slog.New(slog.DiscardHandler)}, db.Migrations{Component: "auth", Files: files})
	if err != nil {
		t.Fatal(err)
	}
	err = old.Write(t.Context(), func(tx *db.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestMigratePeople: users, sessions and revocations of the first release, and of each later one, are there after an update.
func TestMigratePeople(t *testing.T) {
	for migrations := 1; migrations <= 3; migrations++ {
		dir := t.TempDir()
		hash := phc{argon: argon{8, 1, 1}, salt: make([]byte, 8)}
		hash.hash = make([]byte, 16)
		writeOld(t, dir, migrations,
			"INSERT INTO auth_user (key, id, name_key, name, password, admin, created_at) VALUES ('alice', 'Alice', 'alice liddell', 'Alice Liddell', '"+hash.String()+"', 1, 1700000000000)",
			"INSERT INTO auth_session (id, user_key, device_id, scope, expires_at) VALUES ('5e55', 'alice', 'phone', 'messaging', 1797000000000), ('5e56', 'alice', '', 'messaging', 1796000000000)",
			"INSERT INTO auth_revocation (user_key, session_id, token_id, until, expires_at) VALUES ('alice', '5e57', '', 1797000000000, 1797000000000)")
		w := openWorld(t, dir, Options{})
		u, err := w.UserByID(t.Context(), "alice")
		if err != nil || u.Name != "Alice Liddell" || !u.Admin || u.Disabled || u.DisplayName != "" || !u.Seen.IsZero() {
			t.Errorf("%+v %v", u, err)
		}
		all, err := w.Sessions(t.Context(), "alice")
		if err != nil || len(all) != 2 || all[0].ID != "5e55" || all[0].Kind != kindPassword || all[0].DeviceID != "phone" || !all[0].Created.IsZero() || all[1].ID != "5e56" {
			t.Errorf("%+v %v", all, err)
		}
		if w.revoked.of("alice") != 1 {
			t.Error("a revocation is lost")
		}
		if err := w.SetPassword(t.Context(), By{}, "alice", "another secret"); err != nil {
			t.Error(err)
		}
	}
}
