// Command varied measures a server whose households differ: requests to POST /calculate with another shape, other inputs,
// another question and another year each time, or with other numbers in a few such forms. It starts the real server and
// sends one request after another on one connection.
//
//	go -C bench run ./varied -country ../../openfisca-france -ask revenu_disponible,rsa,aide_logement,af,ppa -count 240
//	go -C bench run ./varied -country ../../openfisca-france -ask revenu_disponible,rsa,aide_logement,af,ppa -count 240 -forms 12
//
// The first third of the requests is not counted. The same package, options and seed give the same requests.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"edict/bench/program"
	"edict/countries"
	"edict/simulation/country"
)

// options are the flags.
type options struct {
	binary, country, ask string
	count, forms         int
	from, to             int
	seed                 uint64
	args                 []string
}

func main() { program.Main("varied", parse, run) }

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("varied", flag.ContinueOnError)
	f.StringVar(&o.binary, "edict", "", "the program; it is built if none is given")
	f.StringVar(&o.country, "country", "", "directory of an OpenFisca country package; the embedded legislation without it")
	f.StringVar(&o.ask, "ask", "", "variables to compute, one or two of them in each request; all formulas if empty")
	f.IntVar(&o.count, "count", 1500, "requests")
	f.IntVar(&o.forms, "forms", 0, "repeat so many forms with other numbers, the first ones more often; 0 makes every request another form")
	f.IntVar(&o.from, "from", 2018, "first year")
	f.IntVar(&o.to, "to", 2022, "last year")
	f.Uint64Var(&o.seed, "seed", 1, "what the requests are drawn from")
	f.Func("arg", "argument of edict serve, any number of times", func(s string) error {
		o.args = append(o.args, s)
		return nil
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.count < 3 || o.to < o.from {
		return o, errors.New("give at least 3 requests, and a last year that is not before the first")
	}
	return o, nil
}

func run(ctx context.Context, o options, w io.Writer) (err error) {
	bodies, err := o.bodies(ctx)
	if err != nil {
		return err
	}
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return err
	}
	defer remove()
	args := append([]string{"--only", "simulation"}, o.args...)
	if o.country != "" {
		args = append(args, "--country", o.country)
	}
	server, err := program.Serve(binary, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := server.AwaitReady(ctx); err != nil {
		return err
	}
	return drive(w, server, bodies)
}

// bodies draws the requests.
func (o options) bodies(ctx context.Context) ([][]byte, error) {
	source, err := country.OpenFS(countries.France(), countries.FrancePackage)
	if o.country != "" {
		source, err = country.Open(o.country)
	}
	if err != nil {
		return nil, err
	}
	pkg, err := country.Load(ctx, country.Options{Now: time.Now()}, source)
	if err != nil {
		return nil, err
	}
	d := newDrawer(pkg.System, rand.New(rand.NewPCG(o.seed, 0)), o.from, o.to)
	if o.ask != "" {
		if err := d.askOnly(strings.Split(o.ask, ",")); err != nil {
			return nil, err
		}
	}
	var forms []form
	for range o.forms {
		forms = append(forms, d.form())
	}
	bodies := make([][]byte, o.count)
	for i := range bodies {
		var f form
		if len(forms) > 0 {
			f = forms[min(d.r.IntN(len(forms)), d.r.IntN(len(forms)))]
		} else {
			f = d.form()
		}
		bodies[i] = d.fill(f)
	}
	return bodies, nil
}

// drive sends the requests and prints the figures of the last two thirds.
func drive(w io.Writer, server *program.Server, bodies [][]byte) error {
	conn, err := program.Dial(server.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	warm := len(bodies) / 3
	var before time.Duration
	var took []time.Duration
	rejected, why := 0, ""
	for i, body := range bodies {
		if i == warm {
			before = server.CPU()
		}
		begin := time.Now()
		status, answer, err := conn.Do(fmt.Appendf(nil, "POST /calculate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
		if err != nil {
			return err
		}
		if i >= warm {
			took = append(took, time.Since(begin))
		}
		if status != http.StatusOK {
			rejected, why = rejected+1, fmt.Sprintf("; the last one: %d %.300s", status, answer)
		}
	}
	cpu := (server.CPU() - before) / time.Duration(len(took))
	slices.Sort(took)
	fmt.Fprintf(w, "%d requests counted, %d rejected%s\n", len(took), rejected, why)
	fmt.Fprintf(w, "CPU per request %v; wall time: median %v, p95 %v; peak memory %d MB\n", cpu.Round(10*time.Microsecond),
		took[len(took)/2].Round(10*time.Microsecond), took[len(took)*95/100].Round(10*time.Microsecond), server.PeakMemory()>>20)
	return nil
}
