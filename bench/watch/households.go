//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"edict/messaging/sqlstore"
	"edict/platform/auth"
	"edict/platform/db"
	"edict/watch"
)

// each is how many watches a person has.
const each = 20

// law is what is asked under a law.
type law struct {
	figure, salary, run, household string
}

// lawOf is openfisca-france, or the embedded law.
func lawOf(country string) law {
	const run = `{"base": {}, "new": {"parameters": {%q: {"2022-01-01": 0}}}, "message": {"en": "{label}: {difference} from {date} on. It was {before} and is {after}."}}`
	l := law{figure: "revdisp", salary: "salaire_imposable", run: fmt.Sprintf(run, "impot_revenu.decote.taux")}
	if country != "" {
		l = law{figure: "revenu_disponible", salary: "salaire_de_base", run: fmt.Sprintf(run, "impot_revenu.calcul_impot_revenu.plaf_qf.decote.taux")}
	}
	asked := l.situation(rand.New(rand.NewPCG(1, 1)), 5)
	asked["menages"].(map[string]any)["m"].(map[string]any)[l.figure] = map[string]any{"2022": nil}
	text, _ := json.Marshal(asked) // of maps and texts
	l.household = string(text)
	return l
}

// situation is a household of a shape: one or two adults, up to three children.
func (l law) situation(r *rand.Rand, shape int) map[string]any {
	persons, adults, children := map[string]any{}, []string{}, []string{}
	for i := range 1 + shape%2 {
		name := fmt.Sprint("adult", i)
		adults = append(adults, name)
		persons[name] = map[string]any{
			"date_naissance": map[string]string{"ETERNITY": fmt.Sprintf("19%02d-%02d-01", 60+r.IntN(40), 1+r.IntN(12))},
			l.salary:         map[string]int{"2022": 500 * r.IntN(160)},
		}
	}
	for i := range shape / 2 % 4 {
		name := fmt.Sprint("child", i)
		children = append(children, name)
		persons[name] = map[string]any{"date_naissance": map[string]string{"ETERNITY": fmt.Sprintf("20%02d-%02d-01", 5+r.IntN(16), 1+r.IntN(12))}}
	}
	household := map[string]any{"personne_de_reference": adults[:1], "enfants": children}
	if len(adults) > 1 {
		household["conjoint"] = adults[1:]
	}
	return map[string]any{
		"individus": persons, "familles": map[string]any{"f": map[string]any{"parents": adults, "enfants": children}},
		"foyers_fiscaux": map[string]any{"ff": map[string]any{"declarants": adults, "personnes_a_charge": children}}, "menages": map[string]any{"m": household},
	}
}

// unasked is laws that nothing is computed under: watches are made without their figures.
type unasked struct{ watch.Laws }

// Figures implements watch.Laws.
func (unasked) Figures(_ context.Context, h watch.Household) ([]float64, error) {
	return make([]float64, len(h.Figures)), nil
}

// makeWatches makes a data directory with people and their watches.
func makeWatches(ctx context.Context, dir string, n int, l law) (err error) {
	log := slog.New(slog.DiscardHandler)
	d, err := db.Open(ctx, dir, db.Options{Logger: log}, auth.Schema(), sqlstore.Migrations(), watch.Schema())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	identity, err := auth.New(ctx, d, auth.Options{})
	if err != nil {
		return err
	}
	defer identity.Close()
	service, err := watch.New(ctx, watch.Config{
		DB: d, KeyFile: filepath.Join(dir, "watch.key"), Laws: unasked{}, Now: time.Now, Log: log, Exists: identity.UserExists,
	})
	if err != nil {
		return err
	}
	if _, err := identity.CreateUser(ctx, auth.NewUser{Name: "boss", ID: "boss", Admin: true}); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(200) // they share commits
	for person := range (n + each - 1) / each {
		group.Go(func() error {
			user := fmt.Sprintf("p%06d", person)
			if _, err := identity.CreateUser(ctx, auth.NewUser{Name: user, ID: user}); err != nil {
				return err
			}
			r := rand.New(rand.NewPCG(1, uint64(person)))
			for i := person * each; i < min((person+1)*each, n); i++ {
				if err := makeWatch(ctx, service, user, l, l.situation(r, i%8)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func makeWatch(ctx context.Context, service *watch.Service, user string, l law, situation map[string]any) (err error) {
	w := watch.Watch{UserID: user}
	w.Period, w.Locale, w.Figures = "2022", "en", []watch.Figure{{Variable: l.figure, Label: "What you have"}}
	if w.Situation, err = json.Marshal(situation); err == nil {
		_, err = service.Create(ctx, w)
	}
	return err
}
