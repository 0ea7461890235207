package why_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"edict/simulation/country"
	"edict/simulation/engine"
	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/pysyntax"
	"edict/simulation/scenario"
	"edict/simulation/why"
)

// hamlet is a law of persons and households on one page. Variables are yearly; a line of its law is "name entity: formula", or
// "name entity" for an input. A formula is an expression, or statements with ¶ between their lines.
func hamlet(t *testing.T, law string) *country.Package {
	t.Helper()
	var text strings.Builder
	text.WriteString("import numpy as np\nfrom openfisca_core.model_api import *\nfrom hamlet.entities import Household, Person\n\n")
	for line := range strings.Lines(strings.TrimSpace(law)) {
		head, formula, computed := strings.Cut(strings.TrimSpace(line), ": ")
		name, entity, _ := strings.Cut(head, " ")
		fmt.Fprintf(&text, "class %s(Variable):\n    value_type = float\n    entity = %s\n    definition_period = YEAR\n    label = \"The %s\"\n\n", name, entity, name)
		if computed {
			if !strings.Contains(formula, "¶") {
				formula = "return " + formula
			}
			fmt.Fprintf(&text, "    def formula(of, period, parameters):\n        law = parameters(period)\n        %s\n\n", strings.ReplaceAll(formula, "¶", "\n        "))
		}
	}
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	src, err := country.OpenFS(fstest.MapFS{
		"hamlet/__init__.py": file(`
import os
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from hamlet import entities

class CountryTaxBenefitSystem(TaxBenefitSystem):
    def __init__(self):
        super().__init__(entities.entities)
        here = os.path.dirname(os.path.abspath(__file__))
        self.add_variables_from_file(os.path.join(here, "variables.py"))
        self.load_parameters(os.path.join(here, "parameters"))
`),
		"hamlet/entities.py": file(`
from openfisca_core.entities import build_entity

Household = build_entity(key = "household", plural = "households", label = "", roles = [{"key": "member", "plural": "members", "label": ""}])
Person = build_entity(key = "person", plural = "persons", label = "", is_person = True)
entities = [Household, Person]
`),
		"hamlet/variables.py": file(text.String()),
		"hamlet/parameters/rate.yaml": file("description: Rate\nmetadata: {unit: /1, reference: The code}\nvalues:\n  2000-01-01: {value: 0.1}\n" +
			"  2020-01-01:\n    value: 0.2\n    metadata: {reference: [{title: Law 7, href: 'https://law.example/7'}]}\n  2030-01-01: {value: 0.9}\n"),
		"hamlet/parameters/scale.yaml": file("description: Scale\nbrackets:\n- threshold:\n    2000-01-01: {value: 0}\n  rate:\n    2000-01-01: {value: 0}\n" +
			"- threshold:\n    2000-01-01: {value: 100}\n    2021-01-01: {value: 200}\n  rate:\n    2000-01-01: {value: 0.5}\n- threshold:\n    2000-01-01: {value: 900}\n    2010-01-01: {value: null}\n  rate:\n    2000-01-01: {value: 1}\n    2010-01-01: {value: null}\n"),
	}, "hamlet")
	if err != nil {
		t.Fatal(err)
	}
	p, err := country.Load(t.Context(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// asking asks about a simulation of 2024 in which ann earns 300 and bob nothing.
func asking(t *testing.T, p *country.Package) *why.Question {
	t.Helper()
	return askingAs(t, p, engine.Options{})
}

// askingAs is asking with options of the simulation.
func askingAs(t *testing.T, p *country.Package, o engine.Options) *why.Question {
	t.Helper()
	doc, err := scenario.DecodeJSON([]byte(`{"persons": {"ann": {"salary": {"2024": 300}}, "bob": {"salary": {"2024": 0}}}, "households": {"h": {"members": ["ann", "bob"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	situation, err := scenario.ParseEntities(p.System, doc)
	if err != nil {
		t.Fatal(err)
	}
	tracer := engine.NewTracer(time.Now)
	o.Tracer = tracer
	sim, err := situation.Simulation(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	sources := lawgraph.New(p, p.System).Sources
	return &why.Question{
		Sim: sim, Tracer: tracer, Depth: 2, Bytes: 100_000, Observe: country.Observe,
		Given: func(f why.Figure) (bool, bool) { given := f.Variable.Name == "salary"; return given, given },
		Text: func(f *legislation.DatedFormula) *pysyntax.FunctionDef {
			_, b, _ := sources.Find(f.Source)
			def, _ := b.Stmt.(*pysyntax.FunctionDef)
			return def
		},
	}
}

// figure is a value of 2024.
func figure(t *testing.T, p *country.Package, name string, row int) why.Figure {
	t.Helper()
	v, err := p.System.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	at, err := period.Parse("2024")
	if err != nil {
		t.Fatal(err)
	}
	return why.Figure{Variable: v, Period: at, Row: row}
}

// short writes a value as people do.
func short(e why.Element) string { return strings.ToLower(strings.TrimSuffix(e.Format(), ".0")) }

// written writes a tree on one line: name[row]=value, then what is said of it, and its branches in parentheses.
func written(n *why.Node) string {
	text := fmt.Sprintf("%s[%d]=%s", n.Variable.Name, n.Row, short(n.Value))
	if n.Origin != why.Computed {
		text += " " + string(n.Origin)
	}
	if n.Cut != "" {
		text += " cut:" + string(n.Cut)
	}
	if n.Folded() {
		text += " folded"
	}
	for _, c := range n.Because {
		text += " because " + c.Text + " is " + short(c.Is)
		for _, s := range c.Sides {
			text += fmt.Sprintf(" {%s %s%s%s}", s.Text, short(s.Value), s.Variable, s.Parameter)
		}
	}
	for _, p := range n.Parameters {
		text += fmt.Sprintf(" %s=%s since %s", p.Name, short(p.Value), p.Since)
	}
	var below []string
	for _, b := range n.Branches {
		below = append(below, written(b))
	}
	if len(n.Zeros) > 0 {
		below = append(below, "zeros:"+strings.Join(n.Zeros, "+"))
	}
	if len(below) > 0 {
		text += " (" + strings.Join(below, ", ") + ")"
	}
	return text
}

// law is the law that most cases are about.
const law = `
salary Person
gift Person
bonus Person: of("salary", period) * (of("salary", period) > 1000)
tax Person: of("salary", period) * law.rate
net Person: of("salary", period) + of("bonus", period) - of("tax", period) + of("gift", period)
income Household: of.sum(of.members("net", period))
twice Household: of("income", period) + of("income", period) * 2
both Household: of("twice", period) - of("income", period)
`

func TestTrees(t *testing.T) {
	p := hamlet(t, law)
	bonus := "because of('salary', period) > 1000 is false {of('salary', period) 300salary} {1000 1000}"
	for _, c := range []struct {
		name, figure, want string
		row, depth         int
	}{
		{"an input", "salary", "salary[0]=300 input", 0, 3},
		{"what nobody gave", "gift", "gift[1]=0 default", 1, 3},
		{"no depth", "net", "net[0]=240 cut:depth", 0, 0},
		{"a parameter", "tax", "tax[0]=60 rate=0.2 since 2020-01-01 (salary[0]=300 input)", 0, 1},
		{"a branch that is zero is folded, with the condition", "net", "net[0]=240 (salary[0]=300 input, bonus[0]=0 folded " + bonus + ", tax[0]=60 cut:depth, zeros:gift)", 0, 1},
		{"the figure itself is not folded", "bonus", "bonus[0]=0 " + bonus + " (salary[0]=300 input)", 0, 1},
		{"the members of a group", "income", "income[0]=240 (net[0]=240 cut:depth, net[1]=0 folded because of('salary', period) + of('bonus', period) - of('tax', period) + of('gift', period) is 0" +
			" {of('salary', period) 0salary} {of('bonus', period) 0bonus} {of('tax', period) 0tax} {of('gift', period) 0gift})", 0, 1},
		{"a branch is opened once", "both", "both[0]=480 (twice[0]=720 (income[0]=240 cut:shown), income[0]=240 (net[0]=240 cut:depth, net[1]=0 folded because of('salary', period) + of('bonus', period) - of('tax', period) + of('gift', period) is 0" +
			" {of('salary', period) 0salary} {of('bonus', period) 0bonus} {of('tax', period) 0tax} {of('gift', period) 0gift}))", 0, 2},
	} {
		q := asking(t, p)
		q.Depth = c.depth
		root, err := q.Explain(figure(t, p, c.figure, c.row), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := written(root); got != c.want {
			t.Errorf("%s:\n  got  %s\n  want %s", c.name, got, c.want)
		}
	}
}

// TestParameters: a parameter has the value that was read, the day, since when it is in force, unit and references, those of
// the value first; a scale has its brackets in force.
func TestParameters(t *testing.T) {
	p := hamlet(t, "salary Person\ntax Person: law.scale.calc(of(\"salary\", period)) * law.rate\n")
	q := asking(t, p)
	root, err := q.Explain(figure(t, p, "tax", 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(root.Parameters) != 2 || short(root.Value) != "10" {
		t.Fatalf("%s has %d parameters", root.Value.Format(), len(root.Parameters))
	}
	rate, scale := root.Parameters[0], root.Parameters[1]
	if rate.Name != "rate" || rate.Label != "Rate" || rate.Unit != "/1" || rate.Day.String() != "2024-01-01" || rate.Since != "2020-01-01" || rate.Value.Format() != "0.2" {
		t.Errorf("%+v", rate)
	}
	if title, _ := rate.References[0].Get("title"); len(rate.References) != 2 || string(scenario.AppendJSON(nil, title)) != `"Law 7"` {
		t.Errorf("the references are %s", scenario.AppendJSON(nil, legislation.Data{Kind: legislation.List, List: rate.References}))
	}
	if got := string(scenario.AppendJSON(nil, *scale.Data)); got != `[{"threshold":0,"rate":0},{"threshold":200,"rate":0.5}]` || scale.Name != "scale" || scale.Since != "2021-01-01" {
		t.Errorf("%s is %s since %s", scale.Name, got, scale.Since)
	}
}

// TestSize: a tree that would be too long is cut, and never much longer than was said.
func TestSize(t *testing.T) {
	var wide strings.Builder
	var all []string
	for i := range 60 {
		fmt.Fprintf(&wide, "leaf%d Person: of(\"salary\", period) + law.rate\n", i)
		all = append(all, fmt.Sprintf("of(\"leaf%d\", period)", i))
	}
	p := hamlet(t, "salary Person\n"+wide.String()+"trunk Person: "+strings.Join(all, " + "))
	for _, bytes := range []int{1000, 8000, 20_000} {
		q := asking(t, p)
		q.Depth, q.Bytes = 20, bytes
		root, err := q.Explain(figure(t, p, "trunk", 0), nil)
		if err != nil {
			t.Fatal(err)
		}
		text := written(root)
		opened, cut := strings.Count(text, "rate=0.2"), strings.Count(text, "cut:size")
		if len(root.Branches)+root.More != 60 || cut == 0 || opened+cut != len(root.Branches) || len(text) > bytes+500 {
			t.Errorf("%d bytes: %d branches and %d more, %d opened, %d cut, %d bytes", bytes, len(root.Branches), root.More, opened, cut, len(text))
		}
	}
}

func TestPaths(t *testing.T) {
	p := hamlet(t, law)
	for _, c := range []struct{ path, want string }{ // want is where it leads, or the step that does not lead anywhere and why
		{"income", "income[0]"}, {"income<2024>[0]", "income[0]"}, {"income net[0] tax", "tax[0]"}, {"income net[1]", "net[1]"},
		{"income net tax", "tax[0]"}, // the first of several
		{"income ned", `1: income<2024>[0] has no branch ned; it has net; did you mean "net"?`}, {"income net[7]", "1: the formula of income<2024>[0] asked for net as net<2024>[0], net<2024>[1]"},
		{"net", "0: a path begins with the figure itself, income<2024>[0]"}, {"income net[0] salary bonus", "3: salary<2024>[0] has no branches"},
		{"income net[", "1: a step of a path is"}, {"income net<soon>", "1: 'soon' is not a period"},
	} {
		root, err := asking(t, p).Explain(figure(t, p, "income", 0), strings.Fields(c.path))
		if wrong, ok := errors.AsType[*why.PathError](err); ok {
			if got := fmt.Sprintf("%d: %s", wrong.Step, wrong.Msg); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s, want %s", c.path, got, c.want)
			}
		} else if err != nil {
			t.Errorf("%s: %v", c.path, err)
		} else if got := fmt.Sprintf("%s[%d]", root.Variable.Name, root.Row); got != c.want {
			t.Errorf("%s leads to %s, want %s", c.path, got, c.want)
		}
	}
}

// TestFormulaThatFails: a figure whose formula fails is an error, and no tree.
func TestFormulaThatFails(t *testing.T) {
	p := hamlet(t, "salary Person\nwrong Person: of(\"salry\", period)\n")
	if root, err := asking(t, p).Explain(figure(t, p, "wrong", 0), nil); err == nil || !strings.Contains(err.Error(), "salry") {
		t.Errorf("%v %v", root, err)
	}
}

// TestBecauseIsStable: the same question has the same answer.
func TestBecauseIsStable(t *testing.T) {
	p := hamlet(t, law)
	var trees []string
	for range 3 {
		root, err := asking(t, p).Explain(figure(t, p, "both", 0), nil)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, written(root))
	}
	if len(slices.Compact(trees)) != 1 {
		t.Errorf("%q", trees)
	}
}

// TestSparse: a tree made of a simulation that repeats what others did is that of one that runs every formula, parameters included;
// where a formula cannot be run once more as it was, that is said.
func TestSparse(t *testing.T) {
	for name, c := range map[string]struct {
		law   string
		stale bool
	}{
		"plain":  {"salary Person\ntax Person: of('salary', period) * law.rate\ndue Person: law.scale.calc(of('salary', period))\nnet Household: of.sum(of.members('salary', period) - of.members('tax', period) - of.members('due', period))", false},
		"nobody": {"salary Person\nfixed Person: law.rate\nnet Household: of.sum(of.members('fixed', period))", false},
		"spiral": {"salary Person\nearlier Person: of('tax', period.last_year) * law.rate\ntax Person: of('salary', period) + 1 + of('earlier', period) * law.rate\nnet Household: of.sum(of.members('tax', period) + of.members('earlier', period))", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := hamlet(t, c.law)
			tell := func(o engine.Options) (string, error) {
				q := askingAs(t, p, o)
				n, err := q.Explain(figure(t, p, "net", 0), nil)
				if err != nil {
					return "", err
				}
				return written(n), nil
			}
			want, err := tell(engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			stale := false
			for range 3 {
				got, err := tell(engine.Options{Sparse: true})
				if stale = stale || errors.Is(err, why.ErrStale); err == nil && got != want || err != nil && !errors.Is(err, why.ErrStale) {
					t.Errorf("%v %s\nwant %s", err, got, want)
				}
			}
			if stale != c.stale {
				t.Errorf("stale: %t, want %t", stale, c.stale)
			}
		})
	}
}
