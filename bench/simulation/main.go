//go:build unix

// Command simulation measures the simulation service as its users see it: the released program as its own process,
// over HTTP on the loopback interface, one household per request, each time another, and next to it, if a Python with OpenFisca-Core is given,
// the OpenFisca web API ("openfisca serve", gunicorn with a worker per core) on the same packages in the same run.
//
//	go -C bench run ./simulation                           the embedded legislation
//	go -C bench run ./simulation -python PYTHON            that and the country template that PYTHON has, here and there
//	go -C bench run ./simulation -template DIR             that and a country template, here alone
//
// Servers run one after the other, so that each has the machine to itself but for the load generator. That speaks
// HTTP/1.1 on plain connections, one request at a time on each, so that it leaves the CPU to the server. Processor
// time is that of the server's processes, which tells more than the rate on a machine that does other things besides. The
// answers of both must say the same.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"edict/bench/program"
)

// options are the flags.
type options struct {
	binary      string
	python      string
	template    string
	france      string
	connections int
	workers     int
	duration    time.Duration
	profile     string
}

func main() { program.Main("simulation", parse, run) }

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("simulation", flag.ContinueOnError)
	flags.StringVar(&o.binary, "edict", "", "the program to measure; built from this module when empty")
	flags.StringVar(&o.python, "python", os.Getenv("EDICT_PYTHON"), "a Python with OpenFisca-Core and its web API, to measure beside edict")
	flags.StringVar(&o.template, "template", "", "directory of the country template; the one that -python has when empty")
	flags.StringVar(&o.france, "france", "countries/france", "directory of the embedded legislation's project, for -python")
	flags.IntVar(&o.connections, "connections", 4, "connections, each with one request at a time")
	flags.IntVar(&o.workers, "workers", runtime.NumCPU(), "processes of the reference")
	flags.DurationVar(&o.duration, "duration", 5*time.Second, "how long each server is driven, after some requests to warm up")
	flags.StringVar(&o.profile, "profile", "", "write CPU profiles of edict to this path, followed by the number of the measurement")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o, nil
}

func run(ctx context.Context, o options, out io.Writer) error {
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return err
	}
	defer remove()
	o.binary = binary
	if o.template == "" && o.python != "" {
		if o.template, err = templateOf(ctx, o.python); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d connections, %v each, %d cores, %s\n\n", o.connections, o.duration, runtime.NumCPU(), runtime.Version())
	fmt.Fprintf(out, "%-46s %12s %10s %16s\n", "", "requests/s", "median", "CPU per request")
	for i, c := range cases(o) {
		if err := c.measure(ctx, o, i, out); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// templateOf asks a Python where its country template is.
func templateOf(ctx context.Context, python string) (string, error) {
	cmd := exec.CommandContext(ctx, python, "-c", "import openfisca_country_template as t; print(t.__path__[0])")
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s has no country template: %w", python, err)
	}
	return strings.TrimSpace(string(text)), nil
}
