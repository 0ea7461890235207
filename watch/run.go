package watch

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"edict/platform/db"
	"edict/platform/fault"
)

// State is where a run is.
type State string

// The states of a run.
const (
	Computing State = "computing"
	Computed  State = "computed" // a dry run ends here until it is sent
	Sending   State = "sending"
	Sent      State = "sent"
	Cancelled State = "cancelled"
	Failed    State = "failed"
)

// underWay reports whether a node works at the run, or will.
func (s State) underWay() bool { return s == Computing || s == Sending }

// LawChoice is a law as a run names it.
type LawChoice struct {
	Package    string          `json:"package,omitempty" doc:"name==version; defaults to the package in force"`
	Reforms    json.RawMessage `json:"reforms,omitempty" schema:"list or null" doc:"keys of reforms, and reforms written as data"`
	Parameters json.RawMessage `json:"parameters,omitempty" schema:"object or null" doc:"parameter values, as in a reform written as data"`
}

// law puts the parameters behind the reforms.
func (c LawChoice) law() (Law, int, error) {
	l := Law{Package: c.Package}
	var reforms []json.RawMessage
	if len(c.Reforms) > 0 {
		if err := json.Unmarshal(c.Reforms, &reforms); err != nil {
			return l, 0, errors.New("expected a list of reforms")
		}
	}
	count := len(reforms)
	if len(c.Parameters) > 0 {
		text, err := json.Marshal(map[string]json.RawMessage{"parameters": c.Parameters})
		if err != nil {
			return l, 0, err
		}
		reforms = append(reforms, text)
	}
	if len(reforms) == 0 {
		return l, 0, nil
	}
	var err error
	l.Reforms, err = json.Marshal(reforms)
	return l, count, err
}

// RunSpec is what a run is asked.
type RunSpec struct {
	Base    *LawChoice        `json:"base,omitempty"`
	New     LawChoice         `json:"new"`
	Period  string            `json:"period,omitempty"`
	Message map[string]string `json:"message"`
	Date    string            `json:"date,omitempty"`
	Link    string            `json:"link,omitempty"`
	Created time.Time         `json:"-"`
}

// Run computes every watch under two laws.
type Run struct {
	ID               string
	Created, Changed time.Time
	By               string
	State            State
	Send             bool
	Spec             RunSpec
	Total            int64 // watches
	Computed         int64
	Failure          string

	// Exact counts of watches, for the server's own use: they give away single households. A report has what may be shown.
	told, sent, unsent int64
	report             *storedReport // nil before there is one

	at    string
	lease string
}

var periodForm = regexp.MustCompile(`^((year|month|day|week|weekday):)?\d{4}(-\d{2}){0,2}(:\d{1,3})?$`)

// check finds what is wrong with a run before anything is computed.
func (r *RunSpec) check() error {
	var wrong problems
	checkTexts(r.Message, r.Link, &wrong)
	if _, day := dayOf(r.Period); r.Period != "" && (!day || !periodForm.MatchString(r.Period)) {
		wrong.add(fmt.Sprintf("%.40q is no period; one looks like 2026, 2026-01 or year:2026-01:1", r.Period), "period")
	}
	if r.Date != "" {
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
			wrong.add(fmt.Sprintf("%.40q is no day; one looks like 2026-01-31", r.Date), "date")
		}
	}
	if len(r.Link) > 2000 || r.Link != "" && !strings.HasPrefix(r.Link, "https://") && !strings.HasPrefix(r.Link, "http://") {
		wrong.add("expected an address that begins with https:// or http://, of at most 2000 bytes", "link")
	}
	for place, c := range map[string]*LawChoice{"base": r.Base, "new": &r.New} {
		if c == nil {
			continue
		}
		if name, version, ok := strings.Cut(c.Package, "=="); c.Package != "" && (!ok || name == "" || version == "") {
			wrong.add(fmt.Sprintf("expected name==version, got %.80q", c.Package), place, "package")
		}
		if _, _, err := c.law(); err != nil {
			wrong.add(err.Error(), place, "reforms")
		}
	}
	return wrong.refusal()
}

