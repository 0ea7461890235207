// Command law measures what it costs to read a legislation over HTTP: searches with and without typing errors, pages of
// variables and parameters, the graph, the compact catalogue, and the tree behind a figure. It starts the real server and
// asks for one thing after the other on one connection.
//
//	go -C bench run ./law -country ../../openfisca-france -why law/france.json
//
// Each row has the CPU time of the server per request, the garbage collector's included, which is what a busy machine
// does not spoil, and the median and the 95th percentile of wall time. Processor time is told where Linux tells it.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"time"

	"edict/bench/program"
)

type options struct {
	country, why, binary string
	n                    int
}

func main() { program.Main("law", parse, run) }

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("law", flag.ContinueOnError)
	f.StringVar(&o.country, "country", "", "directory of the country package; the embedded legislation without it")
	f.StringVar(&o.why, "why", "law/embedded.json", "body of /api/2/why")
	f.StringVar(&o.binary, "edict", "", "the program; it is built if none is given")
	f.IntVar(&o.n, "n", 300, "requests of a row; a tenth of them for trees")
	return o, f.Parse(args)
}

func run(ctx context.Context, o options, w io.Writer) (err error) {
	why, err := os.ReadFile(o.why)
	if err != nil {
		return err
	}
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return err
	}
	defer remove()
	args := []string{"--only", "simulation"}
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
	conn, err := program.Dial(server.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	b := &bench{w: w, server: server, conn: conn, n: o.n}
	return b.rows(why)
}

type bench struct {
	w      io.Writer
	server *program.Server
	conn   *program.Conn
	n      int
}

func (b *bench) rows(why []byte) error {
	body, err := b.get("/api/2/catalogue")
	if err != nil {
		return err
	}
	var catalogue struct{ Variables [][]any }
	if err := json.Unmarshal(body, &catalogue); err != nil {
		return err
	}
	long, zipped := len(body), zippedLength(body)
	var names []string
	for _, v := range catalogue.Variables {
		names = append(names, v[0].(string))
	}
	var found struct{ Results []struct{ ID string } }
	if body, err = b.get("/api/2/search?kind=parameter&q=taux"); err != nil {
		return err
	}
	if err := json.Unmarshal(body, &found); err != nil || len(found.Results) == 0 {
		return fmt.Errorf("no parameter is found: %w", err)
	}
	at := func(i int) string { return names[i*7919%len(names)] }
	fmt.Fprintf(b.w, "%d variables, catalogue %d KB, %d KB compressed\n\n%-28s %8s %10s %10s %10s %10s\n", len(names), long/1000, zipped/1000, "", "requests", "CPU", "median", "p95", "KB at most")
	for _, row := range []struct {
		name string
		n    int
		ask  func(i int) []byte
	}{
		{"search by id", b.n, func(i int) []byte { return asking("/api/2/search?q=" + url.QueryEscape(at(i))) }},
		{"search by words", b.n, func(i int) []byte {
			return asking("/api/2/search?q=" + [...]string{"impot", "aide+au+logement", "allocation+enfant", "revenu+disponible", "salaire+net", "taux"}[i%6])
		}},
		{"search with typing errors", b.n, func(i int) []byte { return asking("/api/2/search?q=" + url.QueryEscape(mistyped(at(i)))) }},
		{"page of a variable", b.n, func(i int) []byte { return asking("/api/2/variable/" + at(i)) }},
		{"page of a parameter", b.n, func(i int) []byte { return asking("/api/2/parameter/" + found.Results[i%len(found.Results)].ID) }},
		{"graph, depth 3", b.n, func(i int) []byte { return asking("/api/2/graph?depth=3&variable=" + at(i)) }},
		{"why", max(b.n/10, 1), func(int) []byte { return posting("/api/2/why", why) }},
	} {
		if err := b.row(row.name, row.n, row.ask); err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
	}
	return nil
}

// row measures requests of a kind, after one that is not counted.
func (b *bench) row(name string, n int, ask func(i int) []byte) error {
	longest := 0
	var took []time.Duration
	var before time.Duration
	for i := range n + 1 {
		begin := time.Now()
		status, body, err := b.conn.Do(ask(i))
		if err != nil || status != http.StatusOK {
			return fmt.Errorf("%d %s %w", status, body, err)
		}
		if i == 0 {
			before = b.server.CPU()
			continue
		}
		took = append(took, time.Since(begin))
		longest = max(longest, len(body))
	}
	cpu := (b.server.CPU() - before) / time.Duration(n)
	slices.Sort(took)
	fmt.Fprintf(b.w, "%-28s %8d %10v %10v %10v %10d\n", name, n, cpu.Round(10*time.Microsecond), took[n/2].Round(10*time.Microsecond), took[n*95/100].Round(10*time.Microsecond), (longest+999)/1000)
	return nil
}

func (b *bench) get(target string) ([]byte, error) {
	status, body, err := b.conn.Do(asking(target))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s: %d %s", target, status, body)
	}
	return bytes.Clone(body), err
}

func asking(target string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", target)
}

func posting(target string, body []byte) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", target, len(body), body)
}

// mistyped is a name with two letters in each other's place.
func mistyped(name string) string {
	letters := []byte(name)
	if i := len(letters) / 2; i > 0 && len(letters) > 4 {
		letters[i], letters[i-1] = letters[i-1], letters[i]
	}
	return string(letters)
}

func zippedLength(body []byte) int {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(body) // a buffer takes everything
	_ = z.Close()
	return out.Len()
}
