package country

import (
	"regexp"

	py "edict/simulation/pyeval"
)

// unknownName finds the name that is meant in the messages of NameError and ImportError.
var unknownName = regexp.MustCompile(`^(?:name|cannot import name) '(\w+)'`)

// formerNames are names that OpenFisca-Core once had, with their replacements.
var formerNames = map[string]string{
	"missing_value":                       withoutBase,
	"permanent_default_value":             withoutBase,
	"requested_period_default_value":      withoutBase,
	"requested_period_last_or_next_value": withoutBase,
	"requested_period_last_value":         withoutBase,
}

const withoutBase = "base_function is gone since OpenFisca-Core 31: load the package with --dialect core30, or leave the attribute out, and give a variable whose inputs hold for longer periods set_input = set_input_dispatch_by_period"

// remedy says how to mend what a package does wrong, if that is known, after the message.
func remedy(e *py.Error) string {
	switch e.Class {
	case "ModuleNotFoundError":
		return "; packages have OpenFisca-Core, numpy, dateutil, parts of pandas, scipy and the standard library, and the packages that are installed or given with them"
	case "NameError", "ImportError":
		if m := unknownName.FindStringSubmatch(e.Message); m != nil {
			if now, ok := formerNames[m[1]]; ok {
				return "; " + now
			}
		}
	}
	return ""
}
