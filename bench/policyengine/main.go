// Command policyengine measures a package of PolicyEngine in edict serve and, if a Python with policyengine-core is given, there, in the same run, and
// prints how many times faster edict is: the load, the first household, others with other wages, the first one under reforms that were not asked for
// before, and the most memory that the process had. All values must be equal.
//
//	go -C bench run ./policyengine -country ../../policyengine_us -request policyengine/us.json -python ../../us/bin/python -arg --simulation-memory=2GiB -arg --limits-memory=4GiB
//
// A request is one of PolicyEngine's API with WAGE and VALUE in the place of numbers, and the values that VALUE has. There households are computed by
// Simulation(situation=…, reform=Reform.from_dict(…)), here by POST /us/calculate, with what HTTP costs. Starting the process is part of the load.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"edict/bench/program"
)

//go:embed reference.py
var script string

type options struct {
	binary, country, name, request, python, profile, cache string
	others                                                 int
	args                                                   []string
}

// took is CPU and clock, in seconds.
type took [2]float64

// figures are what one side took; the reference prints them as JSON.
type figures struct {
	Load     took        `json:"load"`
	First    took        `json:"first"`
	Others   []took      `json:"others"`
	Reformed []took      `json:"reformed"`
	Memory   float64     `json:"memory"`
	Values   [][]float64 `json:"values"`
}

// ask is what is computed; the reference reads it as JSON.
type ask struct {
	Package    string            `json:"package"`
	Situations []json.RawMessage `json:"situations"`
	Reforms    []json.RawMessage `json:"reforms"`
}

func main() { program.Main("policyengine", parse, run) }

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("policyengine", flag.ContinueOnError)
	f.StringVar(&o.binary, "edict", "", "the program; built if it is not given")
	f.StringVar(&o.country, "country", "", "directory of the package, or its wheel")
	f.StringVar(&o.name, "name", "us", "how the package is called in requests: us, uk or ca")
	f.StringVar(&o.request, "request", "policyengine/us.json", "what is asked")
	f.StringVar(&o.python, "python", "", "a Python with policyengine-core and the package")
	f.StringVar(&o.profile, "profile", "", "file to write a processor profile of five seconds of other households to")
	f.StringVar(&o.cache, "cache", "off", "directory of a cache of packages; a second run loads from it, as Python does from its own")
	f.IntVar(&o.others, "others", 12, "households after the first")
	f.Func("arg", "argument of edict serve, any number of times", func(s string) error {
		o.args = append(o.args, s)
		return nil
	})
	return o, f.Parse(args)
}

