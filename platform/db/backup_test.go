package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"edict/platform/fault"
	"edict/platform/filelock"
)

func TestBackupOfARunningServer(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	stop, writing := make(chan struct{}), make(chan error)
	begun := make(chan struct{})
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				writing <- nil
				return
			default:
			}
			// Two rows at a time: a copy with an odd number is torn.
			if err := d.Write(t.Context(), func(tx *Tx) error {
				if err := add(fmt.Sprint(i, "a"))(tx); err != nil {
					return err
				}
				return add(fmt.Sprint(i, "b"))(tx)
			}); err != nil {
				writing <- err
				return
			}
			if i == 10 {
				close(begun)
			}
		}
	}()
	<-begun
	file := filepath.Join(t.TempDir(), "it's a backup")
	tool := open(t, d.Dir(), Options{Tool: true}, []Migrations{}...)
	if err := tool.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	close(stop)
	if err := <-writing; err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the backup: %v, %v", info.Mode(), err)
	}
	if err := tool.Backup(t.Context(), file); fault.KindOf(err) != fault.Conflict {
		t.Errorf("overwriting: %v", err)
	}

	dir := t.TempDir()
	if err := Restore(t.Context(), dir, file); err != nil {
		t.Fatal(err)
	}
	restored := open(t, dir, Options{})
	if n := len(strings.Fields(texts(t, restored))); n < 20 || n%2 != 0 {
		t.Errorf("%d rows restored", n)
	}
	if restored.Epoch() == d.Epoch() {
		t.Error("the restored data has the old epoch")
	}
	if err := Restore(t.Context(), dir, file); fault.KindOf(err) != fault.Conflict {
		t.Errorf("restore over a running server: %v", err)
	}
	if err := restored.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Restore(t.Context(), dir, file); err == nil || !strings.Contains(err.Error(), "holds data already") {
		t.Errorf("restore over data: %v", err)
	}
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "text": strings.Repeat("not a database ", 100)} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := Restore(t.Context(), dir, file); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, FileName)); err == nil {
			t.Errorf("%s became the data", name)
		}
	}
	if err := Restore(t.Context(), t.TempDir(), filepath.Join(t.TempDir(), "none")); fault.KindOf(err) != fault.NotFound {
		t.Errorf("missing file: %v", err)
	}
}

// TestFailedRestore: what could not be restored leaves nothing behind, and what was there stays.
func TestFailedRestore(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	extra := filepath.Join(d.Dir(), "extra")
	if err := os.WriteFile(extra, []byte("extra"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(t.TempDir(), "backup")
	if err := d.Backup(t.Context(), whole, "extra"); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged")
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(damaged, content[:len(content)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, restore := range map[string]func(dir string) error{
		"missing":  func(dir string) error { return Restore(t.Context(), dir, whole+".none") },
		"damaged":  func(dir string) error { return Restore(t.Context(), dir, damaged) },
		"canceled": func(dir string) error { return Restore(gone, dir, whole) },
	} {
		top := t.TempDir()
		if err := restore(filepath.Join(top, "some", "data")); err == nil {
			t.Errorf("%s: restored", name)
		}
		expectEntries(t, name, top)
		if err := os.WriteFile(filepath.Join(top, "mine"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := restore(top); err == nil {
			t.Errorf("%s: restored", name)
		}
		expectEntries(t, name, top, "mine")
	}
	taken := t.TempDir()
	if err := os.Mkdir(filepath.Join(taken, FileName), 0o700); err != nil { // neither data nor a place for it
		t.Fatal(err)
	}
	if err := Restore(t.Context(), taken, whole); err == nil {
		t.Error("restored over data")
	}
	expectEntries(t, "taken", taken, FileName)
}

func expectEntries(t *testing.T, name, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if !slices.Equal(have, want) {
		t.Errorf("%s: left %v, want %v", name, have, want)
	}
}

// TestLockOfRemovedFile: a file that was removed while somebody waited for its lock is no lock.
func TestLockOfRemovedFile(t *testing.T) {
	dir := t.TempDir()
	first, err := acquireLock(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := os.Open(first.file.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	if !filelock.IsAt(waiting, first.file.Name()) {
		t.Error("a lock that is there counts as removed")
	}
	first.remove()
	second, err := acquireLock(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if filelock.IsAt(waiting, second.file.Name()) {
		t.Error("a removed lock counts as that of the directory")
	}
	if err := errors.Join(first.release(), second.release()); err != nil {
		t.Error(err)
	}
}

// TestBackupCarriesFiles: what else must survive travels in the one file.
func TestBackupCarriesFiles(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	large := strings.Repeat("0123456789abcdef", 1<<17)
	want := map[string]string{"extra/a/b.txt": "b", "extra/large": large, "extra/empty": "", "label.json": "{}"}
	for name, content := range want {
		file := filepath.Join(d.Dir(), filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "backup")
	if err := d.Backup(t.Context(), file, "extra", "label.json"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Restore(t.Context(), dir, file); err != nil {
		t.Fatal(err)
	}
	for name, content := range want {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || string(got) != content {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	info, err := os.Stat(filepath.Join(dir, FileName))
	if err != nil || info.Size() > 1<<20 {
		t.Errorf("the database still has what it carried: %d bytes, %v", info.Size(), err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.part"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	if err := open(t, dir, Options{}).Close(); err != nil {
		t.Error(err)
	}

	taken := t.TempDir()
	if err := os.Mkdir(filepath.Join(taken, "extra"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Restore(t.Context(), taken, file); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "holds extra already") {
		t.Errorf("restore over files: %v", err)
	}
	if err := d.Backup(t.Context(), filepath.Join(t.TempDir(), "none"), "nothing"); err == nil {
		t.Error("a backup of files that are not there succeeds")
	}
}

// TestBackupWithEvilFiles: a backup that somebody made up does not write outside of the directory.
func TestBackupWithEvilFiles(t *testing.T) {
	d := open(t, t.TempDir(), Options{})
	file := filepath.Join(t.TempDir(), "backup")
	if err := d.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	c, err := connect(t.Context(), file, singleFile)
	if err != nil {
		t.Fatal(err)
	}
	err = c.script(t.Context(), "CREATE TABLE edict_carried (path TEXT PRIMARY KEY, content BLOB NOT NULL); INSERT INTO edict_carried VALUES ('../evil', x'00')")
	if err := errors.Join(err, c.close()); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	if err := Restore(t.Context(), dir, file); fault.KindOf(err) != fault.Invalid {
		t.Errorf("restored: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "..", "evil")); err == nil {
		t.Error("a file was written outside of the directory")
	}
}
