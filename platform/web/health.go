package web

import (
	"context"
	"net/http"
	"time"

	"edict/platform/fault"
)

// Check is one condition of being able to serve: "store", "legislation". Run returns what is wrong,
// for the operator; it must return soon after its context ends.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
	// About, if not nil, says more of what is checked, to anybody: a version, how far it is behind.
	About func() map[string]string
}

// checkTimeout bounds all checks of one /readyz together.
const checkTimeout = 5 * time.Second

type health struct {
	Status string            `json:"status" doc:"ok, or the reason why the process cannot serve"`
	Checks map[string]string `json:"checks,omitempty" doc:"every named check: ok or what is wrong"`

	About map[string]map[string]string `json:"about,omitempty" doc:"details, such as package, version and hash of the law"`
}

func healthz(w http.ResponseWriter, _ *http.Request) error {
	w.Header()["Cache-Control"] = noStore
	return WriteJSON(w, http.StatusOK, health{Status: "ok"})
}

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	w.Header()["Cache-Control"] = noStore
	state, ready := s.ready(r.Context())
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
	}
	return WriteJSON(w, status, state)
}

// ready runs the checks. The text of a failed check is shown to anybody who asks, so checks return
// faults; of other errors only the fact is shown and the text is logged.
func (s *Server) ready(ctx context.Context) (health, bool) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	state := health{Status: "ok", Checks: map[string]string{}}
	for _, c := range s.opts.Checks {
		state.Checks[c.Name] = "ok"
		if err := c.Run(ctx); err != nil {
			state.Status, state.Checks[c.Name] = "not ready", fault.From(err).Message
			s.opts.Logger.WarnContext(ctx, "not ready", "check", c.Name, "error", err)
		}
		if c.About != nil {
			state.tell(c.Name, c.About())
		}
	}
	select {
	case <-s.stopping:
		state.Status = "stopping"
	default:
	}
	return state, state.Status == "ok"
}

// tell adds what is known of a check.
func (h *health) tell(name string, about map[string]string) {
	if len(about) == 0 {
		return
	}
	if h.About == nil {
		h.About = map[string]map[string]string{}
	}
	h.About[name] = about
}
