package legislation

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"edict/simulation/period"
	"edict/simulation/vector"
)

const reformLaw = `
tax:
  rate:
    values: {2010-01-01: 0.1, 2015: 0.2, 2020-01-01: 0.3}
  ended:
    values: {2010-01-01: 5, 2012-01-01: null}
  flag:
    values: {2010-01-01: true}
  day:
    values: {2010-01-01: "2011-05-01"}
  code:
    values: {2010-01-01: "01"}
  list:
    values: {2010-01-01: [1, 2]}
  never:
    values: {2010-01-01: null}
  zones:
    north: {values: {2010-01-01: 1}}
    south: {values: {2010-01-01: 2}}
  scale:
    brackets:
      - threshold: {2010-01-01: 0}
        rate: {2010-01-01: 0.1}
      - threshold: {2010-01-01: 100}
        rate: {2010-01-01: 0.2}
other:
  rate: {values: {2010-01-01: 7}}
`

func reformSystem(t testing.TB) *System {
	t.Helper()
	d, err := ParseYAML("law.yaml", []byte(reformLaw))
	if err != nil {
		t.Fatal(err)
	}
	root, err := BuildParameter("", d, "law.yaml", KnownKeys)
	if err != nil {
		t.Fatal(err)
	}
	person := NewPerson("person", "persons", "", "")
	b, err := NewBuilder(NewNames(), Profile{}, person)
	if err != nil {
		t.Fatal(err)
	}
	b.SetParameters(root.(*ParameterNode))
	if _, err := b.AddVariable(Definition{Name: "income", Entity: person, Type: Float, Period: &month}); err != nil {
		t.Fatal(err)
	}
	return b.Build()
}

// set applies what is written as on a command line.
func set(s *System, sets ...string) (*System, error) {
	var reforms []*Reform
	for _, text := range sets {
		r, err := ParseSet(text)
		if err != nil {
			return nil, err
		}
		reforms = append(reforms, r)
	}
	made, wrong := s.Derive(reforms...)
	if len(wrong) > 0 {
		return nil, wrong
	}
	return made, nil
}

func valueOn(t *testing.T, s *System, path, day string) string {
	t.Helper()
	at, err := period.ParseInstant(day)
	if err != nil {
		t.Fatal(err)
	}
	view, err := s.Parameters().On(at)
	if err != nil {
		t.Fatal(err)
	}
	v, err := view.Find(strings.Split(path, ".")...)
	switch {
	case err != nil:
		return "none"
	case v.Scale != nil:
		return v.Scale.String()
	case v.Leaf.Kind == List:
		return fmt.Sprint(len(v.Leaf.List))
	}
	return v.Leaf.Scalar.Repr(0)
}

func TestChangesByDay(t *testing.T) {
	base := reformSystem(t)
	for _, c := range []struct {
		sets string
		want string // of tax.rate on the days below
	}{
		{"", "none 0.1 0.2 0.3 0.3"},
		{"tax.rate=1", "1 1 1 1 1"},
		{"tax.rate=1@2016", "none 0.1 1 1 1"},
		{"tax.rate=1@2016..9999", "none 0.1 1 1 1"},
		{"tax.rate=0.5@2010-01-01", "none 0.5 0.5 0.5 0.5"},
		{"tax.rate=1@2016-01-01..2016-12-31", "none 0.1 1 0.3 0.3"},
		{"tax.rate=1@2016..2020", "none 0.1 1 1 0.3"},
		{"tax.rate=1@2012 tax.rate=2@2021", "none 0.1 1 1 2"},
		{"tax.rate=1@2012 tax.rate=2@2016-06..2016-06", "none 0.1 2 1 1"},
	} {
		system := base
		if c.sets != "" {
			var err error
			if system, err = set(base, strings.Fields(c.sets)...); err != nil {
				t.Errorf("%s: %v", c.sets, err)
				continue
			}
		}
		var got []string
		for _, day := range []string{"2009-06-01", "2011-06-01", "2016-06-15", "2020-06-01", "2022-01-01"} {
			got = append(got, valueOn(t, system, "tax.rate", day))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %s, want %s", c.sets, got, c.want)
		}
	}
	if valueOn(t, base, "tax.rate", "2020-06-01") != "0.3" {
		t.Error("the base has changed")
	}
}

