package scenario

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
)

// The texts of this file are the contract of the OpenFisca web API: clients match on them, so they are the same here,
// word for word.

const (
	textNoPeriod = "Can't deal with type: expected object. Input variables should be set for specific periods. For instance: " +
		"{'salary': {'2017-01': 2000, '2017-02': 2500}}, or {'birth_date': {'ETERNITY': '1980-01-01'}}."
	textDocument = "<https://openfisca.org/doc/coding-the-legislation/"
)

func textType(want string) string { return "Invalid type: must be of type '" + want + "'." }

// textNearest is what texts about a name that nobody knows end with. The original has no such sentence.
func textNearest(name string, known iter.Seq[string]) string {
	if len(name) < 3 {
		return "" // everything short is close to everything else that is short
	}
	if near := legislation.Nearest(name, known); near != "" {
		return " Did you mean '" + near + "'?"
	}
	return ""
}

func textUnexpectedEntities(unexpected, known []string) string {
	return "Some entities in the situation are not defined in the loaded tax and benefit system. " +
		"These entities are not found: " + strings.Join(unexpected, ", ") + ". " +
		"The defined entities are: " + strings.Join(known, ", ") + "." + textNearest(unexpected[0], slices.Values(known))
}

func textNobody(person *legislation.Entity) string {
	return fmt.Sprintf("No %s found. At least one %s must be defined to run a simulation.", person.Key, person.Key)
}

func textAxesNeed(group *legislation.Entity) string {
	return fmt.Sprintf("We could not find any specified %s. In order to expand over axes, all group entities and roles "+
		"must be fully specified. For further support, please do not hesitate to take a look at the official documentation: "+
		"https://openfisca.org/doc/simulate/replicate-simulation-inputs.html.", group.Plural)
}

func textUnknownPerson(person, group, role, plural string, known []string) string {
	return fmt.Sprintf("Unexpected value: %s. %s has been declared in %s %s, but has not been declared in %s.", person, person, group, role, plural) +
		textNearest(person, slices.Values(known))
}

func textTwice(person, plural string) string {
	return fmt.Sprintf("%s has been declared more than once in %s", person, plural)
}

func textTooMany(role *legislation.Role, name, group string, count int) string {
	return fmt.Sprintf("There can be at most %d %s in a %s. %d were declared in '%s'.", role.Max, name, role.Entity.Key, count, group)
}

func textOtherEntity(v *legislation.Variable, e *legislation.Entity) string {
	return fmt.Sprintf("You tried to compute the variable '%s' for the entity '%s'; however the variable '%s' is defined for '%s'. "+
		"Learn more about entities in our documentation: %s50_entities.html>.", v.Name, e.Plural, v.Name, v.Entity.Plural, textDocument)
}

// textUnknownVariable says where renames are listed if the package is one of OpenFisca's, which are published with their
// changelog; of any other, where the names are.
func textUnknownVariable(name string, s *legislation.System) string {
	origin, remedy := s.Package.Name, "GET /variables lists all names."
	if s.Package.Version != "" {
		origin += "@" + s.Package.Version
	}
	if official(s.Package.Name) {
		remedy = "If this code used to work and suddenly does not, this is most probably linked to an update of the tax and benefit system. " +
			"Look at its changelog to learn about renames and removals and update your code. If it is an official package, " +
			"it is probably available on <https://github.com/openfisca/" + s.Package.Name + "/blob/main/CHANGELOG.md>."
	}
	return fmt.Sprintf("You tried to calculate or to set a value for variable '%s', but it was not found in the loaded tax and benefit system (%s). "+
		"Are you sure you spelled '%s' correctly? %s", name, origin, name, remedy) + textNearest(name, s.VariableNames())
}

// official reports whether a package bears the name that those of OpenFisca bear.
func official(name string) bool {
	return strings.HasPrefix(strings.ToLower(name), "openfisca")
}

// textPeriod says why a text is no period that can be used: it has not the form of one, or it has and names no day.
func textPeriod(text string, err error) string {
	if !errors.Is(err, period.ErrSyntax) {
		start := text
		if _, after, prefixed := strings.Cut(text, ":"); prefixed {
			start, _, _ = strings.Cut(after, ":")
		}
		if start == "0000" {
			return "year 0 is out of range"
		}
		return "Unable to parse string [" + start + "]"
	}
	return fmt.Sprintf("Expected a period (eg. '2017', 'month:2017-01', 'week:2017-W01-1:3', ...); got: '%s'. "+
		"Learn more about legal period formats in OpenFisca: %s35_periods.html#periods-in-simulations>.", text, textDocument)
}

func textEnum(value string, v *legislation.Variable) string {
	return fmt.Sprintf("'%s' is not a known value for '%s'. Possible values are ['%s'].", value, v.Name, strings.Join(v.Enum.Domain.Members, "', '"))
}

func textValue(v *legislation.Variable, value string) string {
	if v.Type == legislation.Date {
		return fmt.Sprintf("Can't deal with date: '%s'.", value)
	}
	return fmt.Sprintf("Can't deal with value: expected type %s, received '%s'.", v.Type.JSONType(), value)
}

func textForbidden(expression string) string {
	return "Expression " + expression + " has forbidden control characters."
}

func textTooLarge(v *legislation.Variable, value string) string {
	return fmt.Sprintf("Can't deal with value: '%s', it's too large for type '%s'.", value, v.Type.JSONType())
}

func textMismatch(e *engine.PeriodMismatch) string {
	if e.Period.Unit == period.Eternity {
		return fmt.Sprintf("Unable to set a value for variable %s for ETERNITY. %s is only defined for %ss. Please adapt your input.", e.Variable, e.Variable, e.Unit)
	}
	length := e.Period.Unit.String()
	if e.Period.Size != 1 {
		length = fmt.Sprintf("%d-%ss", e.Period.Size, e.Period.Unit)
	}
	return fmt.Sprintf(`Unable to set a value for variable "%s" for %s-long period "%s". `+
		`"%s" can only be set for one %s at a time. Please adapt your input. `+
		`If you are the maintainer of "%s", you can consider adding it a set_input attribute to enable automatic period casting.`,
		e.Variable, length, e.Period, e.Variable, e.Unit, e.Variable)
}

func textLength(v *legislation.Variable, value legislation.Data, length, count int) string {
	return fmt.Sprintf(`Unable to set value "%s" for variable "%s", as its length is %d while there are %d %s in the simulation.`,
		pythonText(value), v.Name, length, count, v.Entity.Plural)
}
