//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"time"
)

// body is a request that is sent over and over, each time for another household.
type body struct {
	path, text string // with places for the figures of the household
	both       bool   // the reference answers it too
}

// households is how many different ones there are: edict remembers what formulas gave, and no two requests of a server's
// users are the same.
const households = 2000

// of is the request of one household: two salaries and two years of birth.
func (b body) of(household int) string {
	spread := func(step, least, most int) int { return least + household*step%(most-least) }
	return fmt.Sprintf(b.text, spread(1237, 0, 60000), spread(7919, 0, 40000), spread(13, 1950, 2000), spread(7, 1950, 2000))
}

// legislation is a package with its requests.
type legislation struct {
	name     string
	country  string // for edict; "" is the embedded one
	module   string // for the reference
	pythons  string // where the reference finds the module; "" is where it is installed
	requests []body
}

func cases(o options) []legislation {
	all := []legislation{{
		name: "embedded legislation", module: "edict_france", pythons: o.france,
		requests: []body{{"/calculate", family, true}, {"/api/1/calculate", familyScenario, false}},
	}}
	if o.template != "" {
		all = append(all, legislation{
			name: "country template", country: o.template, module: "openfisca_country_template", requests: []body{{"/calculate", couple, true}},
		})
	}
	return all
}

const (
	// family is two adults, two children and a year of theirs: income tax, benefits of every month, disposable income.
	family = `{"individus": {"ada": {"date_naissance": {"ETERNITY": "%[3]d-03-02"}, "salaire_imposable": {"2024": %[1]d}},
  "bob": {"date_naissance": {"ETERNITY": "%[4]d-05-06"}, "salaire_imposable": {"2024": %[2]d}},
  "cleo": {"date_naissance": {"ETERNITY": "2015-02-02"}}, "dan": {"date_naissance": {"ETERNITY": "2018-09-12"}}},
 "familles": {"f": {"parents": ["ada", "bob"], "enfants": ["cleo", "dan"], "af": {"2024-06": null}}},
 "foyers_fiscaux": {"ff": {"declarants": ["ada", "bob"], "personnes_a_charge": ["cleo", "dan"], "irpp": {"2024": null}}},
 "menages": {"m": {"personne_de_reference": ["ada"], "conjoint": ["bob"], "enfants": ["cleo", "dan"], "revdisp": {"2024": null}}}}`

	familyScenario = `{"variables": ["revdisp", "irpp", "af"], "scenarios": [{"period": "2024", "test_case": {
  "individus": [{"id": "ada", "date_naissance": "%[3]d-03-02", "salaire_imposable": %[1]d}, {"id": "bob", "date_naissance": "%[4]d-05-06", "salaire_imposable": %[2]d},
   {"id": "cleo", "date_naissance": "2015-02-02"}, {"id": "dan", "date_naissance": "2018-09-12"}],
  "familles": [{"parents": ["ada", "bob"], "enfants": ["cleo", "dan"]}], "foyers_fiscaux": [{"declarants": ["ada", "bob"], "personnes_a_charge": ["cleo", "dan"]}],
  "menages": [{"personne_de_reference": "ada", "conjoint": "bob", "enfants": ["cleo", "dan"]}]}}]}`

	couple = `{"persons": {"Alicia": {"birth": {"ETERNITY": "%[3]d-01-01"}, "salary": {"2017-01": %[1]d}}, "Javier": {"birth": {"ETERNITY": "%[4]d-01-01"}, "salary": {"2017-01": %[2]d}}},
 "households": {"_": {"adults": ["Alicia", "Javier"], "disposable_income": {"2017-01": null}, "total_taxes": {"2017-01": null}}}}`
)

// measure drives edict and then the reference, and prints both and their ratio.
func (l legislation) measure(ctx context.Context, o options, number int, out io.Writer) error {
	edict, err := startEdict(o.binary, l.country)
	if err != nil {
		return err
	}
	ours := make([]figures, len(l.requests))
	for i, b := range l.requests {
		if ours[i], err = l.drive(ctx, edict, b, o, fmt.Sprintf("%d%d", number, i)); err != nil {
			break
		}
		ours[i].print(out, fmt.Sprintf("%s %s, edict", l.name, b.path))
	}
	if stopped := edict.Stop(); err == nil {
		err = stopped
	}
	if err != nil || o.python == "" {
		return err
	}
	reference, err := startReference(ctx, o, l)
	if err != nil {
		return err
	}
	defer func() { _ = reference.Stop() }() // gunicorn reports how it ended; it does not matter
	for i, b := range l.requests {
		if !b.both {
			continue
		}
		theirs, err := l.drive(ctx, reference, b, o, "")
		if err != nil {
			return err
		}
		theirs.print(out, fmt.Sprintf("%s %s, openfisca serve", l.name, b.path))
		if err := same(ours[i].answer, theirs.answer); err != nil {
			return err
		}
		fmt.Fprintf(out, "%-46s %11.1fx %10s %15.1fx\n\n", "", ours[i].rate()/theirs.rate(), "", float64(theirs.cost())/float64(ours[i].cost()))
	}
	return nil
}

func (l legislation) drive(ctx context.Context, s *server, b body, o options, profile string) (figures, error) {
	if o.profile != "" && profile != "" {
		done := make(chan error, 1)
		go func() { done <- s.Profile(ctx, o.profile+profile, o.duration) }()
		defer func() { <-done }()
	}
	return s.drive(b, o.connections, o.duration)
}

func (f figures) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%-46s %12.0f %10v %16v\n", name, f.rate(), f.median.Round(10*time.Microsecond), f.cost().Round(time.Microsecond))
}

// same reports whether two answers say the same.
func same(ours, theirs []byte) error {
	var a, b any
	if err := json.Unmarshal(ours, &a); err != nil {
		return err
	}
	if err := json.Unmarshal(theirs, &b); err != nil {
		return err
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the answers differ:\n%s\n%s", ours, theirs)
	}
	return nil
}
