package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/population"
)

// terms are what makes a law the same elsewhere, which the parts of a population and servers beside each other have to agree on: the
// files of the package, of its extensions and of reforms of one's own, wherever they are stored, and how they were loaded.
func (c CountryConfig) terms(pkg *country.Package) ([]population.Term, error) {
	digest, err := pkg.Digest()
	return c.termsOf(digest), err
}

// termsOf are the terms of a law whose files have a digest.
func (c CountryConfig) termsOf(digest string) []population.Term {
	reforms := make([]string, len(c.Reform))
	for i, r := range c.Reform {
		reforms[i] = filepath.Base(r)
	}
	return []population.Term{
		{Name: "legislation", Value: digest}, {Name: "--reform", Value: strings.Join(reforms, " ")}, {Name: "--set", Value: strings.Join(c.Set, " ")},
		{Name: "--profile", Value: c.Profile}, {Name: "--dialect", Value: strings.Join(c.Dialect, ",")}, {Name: "--today", Value: c.Today},
	}
}

// beyondPackage is what is changed about the legislation of the package.
func (c CountryConfig) beyondPackage() string {
	return fmt.Sprintf("%q %q", c.Reform, c.Set)
}

// lawHash tells laws apart by their terms.
func (c CountryConfig) lawHash(pkg *country.Package) (string, error) {
	terms, err := c.terms(pkg)
	for _, file := range c.Labels { // answers have these texts; results do not depend on them
		text, failed := readUpTo(file, legislation.MaxTranslation+1)
		err = errors.Join(err, failed)
		terms = append(terms, population.Term{Name: "--labels", Value: filepath.Base(file) + " " + string(text)})
	}
	return hashTerms(terms), err
}

// bareHash is the hash of the law without reforms.
func (c CountryConfig) bareHash(pkg *country.Package) (string, error) {
	digest, err := pkg.LawDigest()
	c.Reform, c.Set = nil, nil
	return hashTerms(c.termsOf(digest)), err
}

func hashTerms(terms []population.Term) string {
	h := sha256.New()
	for _, t := range terms {
		fmt.Fprintf(h, "%s %q\n", t.Name, t.Value)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
