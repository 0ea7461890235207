package simapi

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"edict/platform/heap"
	"edict/simulation/country"
	"edict/simulation/decomposition"
	"edict/simulation/lawgraph"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/population"
	"edict/simulation/search"
)

// law is the legislation that is served, with what answers derive from it once. It is safe for concurrent use.
type law struct {
	pkg            *country.Package
	system         *legislation.System
	catalogue      *legislation.Catalogue
	headline       string   // "" if there is none
	income         string   // what stands for disposable income; "" if nothing does
	name, version  []string // of the package, as values of headers
	hash           []string // of the legislation, as the value of a header; nil for none
	decompositions *decomposition.Library
	provenance     *population.Provenance // nil: reports have none

	graph       *lawgraph.Graph
	sources     *lawgraph.Sources // those of the graph
	words       later[*search.Index]
	reformed    reformedWords
	documents   documents               // the catalogue
	periods     heap.Pool[period.Table] // those of a request are mostly those of the requests before it
	played, ran atomic.Int64            // simulations
	transcripts *transcripts
	examples    legislation.Data
	specOnce    sync.Once
	spec        object // of OpenFisca's interface, but for the address of the server
}

func newLaw(ctx context.Context, p *country.Package, system *legislation.System, headline string) (*law, error) {
	l := &law{
		pkg: p, system: system, catalogue: p.Catalogue(system),
		name: []string{system.Package.Name}, version: []string{system.Package.Version},
		graph: lawgraph.New(p, system), transcripts: newTranscripts(), periods: heap.Pool[period.Table]{New: period.NewTable},
	}
	l.sources = l.graph.Sources
	var err error
	if l.examples, err = p.Setting(ctx, "open_api_config"); err != nil {
		return nil, err
	}
	if l.headline, err = p.Headline(ctx, system, headline); err != nil {
		return nil, err
	}
	l.income = country.Income(system, l.headline)
	l.decompositions, err = decompositionsOf(ctx, p, l.headline)
	return l, err
}

func decompositionsOf(ctx context.Context, p *country.Package, headline string) (*decomposition.Library, error) {
	file, err := p.Setting(ctx, "decomposition_file_path")
	if err != nil {
		return nil, err
	}
	path, _ := file.Text()
	return decomposition.Open(p.Source.FS, p.Source.Name, path, headline)
}

// CheckParts reports labels of decompositions that name a code which no decomposition of the package has.
func CheckParts(ctx context.Context, p *country.Package) (legislation.Problems, error) {
	texts := p.System.Translations()
	if texts == nil {
		return nil, nil
	}
	library, err := decompositionsOf(ctx, p, "")
	if err != nil {
		return nil, err
	}
	return texts.CheckParts(library.Codes()), nil
}

// repository is the address of a file of the package on the web, as its project tells it; "" if it does not.
func (l *law) repository(file string) string {
	p := l.system.Package
	if p.URL == "" {
		return ""
	}
	return p.URL + "/blob/" + p.Version + "/" + strings.TrimPrefix(file, "/")
}
