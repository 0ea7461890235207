package objectstore

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"

	"edict/simulation/objectstore/s3test"
	"edict/simulation/population"
)

var server = flag.String("s3", "", s3test.Flag)

func write(t *testing.T, s *Storage, name string, text []byte) {
	t.Helper()
	d, err := s.Create(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Write(text)
	if err = errors.Join(err, d.Seal()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), name); err == nil {
		t.Errorf("%s is there before it is complete", name)
	}
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestStorage writes, lists and reads files of several parts, refuses what changed, and gives up uploads.
func TestStorage(t *testing.T) {
	running, s := s3test.Start(t, *server), &Storage{Beside: population.Directories{}}
	text := make([]byte, partSize+partSize/2)
	for i := range text {
		text[i] = byte(i * 7 >> 3)
	}
	write(t, s, "s3://edict/dir/large.csv", text)
	write(t, s, "s3://edict/dir/empty.csv", nil)
	names, err := s.List(t.Context(), "s3://edict/dir")
	if err != nil || strings.Join(names, " ") != "s3://edict/dir/empty.csv s3://edict/dir/large.csv" {
		t.Errorf("listed %v (%v)", names, err)
	}
	o, err := s.Open(t.Context(), "s3://edict/dir/large.csv")
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
	if err != nil || string(got) != string(text) {
		t.Errorf("%d bytes came back of %d (%v)", len(got), len(text), err)
	}
	write2 := func() { // another version while it is read
		d, err := s.Create(t.Context(), "s3://edict/dir/large.csv")
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Write([]byte("other"))
		if err = errors.Join(err, d.Seal(), d.Commit()); err != nil {
			t.Fatal(err)
		}
	}
	write2()
	if err := o.Unchanged(); err == nil || !strings.Contains(err.Error(), "was changed while it was read") {
		t.Errorf("unchanged: %v", err)
	}
	d, err := s.Create(t.Context(), "s3://edict/dir/never.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Write(text); err != nil {
		t.Fatal(err)
	}
	d.Discard()
	if _, err := s.Open(t.Context(), "s3://edict/dir/never.csv"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that was given up: %v", err)
	}
	if n := running.Uploads(t); n > 0 {
		t.Errorf("%d uploads were left", n)
	}
	if _, err := s.Create(t.Context(), "s3://nowhere/x.csv"); err == nil || !strings.Contains(err.Error(), "no such bucket") {
		t.Errorf("no bucket: %v", err)
	}
}

// TestNames refuses what names no file, and addresses that are none.
func TestNames(t *testing.T) {
	s := &Storage{Beside: population.Directories{}}
	for name, want := range map[string]string{"s3://": "s3://BUCKET/KEY", "s3:///x": "s3://BUCKET/KEY", "s3://bucket": "the name of a file in the bucket is missing"} {
		if _, err := s.Open(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := newStore(func(string) string { return "nowhere" }, silence); err == nil || !strings.Contains(err.Error(), "AWS_ENDPOINT_URL") {
		t.Errorf("an address that is none: %v", err)
	}
}

// TestSame: an object has one name, and is no file of this machine.
func TestSame(t *testing.T) {
	s := &Storage{Beside: population.Directories{}}
	for _, c := range []struct {
		one, other string
		want       bool
	}{
		{"s3://bucket/a.csv", "s3://bucket/a.csv", true},
		{"s3://bucket/a.csv", "s3://bucket/A.csv", false},
		{"s3://bucket/a.csv", "a.csv", false},
		{"./a.csv", "a.csv", true},
		{"objectstore.go", "object.go", false},
	} {
		if got := s.Same(c.one, c.other); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.one, c.other, got, c.want)
		}
	}
}
