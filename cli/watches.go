package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"edict/messaging"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/platform/fault"
	"edict/platform/web"
	"edict/simulation/legislation"
	"edict/simulation/pyindex"
	"edict/simulation/shelf"
	"edict/simulation/simapi"
	"edict/watch"
)

// keyFile is where the key of watches is.
func (c ServerConfig) keyFile() string {
	if c.WatchKey != "" {
		return c.WatchKey
	}
	return filepath.Join(c.Data, "watch.key")
}

// openWatches opens watches, if there are to be any, and works at runs until it is closed.
func openWatches(ctx context.Context, s *Server) (part, error) {
	if !s.cfg.Server.Watch {
		return part{}, nil
	}
	service, err := watch.New(ctx, watch.Config{
		DB: s.store, KeyFile: s.cfg.Server.keyFile(), Laws: &watchedLaws{server: s}, Sender: watchSender{s},
		Audit: func(tx *db.Tx, act watch.Act) error {
			return s.identity.AuditAct(tx, auth.By{UserID: act.UserID, Address: act.Address}, auth.Act("watch."+act.Name), "", act.Detail)
		},
		MaxRuns: s.cfg.Server.WatchRuns, Exists: s.identity.UserExists, Now: s.env.Now, Log: s.log,
	})
	if err != nil {
		return part{}, err
	}
	s.watches = service
	routes := service.WebService()
	routes.CORS = s.cfg.Messaging.cors()
	s.auditReads(&routes)
	return part{services: []web.Service{routes}, close: background(func(ctx context.Context) error { return s.workAtRuns(ctx) })}, nil
}

// workAtRuns begins once there is a law to compute with.
func (s *Server) workAtRuns(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.legislated:
	}
	if s.lawless != nil || ctx.Err() != nil || s.simulation.Ready(ctx) != nil {
		return nil
	}
	if err := s.watches.Adopt(ctx); err != nil {
		s.log.Warn("watch: which law is in force could not be noted", "error", err)
	}
	return s.watches.Work(ctx)
}

// watchSender sends messages of watches. They come from their recipient: nobody else has a figure in what they sent.
type watchSender struct{ server *Server }

// Send implements watch.Sender.
func (w watchSender) Send(ctx context.Context, n watch.Message) error {
	service, user := w.server.messaging, messaging.UserID(n.UserID)
	// A key is remembered for a while only. What was written before that may have been sent before.
	if w.server.env.Now().Sub(n.Written) > service.Limits().IdempotencyFor/2 {
		if had, err := w.had(ctx, user, n); had || err != nil {
			return err
		}
	}
	sent, err := service.Send(ctx, messaging.Caller{UserID: user}, messaging.NewMessage{
		Recipients: []messaging.UserID{user}, Content: n.Content, Metadata: n.Metadata, IdempotencyKey: n.Key,
	})
	if err == nil && len(sent.Unsent) > 0 {
		err = fault.New(fault.NotFound, "%s", messaging.UnknownUser(user))
	}
	return err
}

// ofWatch reports whether a message has figures of a watch of its recipient, who alone may see them.
func ofWatch(m *messaging.Message, recipient messaging.UserID) bool {
	return m.Sender == recipient && watch.IsMessage(m.Metadata)
}

// had reports whether a user got a message since it was written.
func (w watchSender) had(ctx context.Context, user messaging.UserID, n watch.Message) (bool, error) {
	for after := messaging.PositionAt(n.Written.Add(-time.Second)); ; {
		received, next, err := w.server.messaging.ReceivedBy(ctx, user, after)
		if err != nil || len(received) == 0 {
			return false, err
		}
		for _, m := range received {
			if bytes.Equal(m.Metadata, n.Metadata) && m.Sender == user {
				return true, nil
			}
		}
		if next <= after {
			return false, nil
		}
		after = next
	}
}

// watchedLaws computes figures with the simulation service.
type watchedLaws struct {
	server *Server

	mu    sync.Mutex
	name  string // of the package beside the one in force that was used last
	other *simapi.Law
}

var _ watch.Laws = (*watchedLaws)(nil)

// InForce implements watch.Laws.
func (l *watchedLaws) InForce() (name, version string, err error) {
	law, err := l.server.simulation.LawInForce()
	if err != nil {
		return "", "", err
	}
	name, version = law.Package()
	return name, version, nil
}

