package watch_test

// Watches as people meet them: the message that arrives, what others can find of a household, and servers that are killed while a run is
// under way.

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"edict/cli"
	"edict/e2e"
)

// TestWatchReaches: who is connected gets the message on the stream, a device that is not is woken.
func TestWatchReaches(t *testing.T) {
	t.Parallel()
	url, configure, came := e2e.StartPushServices(t)
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Server.Watch = true
		configure(&c.Push)
	}})
	tokens := e2e.Tokens(server.Data)
	ada, bob, boss := tokens(t, "ada"), tokens(t, "bob@phone"), tokens(t, "admin")
	e2e.Call(t, "POST", server.URL+e2e.MessageAPI+"/devices", bob, "application/json", `{"deviceId":"phone","push":{"service":"unifiedpush","endpoint":"`+url+`/bob"}}`)
	for _, token := range []string{ada, bob} {
		e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/watches", token, "application/json", e2e.WatchOf("p", "30000", "Tax"))
	}
	stream := e2e.OpenStream(t, server.URL+e2e.MessageAPI+"/events", ada)
	stream.Until("event: ready")
	run := e2e.ReadRun(t, e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/runs", boss, "application/json", fmt.Sprintf(e2e.DecoteRun, false)))
	stream.Until("event: message")
	if data := stream.Until("data: "); !strings.Contains(data, `"text":"Tax: +771.66"`) || !strings.Contains(data, run.ID) {
		t.Errorf("the stream has %s", data)
	}
	if p := e2e.AwaitPush(t, came); p.Path != "/bob" || p.Body != `{"event":"wakeup"}` {
		t.Errorf("woken by %+v", p)
	}
}

