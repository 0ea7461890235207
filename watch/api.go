package watch

import (
	"encoding/json"
	"net/http"
	"time"

	"edict/platform/fault"
	"edict/platform/web"
)

const prefix = "/watch/api/v1"

// maxBody bounds the bodies of this service.
const maxBody = 256 << 10

// WebService returns the routes.
func (s *Service) WebService() web.Service {
	return web.Service{
		Name: "watch", Title: "Watches", Description: "Saved households whose owners are notified when a change in the law changes their figures.",
		Prefixes: []string{"/watch"}, Errors: shapeError, MaxBody: maxBody, RefuseTypos: true,
		Routes: append(s.watchRoutes(), s.runRoutes()...),
	}
}

var (
	ownWatch = web.Policy{Name: "watch owner", Access: web.RequiredCaller, Description: "The owner of the watch; all other callers, admins included, get 404."}
	runAdmin = web.Policy{Name: "watch admin", Access: web.RequiredCaller, Admins: true, Description: "Admins."}
)

type figureBody struct {
	Variable string  `json:"variable"`
	Index    int     `json:"index,omitempty" doc:"position of the member in the household, from 0"`
	Label    string  `json:"label,omitempty" doc:"name in messages; defaults to the variable's name"`
	Value    float64 `json:"value" doc:"under the law in force when it was computed"`
}

type askedFigureBody struct {
	Variable string `json:"variable"`
	Index    int    `json:"index,omitempty" min:"0"`
	Label    string `json:"label,omitempty"`
}

// askedBody is a watch as it is asked for, or what is changed of one.
type askedBody struct {
	Situation json.RawMessage    `json:"situation,omitempty" doc:"a household as for /calculate"`
	TestCase  json.RawMessage    `json:"test_case,omitempty" doc:"a household as for /api/1, instead of situation"`
	Period    *string            `json:"period,omitempty"`
	Figures   *[]askedFigureBody `json:"figures,omitempty"`
	Threshold *Threshold         `json:"threshold,omitempty" doc:"minimum change; {} for every change"`
	Locale    *string            `json:"locale,omitempty" enum:"en,fr" doc:"en or fr"`
	ExpiresAt *time.Time         `json:"expiresAt,omitempty" doc:"default and maximum: 12 months from now"`
	Renew     bool               `json:"renew,omitempty" doc:"sets expiry to 12 months from now"`
}

type watchBody struct {
	ID        string          `json:"id"`
	CreatedAt string          `json:"createdAt"`
	UpdatedAt string          `json:"updatedAt"`
	ExpiresAt string          `json:"expiresAt"`
	Situation json.RawMessage `json:"situation,omitempty"`
	TestCase  json.RawMessage `json:"test_case,omitempty"`
	Period    string          `json:"period"`
	Figures   []figureBody    `json:"figures"`
	Threshold *Threshold      `json:"threshold,omitempty"`
	Locale    string          `json:"locale"`
}

type watchesBody struct {
	Watches []watchBody `json:"watches"`
}

var (
	exampleAsked = askedBody{
		Situation: json.RawMessage(`{"individus": {"ada": {"salaire_imposable": {"2024": 30000}}}, "foyers_fiscaux": {"f": {"declarants": ["ada"]}}}`),
		Period:    new("2024"), Figures: &[]askedFigureBody{{Variable: "irpp", Label: "Income tax"}}, Threshold: &Threshold{Amount: new(10.0)}, Locale: new("en"),
	}
	exampleWatch = watchBody{
		ID: "4bf92f3577b34da6a3ce929d0e0e4736", CreatedAt: "2026-11-16T11:00:00.000Z", UpdatedAt: "2026-11-16T11:00:00.000Z", ExpiresAt: "2027-11-16T11:00:00.000Z",
		Situation: exampleAsked.Situation, Period: "2024", Figures: []figureBody{{Variable: "irpp", Label: "Income tax", Value: -816.33}}, Threshold: exampleAsked.Threshold, Locale: "en",
	}
)

