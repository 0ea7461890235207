package server_test

import (
	"net/http"
	"os"
	"os/exec"
	"testing"

	"edict/cli"
	"edict/e2e"
	"edict/platform/web"
)

// asServer, in the environment, turns the test binary into an edict with one more service.
const asServer = "EDICT_E2E_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(cli.Main(cli.Build{}, echoService()))
	}
	os.Exit(m.Run())
}

// startEcho starts a process that serves echoService beside the real services.
func startEcho(t *testing.T, args ...string) *e2e.Process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asServer+"=1")
	return e2e.StartProcess(t, cmd, args)
}

type echo struct {
	Text string `json:"text"`
}

// echoService has one route that reads JSON, whatever the real services have.
func echoService() web.Service {
	return web.Service{
		Name: "echo", Description: "Says what it is told.", Prefixes: []string{"/echo"}, RefuseTypos: true,
		Routes: []web.Route{{
			Method: http.MethodPost, Path: "/echo", Policy: web.Public,
			Handle: func(w http.ResponseWriter, r *http.Request) error {
				var e echo
				if err := web.ReadJSON(r, &e); err != nil {
					return err
				}
				return web.WriteJSON(w, http.StatusOK, e)
			},
			Doc: web.Doc{
				Summary: "Echo", Description: "Answers with the text it is given.",
				Body:    &web.Body{Type: echo{}, Example: echo{"hello"}},
				Answers: []web.Answer{{Status: http.StatusOK, Example: echo{"hello"}}},
			},
		}},
	}
}
