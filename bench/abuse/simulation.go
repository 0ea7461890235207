package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// simulationAttacks are against simulations: answers that no client reads, bodies that cost more than their size, small
// requests for much.
var simulationAttacks = []attack{
	{name: "simulation-unread", what: "40 connections ask for traces of 40 MB and read nothing", run: func(ctx context.Context, t *target) {
		unread(ctx, t, 40, along("/trace", 10_000))
	}},
	{name: "simulation-unread-small", what: "100 connections ask for traces of 400 KB and read nothing", run: func(ctx context.Context, t *target) {
		unread(ctx, t, 100, along("/trace", 100))
	}},
	{name: "simulation-axes", what: "20 connections ask for traces of 900 000 points", run: func(ctx context.Context, t *target) {
		floodSimulation(ctx, t, 20, along("/trace", 900_000))
	}},
	{name: "simulation-persons", what: "20 connections ask for 20 000 points of 200 persons", run: func(ctx context.Context, t *target) {
		floodSimulation(ctx, t, 20, crowd(200, 20_000))
	}},
	{name: "simulation-lists", what: "5 connections send 16 MB of empty lists", run: bodiesOf("[]")},
	{name: "simulation-numbers", what: "5 connections send 16 MB of numbers", run: bodiesOf("1")},
	{name: "simulation-texts", what: "5 connections send 16 MB of texts", run: bodiesOf(`"` + strings.Repeat("long ", 3000) + `"`)},
	{name: "simulation-deep", what: "5 connections send 16 MB of lists nested 80 deep", run: bodiesOf(strings.Repeat("[", 80) + strings.Repeat("]", 80))},
	{name: "simulation-members", what: "5 connections send 200 000 persons, one of whom has 96 000 periods", run: func(ctx context.Context, t *target) {
		floodSimulation(ctx, t, 5, membersTimesPeriods())
	}},
}

// along is a request with an axis of so many points.
func along(path string, points int) string {
	return message("POST", path, "", asJSON, fmt.Sprintf(`{"individus": {"a": {}}, "familles": {"g": {"parents": ["a"]}}, "foyers_fiscaux": {"f": {"declarants": ["a"]}},
 "menages": {"m": {"personne_de_reference": ["a"], "revdisp": {"2020": null}}}, "axes": [[{"name": "salaire_imposable", "min": 0, "max": 100000, "count": %d, "period": "2020-01"}]]}`, points))
}

// crowd is a request with an axis for many persons.
func crowd(persons, points int) string {
	var all, names strings.Builder
	for i := range persons {
		fmt.Fprintf(&all, `"p%d": {},`, i)
		fmt.Fprintf(&names, `"p%d",`, i)
	}
	others := strings.TrimSuffix(strings.TrimPrefix(names.String(), `"p0",`), ",")
	return message("POST", "/trace", "", asJSON, fmt.Sprintf(`{"individus": {%s}, "familles": {"g": {"parents": ["p0"], "enfants": [%s]}}, "foyers_fiscaux": {"f": {"declarants": ["p0"], "personnes_a_charge": [%s]}},
 "menages": {"m": {"personne_de_reference": ["p0"], "enfants": [%s], "revdisp": {"2020": null}}}, "axes": [[{"name": "salaire_imposable", "min": 0, "max": 100000, "count": %d, "period": "2020-01"}]]}`,
		strings.TrimSuffix(all.String(), ","), others, others, others, points))
}

// membersTimesPeriods is a body of persons, one of whom has a value for very many periods.
func membersTimesPeriods() string {
	var persons, periods strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&persons, `"p%d":{},`, i)
	}
	for year := range 8000 {
		for month := range 12 {
			fmt.Fprintf(&periods, `"%04d-%02d":1,`, 1000+year, 1+month)
		}
	}
	return message("POST", "/calculate", "", asJSON, fmt.Sprintf(`{"individus":{%s"a":{"salaire_imposable":{%s}}}}`, persons.String(), strings.TrimSuffix(periods.String(), ",")))
}

// bodiesOf sends lists of the same element again and again.
func bodiesOf(element string) func(context.Context, *target) {
	return func(ctx context.Context, t *target) {
		const size = 16<<20 - 1000
		body := `{"individus":{"a":{"salaire_imposable":{"2020":[` + repeat(element+",", size) + element + `]}}}}`
		floodSimulation(ctx, t, 5, message("POST", "/calculate", "", asJSON, body))
	}
}

// floodSimulation has n connections send the same request as fast as it is answered.
func floodSimulation(ctx context.Context, t *target, n int, request string) {
	flood(ctx, t, n, func(int) string { return request })
}

// unread has n connections send a request, read the head of the answer, and nothing more.
func unread(ctx context.Context, t *target, n int, request string) {
	each(ctx, n, func(ctx context.Context, i int) error {
		w, err := t.wire(ctx, i)
		if err != nil {
			return err
		}
		defer w.close()
		if _, err := io.WriteString(w, request); err != nil {
			return err
		}
		status, _, err := w.head()
		t.did.count(status, err)
		if err != nil || status >= 400 {
			return fmt.Errorf("refused with %d: %w", status, err)
		}
		<-ctx.Done()
		return nil
	})
}