func (s *Service) watchRoutes() []web.Route {
	missing := web.Answer{Status: http.StatusNotFound, Description: "the caller has no such watch"}
	return []web.Route{
		{
			Method: http.MethodPost, Path: prefix + "/watches", Policy: web.Authenticated, Handle: s.serveCreate,
			Doc: web.Doc{
				ID: "createWatch", Summary: "Watch a household",
				Description: "Computes a household's figures under the law in force and stores the household encrypted. Only the owner can read it. A household is a situation as for /calculate or a test_case as for /api/1. Each user may have 20 watches.",
				Body:        &web.Body{Type: askedBody{}, Example: exampleAsked},
				Answers:     []web.Answer{{Status: http.StatusCreated, Example: exampleWatch}, {Status: http.StatusConflict, Description: "the caller has the maximum number of watches"}, {Status: http.StatusInsufficientStorage}},
			},
		},
		{
			Method: http.MethodGet, Path: prefix + "/watches", Policy: web.Authenticated, Handle: s.serveList,
			Doc: web.Doc{
				ID: "listWatches", Summary: "List the caller's watches", Description: "Returns the caller's watches without their households, oldest first.",
				Answers: []web.Answer{{Status: http.StatusOK, Example: watchesBody{[]watchBody{exampleWatch.brief()}}}},
			},
		},
		{
			Method: http.MethodGet, Path: prefix + "/watches/{id}", Policy: ownWatch, Handle: s.serveRead,
			Doc: web.Doc{ID: "readWatch", Summary: "Read a watch", Description: "Returns a watch of the caller with its household.", Answers: []web.Answer{{Status: http.StatusOK, Example: exampleWatch}, missing}},
		},
		{
			Method: http.MethodPatch, Path: prefix + "/watches/{id}", Policy: ownWatch, Handle: s.serveChange,
			Doc: web.Doc{
				ID: "changeWatch", Summary: "Change or renew a watch", Description: "Changes the given fields. renew sets the expiry to 12 months from now.",
				Body:    &web.Body{Type: askedBody{}, Example: askedBody{Renew: true}},
				Answers: []web.Answer{{Status: http.StatusOK, Example: exampleWatch}, missing, {Status: http.StatusConflict, Description: "the watch changed in the meantime"}},
			},
		},
		{
			Method: http.MethodDelete, Path: prefix + "/watches/{id}", Policy: ownWatch, Handle: s.serveDelete,
			Doc: web.Doc{ID: "deleteWatch", Summary: "Delete a watch", Description: "Deletes a watch with its household.", Answers: []web.Answer{{Status: http.StatusNoContent}, missing}},
		},
	}
}

// apply puts what was sent into a watch, and reports whether the figures have to be computed.
func (b *askedBody) apply(w *Watch, now time.Time) (again bool) {
	if len(b.Situation) > 0 || len(b.TestCase) > 0 {
		w.Situation, w.TestCase, again = b.Situation, b.TestCase, true
	}
	if b.Period != nil {
		w.Period, again = *b.Period, true
	}
	if b.Figures != nil {
		w.Figures, again = make([]Figure, len(*b.Figures)), true
		for i, f := range *b.Figures {
			w.Figures[i] = Figure{Variable: f.Variable, Index: f.Index, Label: f.Label}
		}
	}
	if b.Threshold != nil {
		w.Threshold = b.Threshold
	}
	if b.Locale != nil {
		w.Locale = *b.Locale
	}
	if b.Renew {
		w.Expires = lastDay(now)
	}
	if b.ExpiresAt != nil {
		w.Expires = *b.ExpiresAt
	}
	return again
}

func bodyOf(w *Watch) watchBody {
	b := watchBody{
		ID: w.ID, CreatedAt: stamp(w.Created), UpdatedAt: stamp(w.Updated), ExpiresAt: stamp(w.Expires),
		Situation: w.Situation, TestCase: w.TestCase, Period: w.Period, Threshold: w.Threshold, Locale: w.Locale,
	}
	for _, f := range w.Figures {
		b.Figures = append(b.Figures, figureBody(f))
	}
	return b
}

// brief is a watch without its household.
func (b watchBody) brief() watchBody {
	b.Situation, b.TestCase = nil, nil
	return b
}

func (s *Service) serveCreate(w http.ResponseWriter, r *http.Request) error {
	var body askedBody
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	made := Watch{UserID: web.CallerOf(r).UserID}
	made.Locale = "en"
	body.apply(&made, s.Now())
	made, err := s.Create(r.Context(), made)
	if err != nil {
		return err
	}
	w.Header().Set("Location", prefix+"/watches/"+made.ID)
	return web.WriteJSON(w, http.StatusCreated, bodyOf(&made))
}

func (s *Service) serveList(w http.ResponseWriter, r *http.Request) error {
	all, err := s.Watches(r.Context(), web.CallerOf(r).UserID)
	if err != nil {
		return err
	}
	body := watchesBody{make([]watchBody, 0, len(all))}
	for i := range all {
		body.Watches = append(body.Watches, bodyOf(&all[i]).brief())
	}
	return web.WriteJSON(w, http.StatusOK, body)
}

func (s *Service) serveRead(w http.ResponseWriter, r *http.Request) error {
	one, err := s.Watch(r.Context(), web.CallerOf(r).UserID, r.PathValue("id"))
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, bodyOf(&one))
}

func (s *Service) serveChange(w http.ResponseWriter, r *http.Request) error {
	var body askedBody
	if err := web.ReadJSON(r, &body); err != nil {
		return err
	}
	one, err := s.Change(r.Context(), web.CallerOf(r).UserID, r.PathValue("id"), func(w *Watch) bool { return body.apply(w, s.Now()) })
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, bodyOf(&one))
}

func (s *Service) serveDelete(w http.ResponseWriter, r *http.Request) error {
	if err := s.Delete(r.Context(), web.CallerOf(r).UserID, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// adminOnly refuses callers who are not admins.
func adminOnly(r *http.Request) error {
	if !web.CallerOf(r).Admin {
		return fault.New(fault.Forbidden, "only an admin may see and start runs: sign in as one, or ask one")
	}
	return nil
}
