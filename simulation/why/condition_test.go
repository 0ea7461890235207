package why_test

import (
	"fmt"
	"strings"
	"testing"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/pysyntax"
	"edict/simulation/why"
)

// told writes what made a figure of ann's zero: each condition with its value, and its sides in braces.
func told(t *testing.T, p *country.Package, name string) string {
	t.Helper()
	root, err := asking(t, p).Explain(figure(t, p, name, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range root.Because {
		text := c.Text + " is " + short(c.Is)
		for _, s := range c.Sides {
			values := []string{short(s.Value)}
			if s.Values != nil {
				values = nil
			}
			for _, v := range s.Values {
				values = append(values, short(v))
			}
			text += fmt.Sprintf(" {%s %s %s%s}", s.Text, strings.Join(values, "+"), s.Variable, s.Parameter)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// TestConditions: the zero of a formula is followed to where it began. Ann earns 300, and nobody has a gift.
func TestConditions(t *testing.T) {
	const salary, gift, poor, rich = `of("salary", period)`, `of("gift", period)`, `(of("salary", period) < 100)`, `(of("salary", period) > 1000)`
	const isPoor, isRich = "of('salary', period) < 100 is false {of('salary', period) 300 salary} {100 100 }", "of('salary', period) > 1000 is false {of('salary', period) 300 salary} {1000 1000 }"
	const earns, noGift = "of('salary', period) > 200 is true {of('salary', period) 300 salary} {200 200 }", "of('gift', period) is 0 {of('gift', period) 0 gift}"
	for _, c := range []struct{ name, formula, want string }{
		{"a factor", poor + " * " + salary, isPoor},
		{"all factors that are conditions", poor + " * " + salary + " * " + rich, isPoor + "; " + isRich},
		{"conditions before amounts", gift + " * " + poor, isPoor},
		{"an amount if there is no condition", salary + " * " + gift, noGift},
		{"a literal is no reason", salary + " * 0 * " + gift, noGift},
		{"nothing but a literal", salary + " * 0", "of('salary', period) * 0 is 0 {of('salary', period) 300 salary} {0 0 }"},
		{"and", "(" + salary + " > 0) & " + poor, isPoor},
		{"or", poor + " | " + rich, isPoor + "; " + isRich},
		{"+ of conditions", poor + " + " + rich, isPoor + "; " + isRich},
		{"not", salary + " * not_(" + salary + " > 200)", earns},
		{"~", salary + " * ~(" + salary + " > 200)", earns},
		{"not of or: the first that is true", "not_(" + poor + " | (" + salary + " > 200))", earns},
		{"not of and: all of them", "not_((" + salary + " > 200) & (" + salary + " > 200))", earns},
		{"1 - a condition", "1 - (" + salary + " > 200)", earns},
		{"a minus", "-" + gift, noGift},
		{"what is divided", gift + " / " + salary, noGift},
		{"a division that comes to nothing", salary + " // 1000", "of('salary', period) // 1000 is 0 {of('salary', period) 300 salary} {1000 1000 }"},
		{"a bound", "max_(" + salary + " - 500, 0)", "max_(of('salary', period) - 500, 0) is 0 {of('salary', period) - 500 -200 } {0 0 }"},
		{"the lesser", "min_(" + salary + ", " + gift + ")", noGift},
		{"rounded off", "round_(" + salary + " / 1000)", "round_(of('salary', period) / 1000) is 0 {of('salary', period) / 1000 0.3 }"},
		{"rounded", "round_(" + gift + ")", noGift},
		{"a method", gift + ".astype(float)", noGift},
		{"a function of numpy", "np.logical_and(" + rich + ", " + salary + " > 0)", isRich},
		{"where, by its condition", "where(" + poor + ", " + salary + ", 0)", isPoor},
		{"where, by its condition that is true", "where(" + salary + " > 200, 0, " + salary + ")", earns},
		{"where, by what it chose", "where(" + salary + " > 200, " + gift + ", " + salary + ")", earns + "; " + noGift},
		{"where both are zero", "where(" + salary + " > 200, " + gift + ", " + gift + " * 2)", noGift},
		{"select", "select([" + poor + ", " + salary + " > 200], [" + salary + ", 0])", earns},
		{"select of nothing", "select([" + poor + ", " + rich + "], [1, 2])", isPoor + "; " + isRich},
		{"a sum", salary + " - " + salary + " + " + gift, "of('salary', period) - of('salary', period) + of('gift', period) is 0 {of('salary', period) 300 salary} {of('salary', period) 300 salary} {of('gift', period) 0 gift}"},
		{"a sum of products", gift + " * " + poor + " + " + gift + " * " + rich, isPoor + "; " + isRich},
		{"a name", "due = " + salary + " * " + poor + "¶return due", isPoor},
		{"a name that was assigned twice", "due = " + salary + "¶due = due * " + poor + "¶return due", isPoor},
		{"a parameter", "(" + salary + " < law.rate) * " + salary, "of('salary', period) < law.rate is false {of('salary', period) 300 salary} {law.rate 0.2 rate}"},
		{"a choice of Python", "return " + gift + " if law.rate > 0.1 else " + salary + "¶", "law.rate > 0.1 is true {law.rate 0.2 rate} {0.1 0.1 }; " + noGift},
		{"an early return", "if law.rate > 0.1:¶    return " + gift + "¶return " + salary, noGift + "; law.rate > 0.1 is true {law.rate 0.2 rate} {0.1 0.1 }"},
		{"an early return that did not come", "if not law.rate > 0.1:¶    return " + salary + "¶return " + gift, noGift},
		{"a return in a loop", "for n in [1, 2]:¶    return " + gift + " * n", noGift},
		{"an own function that is called as a method of others is", "def astype(x, y):¶    return x * y¶return astype(" + salary + ", 0)", "astype(of('salary', period), 0) is 0 {of('salary', period) 300 salary} {0 0 }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := hamlet(t, "salary Person\ngift Person\nzero Person: "+c.formula)
			if got := told(t, p, "zero"); got != c.want {
				t.Errorf("%s\n  got  %s\n  want %s", c.formula, got, c.want)
			}
		})
	}
}

// TestConditionsOfGroups: numbers of persons in the formula of a group are told one by one.
func TestConditionsOfGroups(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		{`of.any(of.members("salary", period) > 1000) * 5`, "of.any(of.members('salary', period) > 1000) is false {of.members('salary', period) > 1000 false+false }"},
		{`of.sum(of.members("gift", period))`, "of.sum(of.members('gift', period)) is 0 {of.members('gift', period) 0+0 gift}"},
	} {
		p := hamlet(t, "salary Person\ngift Person\nzero Household: "+c.formula)
		if got := told(t, p, "zero"); got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s", c.formula, got, c.want)
		}
	}
}

// TestFollowed: a zero that is another variable is followed into that, and so on, but not for ever.
func TestFollowed(t *testing.T) {
	law := "salary Person\nv0 Person: of(\"salary\", period) * (of(\"salary\", period) > 1000)\n"
	for i := 1; i <= 9; i++ {
		law += fmt.Sprintf("v%d Person: of(\"v%d\", period)\n", i, i-1)
	}
	p := hamlet(t, law)
	if got, want := told(t, p, "v1"), "of('v0', period) is 0 {of('v0', period) 0 v0}; of('salary', period) > 1000 is false {of('salary', period) 300 salary} {1000 1000 }"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := strings.Count(told(t, p, "v9"), ";") + 1; got != 7 {
		t.Errorf("a zero is followed through %d variables", got)
	}
}

// TestNoReason: of what is not zero, or not computed, nothing is told; nor of a formula that has no text.
func TestNoReason(t *testing.T) {
	p := hamlet(t, "salary Person\ngift Person\ntaken Person: of(\"gift\", period)\n")
	for _, name := range []string{"salary", "gift"} {
		if got := told(t, p, name); got != "" {
			t.Errorf("%s is so because %s", name, got)
		}
	}
	q := asking(t, p)
	q.Text = func(*legislation.DatedFormula) *pysyntax.FunctionDef { return nil }
	root, err := q.Explain(figure(t, p, "taken", 0), nil)
	if err != nil || root.Origin != why.Computed || root.Because != nil {
		t.Errorf("%+v %v", root, err)
	}
}
