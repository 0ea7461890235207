package legislation

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"edict/simulation/period"
	"edict/simulation/vector"
)

var (
	month = period.Month
	year  = period.Year
)

func constant(v int64) Formula {
	return FormulaFunc(func(Population, *period.Entry, Law) (vector.Column, error) { return vector.PyInt(v), nil })
}

func value(t *testing.T, f *DatedFormula) int64 {
	t.Helper()
	if f == nil {
		return -1
	}
	c, err := f.Formula.Eval(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Int(0)
}

func baseBuilder(t *testing.T) *Builder {
	t.Helper()
	household := NewGroup("household", "households", "", "", []RoleSpec{{Key: "parent", Subroles: []string{"first", "second"}}, {Key: "child", Plural: "children"}})
	b, err := NewBuilder(NewNames(), Profile{}, NewPerson("person", "persons", "", ""), household)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDefinition(t *testing.T) {
	b := baseBuilder(t)
	person := b.Entity("person")
	kinds := NewEnum("Kind", []string{"a", "b"}, []string{"A", "B"}, nil)
	bad, text, one := vector.PyFloat(1.5), vector.PyStr("x"), vector.PyInt(1)
	for _, c := range []struct {
		d    Definition
		want string
	}{
		{Definition{Name: "x", Entity: person, Period: &month}, "it has no value_type"},
		{Definition{Name: "x", Type: Float, Period: &month}, "it has no entity"},
		{Definition{Name: "x", Type: Float, Entity: person}, "it has no definition_period"},
		{Definition{Name: "x", Type: Int, Entity: person, Period: &month, Default: &bad}, "the default value 1.5 does not fit the type int"},
		{Definition{Name: "x", Type: Float, Entity: person, Period: &month, Default: &text}, "does not fit the type float"},
		{Definition{Name: "x", Type: EnumType, Entity: person, Period: &month}, "an Enum needs possible_values"},
		{Definition{Name: "x", Type: EnumType, Enum: kinds, Entity: person, Period: &month}, "an Enum needs a default_value"},
		{Definition{Name: "x", Type: Float, Entity: person, Period: &month, End: "2015-13-01"}, "is not a day"},
		{Definition{Name: "x", Type: Float, Entity: person, Period: &month, End: "2015"}, "is not a day"},
		{Definition{Name: "x", Type: Float, Entity: person, Period: &month, Formulas: []NamedFormula{{Name: "formula_20"}}}, "'formula_20' is not a name for a formula"},
		{Definition{Name: "x", Type: Float, Entity: person, Period: &month, Formulas: []NamedFormula{{Name: "formula_2015_02_30"}}}, "does not end in a day of the calendar (2015-02-30)"},
		{Definition{Name: "x", Type: Float, Entity: person, Period: &month, End: "2014-12-31", Formulas: []NamedFormula{{Name: "formula_2015"}}}, "it ends on 2014-12-31, before formula_2015 starts"},
		{Definition{Name: "x", Type: Float, Entity: NewPerson("alien", "", "", ""), Period: &month}, "is not one of the legislation's"},
	} {
		_, err := b.AddVariable(c.d)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "variable 'x'") {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	v, err := b.AddVariable(Definition{Name: "ok", Type: Float, Entity: person, Period: &month, Default: &one, Documentation: "\n    First\n      Second\n"})
	if err != nil || v.Default.Int(0) != 1 || v.SizeIndependent || v.Documentation != "\nFirst\n  Second\n" {
		t.Errorf("got %+v, %v", v, err)
	}
	if _, err := b.AddVariable(Definition{Name: "ok", Type: Float, Entity: person, Period: &month}); err == nil {
		t.Error("a variable was added twice")
	}
}

func TestDatedFormulas(t *testing.T) {
	b := baseBuilder(t)
	v, err := b.AddVariable(Definition{Name: "x", Type: Float, Entity: b.Entity("person"), Period: &month, End: "2020-06-30", Formulas: []NamedFormula{
		{Name: "formula_2015_03", Formula: constant(3)}, {Name: "formula", Formula: constant(1)}, {Name: "formula_2013", Formula: constant(2)}, {Name: "formula_2013_01_01", Formula: constant(22)}}})
	if err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]int64{"1900": 1, "2012-12-31": 1, "2013": 22, "2015-02-28": 22, "2015-03": 3, "2020-06-30": 3, "2020-07": -1} {
		i, _ := period.ParseInstant(day)
		if got := value(t, v.FormulaAt(i)); got != want {
			t.Errorf("the formula of %s is %d, want %d", day, got, want)
		}
	}
}

func TestReform(t *testing.T) {
	b := baseBuilder(t)
	person := b.Entity("person")
	one := vector.PyInt(1)
	add := func(name string, formulas ...NamedFormula) {
		if _, err := b.AddVariable(Definition{Name: name, Type: Float, Entity: person, Period: &month, Label: "label of " + name, Default: &one, Formulas: formulas}); err != nil {
			t.Fatal(err)
		}
	}
	add("a", NamedFormula{Name: "formula", Formula: constant(1)}, NamedFormula{Name: "formula_2015", Formula: constant(2)})
	add("b")
	add("c")
	root := testTree(t).Root
	b.SetParameters(root)
	base := b.Build()

	r := base.Reform("less_tax")
	if _, err := r.UpdateVariable(Definition{Name: "a", Formulas: []NamedFormula{{Name: "formula_2012", Formula: constant(7)}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReplaceVariable(Definition{Name: "b", Type: Int, Entity: person, Period: &year}); err != nil {
		t.Fatal(err)
	}
	if err := r.NeutralizeVariable("c"); err != nil {
		t.Fatal(err)
	}
	if err := r.NeutralizeVariable("cc"); err == nil || !strings.Contains(err.Error(), "did you mean 'c'?") {
		t.Errorf("got %v", err)
	}
	if _, err := r.AddVariable(Definition{Name: "d", Type: Bool, Entity: person, Period: &month}); err != nil {
		t.Fatal(err)
	}
	err := r.ModifyParameters(func(n *ParameterNode) (*ParameterNode, error) {
		item, _ := n.Find("taxes", "rate")
		return n, item.(*Parameter).Update(period.Instant{Year: 2016, Month: 1, Day: 1}, nil, DataOf(vector.PyFloat(0.5)))
	})
	if err != nil {
		t.Fatal(err)
	}
	reformed := r.Build()
	checkReform(t, base, reformed)
}

func checkReform(t *testing.T, base, reformed *System) {
	t.Helper()
	at := func(s *System, name string, y int16) int64 {
		v, err := s.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		return value(t, v.FormulaAt(period.Instant{Year: y, Month: 1, Day: 1}))
	}
	if at(base, "a", 2013) != 1 || at(reformed, "a", 2013) != 7 || at(reformed, "a", 2011) != 1 || at(reformed, "a", 2016) != 7 {
		t.Error("the formulas of a are wrong")
	}
	a, _ := reformed.Lookup("a")
	b, _ := reformed.Lookup("b")
	c, _ := reformed.Lookup("c")
	if a.Label != "label of a" || a.Default.Int(0) != 1 || b.Label != "" || b.Type != Int || !c.Neutralized || c.Label != "[Neutralized] label of c" {
		t.Errorf("the attributes are wrong: %+v %+v %+v", a, b, c)
	}
	if original, _ := base.Lookup("c"); original.Neutralized || original.ID != c.ID {
		t.Error("the base changed, or a number")
	}
	if _, err := base.Lookup("d"); err == nil || base.Variable(99) != nil || len(base.Variables()) != 3 || len(reformed.Variables()) != 4 {
		t.Error("the base has a variable of the reform")
	}
	rate := func(s *System) float64 {
		view, _ := s.Parameters().On(period.Instant{Year: 2017, Month: 1, Day: 1})
		v, err := view.Find("taxes", "rate")
		if err != nil {
			t.Fatal(err)
		}
		return v.Leaf.Scalar.Float(0)
	}
	if rate(base) != 0.13 || rate(reformed) != 0.5 || reformed.Baseline() != base || reformed.Key != "less_tax" {
		t.Error("the parameters are wrong")
	}
	if untouched := base.Reform("nothing").Build(); untouched.Parameters() != base.Parameters() {
		t.Error("a reform that leaves the parameters alone does not share them")
	}
}

func TestExtension(t *testing.T) {
	b := baseBuilder(t)
	b.SetParameters(testTree(t).Root)
	base := b.Build()
	extra := NewParameterNode("")
	extra.Children.Set("extra", NewParameterNode("extra"))
	r := base.Reform("")
	if err := r.MergeParameters(extra); err != nil {
		t.Fatal(err)
	}
	if err := r.MergeParameters(extra); err == nil {
		t.Error("the same child was merged twice")
	}
	if _, ok := r.Build().Parameters().Root.Find("extra"); !ok {
		t.Error("the extension has no parameters")
	}
	if _, ok := base.Parameters().Root.Find("extra"); ok {
		t.Error("the extension changed its base")
	}
}

func TestCatalogue(t *testing.T) {
	base := baseBuilder(t).Build()
	var made atomic.Int32
	reforms := NewOrdered[ReformMaker]()
	for _, name := range []string{"one", "two"} {
		reforms.Set(name, func(_ context.Context, s *System) (*System, error) {
			made.Add(1)
			return s.Reform(name).Build(), nil
		})
	}
	reforms.Set("broken", func(context.Context, *System) (*System, error) { return nil, errors.New("no") })
	c := NewCatalogue(base, reforms, nil)
	var wg sync.WaitGroup
	systems := make([]*System, 8)
	for i := range systems {
		wg.Go(func() { systems[i], _ = c.System(context.Background(), "one", "two") })
	}
	wg.Wait()
	first := systems[0]
	if slices.ContainsFunc(systems, func(s *System) bool { return s != first }) || made.Load() != 2 {
		t.Errorf("the composition was made several times (%d reforms)", made.Load())
	}
	if first.Key != "two" || first.Baseline().Key != "one" || first.Baseline().Baseline() != base {
		t.Error("the reforms were applied in the wrong order")
	}
	if s, _ := c.System(context.Background()); s != base {
		t.Error("no reforms are not the base")
	}
	if _, err := c.System(context.Background(), "twoo"); err == nil || !strings.Contains(err.Error(), "did you mean 'two'?") {
		t.Errorf("got %v", err)
	}
	if _, err := c.System(context.Background(), "broken"); err == nil {
		t.Error("a broken reform gave a system")
	}
}

func TestEntity(t *testing.T) {
	e := NewGroup("household", "households", "", "", []RoleSpec{{Key: "parent", Subroles: []string{"first", "second"}}, {Key: "head", Max: 1}, {Key: "child"}})
	parent, first, child := e.Role("parent"), e.Role("first"), e.Role("child")
	if len(e.Flattened) != 4 || parent.Index != -1 || first.Index != 0 || child.Index != 3 || parent.Max != 2 || first.Max != 1 {
		t.Error("the roles are numbered wrongly")
	}
	if !parent.Covers(first) || parent.Covers(child) || parent.Covers(parent) || !child.Covers(child) {
		t.Error("Covers is wrong")
	}
	if e.UniqueRole("parent") != nil || e.UniqueRole("head") == nil || e.UniqueRole("second") == nil || e.UniqueRole("child") != nil {
		t.Error("UniqueRole is wrong")
	}
	if e.Constant("FIRST") != first || e.Constant("first") != nil {
		t.Error("Constant is wrong")
	}
	if _, err := NewBuilder(NewNames(), Profile{}, e); err == nil {
		t.Error("a legislation without persons was accepted")
	}
}

func TestEncode(t *testing.T) {
	e := NewEnum("Kind", []string{"a", "b", "c"}, []string{"A", "B", "C"}, nil)
	for _, c := range []struct {
		in   vector.Column
		want string
	}{
		{vector.Strs([]string{"b", "a"}), "b a"},
		{vector.Of([]int32{2, 0}), "c a"},
		{vector.Objects([]any{"c", "b"}), "c b"},
		{vector.Const(3, int64(1)), "b b b"},
		{vector.Strs([]string{"b", "z"}), "'z' is not a value of Kind"},
		{vector.Of([]int64{3}), "no member with that index"},
		{vector.Of([]float64{1}), "cannot be made of float64"},
		{vector.Objects([]any{1.5}), "neither a name nor a member"},
	} {
		got, err := e.Encode(c.in, nil)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			continue
		}
		var names []string
		for i := range got.Len() {
			names = append(names, got.Text(i))
		}
		if strings.Join(names, " ") != c.want || got.Domain() != e.Domain {
			t.Errorf("got %v, want %s", names, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"salaire_net", "salaire_de_base", "age", "rsa", "revenu_disponible"}
	for name, want := range map[string]string{"salaire_ent": "salaire_net", "salaire_bse": "salaire_net", "aeg": "age", "revenu_disponibel": "revenu_disponible", "xyz": "", "rsaa": "rsa"} {
		if got := Nearest(name, slices.Values(known)); got != want {
			t.Errorf("nearest to %s is %q, want %q", name, got, want)
		}
	}
}
