package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"edict/simulation/country"
	"edict/simulation/population"
)

// terms are what makes a law the same elsewhere, which the parts of a population and servers beside each other have to agree on: the
// files of the package, of its extensions and of reforms of one's own, wherever they are stored, and how they were loaded.
func (c CountryConfig) terms(pkg *country.Package) ([]population.Term, error) {
	digest, err := pkg.Digest()
	reforms := make([]string, len(c.Reform))
	for i, r := range c.Reform {
		reforms[i] = filepath.Base(r)
	}
	return []population.Term{
		{Name: "legislation", Value: digest}, {Name: "--reform", Value: strings.Join(reforms, " ")}, {Name: "--set", Value: strings.Join(c.Set, " ")},
		{Name: "--profile", Value: c.Profile}, {Name: "--dialect", Value: strings.Join(c.Dialect, ",")}, {Name: "--today", Value: c.Today},
	}, err
}

// beyondPackage is what is changed about the legislation of the package.
func (c CountryConfig) beyondPackage() string {
	return fmt.Sprintf("%q %q", c.Reform, c.Set)
}

// lawHash tells laws apart by their terms.
func (c CountryConfig) lawHash(pkg *country.Package) (string, error) {
	terms, err := c.terms(pkg)
	h := sha256.New()
	for _, t := range terms {
		fmt.Fprintf(h, "%s %q\n", t.Name, t.Value)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}
