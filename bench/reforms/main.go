//go:build unix

// Command reforms measures what a reform that is written as data costs in a request, and, if a Python with OpenFisca-Core
// is given, a Python reform that does the same there, in the same run:
//
//   - base: a household of a kind that is known, without a reform;
//   - derive: making the system of a changed parameter;
//   - first, second, third, later: requests with the same change, each for another household, and what they cost above base; between
//     the first and the second the user thinks for a while (-pause), and what the change needs is recorded behind requests;
//   - slider: requests with another value each, 20 a second;
//   - many: 10 000 different reforms one after the other, and what they leave in memory.
//
// Processor time counts all threads, the garbage collector's included.
//
//	go -C bench run ./reforms -country ../../openfisca-france -request reforms/france.json -vary salaire_de_base \
//	  -parameter impot_revenu.calcul_impot_revenu.plaf_qf.decote.seuil_celib -day 2022-01-01 -low 500 -high 1500 -python python3
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"edict/countries"
	"edict/platform/heap"
	"edict/platform/web"
	"edict/simulation/country"
	"edict/simulation/legislation"
	"edict/simulation/simapi"
)

type setup struct {
	country, request, vary, parameter, day, python string
	low, high                                      float64
	seconds, many                                  int
	neutralize                                     string
	pause                                          time.Duration
}

func main() {
	var s setup
	flag.StringVar(&s.country, "country", "", "directory of the country package; the embedded legislation without it")
	flag.StringVar(&s.request, "request", "reforms/embedded.json", "body of /api/1/calculate")
	flag.StringVar(&s.vary, "vary", "salaire_imposable", "input of the request that differs from household to household")
	flag.StringVar(&s.parameter, "parameter", "impot_revenu.decote.taux", "parameter that changes")
	flag.StringVar(&s.day, "day", "2022-01-01", "day from which it changes")
	flag.Float64Var(&s.low, "low", 0.1, "its least value")
	flag.Float64Var(&s.high, "high", 0.9, "its greatest value")
	flag.StringVar(&s.neutralize, "neutralize", "", "variable that the change neutralizes besides")
	flag.DurationVar(&s.pause, "pause", 2*time.Second, "between the first and the second request with a change")
	flag.IntVar(&s.seconds, "seconds", 10, "how long the slider is moved")
	flag.IntVar(&s.many, "many", 10_000, "how many different reforms follow each other")
	flag.StringVar(&s.python, "python", os.Getenv("EDICT_PYTHON"), "a Python with OpenFisca-Core and the country package")
	flag.Parse()
	if err := s.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "reforms:", err)
		os.Exit(1)
	}
}

func (s *setup) run(w io.Writer) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	b, err := s.open(ctx)
	if err != nil {
		return err
	}
	ours, err := b.measure(w)
	if err != nil || s.python == "" {
		return err
	}
	return b.beside(w, ours)
}

// bench is a server without a network, and the request that it is sent.
type bench struct {
	*setup
	pkg    *country.Package
	server http.Handler
	body   string
	inputs *regexp.Regexp
	sent   int
}

// open makes the server, which records behind requests until the context is done.
func (s *setup) open(ctx context.Context) (*bench, error) {
	body, err := os.ReadFile(s.request)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, body); err != nil {
		return nil, err
	}
	src, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if s.country != "" {
		src, err = country.Open(s.country)
	}
	if err != nil {
		return nil, err
	}
	restore := heap.DelayCollection(512 << 20)
	pkg, err := country.Load(context.Background(), country.Options{Now: time.Now()}, src)
	restore()
	if err != nil {
		return nil, err
	}
	quiet := slog.New(slog.DiscardHandler)
	api := simapi.New(simapi.Options{Log: quiet})
	if err := api.Load(context.Background(), pkg, pkg.System); err != nil {
		return nil, err
	}
	go api.RecordBehind(ctx)
	server, err := web.New(web.Options{Logger: quiet}, api.Services()...)
	if err != nil {
		return nil, err
	}
	inputs := regexp.MustCompile(`("` + regexp.QuoteMeta(s.vary) + `":(?:\{"[^"]*":)?)([0-9.]+)`)
	if !inputs.MatchString(compact.String()) {
		return nil, fmt.Errorf("the request has no number for %s", s.vary)
	}
	return &bench{setup: s, pkg: pkg, server: server, body: compact.String(), inputs: inputs}, nil
}

// ask sends a request for the next household, with reforms as JSON or none, and gives the CPU time and the answer.
func (b *bench) ask(reforms string) (time.Duration, []byte, error) {
	b.sent++
	return b.send(b.inputs.ReplaceAllString(b.body, fmt.Sprintf("${1}%d", 20000+137*(b.sent%400))), reforms)
}

