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
//	server ARGS…                start "edict serve ARGS…" on a free port, data in $WORK/data; sets $URL
//	get URL                     print status and body
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": scriptStatus,
			"server": scriptServer,
			"get":    scriptGet,
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
	if neg {
		ts.Fatalf("unsupported: ! server")
	}
	edict, err := exec.LookPath("edict")
	ts.Check(err)
	cmd := exec.Command(edict, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", ts.MkAbs("data")}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stderr = ts.Stderr()
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			ts.Logf("stopping the server: %v", err)
		}
		if err := cmd.Wait(); err != nil {
			ts.Logf("the server ended with %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		ts.Fatalf("the server did not start")
	}
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "edict listening on ")
	if !ok {
		ts.Fatalf("the server said %q", line)
	}
	ts.Setenv("URL", url)
}

func scriptGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: get URL")
	}
	answer, err := http.Get(args[0])
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	_, err = io.WriteString(ts.Stdout(), answer.Status+"\n"+string(body)+"\n")
	ts.Check(err)
}