// TestWatchPrivate: what a person said about a household is nowhere but in its owner's answers: not in the files of the server, not in its
// logs, metrics and backups, not in an admin's archive of the person.
func TestWatchPrivate(t *testing.T) {
	t.Parallel()
	const name, salary, label = "zqxperson", "34567.25", "ZQXLABEL"
	server := e2e.StartBinary(t, "--watch", "--log-level", "debug", "--log-access", "all", "--admin-listen", "127.0.0.1:0")
	e2e.AwaitReady(t, server.URL)
	tokens := e2e.Tokens(server.Data)
	ada, boss := tokens(t, "ada"), tokens(t, "admin")
	e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/watches", ada, "application/json", e2e.WatchOf(name, salary, label))
	refused, err := http.NewRequest(http.MethodPost, server.URL+e2e.WatchAPI+"/watches", strings.NewReader(e2e.WatchOf(name, `"`+salary+`x"`, label)))
	if err != nil {
		t.Fatal(err)
	}
	refused.Header.Set("Authorization", "Bearer "+ada)
	refused.Header.Set("Content-Type", "application/json")
	if resp, err := http.DefaultClient.Do(refused); err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Fatal(resp, err)
	}
	run := e2e.ReadRun(t, e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/runs", boss, "application/json", fmt.Sprintf(e2e.DecoteRun, true)))
	e2e.AwaitRun(t, server.URL, boss, run.ID)
	shown := e2e.Call(t, "GET", server.URL+e2e.WatchAPI+"/runs/"+run.ID, boss, "", "")
	secrets := []string{name, salary, "34567", label, "3456725", "salaire_imposable"}
	lookFor(t, "the run", shown, secrets)
	backup := filepath.Join(t.TempDir(), "backup")
	e2e.Run(t, "", "backup", backup, "--data", server.Data)
	key, err := os.ReadFile(filepath.Join(server.Data, "watch.key"))
	if err != nil {
		t.Fatal(err)
	}
	secretKey := strings.Fields(string(key)[strings.LastIndexByte(strings.TrimSpace(string(key)), '\n'):])[1]
	lookIn(t, backup, append(secrets, secretKey))
	lookInAll(t, server.Data, secrets)

	// A message has the figures and their label, and nothing that the law was told.
	e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/runs/"+run.ID+"/send", boss, "application/json", "")
	e2e.AwaitRun(t, server.URL, boss, run.ID)
	secrets = []string{name, salary, "34567", "salaire_imposable"}
	lookFor(t, "the message", e2e.Call(t, "GET", server.URL+e2e.MessageAPI+"/messages", ada, "", ""), secrets)
	lookInAll(t, server.Data, secrets)
	lookFor(t, "the log", []byte(server.Stderr()), append(secrets, label))
	admin := e2e.AwaitText(t, server.Stderr, "/metrics")
	_, address, _ := strings.Cut(admin, "metrics=")
	address, _, _ = strings.Cut(address, "\n")
	lookFor(t, "the metrics", e2e.Call(t, "GET", address, "", "", ""), append(secrets, label))

	e2e.Call(t, "POST", server.URL+e2e.MessageAPI+"/messages/send_to_user_ids", ada, "application/json", `{"recipientUserIds":["ada"],"content":{"text":"a note"}}`)
	own := archived(t, e2e.Call(t, "GET", server.URL+"/auth/users/ada/export", ada, "", ""))
	if !bytes.Contains(own["watches.json"], []byte(name)) {
		t.Errorf("the owner's archive has %s", own["watches.json"])
	}
	theirs := archived(t, e2e.Call(t, "GET", server.URL+"/auth/users/ada/export", boss, "", ""))
	if len(theirs) < 3 {
		t.Errorf("the admin's archive has %d files", len(theirs))
	}
	for file, text := range theirs {
		lookFor(t, "an admin's archive, "+file, text, append(secrets, label, "771.66", run.ID))
	}
	for _, file := range []string{"received.json", "sent.json"} {
		if !bytes.Contains(theirs[file], []byte("a note")) || !bytes.Contains(own[file], []byte("a note")) || !bytes.Contains(own[file], []byte(run.ID)) {
			t.Errorf("%s has %s for the admin, %s for the owner", file, theirs[file], own[file])
		}
	}
	e2e.Call(t, "DELETE", server.URL+"/auth/users/ada", boss, "", "")
	if left := e2e.Call(t, "GET", server.URL+e2e.WatchAPI+"/runs", boss, "", ""); !bytes.Contains(left, []byte(run.ID)) {
		t.Errorf("%s", left)
	}
	runs := fmt.Sprintf(e2e.DecoteRun, true)
	awaitAnswered(t, http.StatusConflict, func() (*http.Request, error) {
		r, err := http.NewRequest(http.MethodPost, server.URL+e2e.WatchAPI+"/runs", strings.NewReader(runs))
		if err == nil {
			r.Header.Set("Authorization", "Bearer "+boss)
			r.Header.Set("Content-Type", "application/json")
		}
		return r, err
	})
}

// awaitAnswered repeats a request until it is answered so: the removal of a user ends behind its answer.
func awaitAnswered(t *testing.T, status int, request func() (*http.Request, error)) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		r, err := request()
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode == status {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still answered %s", resp.Status)
		}
	}
}

