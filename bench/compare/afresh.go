package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"

	"edict/simulation/engine"
	"edict/simulation/legislation"
)

// each goes through the situations on all cores.
func (s *settings) each(do func(situation)) error {
	file, err := os.Open(s.situations)
	if err != nil {
		return err
	}
	defer file.Close()
	situations := make(chan situation)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for given := range situations {
				do(given)
			}
		})
	}
	decoder := json.NewDecoder(file)
	for {
		var given situation
		if err = decoder.Decode(&given); err != nil {
			break
		}
		situations <- given
	}
	close(situations)
	wg.Wait()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// afresh runs the situations with what earlier ones have taught, on all cores, and again with every formula run, and wants
// the same columns, stored in the same order, or the same error.
func (s *settings) afresh(ctx context.Context, system *legislation.System) (different int, err error) {
	var mu sync.Mutex
	total, columns := 0, 0
	err = s.each(func(given situation) {
		system, wrong := s.changed(ctx, system, given)
		if wrong != nil {
			fmt.Printf("situation %s: %v\n", given.ID, wrong)
			return
		}
		learned := held(ctx, system, given, false)
		again := held(ctx, system, given, true)
		mu.Lock()
		defer mu.Unlock()
		total++
		columns += len(again)
		if !slices.Equal(learned, again) {
			if different++; different <= s.most {
				fmt.Printf("situation %s: %s\n", given.ID, firstDifference(learned, again))
			}
		}
	})
	fmt.Printf("%d situations, %d columns compared with those of every formula run, %d situations differ\n", total, columns, different)
	return different, err
}

// held describes everything that a simulation holds at the end.
func held(ctx context.Context, system *legislation.System, given situation, forgetful bool) []string {
	sim, at, err := calculate(ctx, system, given, engine.Options{Forgetful: forgetful})
	var out []string
	if err != nil {
		out = append(out, at+": "+err.Error())
	}
	if sim == nil {
		return out
	}
	for _, v := range system.Variables() {
		h, err := sim.Holder(v.ID)
		if err != nil {
			continue
		}
		for _, at := range h.KnownPeriods() {
			c, _ := h.Array(at)
			out = append(out, key(v.Name, at.String())+" "+c.DType().String()+" "+c.String())
		}
	}
	return out
}

func firstDifference(learned, again []string) string {
	for i := range min(len(learned), len(again)) {
		if learned[i] != again[i] {
			return learned[i] + ", with every formula run " + again[i]
		}
	}
	return fmt.Sprintf("%d columns, with every formula run %d", len(learned), len(again))
}
