package statistics_test

import (
	"encoding/csv"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"edict/simulation/statistics"
)

// TestRecordedAnswers holds the measures to what laeken, ineq and microdf say of the same samples (testdata/*.R, *.py).
func TestRecordedAnswers(t *testing.T) {
	samples := map[string][]statistics.Observation{}
	for _, row := range table(t, "samples.csv") {
		if row[1] != "" {
			samples[row[0]] = append(samples[row[0]], statistics.Observation{Value: number(t, row[1]), Weight: number(t, row[2])})
		}
	}
	if len(samples) < 20 {
		t.Fatalf("%d samples, want at least 20", len(samples))
	}
	compared := map[string]int{}
	for _, row := range table(t, "answers.csv") {
		set, source, measure, want := row[0], row[1], row[2], number(t, row[3])
		got := measureOf(t, statistics.NewSample(slices.Clone(samples[set])), measure)
		if !alike(got, want) {
			t.Errorf("%s: %s of %s: %v, want %v", set, measure, source, got, want)
		}
		compared[source]++
	}
	for _, source := range []string{"laeken", "ineq", "microdf"} {
		if compared[source] == 0 {
			t.Errorf("there is no answer of %s", source)
		}
	}
}

func measureOf(t *testing.T, s *statistics.Sample, measure string) float64 {
	line := 0.6 * s.Quantile(0.5)
	switch measure {
	case "mean":
		return s.Mean()
	case "gini":
		return s.Gini()
	case "s80s20":
		return s.ShareRatio(5)
	case "theil":
		index, _ := s.Theil()
		return index
	case "line":
		return line
	case "poverty rate":
		return s.Poverty(line).Rate
	case "median gap":
		return s.Poverty(line).MedianGap
	case "poverty rate at half the mean":
		return s.Poverty(s.Mean() / 2).Rate
	case "gap at half the mean":
		return s.Poverty(s.Mean() / 2).Gap
	}
	p, ok := strings.CutPrefix(measure, "quantile ")
	if !ok {
		t.Fatalf("there is no measure %q", measure)
	}
	return s.Quantile(number(t, p))
}

func alike(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-11*max(1, math.Abs(a), math.Abs(b))
}

func table(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	if text == "NA" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestOrderDoesNotMatter: a sample is the same whatever the order of what it was made of, to the last bit.
func TestOrderDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	all := make([]statistics.Observation, 500)
	for i := range all {
		all[i] = statistics.Observation{Value: math.Floor(random.NormFloat64() * 50), Weight: random.Float64()}
	}
	measure := func() [5]float64 {
		s := statistics.NewSample(slices.Clone(all))
		theil, out := s.Theil()
		p := s.Poverty(10)
		return [5]float64{s.Gini(), theil, out, p.Gap, s.Mean()}
	}
	first := measure()
	for range 20 {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if again := measure(); again != first {
			t.Fatalf("in another order %v, before %v", again, first)
		}
	}
}

func TestClass(t *testing.T) {
	s := statistics.NewSample([]statistics.Observation{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}, {10, 1}})
	cuts := s.Cuts(5)
	for value, class := range map[float64]int{-5: 0, 3: 0, 3.5: 1, 5: 1, 9: 3, 9.5: 4, 99: 4} {
		if got := statistics.Class(cuts, value); got != class {
			t.Errorf("%v is in class %d of %v, want %d", value, got, cuts, class)
		}
	}
}

func TestNobody(t *testing.T) {
	s := statistics.NewSample([]statistics.Observation{{5, 0}})
	theil, _ := s.Theil()
	for name, got := range map[string]float64{"mean": s.Mean(), "gini": s.Gini(), "theil": theil, "quantile": s.Quantile(0.5), "rate": s.Poverty(3).Rate} {
		if !math.IsNaN(got) {
			t.Errorf("%s of nobody is %v, want not a number", name, got)
		}
	}
}

// TestSum compares with a sum in so many digits that nothing is rounded, added in parts and in any order.
func TestSum(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		exact := new(big.Float).SetPrec(4000)
		var parts [3]statistics.Sum
		for range 1 + random.IntN(200) {
			x := math.Ldexp(random.NormFloat64(), random.IntN(2000)-1060)
			if round%2 == 0 {
				x = math.Ldexp(random.NormFloat64(), random.IntN(60))
			}
			exact.Add(exact, new(big.Float).SetFloat64(x))
			parts[random.IntN(3)].Add(x)
		}
		parts[0].Merge(parts[1])
		parts[2].Merge(parts[0])
		want, _ := exact.Float64()
		if got := parts[2].Value(); got != want {
			t.Fatalf("round %d: %v, want %v", round, got, want)
		}
	}
}

func TestSumBeyondNumbers(t *testing.T) {
	var s statistics.Sum
	if s.Value() != 0 {
		t.Errorf("nothing is %v", s.Value())
	}
	s.Add(math.Inf(1))
	s.Add(1)
	if !math.IsInf(s.Value(), 1) {
		t.Errorf("with infinity: %v", s.Value())
	}
	s.Add(math.Inf(-1))
	if !math.IsNaN(s.Value()) {
		t.Errorf("with both infinities: %v", s.Value())
	}
}

func BenchmarkSum(b *testing.B) {
	var s statistics.Sum
	for i := range b.N {
		s.Add(float64(i) * 1.1)
	}
}
