package simapi_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"edict/simulation/country"
	"edict/simulation/pyeval"
	"edict/simulation/simapi"
)

var (
	original   = flag.String("package", "", "`directory` of a package for PolicyEngine")
	households = flag.String("households", "", "`file` with households and the original's answers for that package, as households/record.py writes them")
	images     = flag.String("cache", "", "`directory` of a cache of packages")
	differing  = flag.String("differing", "", "`file` to write what differs to, with both values")
)

// recorded is a household with the original's answer: values by entity, id, variable and period, or an error.
type recorded struct {
	Kind      string
	Household json.RawMessage
	Policy    json.RawMessage
	Answer    map[string]any
	Errors    map[string]any
}

// originalPackage returns the package of the recorded households.
func originalPackage(t *testing.T) *country.Package {
	t.Helper()
	if *households == "" {
		t.Skip("needs a package and recorded households: -package, -households")
	}
	src, err := country.Open(*original)
	if err != nil {
		t.Fatal(err)
	}
	options := country.Options{Now: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Limits: pyeval.Limits{Bytes: 6 << 30}}
	if *images != "" {
		if options.Cache, err = country.OpenCache(*images); err != nil {
			t.Fatal(err)
		}
	}
	pkg, err := country.Load(t.Context(), options, src)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestOriginalHouseholds compares households with the original's recorded answers, at POST /us/calculate and its siblings: numbers within 0.01 or a
// millionth, everything else exactly; rejected households are rejected. NAME.differences next to the recording lists "LINE VARIABLE" for each
// variable that differs today; a listed one that agrees is a failure too.
func TestOriginalHouseholds(t *testing.T) {
	pkg := originalPackage(t)
	name := map[string]string{"policyengine_us": "us", "policyengine_uk": "uk", "policyengine_canada": "ca"}[filepath.Base(*original)]
	api := simapi.New(simapi.Options{Country: name, Timeout: 10 * time.Minute, Memory: 4 << 30})
	if err := api.Load(t.Context(), pkg, pkg.System); err != nil {
		t.Fatal(err)
	}
	h, known, found := handler(t, api), differences(t), make(map[string]bool)
	values, rejected, requests := 0, 0, 0
	var report strings.Builder
	for line, want := range recordings(t) {
		requests++
		differ := func(variable, format string, args ...any) {
			key := fmt.Sprint(line, " ", variable)
			found[key] = true
			text := fmt.Sprintf("%s (%s): ", key, want.Kind) + fmt.Sprintf(format, args...)
			report.WriteString(text + "\n")
			if !known[key] {
				t.Error(text)
			}
		}
		body, err := json.Marshal(map[string]json.RawMessage{"household": want.Household, "policy": want.policy()})
		if err != nil {
			t.Fatal(err)
		}
		w := send(h, http.MethodPost, "/"+name+"/calculate", string(body))
		got := decode(t, w)
		if text, ok := want.Answer["error"].(string); ok {
			rejected++
			if w.Code == http.StatusOK {
				differ("error", "computed, and the original rejects it: %s", text)
			}
			continue
		}
		if w.Code != http.StatusOK {
			differ("error", "%d %v", w.Code, got["message"])
			continue
		}
		for where, value := range answers(want.Answer) {
			values++
			if text := compared(at(got["result"], where), value); text != "" {
				differ(where[2], "%s: %s", strings.Join(where, "/"), text)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if !found[key] {
			t.Errorf("%s agrees: remove it from the differences", key)
		}
	}
	t.Logf("%d requests, %d rejected by the original, %d values; %d variables of requests differ", requests, rejected, values, len(found))
	if *differing != "" {
		if err := os.WriteFile(*differing, []byte(report.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (r recorded) policy() json.RawMessage {
	if r.Policy == nil {
		return json.RawMessage("{}")
	}
	return r.Policy
}

// recordings yields the recorded households with their line, from 1.
func recordings(t *testing.T) iter.Seq2[int, recorded] {
	return func(yield func(int, recorded) bool) {
		f, err := os.Open(*households)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 16<<20)
		for line := 1; lines.Scan(); line++ {
			var r recorded
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatalf("%s:%d: %v", *households, line, err)
			}
			if !yield(line, r) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// differences are the known ones of a recording.
func differences(t *testing.T) map[string]bool {
	t.Helper()
	known := make(map[string]bool)
	text, err := os.ReadFile(strings.TrimSuffix(*households, ".jsonl.gz") + ".differences")
	if os.IsNotExist(err) {
		return known
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	return known
}

// answers yields the values of an answer with their entity, id, variable and period, in sorted order.
func answers(answer map[string]any) iter.Seq2[[]string, any] {
	return func(yield func([]string, any) bool) {
		var walk func(where []string, v any) bool
		walk = func(where []string, v any) bool {
			inner, ok := v.(map[string]any)
			if !ok {
				return yield(where, v)
			}
			for _, key := range slices.Sorted(maps.Keys(inner)) {
				if !walk(append(slices.Clone(where), key), inner[key]) {
					return false
				}
			}
			return true
		}
		walk(nil, answer)
	}
}

// at is what a document has at a path.
func at(v any, where []string) any {
	for _, key := range where {
		inner, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = inner[key]
	}
	return v
}

// compared returns "" if a value is the original's.
func compared(got, want any) string {
	switch want := want.(type) {
	case []any:
		points, ok := got.([]any)
		if !ok || len(points) != len(want) {
			return fmt.Sprintf("%v, the original has %v", got, want)
		}
		for i := range want {
			if text := compared(points[i], want[i]); text != "" {
				return fmt.Sprintf("point %d: %s", i, text)
			}
		}
		return ""
	case float64:
		number, ok := got.(float64)
		if truth, isBool := got.(bool); isBool {
			number, ok = map[bool]float64{true: 1}[truth], true
		}
		if !ok || math.Abs(number-want) > max(0.01, 1e-6*math.Abs(want)) {
			return fmt.Sprintf("%v, the original has %v", got, want)
		}
	case string:
		named := map[string]string{"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
		if text, ok := named[want]; ok {
			want = text
		}
		if got != want {
			return fmt.Sprintf("%v, the original has %v", got, want)
		}
	default:
		if got != want {
			return fmt.Sprintf("%v, the original has %v", got, want)
		}
	}
	return ""
}
