package simapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"testing"

	"edict/simulation/jobs"
	"edict/simulation/simapi"
)

// FuzzPopulation: whatever options and file are sent, the answer is JSON and no 5xx, and what is computed ends.
func FuzzPopulation(f *testing.F) {
	queue, err := jobs.Open(jobs.Options{Dir: f.TempDir()})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = queue.Close(context.Background()) })
	h := server(f, simapi.Options{Populations: simapi.PopulationOptions{Queue: queue, Open: true, Rows: 100}})
	const persons = "individu_id,menage_id,menage_role,salaire_imposable,w\n1,1,personne_de_reference,1000,2\n"
	for _, options := range []string{
		`{"variables":["revdisp"],"period":"2022","reform":["allocation_unique"],"compare":true,"weight":"w","by":["menage_id"],"keep":["w"],"output":"parquet"}`,
		`{"variables":["irpp:2021"],"period":2022,"set":["impot_revenu.decote.taux=0.5@2022-01-01"],"poverty-line":1e4,"tolerance":0,"equivalence":"w","income":"revdisp","ignore-unknown":1}`,
		`{"variables":["irpp"],"period":"2022","reform":[{"parameters":{"impot_revenu.decote.taux":{"2022":1}},"neutralize":["irpp"]}]}`, `{"variables":[null,""],"period":[]}`, ``, `{`,
	} {
		f.Add(options, persons, "persons.csv")
		f.Add(options, "PAR1", "persons.parquet")
	}
	f.Fuzz(func(t *testing.T, options, file, name string) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", name)
		if err != nil {
			t.Skip("no name")
		}
		_, _ = part.Write([]byte(file))
		_ = form.WriteField("options", options)
		_ = form.Close()
		w := send(h, http.MethodPost, "/api/2/populations", body.String(), "Content-Type", form.FormDataContentType())
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%q %q: %d %s", options, file, w.Code, w.Body)
		}
		if w.Code != http.StatusAccepted {
			return
		}
		here := w.Header().Get("Location")
		send(h, http.MethodGet, here+"/events", "") // ends with the population
		for _, path := range []string{"", "/report", "/rows"} {
			if w := send(h, http.MethodGet, here+path, ""); w.Code >= 500 {
				t.Fatalf("%q %q: %s is %d %s", options, file, path, w.Code, w.Body)
			}
		}
		if w := send(h, http.MethodDelete, here, ""); w.Code != http.StatusNoContent {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	})
}
