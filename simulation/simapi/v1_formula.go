package simapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"edict/platform/fault"
	"edict/platform/web"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// inquiry is a request of the formula routes: variables for one person alone, from inputs in the query.
type inquiry struct {
	version any
	system  *legislation.System
	at      period.Period
	names   []string
	inputs  []scenario.Input
	params  object
	values  object
	dated   bool // the answer tells the period

	status int // of the first problem
	wrong  []string
}

// formulaErrors is the shape of the formula routes, which have an envelope of their own.
func (a *API) formulaErrors(r *http.Request, err error) (int, any) {
	version := any(1)
	if strings.HasPrefix(r.URL.Path, "/api/2") {
		version = "2.1.0"
	}
	if e, ok := asRefusal(err); ok {
		o := object{{"apiVersion", version}, {"params", e.params}}
		if extra, ok := e.tree.(object); ok {
			o = append(o, extra...)
		}
		return e.status, append(o, member{"error", object{{"code", e.status}, {"message", e.message}}})
	}
	f := fault.From(err)
	return web.Status(f.Kind), object{{"apiVersion", version}, {"error", object{{"code", web.Status(f.Kind)}, {"message", f.Message}}}}
}

func (q *inquiry) refused(status int, format string, args ...any) error {
	e := &refusal{status: status, message: fmt.Sprintf(format, args...), params: q.params}
	if q.dated && len(q.values) > 0 {
		e.tree = object{{"period", q.period()}, {"values", q.values}}
	}
	return e
}

// note adds a problem; everything that is wrong with a request is told at once.
func (q *inquiry) note(status int, format string, args ...any) {
	q.status = cmp.Or(q.status, status)
	q.wrong = append(q.wrong, fmt.Sprintf(format, args...))
}

// check is the refusal of all that is wrong, nil if nothing is.
func (q *inquiry) check() error {
	if len(q.wrong) == 0 {
		return nil
	}
	return q.refused(q.status, "%s", strings.ReplaceAll(strings.Join(q.wrong, ". "), "?. ", "? "))
}

func (q *inquiry) period() list {
	s := q.at.Start
	return list{q.at.Unit.String(), list{int(s.Year), int(s.Month), int(s.Day)}, int(q.at.Size)}
}

func (a *API) formula1(l *law, w http.ResponseWriter, r *http.Request) error {
	q := &inquiry{version: 1, system: l.system, names: []string{r.PathValue("name")}}
	if err := a.inquire(q, l, r, r.URL.Query().Get("period"), "period"); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, object{{"apiVersion", 1}, {"params", q.params}, {"value", q.values[0].value}})
}

func (a *API) formula2(l *law, w http.ResponseWriter, r *http.Request) error {
	q := &inquiry{version: "2.1.0", system: l.system, dated: true}
	names, at := strings.TrimSuffix(r.PathValue("rest"), "/"), ""
	if before, after, ok := strings.Cut(names, "/"); ok {
		at, names = before, after
	}
	if strings.Contains(names, "/") || names == "" {
		return notFound("Path not found: %s", r.URL.Path)
	}
	q.names = strings.Split(names, "+")
	var reforms []string
	for key := range strings.SplitSeq(r.Header.Get("X-OpenFisca-Extensions"), ",") {
		switch key = strings.TrimSpace(key); {
		case slices.Contains(l.catalogue.Reforms(), key):
			reforms = append(reforms, key)
		case key != "":
			q.note(400, "%s", l.unknownReform(key))
		}
	}
	var err error
	if q.system, err = l.catalogue.System(r.Context(), reforms...); err != nil {
		return err
	}
	if err := a.inquire(q, l, r, at); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, object{{"apiVersion", q.version}, {"params", q.params}, {"period", q.period()}, {"values", q.values}})
}