func archived(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func lookFor(t *testing.T, where string, text []byte, secrets []string) {
	t.Helper()
	for _, secret := range secrets {
		if tells(text, secret) {
			t.Errorf("%s has %s", where, secret)
		}
	}
}

// tells tells whether a text has a secret. A whole number has to stand by itself: among the digits of figures and names it is found by chance.
func tells(text []byte, secret string) bool {
	if strings.Trim(secret, "0123456789") != "" {
		return bytes.Contains(text, []byte(secret))
	}
	return regexp.MustCompile(`(^|[^0-9A-Za-z_.])` + secret + `($|[^0-9A-Za-z_])`).Match(text)
}

func TestSecretIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"salary":34567.25}`: true, "salary=34567": true, "34567": true, "[1, 34567]": true,
		"bytes 1.2345678e+06": false, "seconds 0.34567": false, "id e34567f": false, "134567": false,
	} {
		if tells([]byte(text), "34567") != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
	if !tells([]byte("anything zqxperson"), "zqxperson") {
		t.Error("a name was not found")
	}
}

func lookIn(t *testing.T, file string, secrets []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) == 0 && strings.HasSuffix(file, ".db") {
		t.Errorf("%s is empty", file)
	}
	lookFor(t, file, text, secrets)
}

func lookInAll(t *testing.T, dir string, secrets []string) {
	t.Helper()
	looked := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			looked++
			lookIn(t, path, secrets)
		}
		return err
	})
	if err != nil || looked < 2 {
		t.Fatalf("%d files, %v", looked, err)
	}
}

// TestKillRuns kills servers while runs are computed and sent: everybody is told exactly once. EDICT_KILLS says how often; 300 is the long form.
func TestKillRuns(t *testing.T) {
	t.Parallel()
	e2e.NeedSignals(t)
	kills := 5
	if text := os.Getenv("EDICT_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	const people, each = 6, 20
	data := filepath.Join(t.TempDir(), "killed")
	start := func() *e2e.Process { return e2e.StartBinary(t, "--data", data, "--watch", "--watch-runs", "1000") }
	server := start()
	tokens := e2e.Tokens(data)
	for i := range people {
		token := tokens(t, fmt.Sprint("p", i))
		for n := range each {
			e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/watches", token, "application/json", e2e.WatchOf("p", fmt.Sprint(25000+100*n), "Tax"))
		}
	}
	boss := tokens(t, "admin")
	phases, killed, runs := map[string]int{}, 0, 0
	for ; killed < kills; runs++ {
		dry := runs%2 == 0 // every other one is computed first and sent then
		run := e2e.ReadRun(t, e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/runs", boss, "application/json", fmt.Sprintf(e2e.DecoteRun, dry)))
		for run.State != "sent" {
			phase := killPhases[killed%len(killPhases)]
			if killed < kills && phase.reached(run) {
				time.Sleep(rand.N(phase.within)) // any moment of it
				if err := server.Signal(syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				_ = server.Wait()
				phases[phase.name]++
				killed++
				server = start()
			}
			if run = e2e.ReadRun(t, e2e.Call(t, "GET", server.URL+e2e.WatchAPI+"/runs/"+run.ID, boss, "", "")); run.State == "failed" || run.State == "cancelled" {
				t.Fatalf("the run is %s", run.State)
			}
			if next := killPhases[killed%len(killPhases)]; run.State == "computed" && (killed >= kills || next.name != "dry") {
				run = e2e.ReadRun(t, e2e.Call(t, "POST", server.URL+e2e.WatchAPI+"/runs/"+run.ID+"/send", boss, "application/json", ""))
			}
		}
		for i := range people {
			checkTold(t, server.URL, tokens(t, fmt.Sprint("p", i)), run.ID, each)
		}
	}
	t.Logf("%d kills in %d runs of %d watches: %v", killed, runs, people*each, phases)
}

// killPhases are where servers are killed, by turns: while households are computed, when that is done and nothing was sent, while messages are
// sent, and around the last ones and the mark that they were.
var killPhases = []struct {
	name    string
	reached func(r e2e.WatchRun) bool
	within  time.Duration
}{
	{"computing", func(r e2e.WatchRun) bool { return r.State == "computing" }, 300 * time.Millisecond},
	{"dry", func(r e2e.WatchRun) bool { return r.State == "computed" }, 20 * time.Millisecond},
	{"sending", func(r e2e.WatchRun) bool { return r.State == "sending" }, 300 * time.Millisecond},
	{"last", func(r e2e.WatchRun) bool { return r.State == "sending" }, 600 * time.Millisecond},
}

// checkTold reads an inbox: every watch of its owner was told once by a run.
func checkTold(t *testing.T, url, token, run string, want int) {
	t.Helper()
	told := map[string]int{}
	for cursor := ""; ; {
		var page struct {
			Messages []struct {
				MessageID string
				Metadata  struct{ Watch, Run string }
			}
			NextCursor string
		}
		if err := json.Unmarshal(e2e.Call(t, "GET", url+e2e.MessageAPI+"/messages?size=100&cursor="+cursor, token, "", ""), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Messages) == 0 {
			break
		}
		for _, m := range page.Messages {
			if m.Metadata.Run == run {
				told[m.Metadata.Watch]++
			}
		}
		cursor = page.NextCursor
	}
	if len(told) != want {
		t.Errorf("%d of %d watches were told", len(told), want)
	}
	for watch, n := range told {
		if n != 1 {
			t.Errorf("watch %s was told %d times", watch, n)
		}
	}
}
