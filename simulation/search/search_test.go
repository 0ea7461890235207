package search_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/search"
)

// system has a few variables and parameters.
func system(t testing.TB) *legislation.System {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	person := legislation.NewPerson("person", "persons", "A person", "")
	household := legislation.NewGroup("household", "households", "A household", "", []legislation.RoleSpec{{Key: "member"}})
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person, household)
	must(err)
	month := period.Month
	for _, d := range []legislation.Definition{
		{Name: "impot_revenu", Label: "Impôt sur le revenu", Entity: household},
		{Name: "impot_revenu_brut", Label: "Avant réductions", Entity: household},
		{Name: "revenu_disponible", Label: "Revenu disponible du ménage", Entity: household},
		{Name: "salaire", Label: "Salaire net", Entity: person, Documentation: "What an employer pays; also called wages."},
		{Name: "dons", Label: "Dons", Entity: person, CerfaField: "7UC"},
		{Name: "nourriture", Label: "Œufs et pain", Entity: person},
	} {
		d.Type, d.Period = legislation.Float, &month
		_, err := b.AddVariable(d)
		must(err)
	}
	root, node, rate := legislation.NewParameterNode(""), legislation.NewParameterNode("impot"), &legislation.Parameter{}
	node.Description, rate.Description, rate.Documentation = "Tout sur l'impôt", "Taux", "Le barème de wages"
	must(node.AddChild("taux", rate))
	must(root.AddChild("impot", node))
	b.SetParameters(root)
	return b.Build()
}

func show(found []search.Found) string {
	out := []string{}
	for _, f := range found {
		text := f.ID
		for _, m := range f.Matches() {
			text += fmt.Sprintf(" %s~%s/%s/%s", m.Word, m.Of, m.Field, m.How)
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

// TestFind: what is found, in which order and why.
func TestFind(t *testing.T) {
	x := search.New(system(t))
	for _, c := range []struct {
		name  string
		query search.Query
		want  string
	}{
		{"an id is first", search.Query{Text: "impot_revenu"}, "impot_revenu impot~impot/id/exact revenu~revenu/id/exact\nimpot_revenu_brut impot~impot/id/exact revenu~revenu/id/exact"},
		{"accents and case", search.Query{Text: "IMPÔT sur"}, "impot impot~impot/id/exact sur~sur/label/exact\nimpot_revenu impot~impot/id/exact sur~sur/label/exact"},
		{"ligatures", search.Query{Text: "oeufs"}, "nourriture oeufs~oeufs/label/exact"},
		{"prefix", search.Query{Text: "dispo"}, "revenu_disponible dispo~disponible/id/prefix"},
		{"part", search.Query{Text: "ponible"}, "revenu_disponible ponible~disponible/id/part"},
		{"typing error", search.Query{Text: "salarie"}, "salaire salarie~salaire/id/typo"},
		{"two errors in a long word", search.Query{Text: "dispobinle"}, "revenu_disponible dispobinle~disponible/id/typo"},
		{"documentation", search.Query{Text: "wages", Kind: search.Variables}, "salaire wages~wages/notes/exact"},
		{"form", search.Query{Text: "7UC"}, "dons 7uc~7uc/notes/exact"},
		{"parameters", search.Query{Text: "impot", Kind: search.Parameters}, "impot impot~impot/id/exact\nimpot.taux impot~impot/id/exact"},
		{"entity", search.Query{Text: "wages impot", Entity: "person"}, "salaire wages~wages/notes/exact"},
		{"the most words", search.Query{Text: "salaire xyzzy"}, "salaire salaire~salaire/id/exact"},
		{"nothing", search.Query{Text: "xyzzy"}, ""},
		{"everything", search.Query{Text: " ?", Entity: "person"}, "dons\nnourriture\nsalaire"},
	} {
		if got := show(x.Find(c.query)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// FuzzFind: any text is answered, with the same answer each time, and every entry that is found has a reason.
func FuzzFind(f *testing.F) {
	for _, text := range []string{"", "impot", "é œ ß", "\xff\x00", strings.Repeat("a ", 50), "İ"} {
		f.Add(text)
	}
	x := search.New(system(f))
	f.Fuzz(func(t *testing.T, text string) {
		found := x.Find(search.Query{Text: text})
		if again := x.Find(search.Query{Text: text}); show(found) != show(again) {
			t.Errorf("%q is answered by\n%s\nand then by\n%s", text, show(found), show(again))
		}
		for _, e := range found {
			if len(e.Matches()) == 0 && len(found) != len(x.Entries) {
				t.Errorf("%q finds %s without a reason", text, e.ID)
			}
		}
	})
}

// BenchmarkFind searches a package: EDICT_COUNTRY is its directory.
func BenchmarkFind(b *testing.B) {
	where := os.Getenv("EDICT_COUNTRY")
	if where == "" {
		b.Skip("no package: set EDICT_COUNTRY to the directory of one")
	}
	source, err := country.Open(where)
	if err != nil {
		b.Fatal(err)
	}
	p, err := country.Load(context.Background(), country.Options{}, source)
	if err != nil {
		b.Fatal(err)
	}
	x := search.New(p.System)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			search.New(p.System)
		}
	})
	for _, text := range []string{"irpp", "impot sur le revenu des personnes", "de", "a", "alocation familliale", "prélèvement social sur les revenus du patrimoine et de placement"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Find(search.Query{Text: text})
			}
		})
	}
}
