package legislation_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

const englishTexts = `package_language: fr
entities:
  menage: {label: Household, description: A dwelling., roles: {enfant: Children}}
variables:
  impot:
    label: Tax
    description: Not rounded.
  aide: Benefit
  statut: {label: Status, values: {seul: Single}}
parameters: {taux: Rate}
reforms:
  r: {label: A reform, variables: {impot: New tax}}
decompositions:
  total: {label: Total, short_label: Tot.}
`

// translated is a law with French texts, English ones, and a reform that renames two variables, one of them in English, too.
func translated(t *testing.T) (base, reform *legislation.System) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	person := legislation.NewPerson("personne", "personnes", "Personne", "")
	home := legislation.NewGroup("menage", "menages", "Ménage", "Un logement.", []legislation.RoleSpec{{Key: "parent", Label: "Parents"}, {Key: "enfant", Label: "Enfants"}})
	b, err := legislation.NewBuilder(legislation.NewNames(), legislation.Profile{}, person, home)
	must(err)
	month := period.Month
	kind := legislation.NewEnum("Statut", []string{"seul", "couple"}, []string{"Seul", "En couple"}, nil)
	alone := vector.EnumConst(1, kind.Domain, 0)
	for _, d := range []legislation.Definition{
		{Name: "impot", Label: "Impôt", Documentation: "Sans arrondi.", Entity: home, Type: legislation.Float},
		{Name: "aide", Label: "Aide", Entity: home, Type: legislation.Float},
		{Name: "statut", Label: "Statut", Entity: person, Type: legislation.EnumType, Enum: kind, Default: &alone},
	} {
		d.Period = &month
		_, err := b.AddVariable(d)
		must(err)
	}
	root, rate := legislation.NewParameterNode(""), &legislation.Parameter{}
	rate.Name, rate.Description = "taux", "Taux"
	must(root.AddChild("taux", rate))
	b.SetParameters(root)
	base = b.Build()
	file, err := legislation.ReadTranslation("labels/en.yaml", []byte(englishTexts))
	must(err)
	base.SetTranslations(legislation.NewTranslations(file))
	r := base.Reform("r")
	for _, d := range []legislation.Definition{{Name: "impot", Label: "Nouvel impôt"}, {Name: "aide", Label: "Aide nouvelle"}} {
		_, err = r.UpdateVariable(d)
		must(err)
	}
	return base, r.Build()
}

