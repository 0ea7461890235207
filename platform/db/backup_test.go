package db

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/platform/fault"
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
