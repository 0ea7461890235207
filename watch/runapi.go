package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"edict/platform/fault"
	"edict/platform/web"
)

// askedRun is a run as it is asked for.
type askedRun struct {
	Base    *LawChoice        `json:"base,omitempty" doc:"law to compare with; defaults to the previous version; {} for the law in force"`
	New     LawChoice         `json:"new"`
	Period  string            `json:"period,omitempty" doc:"defaults to each watch's period"`
	Message map[string]string `json:"message" doc:"text by language, en and fr, with the fields {before}, {after}, {difference}, {label}, {date}, {link}"`
	Date    string            `json:"date,omitempty" doc:"day the change takes effect; defaults to the first day in the reforms"`
	Link    string            `json:"link,omitempty" doc:"page with more information"`
	Dry     *bool             `json:"dry,omitempty" doc:"true (default): nothing is sent before POST /runs/{id}/send"`
}

// runBody is a run.
type runBody struct {
	ID         string            `json:"id"`
	State      State             `json:"state" doc:"computing, computed, sending, sent, cancelled, failed"`
	CreatedAt  string            `json:"createdAt"`
	CreatedBy  string            `json:"createdBy"`
	Dry        bool              `json:"dry"`
	Base       *LawChoice        `json:"base"`
	New        LawChoice         `json:"new"`
	Period     string            `json:"period,omitempty"`
	Message    map[string]string `json:"message"`
	Date       string            `json:"date,omitempty"`
	Link       string            `json:"link,omitempty"`
	Watches    int64             `json:"watches" doc:"number of watches at the start"`
	Computed   int64             `json:"computed"`
	LeftOut    leftBody          `json:"leftOut" doc:"accounts with watches that do not take part, with noise as in recipients"`
	Recipients *int64            `json:"recipients" doc:"accounts to be notified: approximate, to the nearest ten; null below 100, and before the report"`
	Sent       *int64            `json:"sent" doc:"accounts that were notified: equals recipients after sending, null before"`
	Unsent     int64             `json:"unsent,omitempty" doc:"messages that could not be delivered to an account"`
	Report     *Report           `json:"report,omitempty"`
	Failure    string            `json:"failure,omitempty"`
}

type leftBody struct {
	Period *int64 `json:"period" doc:"with a watch whose inputs do not cover the run's period"`
	Figure *int64 `json:"figure" doc:"with a figure that one of the laws does not have"`
	Failed *int64 `json:"failed" doc:"with a watch that one of the laws cannot compute"`
}

type runsBody struct {
	Runs []runBody `json:"runs"`
}

var (
	exampleRunAsked = askedRun{
		Base: &LawChoice{}, New: LawChoice{Parameters: json.RawMessage(`{"impot_revenu.decote.taux": {"2024-01-01": 0}}`)},
		Message: map[string]string{"en": "{label}: {difference} from {date} on ({before} before, {after} after).", "fr": "{label} : {difference} à partir du {date} ({before} avant, {after} après)."},
	}
	exampleRun = runBody{
		ID: "9d1c3a52b7e84f0fa6f1e5c07a2d4b18", State: Computed, CreatedAt: "2026-11-16T11:00:00.000Z", CreatedBy: "admin", Dry: true, Base: exampleRunAsked.Base, New: exampleRunAsked.New,
		Message: exampleRunAsked.Message, Watches: 12000, Computed: 12000, Recipients: new(int64(3100)),
		Report: &Report{
			Recipients: new(int64(3100)), Losers: new(int64(3060)), Deciles: []float64{-820, -640, -510, -400, -310, -220, -140, -80, -21, -4.5}, Noise: noiseScale,
			Examples: map[string]string{"en": "Example: +65.50 from 1 January 2024 on (1,234.50 before, 1,300 after)."},
		},
	}
)

func (s *Service) runRoutes() []web.Route {
	missing := web.Answer{Status: http.StatusNotFound, Description: "there is no such run"}
	route := func(method, path, id, summary, description string, h web.Handler, answers ...web.Answer) web.Route {
		return web.Route{Method: method, Path: prefix + path, Policy: runAdmin, Handle: h, Doc: web.Doc{ID: id, Summary: summary, Description: description, Answers: answers}}
	}
	start := route(http.MethodPost, "/runs", "startRun", "Start a run over all watches",
		"Computes every watch under two laws. A dry run is the default. It reports about how many people would be notified and the distribution of changes. It shows the texts with invented amounts. Counts carry noise, so that no household can be derived from reports. Nothing is sent before send is requested.",
		s.serveStart, web.Answer{Status: http.StatusAccepted, Example: exampleRun}, web.Answer{Status: http.StatusConflict, Description: "another run is in progress, or there are no watches"},
		web.Answer{Status: http.StatusTooManyRequests, Description: "the maximum number of runs was started in the last 24 hours"}, web.Answer{Status: http.StatusInsufficientStorage})
	start.Doc.Body = &web.Body{Type: askedRun{}, Example: exampleRunAsked}
	events := route(http.MethodGet, "/runs/{id}/events", "followRun", "Follow a run",
		"Streams the run as Server-Sent Events: first immediately, then on changes, up to four times a second, and finally when the run ends.",
		s.serveEvents, web.Answer{Status: http.StatusOK, ContentType: "text/event-stream", Type: "", Example: "event: run\ndata: {\"id\":\"9d1c3a52b7e84f0fa6f1e5c07a2d4b18\",\"state\":\"computing\",…}\n\n"}, missing)
	events.Stream = true
	return []web.Route{
		start, events,
		route(http.MethodGet, "/runs", "listRuns", "List runs", "Returns the last hundred runs, newest first.", s.serveRuns, web.Answer{Status: http.StatusOK, Example: runsBody{[]runBody{exampleRun}}}),
		route(http.MethodGet, "/runs/{id}", "readRun", "Read a run", "Returns a run with its progress and report.", s.serveRun, web.Answer{Status: http.StatusOK, Example: exampleRun}, missing),
		route(http.MethodPost, "/runs/{id}/send", "sendRun", "Send the messages of a run", "Notifies each owner whose figures change, once. Repeating the call sends no duplicates.", s.serveSend,
			web.Answer{Status: http.StatusAccepted, Example: exampleRun}, missing, web.Answer{Status: http.StatusConflict, Description: "the run was cancelled or failed, or another run is in progress"}),
		route(http.MethodPost, "/runs/{id}/cancel", "cancelRun", "Cancel a run", "Ends a run. Messages already sent remain.", s.serveCancel,
			web.Answer{Status: http.StatusOK, Example: exampleRun}, missing, web.Answer{Status: http.StatusConflict, Description: "the run has been sent"}),
	}
}