// TestTexts: what users read in each language, with the law's own words for whatever has no translation.
func TestTexts(t *testing.T) {
	base, reform := translated(t)
	neutral := reform.Reform("")
	if err := neutral.NeutralizeVariable("impot"); err != nil {
		t.Fatal(err)
	}
	neutralized := neutral.Build()
	label := func(s *legislation.System, language, name string) string {
		v, err := s.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		return s.Texts(language).Label(v)
	}
	rate, _ := base.Parameters().Root.Find("taux")
	status, _ := base.Lookup("statut")
	tax, _ := base.Lookup("impot")
	newTax, _ := reform.Lookup("impot")
	home := base.Entity("menage")
	of := func(texts ...string) string { return strings.Join(texts, " | ") }
	entity := func(language string) string { label, doc := base.Texts(language).Entity(home); return of(label, doc) }
	role := func(language string, i int) string {
		label, _ := base.Texts(language).Role(home.Roles[i])
		return label
	}
	part := func(code string) string {
		label, short := base.Texts("en").Part(code, "Somme", "S.")
		return of(label, short)
	}
	named := func(language, key string) string {
		name, description := base.Texts(language).Reform(key, "Une réforme", "Elle change.")
		return of(name, description)
	}
	for _, c := range []struct{ what, got, want string }{
		{"own label", label(base, "", "impot"), "Impôt"},
		{"English label", label(base, "en", "impot"), "Tax"},
		{"a language without a file", label(base, "de", "impot"), "Impôt"},
		{"the law's own language", label(base, "fr", "impot"), "Impôt"},
		{"a reform's label", label(reform, "en", "impot"), "New tax"},
		{"a label that a reform changes and nobody translates", label(reform, "en", "aide"), "Aide nouvelle"},
		{"a neutralized variable", label(neutralized, "en", "impot"), "[Neutralized] New tax"},
		{"documentation", base.Texts("en").Documentation(tax), "Not rounded."},
		{"documentation that the reform keeps", reform.Texts("en").Documentation(newTax), "Not rounded."},
		{"values", of(base.Texts("en").Values(status)...), "Single | En couple"},
		{"own values", of(base.Texts("fr").Values(status)...), "Seul | En couple"},
		{"parameter", base.Texts("en").Parameter("taux", rate), "Rate"},
		{"own parameter", base.Texts("fr").Parameter("taux", rate), "Taux"},
		{"entity", entity("en"), "Household | A dwelling."},
		{"own entity", entity("fr"), "Ménage | Un logement."},
		{"role", role("en", 1), "Children"},
		{"a role without a translation", role("en", 0), "Parents"},
		{"reform", named("en", "r"), "A reform | Elle change."},
		{"own reform", named("fr", "r"), "Une réforme | Elle change."},
		{"part of a decomposition", part("total"), "Total | Tot."},
		{"a part that is a variable", part("impot"), "Tax | Tax"},
		{"a part without a translation", part("autre"), "Somme | S."},
		{"language", base.Texts("en").Language(), "en"},
		{"own language", base.Texts("de").Language(), "fr"},
		{"languages", of(base.Translations().Languages()...), "fr | en"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}

// TestMatch: which language answers one that is asked for.
func TestMatch(t *testing.T) {
	var files []*legislation.Translation
	for _, name := range []string{"en.yaml", "pt-br.yaml"} {
		f, err := legislation.ReadTranslation(name, []byte("package_language: fr"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	all := legislation.NewTranslations(files...)
	for tag, want := range map[string]string{"en": "en", "EN-gb": "en", "fr-CA": "fr", "pt": "pt-br", "pt-PT": "pt-br", "pt-BR": "pt-br", "de": "", "*": "", "": "", "e": "", "-": ""} {
		if got := all.Match(tag); got != want {
			t.Errorf("%q is answered in %q, want %q", tag, got, want)
		}
	}
	var none *legislation.Translations
	if none.Match("en") != "" || none.Own() != "" || none.Check(nil, nil) != nil {
		t.Error("a law without translations has some")
	}
}

// TestLaterTextsCount: of two files with texts of one thing the later one counts, text by text.
func TestLaterTextsCount(t *testing.T) {
	base, _ := translated(t)
	read := func(text string) *legislation.Translation {
		f, err := legislation.ReadTranslation("en.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	base.SetTranslations(legislation.NewTranslations(read(englishTexts), read("variables: {impot: Levy, statut: {values: {couple: Couple}}}")))
	tax, _ := base.Lookup("impot")
	status, _ := base.Lookup("statut")
	en := base.Texts("en")
	if got, want := fmt.Sprint(en.Label(tax), en.Documentation(tax), en.Label(status), en.Values(status)), "LevyNot rounded.Status[Single Couple]"; got != want {
		t.Errorf("two files make %q, want %q", got, want)
	}
}

// TestWrongTranslations: everything that is wrong is reported with its line and the nearest name.
func TestWrongTranslations(t *testing.T) {
	base, reform := translated(t)
	for _, c := range []struct{ name, file, text, want string }{
		{"no mapping", "en.yaml", "- a", "en.yaml:1: expected a mapping with language, variables, parameters, entities, reforms or decompositions, got a list"},
		{"empty", "en.yaml", "", "en.yaml: expected a mapping with language, variables, parameters, entities, reforms or decompositions, got nothing"},
		{"no language", "texts.yaml", "variables: {}", `"texts" is not a language: name the file after one, such as en.yaml, or add the line "language: en"`},
		{"key", "en.yaml", "variables:\n  impot:\n    lable: Tax", "en.yaml:3: unknown key \"lable\" of impot; the keys here are description, label, values; did you mean 'label'?"},
		{"number", "en.yaml", "variables:\n  impot: 5", "en.yaml:2: expected the text of impot, got a number: put it into quotes"},
		{"truth value", "en.yaml", "variables:\n  impot: no", "en.yaml:2: expected the text of impot, got a truth value: put it into quotes"},
		{"two lines", "en.yaml", "variables:\n  impot: \"a\\nb\"", "en.yaml:2: the label of impot has a line break"},
		{"long", "en.yaml", "variables: {impot: " + strings.Repeat("x", 1001) + "}", "en.yaml:1: the text of impot has 1001 bytes, more than 1000"},
		{"large", "en.yaml", strings.Repeat("#", legislation.MaxTranslation+1), "a file of labels has"},
		{"not YAML", "en.yaml", "variables: [", "en.yaml:"},
		{"language", "en.yaml", "language: [x]", "expected a language such as en or \"fr\", got a list"},
		{"variable", "en.yaml", "variables:\n  ipmot: Tax", "en.yaml:2: there is no variable 'ipmot' in this law; did you mean 'impot'?"},
		{"value", "en.yaml", "variables:\n  statut: {values: {seule: X}}", "there is no value 'seule' of statut; did you mean 'seul'?"},
		{"values of a number", "en.yaml", "variables:\n  impot:\n    values: {a: b}", "en.yaml:2: the variable impot is no enumeration and has no values"},
		{"parameter", "en.yaml", "parameters: {tux: Rate}", "en.yaml:1: there is no parameter 'tux' in this law; did you mean 'taux'?"},
		{"entity", "en.yaml", "entities: {menages: H}", "there is no entity 'menages' in this law (entities go by their singular key); did you mean 'menage'?"},
		{"role", "en.yaml", "entities: {menage: {roles: {enfants: H}}}", "there is no role 'enfants' of menage; did you mean 'enfant'?"},
		{"reform", "en.yaml", "reforms: {q: X}", "there is no reform 'q' in this law"},
		{"variable of a reform", "en.yaml", "reforms: {r: {variables: {impto: X}}}", "there is no variable 'impto' in the law with the reform r; did you mean 'impot'?"},
		{"part", "en.yaml", "decompositions: {totla: X}", "there is no code 'totla' in the law's decompositions; did you mean 'total'?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := legislation.ReadTranslation(c.file, []byte(c.text))
			var wrong legislation.Problems
			if err == nil {
				all := legislation.NewTranslations(f)
				wrong = slices.Concat(all.Check(base, []string{"r"}), all.CheckReform(reform), all.CheckParts([]string{"total"}))
			} else if !errors.As(err, &wrong) {
				t.Fatalf("the error is a %T", err)
			}
			if len(wrong) != 1 || !strings.Contains(wrong.Error(), c.want) {
				t.Errorf("got\n%v\nwant one problem with\n%s", wrong, c.want)
			}
		})
	}
}

func FuzzTranslation(f *testing.F) {
	f.Add(englishTexts)
	f.Add("variables: {a: {label: x, values: {b: c}}}")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := legislation.ReadTranslation("en.yaml", []byte(text))
		var wrong legislation.Problems
		if err != nil && !errors.As(err, &wrong) {
			t.Fatalf("the error is a %T: %v", err, err)
		}
		if err == nil {
			base, reform := translated(t)
			all := legislation.NewTranslations(file)
			all.Check(base, nil)
			all.CheckReform(reform)
		}
	})
}
