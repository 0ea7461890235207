package scenario

import (
	"context"
	"testing"

	"edict/simulation/engine"
	"edict/simulation/period"
)

// BenchmarkSituation measures the steps of a request about a couple, but for the formulas.
func BenchmarkSituation(b *testing.B) {
	text := []byte(`{"persons": {"Alicia": {"birth": {"ETERNITY": "1961-01-01"}, "salary": {"2017-01": 14844}}, "Javier": {"birth": {"ETERNITY": "1984-01-01"}, "salary": {"2017-01": 15028}}},
 "households": {"_": {"parents": ["Alicia", "Javier"], "income": {"2017-01": null}, "status": {"2017-01": null}}}}`)
	system := village(b)
	doc, err := DecodeJSON(text)
	if err != nil {
		b.Fatal(err)
	}
	situation, err := ParseEntities(system, doc)
	if err != nil {
		b.Fatal(err)
	}
	buf, periods := make([]byte, 0, 1024), period.NewTable()
	for _, step := range []struct {
		name string
		run  func() error
	}{
		{"ReadJSON", func() error {
			w := Borrow()
			defer w.GiveBack()
			_, err := w.ReadJSON(text, Bounds{})
			return err
		}},
		{"ParseEntities", func() error {
			w := Borrow()
			defer w.GiveBack()
			_, err := w.ParseEntities(nil, system, doc)
			return err
		}},
		{"Simulation", func() error {
			_, err := situation.Simulation(context.Background(), engine.Options{Periods: periods})
			return err
		}},
		{"Requests", func() error { Requests(system, doc); return nil }},
		{"AppendJSON", func() error { AppendJSON(buf, doc); return nil }},
	} {
		b.Run(step.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := step.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