func run(ctx context.Context, o options, w io.Writer) error {
	questions, err := o.questions()
	if err != nil {
		return err
	}
	ours, err := o.edict(ctx, questions)
	if err != nil {
		return err
	}
	theirs := figures{}
	if o.python != "" {
		if theirs, err = o.reference(ctx, questions); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%-22s %14s %14s %9s %14s %14s %9s\n", "", "processor ms", "there", "ratio", "clock ms", "there", "ratio")
	print := func(name string, a, b took) {
		fmt.Fprintf(w, "%-22s %14.1f %14.1f %8.1fx %14.1f %14.1f %8.1fx\n", name, 1e3*a[0], 1e3*b[0], b[0]/a[0], 1e3*a[1], 1e3*b[1], b[1]/a[1])
	}
	print("load", ours.Load, theirs.Load)
	print("first household", ours.First, theirs.First)
	print("another household", mean(ours.Others), mean(theirs.Others))
	if len(ours.Reformed) > 0 { // policyengine-canada takes none there
		print("under a reform", mean(ours.Reformed), mean(theirs.Reformed))
	}
	fmt.Fprintf(w, "%-22s %11.0f MB %11.0f MB %8.2fx\n", "memory at most", ours.Memory/(1<<20), theirs.Memory/(1<<20), theirs.Memory/ours.Memory)
	if o.python != "" {
		return compare(ours.Values, theirs.Values)
	}
	return nil
}

// questions reads the request and makes the households and reforms of it.
func (o options) questions() (a ask, err error) {
	text, err := os.ReadFile(o.request)
	if err != nil {
		return a, err
	}
	var given struct {
		Household, Policy json.RawMessage
		Values            []json.Number
	}
	if err := json.Unmarshal(text, &given); err != nil {
		return a, fmt.Errorf("%s: %w", o.request, err)
	}
	put := func(where json.RawMessage, what, number string) json.RawMessage {
		return json.RawMessage(strings.ReplaceAll(string(where), `"`+what+`"`, number))
	}
	for i := range o.others + 1 {
		a.Situations = append(a.Situations, put(given.Household, "WAGE", fmt.Sprint(30000+1517*i)))
	}
	for _, v := range given.Values {
		a.Reforms = append(a.Reforms, put(given.Policy, "VALUE", v.String()))
	}
	a.Package = map[string]string{"ca": "policyengine_canada"}[o.name]
	if a.Package == "" {
		a.Package = "policyengine_" + o.name
	}
	return a, nil
}

// edict asks a server.
func (o options) edict(ctx context.Context, a ask) (f figures, err error) {
	binary, remove, err := program.Given(ctx, o.binary)
	if err != nil {
		return f, err
	}
	defer remove()
	data, err := os.MkdirTemp("", "edict-policyengine-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(data)
	begin := time.Now()
	s, err := program.Serve(binary, append([]string{"--data", data, "--country", o.country, "--cache", o.cache}, o.args...)...)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	f.Load = took{s.CPU().Seconds(), time.Since(begin).Seconds()}
	post := func(household, policy json.RawMessage) (t took) {
		if err == nil {
			var values []float64
			t, values, err = o.post(ctx, s, household, policy)
			f.Values = append(f.Values, values)
		}
		return t
	}
	f.First = post(a.Situations[0], nil)
	for _, household := range a.Situations[1:] {
		f.Others = append(f.Others, post(household, nil))
	}
	for _, policy := range a.Reforms {
		f.Reformed = append(f.Reformed, post(a.Situations[0], policy))
	}
	f.Memory = float64(s.PeakMemory())
	if o.profile != "" && err == nil {
		err = o.profiled(ctx, s, a)
	}
	return f, err
}

// profiled writes a profile while other households are asked for again and again.
func (o options) profiled(ctx context.Context, s *program.Server, a ask) error {
	done := make(chan error, 1)
	go func() { done <- s.Profile(ctx, o.profile, 5*time.Second) }()
	for i := 0; ; i++ {
		select {
		case err := <-done:
			return err
		default:
			if _, _, err := o.post(ctx, s, a.Situations[i%len(a.Situations)], nil); err != nil {
				return errors.Join(err, <-done)
			}
		}
	}
}

func (o options) post(ctx context.Context, s *program.Server, household, policy json.RawMessage) (t took, values []float64, err error) {
	body, err := json.Marshal(map[string]json.RawMessage{"household": household, "policy": policy})
	if err != nil {
		return t, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.Addr+"/"+o.name+"/calculate", bytes.NewReader(body))
	if err != nil {
		return t, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	processor, clock := s.CPU(), time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return t, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return t, nil, errors.Join(err, fmt.Errorf("status %d: %s", response.StatusCode, answer))
	}
	t = took{(s.CPU() - processor).Seconds(), time.Since(clock).Seconds()}
	values, err = answered(household, answer)
	return t, values, err
}

// answered are the values in the places of what was null.
func answered(household, answer []byte) (values []float64, err error) {
	type document map[string]map[string]map[string]json.RawMessage
	var question document
	var filled struct{ Result document }
	if err := errors.Join(json.Unmarshal(household, &question), json.Unmarshal(answer, &filled)); err != nil {
		return nil, err
	}
	for plural, members := range question {
		for id, variables := range members {
			for variable, given := range variables {
				var dated, got map[string]*float64
				if json.Unmarshal(given, &dated) != nil || json.Unmarshal(filled.Result[plural][id][variable], &got) != nil {
					continue // members of a group, or a text
				}
				for period, v := range dated {
					if v == nil {
						values = append(values, *got[period])
					}
				}
			}
		}
	}
	return values, nil
}

func (o options) reference(ctx context.Context, a ask) (f figures, err error) {
	question, err := json.Marshal(a)
	if err != nil {
		return f, err
	}
	cmd := exec.CommandContext(ctx, o.python, "-c", script)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(question), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return f, fmt.Errorf("%s: %w", o.python, err)
	}
	return f, json.Unmarshal(answer, &f)
}

// mean is that of several: CPU time comes in hundredths of a second.
func mean(all []took) (m took) {
	for _, t := range all {
		m[0] += t[0] / float64(len(all))
		m[1] += t[1] / float64(len(all))
	}
	return m
}

func compare(ours, theirs [][]float64) error {
	same := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*math.Abs(y) })
	}
	if !slices.EqualFunc(ours, theirs, same) {
		return fmt.Errorf("the values differ: %v, there %v", ours, theirs)
	}
	return nil
}
