// Command elementary holds the elementary functions of simulation/vector against numpy's, input by input, and prints how
// many of the results differ, by how many units in the last place at most, and where the first one is.
//
//	go -C bench run ./elementary -python python3                     # ten million inputs each
//	go -C bench run ./elementary -python python3 -n 0 -only exp,log  # every float32 there is: 2^32 inputs
//	go -C bench run ./elementary -python python3 -type float64
//
// Inputs are half bit patterns at random, so that every exponent, zeros, infinities and NaN are among them, and half
// amounts as legislation has them. Powers are tried with arrays of exponents, with scalars on both sides, and with the
// exponents that formulas use.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

//go:embed numpy_answers.py
var script string

func main() {
	var c comparison
	flag.StringVar(&c.python, "python", os.Getenv("EDICT_PYTHON"), "an interpreter that has numpy (default: EDICT_PYTHON)")
	flag.IntVar(&c.inputs, "n", 10_000_000, "inputs per function, rounded up to 2^20; 0 means every float32")
	flag.StringVar(&c.dtype, "type", "float32", "float32 or float64")
	only := flag.String("only", "", "compare these functions alone, as exp,log,power,**0.3 (default: all)")
	flag.Parse()
	if *only != "" {
		c.only = strings.Split(*only, ",")
	}
	if err := c.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "elementary:", err)
		os.Exit(1)
	}
}

// comparison is one run of the command.
type comparison struct {
	python string
	inputs int
	dtype  string
	only   []string
}

// functions are the names of numpy's; exponents those of ** with a number.
var (
	functions = []string{
		"exp", "log", "log1p", "log10", "expm1", "sin", "cos", "log2", "exp2", "sqrt", "cbrt", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
		"arcsinh", "arccosh", "arctanh",
	}
	exponents = []string{"0.3", "0.5", "0.7", "0.25", "0.3333", "1.5", "2", "3", "4", "12", "-1", "-2", "-0.5", "0", "1"}
)

func (c *comparison) run(w io.Writer) error {
	if c.python == "" {
		return fmt.Errorf("no interpreter: name one that has numpy with -python")
	}
	fmt.Fprintf(w, "%-12s %12s %12s %10s %6s\n", "", "inputs", "differ", "share", "units")
	for _, name := range functions {
		if err := c.compare(w, question{label: name, function: name, operands: "array"}); err != nil {
			return err
		}
	}
	for _, e := range exponents {
		if err := c.compare(w, question{label: "**" + e, function: "power", operands: e}); err != nil {
			return err
		}
	}
	for _, kind := range []string{"arrays", "scalars"} {
		if err := c.compare(w, question{label: "power " + kind, function: "power", operands: kind}); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) compare(w io.Writer, q question) error {
	if len(c.only) > 0 && !slices.Contains(c.only, q.label) {
		return nil
	}
	var t tally
	var err error
	if c.dtype == "float64" {
		err = compare[float64](c, q, &t)
	} else {
		err = compare[float32](c, q, &t)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", q.label, err)
	}
	fmt.Fprintf(w, "%-12s %12d %12d %9.4f%% %6d  %s\n", q.label, t.inputs, t.differ, 100*float64(t.differ)/float64(t.inputs), t.units, t.first)
	return nil
}
