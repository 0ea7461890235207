package country_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"edict/simulation/country"
)

// TestFacts asks the questions of testdata/facts/feature_facts, which OpenFisca-Core, numpy and pandas answered (record.py).
func TestFacts(t *testing.T) {
	text, err := os.ReadFile("testdata/facts/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	var want [][2]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	src, err := country.Open("testdata/facts/feature_facts")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := country.Load(context.Background(), country.Options{}, src)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := pkg.Setting(context.Background(), "facts")
	if err != nil || len(facts.List) != len(want) {
		t.Fatalf("%d facts for %d, %v", len(facts.List), len(want), err)
	}
	for i, fact := range facts.List {
		question, answer := fact.List[0].Scalar.Text(0), fact.List[1].Scalar.Text(0)
		if question != want[i][0] || answer != want[i][1] {
			t.Errorf("%s: %s\nwant %s: %s", question, answer, want[i][0], want[i][1])
		}
	}
}
