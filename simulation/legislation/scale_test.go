package legislation

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"edict/simulation/period"
	"edict/simulation/vector"
)

func jsonNumber(text string) Number {
	d, _ := resolvePlain(text)
	n, _ := NumberOf(d.Scalar)
	return n
}

func jsonScale(t *testing.T, kind string, raw json.RawMessage) *Scale {
	t.Helper()
	var brackets [][2]json.Number
	if err := json.Unmarshal(raw, &brackets); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]ScaleKind{"rate": MarginalRate, "average": LinearAverageRate, "amount": MarginalAmount, "single": SingleAmount}
	s := NewScale(kinds[kind], "")
	for _, b := range brackets {
		s.addBracket(jsonNumber(b[0].String()), jsonNumber(b[1].String()))
	}
	return s
}

func jsonText(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

func baseColumn(t *testing.T, bases []float64, dtype string) vector.Column {
	t.Helper()
	d, err := vector.ParseDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	var rules *vector.Rules
	c, err := rules.Cast(vector.Of(append([]float64(nil), bases...)), d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// scaleCase checks one recorded result.
func scaleCase(t *testing.T, row map[string]json.RawMessage, key string, compute func() (string, error)) {
	t.Helper()
	want, ok := row[key]
	if !ok {
		return
	}
	got, err := compute()
	if strings.HasPrefix(string(want), `["error"`) {
		if err == nil {
			t.Errorf("%s of %s: got %s, want an error %s", key, row["brackets"], got, want)
		}
		return
	}
	if err != nil || !closeText(got, string(want)) {
		t.Errorf("%s of %s %s (dtype %s, factor %s, decimals %s):\n got %s (%v)\nwant %s", key, row["kind"], row["brackets"], row["dtype"], row["factor"], row["decimals"], got, err, want)
	}
}

// closeText accepts differences in the last places of 64-bit floats: the original adds the brackets up in the order of
// its linear algebra library. In 32 bits the results must be the same.
func closeText(got, want string) bool {
	if got == want {
		return true
	}
	var a, b [2]json.RawMessage
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || string(a[0]) != string(b[0]) || string(a[0]) != `"f8"` {
		return false
	}
	var x, y []float64
	if json.Unmarshal(a[1], &x) != nil || json.Unmarshal(b[1], &y) != nil || len(x) != len(y) {
		return false
	}
	for i := range x {
		if float32(x[i]) != float32(y[i]) || math.Abs(x[i]-y[i]) > 1e-14*math.Abs(y[i]) {
			return false
		}
	}
	return true
}

func TestScales(t *testing.T) {
	all := readAnswers(t)
	for _, row := range all.Scales {
		kind := jsonText(t, row["kind"])
		s := jsonScale(t, kind, row["brackets"])
		base := baseColumn(t, all.Bases, jsonText(t, row["dtype"]))
		column := func(c vector.Column, err error) (string, error) { return columnText(c), err }
		parts := func(s *Scale, err error) (string, error) {
			if err != nil {
				return "", err
			}
			return partsText(s), nil
		}
		scaleCase(t, row, "sorted", func() (string, error) { return parts(s, nil) })
		var o CalcOptions
		if f, ok := row["factor"]; ok {
			factor := jsonNumber(string(f)).Column()
			o.Factor = &factor
		}
		if d, ok := row["decimals"]; ok && string(d) != "null" {
			decimals := int(jsonNumber(string(d)).Int)
			o.RoundBaseDecimals = &decimals
		}
		scaleCase(t, row, "calc", func() (string, error) { return column(s.Calc(base, o)) })
		scaleCase(t, row, "right", func() (string, error) { return column(s.Calc(base, CalcOptions{Right: true})) })
		scaleCase(t, row, "factors", func() (string, error) {
			var rules *vector.Rules
			factors, err := rules.Binary(vector.Divide, base, vector.PyInt(1000))
			if err != nil {
				return "", err
			}
			return column(s.Calc(base, CalcOptions{Factor: &factors}))
		})
		scaleCase(t, row, "indices", func() (string, error) { return column(s.BracketIndices(base, CalcOptions{Factor: o.Factor})) })
		scaleCase(t, row, "rates", func() (string, error) { return column(s.MarginalRates(base, o)) })
		scaleCase(t, row, "threshold", func() (string, error) { return column(s.ThresholdFromTaxBase(base)) })
		scaleCase(t, row, "from_base", func() (string, error) { return column(s.MarginalRates(base, CalcOptions{})) })
		scaleCase(t, row, "inverse", func() (string, error) { return parts(s.Inverse()) })
		scaleCase(t, row, "average", func() (string, error) { return parts(s.ToAverage()) })
		scaleCase(t, row, "marginal", func() (string, error) { return parts(s.ToMarginal()) })
		scaleCase(t, row, "multiplied", func() (string, error) {
			c := s.Copy()
			if err := c.MultiplyThresholds(FloatNumber(3.3), o.RoundBaseDecimals); err != nil {
				return "", err
			}
			return parts(c, c.MultiplyRates(FloatNumber(0.5)))
		})
		scaleCase(t, row, "combined", func() (string, error) {
			c := s.Copy()
			return parts(c, c.AddTaxScale(jsonScale(t, "rate", row["other"])))
		})
	}
}

// TestLawIsNotChanged: the scale of a tree refuses changes, a fork of it takes them for itself.
func TestLawIsNotChanged(t *testing.T) {
	view, err := testTree(t).On(period.Instant{Year: 2013, Month: 1, Day: 1})
	if err != nil {
		t.Fatal(err)
	}
	value, err := view.Find("taxes", "scale")
	if err != nil {
		t.Fatal(err)
	}
	law, before := value.Scale, partsText(value.Scale)
	changes := map[string]func(*Scale) error{
		"add_bracket":         func(s *Scale) error { return s.AddBracket(IntNumber(5), IntNumber(1)) },
		"add to a bracket":    func(s *Scale) error { return s.AddBracket(IntNumber(1000), IntNumber(1)) },
		"multiply_rates":      func(s *Scale) error { return s.MultiplyRates(IntNumber(2)) },
		"multiply_thresholds": func(s *Scale) error { return s.MultiplyThresholds(IntNumber(2), nil) },
		"add_tax_scale":       func(s *Scale) error { return s.AddTaxScale(law) },
	}
	for name, change := range changes {
		if change(law) == nil {
			t.Errorf("%s changed a scale of the law", name)
		}
		for _, s := range []*Scale{law.Copy(), law.Fork()} {
			if err := change(s); err != nil || partsText(s) == before || partsText(law) != before {
				t.Errorf("%s (%v): the copy is %s, the law %s", name, err, partsText(s), partsText(law))
			}
		}
	}
}