// send sends a request, with reforms as JSON or none.
func (b *bench) send(body, reforms string) (time.Duration, []byte, error) {
	if reforms != "" {
		body = strings.TrimSuffix(body, "}") + `,"reforms":[` + reforms + `]}`
	}
	r := httptest.NewRequest(http.MethodPost, "/api/1/calculate", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	begin := processor()
	b.server.ServeHTTP(answer, r)
	took := processor() - begin
	if answer.Code != http.StatusOK {
		return 0, nil, fmt.Errorf("the answer is %d: %s", answer.Code, answer.Body)
	}
	return took, answer.Body.Bytes(), nil
}

// reform is the reform with the k-th of n values.
func (b *bench) reform(k, n int) string {
	neutralize := ""
	if b.neutralize != "" {
		neutralize = fmt.Sprintf(`"neutralize":[%q],`, b.neutralize)
	}
	return fmt.Sprintf(`{%s"parameters":{%q:{%q:%v}}}`, neutralize, b.parameter, b.day, b.value(k, n))
}

func (b *bench) value(k, n int) float64 { return b.low + (b.high-b.low)*float64(k)/float64(n) }

// figures are CPU times.
type figures struct {
	derive, base, first, second, third, later, sliderMedian, slider95 time.Duration
}

func (b *bench) measure(w io.Writer) (figures, error) {
	var f figures
	var err error
	if f.derive, err = b.derive(); err != nil {
		return f, err
	}
	if err := b.warm(); err != nil {
		return f, err
	}
	if f.base, err = b.median(20, func(int) string { return "" }); err != nil {
		return f, err
	}
	if err := b.steps(&f); err != nil {
		return f, err
	}
	fmt.Fprintf(w, "processor ms of a request, medians: base %.1f; with a change: first %.1f, second %.1f, third %.1f, later %.1f (both sides are computed); derive %.2f\n",
		ms(f.base), ms(f.first), ms(f.second), ms(f.third), ms(f.later), ms(f.derive))
	if err := b.slide(w, &f); err != nil {
		return f, err
	}
	return f, b.manyReforms(w)
}

// derive measures making a system.
func (b *bench) derive() (time.Duration, error) {
	var all []time.Duration
	for k := range 200 {
		doc, err := legislation.ParseYAML("reform", []byte(b.reform(k, 200)))
		if err != nil {
			return 0, err
		}
		begin := processor()
		reform, wrong := legislation.ReadReform(doc)
		if len(wrong) == 0 {
			_, wrong = b.pkg.System.Derive(reform)
		}
		all = append(all, processor()-begin)
		if len(wrong) > 0 {
			return 0, wrong
		}
	}
	return median(all), nil
}

// warm sends enough for the kind of household to be known.
func (b *bench) warm() error {
	for range 24 {
		if _, _, err := b.ask(""); err != nil {
			return err
		}
	}
	return nil
}

// median is that of some requests.
func (b *bench) median(n int, reform func(int) string) (time.Duration, error) {
	var all []time.Duration
	for k := range n {
		took, _, err := b.ask(reform(k))
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	return median(all), nil
}

// steps measures the first requests with one change, for some changes.
func (b *bench) steps(f *figures) error {
	var took [8][]time.Duration
	for k := range 10 {
		reform := b.reform(10*k+5, 103)
		for i := range took {
			cost, _, err := b.ask(reform)
			if err != nil {
				return err
			}
			took[i] = append(took[i], cost)
			if i == 0 {
				time.Sleep(b.pause)
			}
		}
	}
	f.first, f.second, f.third, f.later = median(took[0]), median(took[1]), median(took[2]), median(took[len(took)-1])
	return nil
}

// slide moves a slider: 20 different values a second.
func (b *bench) slide(w io.Writer, f *figures) error {
	const perSecond = 20
	n := perSecond * b.seconds
	var all []time.Duration
	before := memory()
	var at []uint64
	begin := time.Now()
	for k := range n {
		took, _, err := b.ask(b.reform(k, n+1))
		if err != nil {
			return err
		}
		all = append(all, took)
		if (k+1)%max(n/4, 1) == 0 {
			at = append(at, memory()>>20)
		}
		time.Sleep(time.Until(begin.Add(time.Duration(k+1) * time.Second / perSecond)))
	}
	slices.Sort(all)
	f.sliderMedian, f.slider95 = all[n/2], all[n*95/100]
	fmt.Fprintf(w, "slider, %d values in %.1f s: processor ms median %.1f, p95 %.1f, most %.1f; memory %d MB before, then %v MB\n",
		n, time.Since(begin).Seconds(), ms(f.sliderMedian), ms(f.slider95), ms(all[n-1]), before>>20, at)
	return nil
}

// manyReforms sends as many different reforms as it can.
func (b *bench) manyReforms(w io.Writer) error {
	before, begin := memory(), time.Now()
	var at []uint64
	for k := range b.many {
		if _, _, err := b.ask(b.reform(k, b.many+1)); err != nil {
			return err
		}
		if (k+1)%max(b.many/4, 1) == 0 {
			at = append(at, memory()>>20)
		}
	}
	fmt.Fprintf(w, "%d different reforms in %.0f s: memory %d MB before, then %v MB\n", b.many, time.Since(begin).Seconds(), before>>20, at)
	return nil
}

func median(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// memory is what is in use, without garbage.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
