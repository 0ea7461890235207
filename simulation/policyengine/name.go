package policyengine

import (
	"fmt"
	"strings"
)

// Country is the country of a package or a file that is named as PolicyEngine's are, as its API calls it; "" of any other one.
func Country(name string) string {
	country, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(name), "-", "_"), "policyengine_")
	if end := strings.IndexFunc(country, func(r rune) bool { return r < 'a' || r > 'z' }); end >= 0 {
		country = country[:end]
	}
	switch {
	case country == "canada":
		return "ca"
	case !ok || len(country) != 2:
		return ""
	}
	return country
}

// Remedy names what computes a package where inputs would be taken as they are given. beyond is code that its class Simulation hands itself to, which
// is not run here; "" for none.
func Remedy(name, beyond string) string {
	country := Country(name)
	switch {
	case beyond != "" && country != "":
		return fmt.Sprintf("Its class Simulation hands itself to %s, which does not run here. POST /%s/calculate computes households without that step; edict test and edict check also work.", beyond, country)
	case beyond != "":
		return fmt.Sprintf("Its class Simulation hands itself to %s, which does not run here. edict test and edict check work.", beyond)
	case country != "":
		return fmt.Sprintf("Households work: edict calculate, /calculate, /api/1/calculate and POST /%s/calculate of a server for this package.", country)
	}
	return "Households work: edict calculate, /calculate and /api/1/calculate of a server for this package."
}
