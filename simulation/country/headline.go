package country

import (
	"cmp"
	"context"

	"edict/simulation/legislation"
)

// incomes are names that packages give to the disposable income of a household, the likeliest first.
var incomes = []string{"disposable_income", "revenu_disponible", "household_net_income", "net_income"}

// Headline returns the variable that the package declares to be about everything: the given one (--simulation-headline), else revdisp, else the
// headline_variable of its system; "" if there is none. Names that are no variables are passed over.
func (p *Package) Headline(ctx context.Context, system *legislation.System, given string) (string, error) {
	named, err := p.Setting(ctx, "headline_variable")
	if err != nil {
		return "", err
	}
	name, _ := named.Text()
	for _, name := range []string{cmp.Or(given, "revdisp"), name} {
		if _, err := system.Lookup(name); name != "" && err == nil {
			return name, nil
		}
	}
	return "", nil
}

// Income returns the variable that stands for disposable income where a caller names none: the headline variable, else the first of the usual names
// that is a computed amount of a group; "" if there is none. Reports on populations, the catalogue and the console share this rule.
func Income(system *legislation.System, headline string) string {
	if headline != "" {
		return headline
	}
	for _, name := range incomes {
		v, err := system.Lookup(name)
		if err == nil && !v.Entity.IsPerson && !v.IsInput() && (v.Type == legislation.Float || v.Type == legislation.Int) {
			return v.Name
		}
	}
	return ""
}