func TestChangesOfEveryKind(t *testing.T) {
	base := reformSystem(t)
	for text, want := range map[string]string{
		"tax.flag=false": "False", "tax.day=2024-02-29": "'2024-02-29'", "tax.code=02": "'02'", "tax.code='x y'": "'x y'", "tax.list=[3]": "1", "tax.list=[]": "0",
		"tax.zones.north=9": "9", "tax.zones.south=-1.5e1": "-15.0", "other.rate=0": "0", "other.rate = 4 @2010-01 ": "4", "tax.code=a@b": "'a@b'", "tax.code=\"a@2\"": "'a@2'", "tax.ended=3": "3",
	} {
		path, _, _ := strings.Cut(strings.ReplaceAll(text, " =", "="), "=")
		s, err := set(base, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := valueOn(t, s, path, "2024-01-01"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"tax.scale.brackets[1].rate=0.5", "tax.scale[1].rate=0.5"} {
		s, err := set(base, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, old := valueOn(t, s, "tax.scale", "2024-01-01"), valueOn(t, base, "tax.scale", "2024-01-01"); got == old || !strings.Contains(got, "rate: 0.5") {
			t.Errorf("%s: got %s, from %s", text, got, old)
		}
	}
}

func TestWrongChanges(t *testing.T) {
	base := reformSystem(t)
	for text, want := range map[string]string{
		"tax.rat=1":                       `there is no parameter "tax.rat"; did you mean "tax.rate"?`,
		"tx.rate=1":                       `there is no parameter "tx.rate"; did you mean "tax.rate"?`,
		"north=1":                         `did you mean "tax.zones.north"?`,
		"tax.rate.more=1":                 `"tax.rate" has nothing below it`,
		"tax.zones=1":                     `"tax.zones" is not a value: name one below it; it has north, south`,
		"tax.scale=1":                     `"tax.scale" is a scale`,
		"tax.scale.rate=1":                `"tax.scale" is a scale`,
		"tax.scale.brackets[2].rate=1":    `"tax.scale" has 2 brackets, brackets[0] to brackets[1]`,
		"tax.scale.brackets[-1].rate=1":   `"tax.scale" has 2 brackets`,
		"tax.scale.brackets[x].rate=1":    `"tax.scale" has 2 brackets`,
		"tax.scale.brackets[1=1":          `"tax.scale" has 2 brackets`,
		"tax.scale.brackets[0].amount=1":  `has threshold, rate`,
		"tax.scale.xx[1].rate=1":          `"tax.scale" has no "xx[1]": write "tax.scale.brackets[0].`,
		"tax.scale.bracket[1].rate=1":     `"tax.scale" has no "bracket[1]"`,
		"tax.scale[0].brackets[1].rate=1": `has threshold, rate`,
		"tax.rate=true":                   `"tax.rate" takes numbers, got a truth value`,
		"tax.rate=x":                      `"tax.rate" takes numbers, got the text "x"`,
		"tax.rate=null":                   `"tax.rate" takes numbers, got null`,
		"tax.rate=[1]":                    `"tax.rate" takes numbers, got a list`,
		"tax.rate=inf":                    `got the text "inf"`,
		"tax.flag=1":                      `"tax.flag" takes true and false, got a number`,
		"tax.day=tomorrow":                `"tax.day" takes days such as "2024-01-31", got the text "tomorrow"`,
		"tax.list=1":                      `"tax.list" takes lists of numbers, got a number`,
		"tax.list=[a]":                    `"tax.list" takes lists of numbers, got a list`,
		"tax.never=1":                     `"tax.never" has no value on any day`,
		"tax.rate=1@2009":                 `"tax.rate" has no value before 2010-01-01: give a day from then on, not 2009-01-01`,
		"tax.rate=1@2011-02-29":           `is no day`,
		"tax.rate=1@":                     `is no day`,
		"tax.rate=1@2011..":               `is no day`,
		"tax.rate=1@2011..2010":           `ends before it begins`,
		"tax.rate":                        `is not PATH=VALUE`,
		"=1":                              `is not PATH=VALUE`,
		"tax.rate=":                       `there is no value`,
	} {
		_, err := set(base, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// TestDerivedSystemsShare: what is not on the way to a change is the same, and so is what was found out about it.
func TestDerivedSystemsShare(t *testing.T) {
	base := reformSystem(t)
	s, err := set(base, "tax.scale.brackets[0].rate=0.5")
	if err != nil {
		t.Fatal(err)
	}
	day := period.Instant{Year: 2020, Month: 1, Day: 1}
	views := [2]*View{}
	for i, system := range []*System{base, s} {
		if views[i], err = system.Parameters().On(day); err != nil {
			t.Fatal(err)
		}
	}
	for path, shared := range map[string]bool{"other": true, "tax.zones": true, "tax": false, "tax.scale": false} {
		a, errA := views[0].Find(strings.Split(path, ".")...)
		b, errB := views[1].Find(strings.Split(path, ".")...)
		if errA != nil || errB != nil || (a == b) != shared {
			t.Errorf("%s: the same is %v, want %v (%v, %v)", path, a == b, shared, errA, errB)
		}
	}
	if &base.order[0] != &s.order[0] || s.DerivedFrom() != base {
		t.Error("the variables are not those of the base")
	}
	again, err := set(s, "other.rate=1")
	if err != nil || again.DerivedFrom() != base || valueOn(t, again, "tax.scale", "2020-01-01") != valueOn(t, s, "tax.scale", "2020-01-01") {
		t.Errorf("a change of a derived system: %v", err)
	}
}

// TestSharedItems: an item that is the child of two nodes changes in both, as in a copy of the tree.
func TestSharedItems(t *testing.T) {
	base := reformSystem(t)
	root := base.Parameters().Root.Clone()
	zones, _ := root.Find("tax", "zones")
	other, _ := root.Find("other")
	if err := other.(*ParameterNode).AddChild("zones", zones); err != nil {
		t.Fatal(err)
	}
	b := base.Reform("shared")
	b.SetParameters(root)
	for _, path := range []string{"tax.zones.north", "other.zones.north"} {
		s, err := set(b.Build(), path+"=5")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"tax.zones.north", "other.zones.north"} {
			if got := valueOn(t, s, path, "2020-01-01"); got != "5" {
				t.Errorf("%s is %s", path, got)
			}
		}
	}
}

// TestTouches: a formula that has read what changed is known, in whatever system it read it.
func TestTouches(t *testing.T) {
	base := reformSystem(t)
	derive := func(text string) *Tree {
		s, err := set(base, text)
		if err != nil {
			t.Fatal(err)
		}
		return s.Parameters()
	}
	rate, scale, north := derive("tax.rate=1"), derive("tax.scale[0].rate=1"), derive("tax.zones.north=1")
	view, err := rate.On(period.Instant{Year: 2020, Month: 1, Day: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := &testFormula{1}, &testFormula{2}, &testFormula{3}
	view.ReadPath(a, base.Names().Path("tax", "rate"))
	view.ReadPath(a, base.Names().Path("tax")) // a node: nothing of it is read yet
	tax, _ := view.Find("tax")
	tax.Node.ReadChild(b, "scale")
	tax.Node.ReadChild(b, "zones")
	zones, _ := view.Find("tax", "zones")
	zones.Node.ReadAll(c)
	for name, is := range map[string]bool{
		"rate a": rate.Touches(a), "scale b": scale.Touches(b), "north c": north.Touches(c),
		"not rate b": !rate.Touches(b), "not rate c": !rate.Touches(c), "not scale a": !scale.Touches(a), "not scale c": !scale.Touches(c),
		"not north a": !north.Touches(a), "not north b": !north.Touches(b), "annual": rate.Touches(annualFormula{inner: a}), "base": !base.Parameters().Touches(a),
	} {
		if !is {
			t.Error(name)
		}
	}
}

type testFormula struct{ n int }

func (*testFormula) Eval(Population, *period.Entry, Law) (vector.Column, error) {
	return vector.Column{}, ErrNoValue
}

// TestCatalogueIsBounded: ten thousand reforms leave a bounded number of systems; the last is kept, and made once.
func TestCatalogueIsBounded(t *testing.T) {
	c := NewCatalogue(reformSystem(t), NewOrdered[ReformMaker](), nil)
	compose := func(i int) *System {
		r, err := ParseSet(fmt.Sprintf("tax.rate=%d", i))
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Compose(context.Background(), []Step{{Data: r}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := compose(0)
	for i := range 10_000 {
		compose(i)
		if i < maxSystems/2 && compose(0) != first {
			t.Fatal("a system that is in use was forgotten")
		}
	}
	if !c.Keeps(compose(maxSystems)) || c.Keeps(first) || c.Keeps(c.base) {
		t.Error("the catalogue does not tell what it keeps")
	}
	if n := len(c.made); n > maxSystems || n != len(c.recent) {
		t.Errorf("%d systems are kept, %d in order", n, len(c.recent))
	}
	if latest := compose(9_999); compose(9_999) != latest || compose(0) == first {
		t.Error("the latest is made again, or the oldest kept")
	}
}

// TestHeavySystemsAreForgotten: what was learned about systems counts, too.
func TestHeavySystemsAreForgotten(t *testing.T) {
	c := NewCatalogue(reformSystem(t), NewOrdered[ReformMaker](), nil)
	for i := range 10 {
		r, err := ParseSet(fmt.Sprintf("tax.rate=%d", i))
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Compose(context.Background(), []Step{{Data: r}})
		if err != nil {
			t.Fatal(err)
		}
		s.Memory(func() any { return heavy(systemBytes / 4) })
	}
	if n := len(c.made); n > 5 {
		t.Errorf("%d systems of a quarter of the memory each are kept", n)
	}
}

type heavy int64

func (h heavy) Weight() int64 { return int64(h) }

func TestStepsInOrder(t *testing.T) {
	base := reformSystem(t)
	makers := NewOrdered[ReformMaker]()
	for _, key := range []string{"a", "b"} {
		makers.Set(key, func(_ context.Context, s *System) (*System, error) { return s.Reform(s.Key + key).Build(), nil })
	}
	c := NewCatalogue(base, makers, nil)
	data := func(after string) Step { return Step{Data: &Reform{Base: after, Neutralize: []string{"income"}}} }
	for _, test := range []struct {
		steps []Step
		key   string // of the system that data was applied to
	}{
		{[]Step{data("")}, ""}, {[]Step{data("a")}, "a"}, {[]Step{{Key: "a"}, data("a")}, "a"}, {[]Step{{Key: "b"}, data("a")}, "ba"},
		{[]Step{data(""), data("a")}, "a"}, {[]Step{data("a"), data("b")}, "ab"},
	} {
		s, err := c.Compose(context.Background(), test.steps)
		if err != nil || s.DerivedFrom().Key != test.key {
			t.Errorf("%v: applied to %q, %v", test.steps, s.DerivedFrom().Key, err)
		}
	}
	s, err := c.Compose(context.Background(), []Step{data(""), {Key: "b"}})
	if err != nil || s.DerivedFrom() != nil || s.Key != "b" || !s.byName["income"].Neutralized {
		t.Errorf("a reform with a key after data: %v", err)
	}
	_, err = c.Compose(context.Background(), []Step{{Key: "x"}, data("y"), {Data: &Reform{Neutralize: []string{"incom"}}}})
	if got := err.Error(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "did you mean 'income'?") {
		t.Errorf("not everything is told: %s", got)
	}
}

func FuzzParseSet(f *testing.F) {
	for _, text := range []string{"tax.rate=1", "tax.scale.brackets[1].rate=0.5@2020-01-01", "tax.list=[1,2]@2011..2012", "tax.code='a@b'", "tax.scale[0].threshold=-1e3@2010", "a=b=c@d"} {
		f.Add(text)
	}
	base := reformSystem(f)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseSet(text)
		if err != nil {
			return
		}
		if s, wrong := base.Derive(r); (s == nil) == (len(wrong) == 0) {
			t.Errorf("%q: %v", text, wrong)
		}
	})
}

func FuzzReadReform(f *testing.F) {
	f.Add(`{"name": "x", "parameters": {"tax.rate": {"2020-01-01": 1, "2021..2022": 0.5}}, "neutralize": ["income"], "base": "a"}`)
	f.Add(`{"parameters": {"tax.scale.brackets[0].rate": {"2020.2021": []}, "tax.list": {"2020": [1, true, "x"]}}}`)
	f.Add(`{"parameters": {"": {"": null}}, "neutralize": [[]]}`)
	base := reformSystem(f)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseYAML("reform", []byte(text))
		if err != nil || d.Kind != Mapping {
			return
		}
		r, wrong := ReadReform(d)
		if len(wrong) > 0 {
			return
		}
		if s, wrong := base.Derive(r); (s == nil) == (len(wrong) == 0) {
			t.Errorf("%q: %v", text, wrong)
		}
		_ = r.content()
	})
}
