package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"edict/simulation/country"
	"edict/simulation/population"
)

// writtenReform is a reform of a provenance that is neither a key nor an object of parameters.
type writtenReform struct {
	Set    string `json:"set,omitempty"`
	File   string `json:"file,omitempty"`
	Name   string `json:"name,omitempty"` // in the file
	SHA256 string `json:"sha256,omitempty"`
}

// provenance is what reports record of the program and of the law, without reforms. The law takes today for its day.
func (c CountryConfig) provenance(env *Env, pkg *country.Package, today string) (*population.Provenance, error) {
	build := env.Build.complete(debug.ReadBuildInfo())
	hash, err := c.bareHash(pkg)
	if err != nil {
		return nil, err
	}
	about := pkg.System.Package
	p := &population.Provenance{
		Edict:   population.ProvenanceBuild{Version: build.Version, Commit: build.Commit},
		Law:     population.ProvenanceLaw{Package: about.Name, Version: about.Version, Hash: hash},
		Options: population.ProvenanceOptions{Profile: c.Profile, Today: cmp.Or(c.Today, today)},
		Dialect: strings.Join(c.Dialect, ","), Date: env.Now().UTC().Format(time.DateOnly),
	}
	for _, e := range pkg.Extensions {
		p.Law.Extensions = append(p.Law.Extensions, e.Name)
	}
	return p, nil
}

// writtenReforms are the reforms as reports record them.
func (c CountryConfig) writtenReforms() (all []json.RawMessage, err error) {
	add := func(what any) {
		text, _ := json.Marshal(what) // texts
		all = append(all, text)
	}
	for _, key := range c.Reform {
		file, name, ok := country.SplitReformFile(key)
		if !ok {
			add(key)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		add(writtenReform{File: filepath.Base(file), Name: name, SHA256: hex.EncodeToString(sum[:])})
	}
	for _, text := range c.Set {
		add(writtenReform{Set: text})
	}
	return all, nil
}

// servedProvenance is the provenance of a server's law, whose reforms both sides of every comparison have.
func (c CountryConfig) servedProvenance(env *Env, pkg *country.Package, today string) (*population.Provenance, error) {
	p, err := c.provenance(env, pkg, today)
	if err != nil {
		return nil, err
	}
	p.Base, err = c.writtenReforms()
	return p, err
}
