package statistics

import "math"

// Gini returns the Gini coefficient, from 0 (everybody has the same) to 1. Negative values stay what they are, so it may be
// more than 1; there is no correction for small samples. It is not a number where the values sum up to nothing.
func (s *Sample) Gini() float64 {
	var area Sum
	before := 0.0
	for _, o := range s.sorted {
		// The weight up to the middle of the observation, twice: observations of equal value may come in any order.
		area.Add(o.Weight * o.Value * (2*before + o.Weight))
		before += o.Weight
	}
	if s.amount == 0 {
		return math.NaN()
	}
	return area.Value()/(s.total*s.amount) - 1
}

// ShareRatio returns what those above the last of n-1 cuts have together, divided by what those up to the first have: S80/S20
// for n = 5.
func (s *Sample) ShareRatio(n int) float64 {
	cuts := s.Cuts(n)
	var low, high Sum
	for _, o := range s.sorted {
		if o.Value <= cuts[0] {
			low.Add(o.Weight * o.Value)
		}
		if o.Value > cuts[len(cuts)-1] {
			high.Add(o.Weight * o.Value)
		}
	}
	return high.Value() / low.Value()
}

// Theil returns the Theil index of the positive values, and the weight of those that are not.
func (s *Sample) Theil() (index, leftOut float64) {
	var weight, amount, out Sum
	for _, o := range s.sorted {
		if o.Value <= 0 {
			out.Add(o.Weight)
			continue
		}
		weight.Add(o.Weight)
		amount.Add(o.Weight * o.Value)
	}
	mean := amount.Value() / weight.Value()
	var sum Sum
	for _, o := range s.sorted {
		if o.Value > 0 {
			sum.Add(o.Weight * (o.Value / mean) * math.Log(o.Value/mean))
		}
	}
	return sum.Value() / weight.Value(), out.Value()
}

// Poverty is what it means to be below a line.
type Poverty struct {
	Rate float64 // the share of persons below the line
	// Gap is how much they lack, as a share of the line, over everybody (those not below lack nothing).
	Gap float64
	// MedianGap is how much the one in the middle of the poor lacks, as a share of the line; not a number without poor.
	MedianGap float64
}

// Poverty measures who is below a line.
func (s *Sample) Poverty(line float64) Poverty {
	var poor, lacks Sum
	n := 0
	for ; n < len(s.sorted) && s.sorted[n].Value < line; n++ {
		o := s.sorted[n]
		poor.Add(o.Weight)
		lacks.Add(o.Weight * (line - o.Value) / line)
	}
	middle := quantile(s.sorted[:n], poor.Value(), 0.5)
	return Poverty{Rate: poor.Value() / s.total, Gap: lacks.Value() / s.total, MedianGap: (line - middle) / line}
}
