package cli_test

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"edict/cli"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with")

// TestMain lets the scripts run the real command line as a process named edict.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"edict": func() {
			os.Exit(cli.Main(cli.Build{Version: "v0.0.0-test", Commit: "0123abc", Date: "2026-11-15T00:00:00Z"}))
		},
	})
}

// TestScripts runs testdata/script/*.txtar. Besides testscript's own commands they have:
//
//	status CODE COMMAND ARGS…   run a command that must end with this exit status
//	server ARGS…                start "edict serve ARGS…" on a free port, data in $WORK/data, log in server.stderr; sets $URL
//	openfisca serve ARGS…       start "edict openfisca serve ARGS…", log in server.stderr; sets $URL
//	get URL [TOKEN]             print status and body, signed in with a token
//	until STATUS URL [TOKEN]    get until the status is this one
//	index DIR                   serve the directories in it as wheels from a package index; sets $INDEX
//	keep NAME                   put what was printed last into the variable NAME
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"index":  scriptIndex,
			"status": scriptStatus,
			"server": scriptServer,
			"get":    scriptGet,
			"keep":   scriptKeep,
			"openfisca": func(ts *testscript.TestScript, neg bool, args []string) {
				scriptProcess(ts, neg, append([]string{"openfisca"}, args...))
			},
			"until": scriptUntil,
		},
	})
}

func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func scriptServer(ts *testscript.TestScript, neg bool, args []string) {
	scriptProcess(ts, neg, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", ts.MkAbs("data")}, args...))
}

// scriptProcess starts a command that serves, waits until it says where, and stops it at the end of the script.
func scriptProcess(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("unsupported: ! server")
	}
	edict, err := exec.LookPath("edict")
	ts.Check(err)
	cmd := exec.Command(edict, args...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = os.Environ()
	for _, name := range []string{"EDICT_DATA", "VIRTUAL_ENV"} {
		if value := ts.Getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	stderr, err := os.Create(ts.MkAbs("server.stderr"))
	ts.Check(err)
	defer stderr.Close()
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() { stopServer(ts, cmd) })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		ts.Fatalf("the server did not start:\n%s", ts.ReadFile("server.stderr"))
	}
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "edict listening on ")
	if !ok {
		ts.Fatalf("the server said %q", line)
	}
	ts.Setenv("URL", url)
}

func stopServer(ts *testscript.TestScript, cmd *exec.Cmd) {
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		ts.Logf("stopping the server: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		ts.Fatalf("the server ended with %v", err)
	}
}

func scriptGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: get URL [TOKEN]")
	}
	status, body := get(ts, args)
	_, err := io.WriteString(ts.Stdout(), status+"\n"+body+"\n")
	ts.Check(err)
}

// get requests args[0], signed in with the token args[1] if there is one.
func get(ts *testscript.TestScript, args []string) (status, body string) {
	request, err := http.NewRequest(http.MethodGet, args[0], nil)
	ts.Check(err)
	if len(args) == 2 {
		request.Header.Set("Authorization", "Bearer "+args[1])
	}
	answer, err := http.DefaultClient.Do(request)
	ts.Check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	ts.Check(err)
	return answer.Status, string(text)
}

func scriptUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: until STATUS URL [TOKEN]")
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		status, _ := get(ts, args[1:])
		if strings.HasPrefix(status, args[0]+" ") {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("the status is still %s", status)
		}
	}
}

func scriptKeep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: keep NAME")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}
