// Command compare runs the same situations on edict and on OpenFisca-Core and compares every column that either holds at
// the end, bit for bit. README.md describes the files in between.
//
//	go -C bench run ./compare -python PYTHON -country DIR [-count 500] [-seed 1] [-year 2016:2022] [-output NAME]…
//	go -C bench run ./compare -country DIR -situations FILE -reference FILE
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"edict/bench/numpy"
	"edict/countries"
	"edict/simulation/country"
	"edict/simulation/legislation"
)

// settings are the flags.
type settings struct {
	python, country       string
	extensions, reforms   list
	outputs               list
	count, seed           int
	year                  string
	situations, reference string
	most                  int
	ourselves, scripts    bool
	variations, more      int
	changes, variables    int

	catalogue *legislation.Catalogue // of the systems derived by reforms of situations
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

func main() {
	var s settings
	flag.StringVar(&s.python, "python", "", "a Python with OpenFisca-Core, to make situations and run the reference")
	flag.StringVar(&s.country, "country", "", "directory of the country package; the embedded one if empty")
	flag.Var(&s.extensions, "extension", "directory of an extension")
	flag.Var(&s.reforms, "reform", "full path of a reform")
	flag.Var(&s.outputs, "output", "variable to compute first in every situation")
	flag.IntVar(&s.count, "count", 500, "how many situations")
	flag.IntVar(&s.seed, "seed", 1, "what the situations are drawn from")
	flag.StringVar(&s.year, "year", "2016:2022", "years of the situations")
	flag.StringVar(&s.situations, "situations", "", "file of situations that were made before")
	flag.StringVar(&s.reference, "reference", "", "file of what the reference gave for them")
	flag.IntVar(&s.most, "most", 5, "how many situations that differ to describe")
	flag.BoolVar(&s.ourselves, "afresh", false, "compare with edict itself, every formula run, instead of the reference; needs -situations")
	flag.BoolVar(&s.scripts, "scripted", false, "compare variations of situations, played from scripts, with every formula run; needs -situations")
	flag.IntVar(&s.variations, "variations", 20, "how many variations of each, with -scripted")
	flag.IntVar(&s.more, "more", 6, "how many variables to compute beside the outputs, with -scripted")
	flag.IntVar(&s.changes, "changes", 0, "change random parameters, by data here and by a Python reform there: one reform for so many situations in a row; 0 for none")
	flag.IntVar(&s.variables, "variables", 0, "compute only so many variables, drawn from the seed: a large package has thousands; 0 for all")
	flag.Parse()
	different, err := s.run(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
	if different > 0 {
		os.Exit(1)
	}
}

func (s *settings) run(ctx context.Context) (different int, err error) {
	pkg, system, err := s.load(ctx)
	if err != nil {
		return 0, err
	}
	s.catalogue = legislation.NewCatalogue(system, legislation.NewOrdered[legislation.ReformMaker](), pkg.Complete)
	switch {
	case s.ourselves:
		return s.afresh(ctx, system)
	case s.scripts:
		return s.scripted(ctx, system)
	}
	if s.situations == "" || s.reference == "" {
		dir, err := os.MkdirTemp("", "compare")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
		if err := s.ask(ctx, pkg, dir); err != nil {
			return 0, err
		}
	}
	return s.compare(ctx, system)
}

func (s *settings) load(ctx context.Context) (*country.Package, *legislation.System, error) {
	version, err := s.numpy(ctx)
	if err != nil {
		return nil, nil, err
	}
	src, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if s.country != "" {
		src, err = country.Open(s.country)
	}
	if err != nil {
		return nil, nil, err
	}
	var extensions []*country.Source
	for _, path := range s.extensions {
		e, err := country.Open(path)
		if err != nil {
			return nil, nil, err
		}
		extensions = append(extensions, e)
	}
	pkg, err := country.Load(ctx, country.Options{Now: time.Now(), NEP50: version.NEP50()}, src, extensions...)
	if err != nil {
		return nil, nil, err
	}
	system, err := pkg.Compose(ctx, pkg.System, s.reforms)
	return pkg, system, err
}

// numpy is the version that the reference has or had: edict combines types as that one does.
func (s *settings) numpy(ctx context.Context) (version numpy.Version, err error) {
	switch {
	case s.ourselves || s.scripts:
		return "", nil
	case s.situations != "" && s.reference != "":
		file, err := os.Open(s.reference)
		if err != nil {
			return "", err
		}
		defer file.Close()
		var header struct{ Numpy numpy.Version }
		if err := json.NewDecoder(file).Decode(&header); err != nil {
			return "", fmt.Errorf("%s: %w", s.reference, err)
		}
		version = header.Numpy
	case s.python == "":
		return "", errors.New("give the location of a Python with OpenFisca-Core with -python, or files with -situations and -reference")
	default:
		if version, err = numpy.Ask(ctx, s.python); err != nil {
			return "", err
		}
	}
	fmt.Printf("the reference has numpy %s, edict combines types as --dialect %s\n", version, version.Dialect())
	return version, nil
}

// ask lets Python make the situations and run them.
func (s *settings) ask(ctx context.Context, pkg *country.Package, dir string) error {
	project := s.country
	if project == "" {
		project = "countries/france"
	}
	common := []string{"--country", pkg.Source.Name}
	for _, e := range pkg.Extensions {
		common = append(common, "--extension", e.Name)
	}
	for _, r := range s.reforms {
		path, err := pkg.ReformPath(r)
		if err != nil {
			return err
		}
		common = append(common, "--reform", path)
	}
	s.situations, s.reference = filepath.Join(dir, "situations.jsonl"), filepath.Join(dir, "reference.jsonl")
	args := append([]string{"compare/situations.py"}, common...)
	args = append(args, "--count", fmt.Sprint(s.count), "--seed", fmt.Sprint(s.seed), "--year", s.year, "--reforms", fmt.Sprint(s.changes), "--variables", fmt.Sprint(s.variables))
	for _, o := range s.outputs {
		args = append(args, "--output", o)
	}
	if err := s.execute(ctx, project, s.situations, args...); err != nil {
		return err
	}
	return s.execute(ctx, project, s.reference, append([]string{"compare/reference.py", s.situations}, common...)...)
}

func (s *settings) execute(ctx context.Context, project, into string, args ...string) error {
	out, err := os.Create(into)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.CommandContext(ctx, s.python, args...)
	path := []string{project, filepath.Join(project, "src")}
	for _, e := range s.extensions {
		path = append(path, e, filepath.Join(e, "src"))
	}
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+strings.Join(append(path, os.Getenv("PYTHONPATH")), string(os.PathListSeparator)))
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	return cmd.Run()
}

// pairing is a situation with what the reference gave for it.
type pairing struct {
	situation situation
	reference answer
}

// compare runs the situations on all cores and describes those that differ.
func (s *settings) compare(ctx context.Context, system *legislation.System) (different int, err error) {
	pairs := make(chan pairing)
	var mu sync.Mutex
	var wg sync.WaitGroup
	columns, reached, beside, errored, total := 0, 0, 0, 0, 0
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range pairs {
				v := s.examine(ctx, system, p)
				mu.Lock()
				total++
				columns += v.columns
				beside += v.beside
				if v.reached {
					reached++
				}
				if p.reference.Error != nil {
					errored++
				}
				if len(v.differences) > 0 {
					if different++; different <= s.most {
						fmt.Printf("situation %s: %s\n", p.situation.ID, v)
					}
				}
				mu.Unlock()
			}
		})
	}
	err = s.read(pairs)
	close(pairs)
	wg.Wait()
	fmt.Printf("%d situations (%d end in an error, %d have other results than without their reform), %d columns compared, %d results beside the scripts of the base, %d situations differ\n",
		total, errored, reached, columns, beside, different)
	return different, err
}

// read pairs the lines of the two files.
func (s *settings) read(pairs chan<- pairing) error {
	situations, err := os.Open(s.situations)
	if err != nil {
		return err
	}
	defer situations.Close()
	reference, err := os.Open(s.reference)
	if err != nil {
		return err
	}
	defer reference.Close()
	given, gave := json.NewDecoder(situations), json.NewDecoder(reference)
	var header json.RawMessage
	if err := gave.Decode(&header); err != nil {
		return fmt.Errorf("%s: %w", s.reference, err)
	}
	for {
		var p pairing
		if err := given.Decode(&p.situation); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", s.situations, err)
		}
		if err := gave.Decode(&p.reference); err != nil {
			return fmt.Errorf("%s: %w", s.reference, err)
		}
		if p.reference.ID != p.situation.ID {
			return fmt.Errorf("situation %s stands beside the answer to %s", p.situation.ID, p.reference.ID)
		}
		pairs <- p
	}
}
