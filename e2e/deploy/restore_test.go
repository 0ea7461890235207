package deploy_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"edict/e2e"
)

var shellBlock = regexp.MustCompile("(?s)\n```sh\n(.*?)\n```")

// TestRestoreDrill runs all commands of the page, in one shell, against a server that has users, a channel and items.
func TestRestoreDrill(t *testing.T) {
	shell := tool(t, "bash")
	server := e2e.StartBinary(t)
	tokens := e2e.Tokens(server.Data)
	ann := tokens(t, "ann")
	tokens(t, "bob")
	send(t, http.DefaultClient, http.MethodPost, server.URL+"/message/api/v2/channels", ann, `{"channelName":"news"}`)
	for _, title := range []string{"first", "second"} {
		send(t, http.DefaultClient, http.MethodPost, server.URL+"/message/api/v2/channels/news/items", ann, `{"content":{"title":"`+title+`"}}`)
	}
	address := freeAddress(t)
	script := "set -eu\ntrap '[ -z \"${!:-}\" ] || kill $! 2>/dev/null || true' EXIT\n" // stops the copy when a command fails
	for _, found := range shellBlock.FindAllStringSubmatch(read(t, "docs/guides/restore.md"), -1) {
		script += found[1] + "\n"
	}
	script = replace(t, script, "/var/lib/edict", server.Data)
	script = replace(t, script, "127.0.0.1:8099", address)

	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), shell, "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "EDICT_TOKEN="+ann, "PATH="+filepath.Dir(e2e.Binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"holds the data of " + server.Data, `"store":"ok"`, "second"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the drill does not print %q:\n%s", want, out)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "drill*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	before, err := os.ReadFile(filepath.Join(dir, "before.txt"))
	if err != nil || !strings.Contains(string(before), "ann") || !strings.Contains(string(before), "bob") {
		t.Errorf("the users of the original: %q %v", before, err)
	}
}