// Figures implements watch.Laws.
func (l *watchedLaws) Figures(ctx context.Context, h watch.Household) ([]float64, error) {
	law, err := l.server.simulation.LawInForce()
	if err != nil {
		return nil, err
	}
	values, err := law.Figures(ctx, householdOf(&h))
	return values, refusedBy(err)
}

// Pair implements watch.Laws.
func (l *watchedLaws) Pair(ctx context.Context, base, other watch.Law) (watch.Pair, error) {
	var pair lawPair
	for _, side := range []struct {
		name   string
		choice watch.Law
		law    **simapi.Law
	}{{"base", base, &pair.base}, {"new", other, &pair.other}} {
		law, err := l.open(ctx, side.choice)
		if e, ok := errors.AsType[*watch.Refusal](refusedBy(err)); ok {
			return nil, e.Below(side.name)
		}
		if err != nil {
			return nil, err
		}
		*side.law = law
	}
	return &pair, nil
}

// open finds a law: a package, and reforms on it.
func (l *watchedLaws) open(ctx context.Context, choice watch.Law) (*simapi.Law, error) {
	law, err := l.server.simulation.LawInForce()
	if err != nil {
		return nil, err
	}
	if name, version := law.Package(); choice.Package != "" && choice.Package != name+"=="+version {
		if law, err = l.beside(ctx, choice.Package); err != nil {
			return nil, err
		}
	}
	if choice.Reforms == nil {
		return law, nil
	}
	return law.Reformed(ctx, choice.Reforms)
}

// beside loads a package that is on the shelf, with all else that the server was told about its legislation.
func (l *watchedLaws) beside(ctx context.Context, name string) (*simapi.Law, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.name == name {
		return l.other, nil
	}
	wanted, version, _ := strings.Cut(name, "==")
	data := l.server.installed()
	item, err := shelf.In(data.Data, time.Now).Version(pyindex.Normalize(wanted), version)
	if err != nil {
		return nil, packageRefusal(err)
	}
	cfg := l.server.cfg.Simulation.CountryConfig
	cfg.Country = item.Path
	pkg, system, err := cfg.system(ctx, data)
	if _, ok := errors.AsType[legislation.Problems](err); ok || isUsage(err) {
		return nil, packageRefusal(err)
	}
	if err != nil {
		return nil, err
	}
	law, err := l.server.simulation.LawOf(ctx, pkg, system)
	if err == nil {
		l.name, l.other = name, law
	}
	return law, err
}

func isUsage(err error) bool {
	_, ok := errors.AsType[*UsageError](err)
	return ok
}

func packageRefusal(err error) error {
	tree, _ := json.Marshal(map[string]string{"package": err.Error()}) // texts
	return &watch.Refusal{Status: 400, Tree: tree}
}

// lawPair is two laws.
type lawPair struct{ base, other *simapi.Law }

// Compare implements watch.Pair.
func (p *lawPair) Compare(ctx context.Context, households []watch.Household, done func(i int, before, after []float64, err error)) error {
	return simapi.Compare(ctx, p.base, p.other, householdsOf(households), func(i int, before, after []float64, err error) {
		done(i, before, after, refusedBy(err))
	})
}

// Steps implements watch.Pair.
func (p *lawPair) Steps(ctx context.Context, households []watch.Household, figures []int, done func(i int, steps json.RawMessage, err error)) error {
	return simapi.Differences(ctx, p.base, p.other, householdsOf(households), figures, func(i int, steps []simapi.Step, err error) {
		if err != nil || len(steps) == 0 {
			done(i, nil, refusedBy(err))
			return
		}
		text, err := json.Marshal(steps)
		done(i, text, err)
	})
}

func householdsOf(households []watch.Household) []simapi.Household {
	all := make([]simapi.Household, len(households))
	for i := range households {
		all[i] = householdOf(&households[i])
	}
	return all
}

func householdOf(h *watch.Household) simapi.Household {
	out := simapi.Household{Document: h.Document, TestCase: h.TestCase, Period: h.Period, Moved: h.Moved}
	for _, f := range h.Figures {
		out.Figures = append(out.Figures, simapi.HouseholdFigure{Variable: f.Variable, Index: f.Index})
	}
	return out
}

// refusedBy is what the law refuses in the words of watches.
func refusedBy(err error) error {
	e, ok := errors.AsType[*simapi.HouseholdError](err)
	if !ok {
		return err
	}
	return &watch.Refusal{Status: e.Status, Message: e.Message, Tree: e.Tree, Missing: e.Missing, Period: e.Period}
}
