package countries_test

import (
	"io/fs"
	"path"
	"slices"
	"testing"

	"edict/countries"
	"edict/simulation/country"
	"edict/simulation/decomposition"
	"edict/simulation/legislation"
)

// TestEverythingIsTranslated looks at every text of the law that users see: none is the same in both languages.
func TestEverythingIsTranslated(t *testing.T) {
	src, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Warnings {
		t.Error(w)
	}
	if got := p.System.Translations().Languages(); !slices.Equal(got, []string{"fr", "en"}) {
		t.Fatalf("the law has the languages %q", got)
	}
	same := map[string]bool{"Parents": true}
	compare(t, p, p.System, same)
	for _, r := range p.Reforms {
		reformed, err := p.Apply(t.Context(), p.System, r.Key)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, p, reformed, same)
		for _, w := range p.System.Translations().CheckReform(reformed) {
			t.Error(w)
		}
	}
	if wrong := p.System.Translations().CheckParts(partsAreTranslated(t, p.System)); len(wrong) > 0 {
		t.Error(wrong)
	}
}

// compare reports texts that are the same in both languages, but for those that are the same word.
func compare(t *testing.T, p *country.Package, system *legislation.System, same map[string]bool) {
	fr, en := system.Texts("fr"), system.Texts("en")
	differ := func(what, french, english string) {
		if french == english && french != "" && !same[french] {
			t.Errorf("%s is %q in both languages", what, french)
		}
	}
	for _, v := range system.Variables() {
		differ(v.Name, fr.Label(v), en.Label(v))
		differ(v.Name+" description", fr.Documentation(v), en.Documentation(v))
		if v.Enum != nil {
			for i, value := range fr.Values(v) {
				differ(v.Name+" "+v.Enum.Domain.Members[i], value, en.Values(v)[i])
			}
		}
	}
	for item := range system.Parameters().Root.Descendants() {
		name := item.Info().Name
		differ(name, fr.Parameter(name, item), en.Parameter(name, item))
		differ(name+" description", fr.ParameterDocumentation(name, item), en.ParameterDocumentation(name, item))
	}
	for _, e := range system.Entities() {
		french, doc := fr.Entity(e)
		english, said := en.Entity(e)
		differ(e.Key, french, english)
		differ(e.Key+" description", doc, said)
		for _, r := range e.Roles {
			french, _ := fr.Role(r)
			english, _ := en.Role(r)
			differ(e.Key+" "+r.Key, french, english)
		}
	}
	for _, r := range p.Reforms {
		name, description := en.Reform(r.Key, r.Name, r.Description)
		differ(r.Key, r.Name, name)
		differ(r.Key+" description", r.Description, description)
	}
}

// partsAreTranslated looks at the decompositions, whose short labels may be the same abbreviation, and returns their codes.
func partsAreTranslated(t *testing.T, system *legislation.System) (codes []string) {
	dir := countries.FrancePackage + "/decompositions"
	files, err := fs.ReadDir(countries.France(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := fs.ReadFile(countries.France(), path.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		trees, _, err := decomposition.Parse(f.Name(), text, "revdisp")
		if err != nil {
			t.Fatal(err)
		}
		var look func(n *decomposition.Node)
		look = func(n *decomposition.Node) {
			codes = append(codes, n.Code)
			if label, _ := system.Texts("en").Part(n.Code, n.Name, n.ShortName); label == n.Name {
				t.Errorf("%s: %s is %q in both languages", f.Name(), n.Code, label)
			}
			for _, c := range n.Children {
				look(c)
			}
		}
		for _, tree := range trees {
			look(tree)
		}
	}
	return codes
}