// resolve names the packages of both laws, so that a run goes on under the same ones whatever is in force later, and refuses two laws that
// are the same. A base that was left out is the version before.
func (s *Service) resolve(ctx context.Context, r *RunSpec) error {
	name, version, err := s.Laws.InForce()
	if err != nil {
		return err
	}
	if r.Base == nil {
		if r.Base, err = s.lawBefore(ctx, name, version); err != nil {
			return err
		}
	}
	pinned := *r.Base
	r.Base = &pinned // not the caller's
	for _, c := range []*LawChoice{r.Base, &r.New} {
		c.Package = cmp.Or(c.Package, name+"=="+version)
	}
	base, _, err := r.Base.law()
	if err != nil {
		return err
	}
	other, _, err := r.New.law()
	if err != nil {
		return err
	}
	if base.Package == other.Package && string(base.Reforms) == string(other.Reforms) {
		var wrong problems
		wrong.add("base and new are the same law: give new a package, reforms or parameters", "new")
		return wrong.refusal()
	}
	return nil
}

// lawBefore is the law that was in force last before this one.
func (s *Service) lawBefore(ctx context.Context, name, version string) (*LawChoice, error) {
	laws, err := lawsIn(s.db.Read(ctx))
	if err != nil {
		return nil, err
	}
	for _, l := range laws {
		if l.name != name || l.version != version { // beside a node that already has the next law it is not the newest
			return &LawChoice{Package: l.name + "==" + l.version}, nil
		}
	}
	var wrong problems
	wrong.add("no other law was in force before this one: give base, {} for the law in force", "base")
	return nil, wrong.refusal()
}

// pair opens the two laws of a run; what is wrong with one is said at its place.
func (s *Service) pair(ctx context.Context, r *RunSpec) (Pair, error) {
	base, inBase, err := r.Base.law()
	if err != nil {
		return nil, err
	}
	other, inOther, err := r.New.law()
	if err != nil {
		return nil, err
	}
	pair, err := s.Laws.Pair(ctx, base, other)
	if e, ok := asRefusal(err); ok {
		return nil, e.atParameters("base", inBase).atParameters("new", inOther)
	}
	return pair, err
}

// atParameters says what is wrong with the reform that stands for the parameters of a law, the last of them, at the parameters.
func (e *Refusal) atParameters(side string, last int) *Refusal {
	var tree map[string]map[string]json.RawMessage
	if json.Unmarshal(e.Tree, &tree) != nil {
		return e
	}
	var reforms map[string]map[string]json.RawMessage
	if json.Unmarshal(tree[side]["reforms"], &reforms) != nil {
		return e
	}
	key := fmt.Sprint(last)
	wrong, ok := reforms[key]["parameters"]
	if !ok {
		return e
	}
	delete(reforms, key)
	tree[side]["parameters"] = wrong
	delete(tree[side], "reforms")
	if len(reforms) > 0 {
		tree[side]["reforms"], _ = json.Marshal(reforms) // of JSON
	}
	out := *e
	out.Tree, _ = json.Marshal(tree) // of JSON
	return &out
}

// maxUnsent is how many dry runs may wait for being sent.
const maxUnsent = 10

// runsWindow is the time in which [Config.MaxRuns] runs may be started: each report reveals a little about every household.
const runsWindow = 24 * time.Hour

// notTooMany rejects a run when as many as there may be were started lately, by whichever admin.
func (s *Service) notTooMany(tx *db.Tx) error {
	var nth int64 // when the run was started that has to be a day old before there may be another
	err := tx.QueryRow(sqlRunsSince, s.Now().Add(-runsWindow).UnixMilli(), s.MaxRuns-1).Scan(&nth)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	wait := time.UnixMilli(nth).Add(runsWindow).Sub(s.Now())
	e := fault.New(fault.TooMany, "%d runs were started in the last 24 hours, the maximum (--watch-runs): each report reveals a little about every household. Send a run that is computed, or start one in %s",
		s.MaxRuns, wait.Round(time.Minute))
	e.RetryAfter = max(1, int(wait.Seconds()))
	return e
}