func runBodyOf(r *Run) runBody {
	b := runBody{
		ID: r.ID, State: r.State, CreatedAt: stamp(r.Created), CreatedBy: r.By, Dry: !r.Send, Base: r.Spec.Base, New: r.Spec.New, Period: r.Spec.Period,
		Message: r.Spec.Message, Date: r.Spec.Date, Link: r.Spec.Link, Watches: r.Total, Computed: r.Computed, Failure: r.Failure,
	}
	if r.report != nil {
		b.LeftOut, b.Recipients, b.Report = r.report.LeftOut, r.report.Recipients, &r.report.Report
		if r.State == Sent {
			b.Sent = b.Recipients
		}
	}
	return b
}

func actOf(r *http.Request) Act {
	return Act{UserID: web.CallerOf(r).UserID, Address: web.AddressOf(r)}
}

func (s *Service) serveStart(w http.ResponseWriter, r *http.Request) error {
	if err := adminOnly(r); err != nil {
		return err
	}
	var body askedRun
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	spec := RunSpec{Base: body.Base, New: body.New, Period: body.Period, Message: body.Message, Date: body.Date, Link: body.Link}
	run, err := s.Start(r.Context(), actOf(r), spec, body.Dry != nil && !*body.Dry)
	if err != nil {
		return err
	}
	w.Header().Set("Location", prefix+"/runs/"+run.ID)
	return web.WriteJSON(w, http.StatusAccepted, runBodyOf(&run))
}

func (s *Service) serveRuns(w http.ResponseWriter, r *http.Request) error {
	if err := adminOnly(r); err != nil {
		return err
	}
	all, err := s.Runs(r.Context())
	if err != nil {
		return err
	}
	body := runsBody{make([]runBody, 0, len(all))}
	for i := range all {
		body.Runs = append(body.Runs, runBodyOf(&all[i]))
	}
	return web.WriteJSON(w, http.StatusOK, body)
}

// theRun answers with a run that fn finds or changes.
func (s *Service) theRun(w http.ResponseWriter, r *http.Request, status int, fn func(ctx context.Context, by Act, id string) (Run, error)) error {
	if err := adminOnly(r); err != nil {
		return err
	}
	run, err := fn(r.Context(), actOf(r), r.PathValue("id"))
	if err != nil {
		return err
	}
	return web.WriteJSON(w, status, runBodyOf(&run))
}

func (s *Service) serveRun(w http.ResponseWriter, r *http.Request) error {
	return s.theRun(w, r, http.StatusOK, func(ctx context.Context, _ Act, id string) (Run, error) { return s.Run(ctx, id) })
}

func (s *Service) serveSend(w http.ResponseWriter, r *http.Request) error {
	return s.theRun(w, r, http.StatusAccepted, s.SendRun)
}

func (s *Service) serveCancel(w http.ResponseWriter, r *http.Request) error {
	return s.theRun(w, r, http.StatusOK, s.CancelRun)
}

const (
	// eventPace is how often a stream looks at its run, which may be another node's; eventPulse how long it is silent.
	eventPace, eventPulse = 250 * time.Millisecond, 15 * time.Second
	// maxStreams is how many streams there may be.
	maxStreams = 32
)

// serveEvents streams where a run is.
func (s *Service) serveEvents(w http.ResponseWriter, r *http.Request) error {
	if err := adminOnly(r); err != nil {
		return err
	}
	run, err := s.Run(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	defer s.streams.Add(-1)
	if s.streams.Add(1) > maxStreams {
		e := fault.New(fault.Unavailable, "%d streams of runs are open, the most there may be: ask for the run itself now and then", maxStreams)
		e.RetryAfter = 30
		return e
	}
	return s.follow(r, run, web.BeginEvents(w, eventPulse))
}

// follow sends a run whenever it has changed, until nothing of it is under way.
func (s *Service) follow(r *http.Request, run Run, send func(string) bool) error {
	tick := time.NewTicker(eventPace)
	defer tick.Stop()
	for last, silent := "", time.Duration(0); ; silent += eventPace {
		text, err := json.Marshal(runBodyOf(&run))
		if err != nil {
			return err
		}
		switch {
		case string(text) != last:
			last, silent = string(text), 0
			if !send(fmt.Sprintf("event: run\ndata: %s\n\n", text)) {
				return nil
			}
		case silent >= eventPulse:
			silent = 0
			if !send(": still here\n\n") {
				return nil
			}
		}
		if !run.State.underWay() {
			return nil
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return nil
		case <-web.Stopping(r.Context()):
			return nil
		}
		if run, err = s.Run(r.Context(), run.ID); err != nil {
			return nil // the head of the answer is on its way: nothing else can be said
		}
	}
}