// inquire reads inputs and period, and computes.
func (a *API) inquire(q *inquiry, l *law, r *http.Request, at string, notInputs ...string) error {
	q.params = object{}
	query := r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(notInputs, name) {
			values := query[name]
			q.params.add(name, values[len(values)-1])
		}
	}
	for _, name := range q.names {
		v, err := q.system.Lookup(name)
		if err != nil {
			q.note(404, "You requested to compute variable '%s', but it does not exist%s", name, nearText(err))
		} else if v.IsInput() {
			q.note(422, "You requested to compute variable '%s', but it is an input variable, it cannot be computed", name)
		}
	}
	q.when(a, at)
	q.read()
	if err := q.check(); err != nil {
		return err
	}
	leave, err := a.budget.enter(r.Context(), false)
	if err != nil {
		return err
	}
	defer leave()
	return q.compute(r.Context(), a, l)
}

func nearText(err error) string {
	var e *legislation.VariableNotFound
	if errors.As(err, &e) && e.Nearest() != "" {
		return "; did you mean '" + e.Nearest() + "'?"
	}
	return ""
}

// when reads the period, which is this month if none is given.
func (q *inquiry) when(a *API, text string) {
	if text == "" {
		now := a.o.Now()
		q.at = period.OfMonth(now.Year(), int(now.Month()))
		return
	}
	at, err := scenario.ParsePeriod(legislation.DataOf(vector.PyStr(text)))
	if err != nil {
		q.note(400, "You requested computation for period '%s', but it could not be parsed as a period", text)
	} else if at.Unit != period.Month && at.Unit != period.Year {
		q.note(400, "You passed period '%s', but it is not a month nor a year", text)
	}
	q.at = at
}

// read converts the inputs: for the year, or for every month of the year that the month lies in.
func (q *inquiry) read() {
	raw := slices.Clone(q.params)
	for i, m := range raw {
		v, err := q.system.Lookup(m.key)
		if err != nil {
			q.note(400, "You passed parameter '%s', but it does not exist%s", m.key, nearText(err))
			continue
		}
		text, _ := m.value.(string)
		data := legislation.DataOf(vector.PyStr(text))
		c, err := scenario.Convert(v, data)
		if err != nil {
			q.note(400, "Parameter '%s' could not be normalized: %s", m.key, err)
			continue
		}
		values := scenario.Column(q.system, v, c)
		q.params[i].value = element(values, 0)
		for _, at := range q.spread(v) {
			q.inputs = append(q.inputs, scenario.Input{Variable: v, Period: at, Values: values, Path: []string{m.key}})
		}
	}
}

func (q *inquiry) spread(v *legislation.Variable) []period.Period {
	switch {
	case v.Period == period.Eternity:
		return []period.Period{period.Eternal}
	case q.at.Unit == period.Year:
		return []period.Period{q.at}
	case v.Period == period.Year:
		return []period.Period{period.OfYear(int(q.at.Start.Year))}
	}
	months, err := period.OfYear(int(q.at.Start.Year)).Subperiods(period.Month)
	if err != nil {
		return nil
	}
	return months
}

func (q *inquiry) compute(ctx context.Context, a *API, l *law) error {
	s := &scenario.Situation{System: q.system, Spec: engine.Spec{Persons: 1, PersonIDs: []string{"0"}}, Inputs: q.inputs}
	sim, err := s.Simulation(ctx, a.options(l, nil))
	if ps, ok := scenario.AsProblems(err); ok {
		return q.refused(400, "%s: %s", strings.Join(ps[0].Path, "."), ps[0].Msg)
	} else if err != nil {
		return err
	}
	defer l.finish(sim)
	for _, name := range q.names {
		v, err := q.system.Lookup(name)
		if err != nil {
			return err
		}
		c, err := sim.Calculate(v.ID, sim.Periods().Intern(q.at), legislation.Plain)
		if err == nil && nonFinite(c) >= 0 {
			return q.refused(422, "%s on %s is %v, which is no number that can be answered", name, q.at, c.Float(0))
		}
		if err != nil {
			if ended := ending(ctx, err); ended != nil {
				return ended
			}
			status, message := failure(err)
			if status == 0 {
				return err
			}
			return q.refused(status, "%s", message)
		}
		q.values.set(name, element(c, 0))
	}
	return nil
}