// Start begins a run. With send its messages are sent as soon as it is computed.
func (s *Service) Start(ctx context.Context, by Act, spec RunSpec, send bool) (Run, error) {
	if err := s.db.Room(); err != nil {
		return Run{}, err
	}
	if err := spec.check(); err != nil {
		return Run{}, err
	}
	if err := s.resolve(ctx, &spec); err != nil {
		return Run{}, err
	}
	if _, err := s.pair(ctx, &spec); err != nil {
		return Run{}, err
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return Run{}, err
	}
	id, now := newID(), s.Now().UnixMilli()
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := notBusy(tx, ""); err != nil {
			return err
		}
		if err := s.notTooMany(tx); err != nil {
			return err
		}
		var unsent, total int64
		if err := tx.QueryRow(sqlRunUnsent).Scan(&unsent); err != nil {
			return err
		}
		if unsent >= maxUnsent {
			return fault.New(fault.Conflict, "%d runs are computed and not sent, the most there may be: send or cancel one", unsent)
		}
		if err := tx.QueryRow(sqlWatchesAll, now, now).Scan(&total); err != nil {
			return err
		}
		if total == 0 {
			return fault.New(fault.Conflict, "there are no watches: a run needs at least one")
		}
		if _, err := tx.Exec(sqlRunInsert, id, now, now, by.UserID, flag(send), string(text), total); err != nil {
			return err
		}
		by.Name, by.Detail = "run.started", id
		return s.Audit(tx, by)
	})
	if err != nil {
		return Run{}, err
	}
	s.wake()
	return s.Run(ctx, id)
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// notBusy refuses while another run is under way.
func notBusy(tx *db.Tx, id string) error {
	var busy string
	err := tx.QueryRow(sqlRunBusy).Scan(&busy)
	if errors.Is(err, sql.ErrNoRows) || err == nil && busy == id {
		return nil
	}
	if err != nil {
		return err
	}
	return fault.New(fault.Conflict, "the run %s is under way: wait for its end, or cancel it", busy)
}

func scanRun(row db.Row) (r Run, err error) {
	var created, changed, send, until int64
	var spec, report string
	err = row.Scan(&r.ID, &created, &changed, &r.By, &r.State, &send, &spec, &r.at, &r.Total, &r.Computed,
		&r.told, &r.sent, &r.unsent, &report, &r.Failure, &r.lease, &until)
	if err != nil {
		return r, err
	}
	r.Created, r.Changed, r.Send = time.UnixMilli(created), time.UnixMilli(changed), send == 1
	if r.report, err = readReport(report); err != nil {
		return r, err
	}
	err = json.Unmarshal([]byte(spec), &r.Spec)
	r.Spec.Created = r.Created
	return r, err
}

// Run returns a run.
func (s *Service) Run(ctx context.Context, id string) (Run, error) {
	r, err := scanRun(s.db.Read(ctx).QueryRow(sqlRunRead, id))
	if errors.Is(err, sql.ErrNoRows) {
		err = fault.New(fault.NotFound, "there is no run %.40q: GET /watch/api/v1/runs lists them", id)
	}
	return r, err
}

// Runs returns the last hundred runs, the newest first.
func (s *Service) Runs(ctx context.Context) ([]Run, error) {
	rows, err := s.db.Read(ctx).Query(sqlRunList)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanRun)
}

// SendRun has the messages of a run sent, at once or when it is computed. It may be repeated.
func (s *Service) SendRun(ctx context.Context, by Act, id string) (Run, error) {
	r, err := s.Run(ctx, id)
	if err != nil {
		return r, err
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		r, err := scanRun(tx.QueryRow(sqlRunRead, id))
		switch {
		case err != nil:
			return err
		case r.State == Cancelled || r.State == Failed:
			return fault.New(fault.Conflict, "the run is %s: start another one", r.State)
		case r.Send:
			return nil
		}
		if err := notBusy(tx, id); err != nil {
			return err
		}
		if _, err := tx.Exec(sqlRunSend, s.Now().UnixMilli(), id); err != nil {
			return err
		}
		by.Name, by.Detail = "run.sent", id
		return s.Audit(tx, by)
	})
	if err != nil {
		return r, err
	}
	s.wake()
	return s.Run(ctx, id)
}

// CancelRun ends a run; what was sent stays sent. It may be repeated.
func (s *Service) CancelRun(ctx context.Context, by Act, id string) (Run, error) {
	r, err := s.Run(ctx, id)
	if err != nil {
		return r, err
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		n, err := changedRows(tx.Exec(sqlRunCancel, s.Now().UnixMilli(), id))
		if err != nil || n == 0 {
			return err
		}
		// Messages that are written may be on their way: those are counted first.
		if _, err := tx.Exec(sqlOutcomeEnd, id); err != nil {
			return err
		}
		by.Name, by.Detail = "run.cancelled", id
		return s.Audit(tx, by)
	})
	if err != nil {
		return r, err
	}
	if r, err = s.Run(ctx, id); err == nil && r.State == Sent {
		err = fault.New(fault.Conflict, "the run has been sent: there is nothing to cancel")
	}
	return r, err
}
