package statistics

import (
	"math"
	"slices"
)

// Observation is a value that stands for Weight persons.
type Observation struct {
	Value, Weight float64
}

// Sample is observations in the order of their values. Observations without a weight do not count.
type Sample struct {
	sorted []Observation
	total  float64 // weight
	amount float64 // weight × value
}

// NewSample takes over observations, whose values are numbers and whose weights are not negative. The order in which they come
// does not matter to any measure.
func NewSample(all []Observation) *Sample {
	all = slices.DeleteFunc(all, func(o Observation) bool { return o.Weight == 0 })
	slices.SortFunc(all, func(a, b Observation) int {
		switch {
		case a.Value < b.Value || a.Value == b.Value && a.Weight < b.Weight:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	s := &Sample{sorted: all}
	var total, amount Sum
	for _, o := range all {
		total.Add(o.Weight)
		amount.Add(o.Weight * o.Value)
	}
	s.total, s.amount = total.Value(), amount.Value()
	return s
}

// Weight returns the persons of the sample.
func (s *Sample) Weight() float64 { return s.total }

// Mean returns the mean value.
func (s *Sample) Mean() float64 { return s.amount / s.total }

// Quantile returns the first value whose weight, with that of all values before it, is more than the share p of the whole.
func (s *Sample) Quantile(p float64) float64 { return quantile(s.sorted, s.total, p) }

func quantile(sorted []Observation, total, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	below := 0.0
	for _, o := range sorted {
		if below += o.Weight; below/total > p {
			return o.Value
		}
	}
	return sorted[len(sorted)-1].Value
}

// Cuts returns the quantiles that part the sample into n classes of about the same weight.
func (s *Sample) Cuts(n int) []float64 {
	cuts := make([]float64, n-1)
	for i := range cuts {
		cuts[i] = s.Quantile(float64(i+1) / float64(n))
	}
	return cuts
}

// Class returns the class of a value, from 0: as many as there are cuts that it lies above.
func Class(cuts []float64, value float64) int {
	n, _ := slices.BinarySearch(cuts, value)
	return n
}
