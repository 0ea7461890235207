package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"
)

// WatchAPI is the path of the API of watches.
const WatchAPI = "/watch/api/v1"

// WatchOf is a watch of a person who earns a salary.
func WatchOf(person, salary, label string) string {
	return fmt.Sprintf(`{"situation": {"individus": {%q: {"salaire_imposable": {"2024": %s}}}, "foyers_fiscaux": {"f": {"declarants": [%q]}}}, "period": "2024", "figures": [{"variable": "irpp", "label": %q}]}`, person, salary, person, label)
}

// DecoteRun is a run without the décote.
const DecoteRun = `{"base": {}, "new": {"parameters": {"impot_revenu.decote.taux": {"2024-01-01": 0}}}, "message": {"en": "{label}: {difference}"}, "dry": %v}`

// WatchRun is a run as the server shows it.
type WatchRun struct {
	ID, State        string
	Recipients, Sent *int // nil where too few to be shown
}

// ReadRun reads an answer about a run.
func ReadRun(t *testing.T, answer []byte) (r WatchRun) {
	t.Helper()
	if err := json.Unmarshal(answer, &r); err != nil || r.ID == "" {
		t.Fatalf("%s: %v", answer, err)
	}
	return r
}

// AwaitRun reads the events of a run to their end.
func AwaitRun(t *testing.T, url, token, id string) {
	t.Helper()
	stream := OpenStream(t, url+WatchAPI+"/runs/"+id+"/events", token)
	_, _ = io.Copy(io.Discard, stream.In) // the end is what matters
}
