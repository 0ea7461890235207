package main

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// benchPublishes publishes with the program or, alternating, with it and with another.
func benchPublishes(ctx context.Context, o options, w io.Writer) error {
	if o.beside == "" {
		return benchPublish(ctx, o, w)
	}
	fmt.Fprintf(w, "durable publishes of %d bytes to %d channels, by turns, %d of each; medians\n", o.size, o.channels, o.rounds)
	fmt.Fprintf(w, "%11s %8s %12s %14s %10s %10s\n", "connections", "", "publishes/s", "server CPU/µs", "p50", "p99")
	for _, n := range o.connections {
		if err := compare(ctx, o, n, w); err != nil {
			return err
		}
	}
	return nil
}

// compare has the two programs publish alternating, and prints the medians and their ratio.
func compare(ctx context.Context, o options, connections int, w io.Writer) error {
	programs := []string{o.beside, o.binary}
	results := map[string][]result{}
	for round := range o.rounds {
		for i := range programs {
			at := o
			at.binary = programs[(round+i)%2] // neither always comes first
			r, err := publishOn(ctx, at, connections)
			if err != nil {
				return err
			}
			results[at.binary] = append(results[at.binary], r)
		}
	}
	was, is := median(results[o.beside]), median(results[o.binary])
	for name, r := range map[string]result{"beside": was, "this": is} {
		fmt.Fprintf(w, "%11d %8s %12.0f %14.1f %10v %10v\n", connections, name, r.perSecond, r.serverCPU, r.p50, r.p99)
	}
	fmt.Fprintf(w, "%11d %8s %12.2f %14.2f\n", connections, "ratio", is.perSecond/was.perSecond, is.serverCPU/was.serverCPU)
	return nil
}

// median returns, of each figure, the one in the middle.
func median(all []result) result {
	middle := func(figure func(result) float64) float64 {
		values := make([]float64, len(all))
		for i, r := range all {
			values[i] = figure(r)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	at := slices.SortedFunc(slices.Values(all), func(a, b result) int { return int(a.p99 - b.p99) })[len(all)/2]
	return result{
		perSecond: middle(func(r result) float64 { return r.perSecond }), serverCPU: middle(func(r result) float64 { return r.serverCPU }),
		p50: at.p50, p99: at.p99,
	}
}
