package population_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"edict/e2e"
	"edict/simulation/objectstore/s3test"
)

var s3 = flag.String("s3", "", s3test.Flag)

// bucketBench runs "edict population" on files of this machine and of a bucket.
type bucketBench struct {
	*testing.T
	*s3test.Server
	dir string
}

func newBucketBench(t *testing.T) *bucketBench {
	b := &bucketBench{T: t, Server: s3test.Start(t, *s3), dir: t.TempDir()}
	text := manyPersons(3_000)
	if err := os.WriteFile(filepath.Join(b.dir, "persons.csv"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.put("persons.csv", text)
	return b
}

func (b *bucketBench) put(name, text string) {
	b.Helper()
	if _, err := b.Client.PutObject(b.Context(), s3test.Bucket, name, strings.NewReader(text), int64(len(text)), minio.PutObjectOptions{}); err != nil {
		b.Fatal(err)
	}
}

func (b *bucketBench) get(name string) []byte {
	b.Helper()
	o, err := b.Client.GetObject(b.Context(), s3test.Bucket, name, minio.GetObjectOptions{})
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(o)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return text
}

func (b *bucketBench) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.Context(), e2e.Binary(b.T), append([]string{"population"}, args...)...)
	cmd.Dir = b.dir
	return cmd
}

const bucketAsk = "--variables revdisp,irpp --period 2022 --set impot_revenu.bareme.brackets[1].rate=0.2 --compare --quiet --input "

// run runs a command that has to succeed.
func (b *bucketBench) run(line string) {
	b.Helper()
	if said, err := b.command(strings.Fields(line)...).CombinedOutput(); err != nil {
		b.Fatalf("edict population %s: %v\n%s", line, err, said)
	}
}

// TestBuckets computes a population that is in a bucket, at once and in parts, as CSV and Parquet: every byte is that of a run on files.
func TestBuckets(t *testing.T) {
	b := newBucketBench(t)
	for _, kind := range []string{"csv", "parquet"} {
		b.run(bucketAsk + "persons.csv --output one." + kind + " --report one.json")
		b.run(bucketAsk + "s3://edict/persons.csv --output s3://edict/" + kind + "/one." + kind + " --report s3://edict/" + kind + "/one.json")
		for i := range 3 {
			b.run(fmt.Sprintf("%ss3://edict/persons.csv --output s3://edict/%s/parts/%d.%[2]s --part %[4]d/3", bucketAsk, kind, i, i+1))
		}
		b.run(fmt.Sprintf("merge --quiet --output s3://edict/%s/all.%[1]s --report s3://edict/%[1]s/all.json s3://edict/%[1]s/parts", kind))
		for _, name := range []string{"one.menage." + kind, "one.foyer_fiscal." + kind, "one.json"} {
			want, err := os.ReadFile(filepath.Join(b.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []string{name, strings.Replace(name, "one", "all", 1)} {
				if !bytes.Equal(b.get(kind+"/"+got), want) {
					t.Errorf("%s of the bucket is not that of a run on files", got)
				}
			}
		}
	}
	if n := b.Uploads(t); n > 0 {
		t.Errorf("%d uploads were left", n)
	}
}

// TestBucketRefused: what is wrong with a bucket is told, with what can be done about it, and nothing is written.
func TestBucketRefused(t *testing.T) {
	b := newBucketBench(t)
	b.put("broken.csv", "individu_id,menage_id,famille_id,foyer_fiscal_id,date_naissance,salaire_imposable\n1,1,1,1,1985-03-02,much\n")
	for _, c := range []struct{ input, output, env, want string }{
		{"s3://edict/nobody.csv", "s3://edict/out.csv", "", "s3://edict/nobody.csv: no such file"},
		{"s3://nowhere/persons.csv", "s3://edict/out.csv", "", "s3://nowhere/persons.csv"},
		{"s3://edict/persons.csv", "s3://nowhere/out.csv", "", "there is no such bucket"},
		{"s3://edict/persons.csv", "s3://edict/out.csv", "AWS_SECRET_ACCESS_KEY=other", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"},
		{"s3://edict/persons.csv", "s3://edict/out.csv", "AWS_ENDPOINT_URL=nowhere", "one looks like https://"},
		{"s3://edict/broken.csv", "s3://edict/out.csv", "", "line 2"},
		{"s3:///persons.csv", "s3://edict/out.csv", "", "s3://BUCKET/KEY"},
	} {
		cmd := b.command(strings.Fields(bucketAsk + c.input + " --output " + c.output)...)
		if c.env != "" {
			cmd.Env = append(os.Environ(), c.env)
		}
		said, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), c.want) {
			t.Errorf("%s to %s %s: %v\n%s", c.input, c.output, c.env, err, said)
		}
		t.Logf("%s", said)
	}
	if got := b.Objects(t); !slices.Equal(got, []string{"broken.csv", "persons.csv"}) || b.Uploads(t) > 0 {
		t.Errorf("the bucket has %v and %d uploads", got, b.Uploads(t))
	}
}

// begin starts a run that takes some time, with a chunk for each person, and waits until it uploads.
func (b *bucketBench) begin(persons int) (*exec.Cmd, *bytes.Buffer) {
	b.Helper()
	b.put("many.csv", manyPersons(persons))
	var said bytes.Buffer
	cmd := b.command(strings.Fields("--variables revdisp --period 2022 --chunk 1 --input s3://edict/many.csv --output s3://edict/out.csv")...)
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); b.Uploads(b.T) == 0; time.Sleep(5 * time.Millisecond) { // a bucket has no event to wait for
		if time.Now().After(deadline) {
			b.Fatal("nothing is uploaded")
		}
	}
	return cmd, &said
}

// TestBucketInterrupted: a run that is interrupted gives its upload up.
func TestBucketInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send on Windows")
	}
	b := newBucketBench(t)
	cmd, said := b.begin(100_000)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it is told below
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "nothing was written") {
		t.Errorf("status %d: %s", cmd.ProcessState.ExitCode(), said)
	}
	if got := b.Objects(t); slices.Contains(got, "out.csv") || b.Uploads(t) > 0 {
		t.Errorf("the bucket has %v and %d uploads", got, b.Uploads(t))
	}
}

// TestBucketGone: the store goes away in the middle of a run.
func TestBucketGone(t *testing.T) {
	b := newBucketBench(t)
	cmd, said := b.begin(5_000)
	b.Stop()
	_ = cmd.Wait() // it is told below
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "s3://edict/out.csv: the object store at "+b.URL+" cannot be reached") {
		t.Errorf("status %d: %s", cmd.ProcessState.ExitCode(), said)
	}
	t.Logf("%s", said)
}
