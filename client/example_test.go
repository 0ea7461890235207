package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"edict/client"
)

var ctx = context.Background()

// A channel that only subscribers publish to, with a first item.
func Example() {
	c := &client.Client{URL: "http://127.0.0.1:8080", Token: os.Getenv("EDICT_TOKEN")}
	if err := c.CreateChannel(ctx, client.NewChannel{Name: "news", PublishPermission: "subscribers", WakePreview: true}); err != nil {
		log.Fatal(err)
	}
	id, err := c.Publish(ctx, "news", client.Item{Content: json.RawMessage(`{"text":"The new rates are out"}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("on disk:", id)
}

// Follow sees every event once, also over lost connections, and over restarts when the cursor is kept.
func ExampleClient_Follow() {
	c := &client.Client{URL: "http://127.0.0.1:8080", Token: os.Getenv("EDICT_TOKEN")}
	saved, _ := os.ReadFile("cursor") // none at first
	err := c.Follow(ctx, client.Following{Cursor: string(saved), Handle: func(e client.Event) error {
		fmt.Println(e.Event, string(e.Data))
		if e.ID == "" {
			return nil
		}
		return os.WriteFile("cursor", []byte(e.ID), 0o600)
	}})
	log.Fatal(err)
}

// What is unread, and that it has been read.
func ExampleClient_MarkRead() {
	c := &client.Client{URL: "http://127.0.0.1:8080", Token: os.Getenv("EDICT_TOKEN")}
	mine, err := c.MySubscriptions(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range mine {
		newest, _, err := c.Items(ctx, s.Channel, client.Fetch{Newest: true, Size: 1})
		if err != nil {
			log.Fatal(err)
		}
		if len(newest) == 0 {
			continue
		}
		fmt.Println(s.Channel, s.Unread)
		if err := c.MarkRead(ctx, s.Channel, newest[0].ID); err != nil {
			log.Fatal(err)
		}
	}
}

// A backend signs its own users in and hands them their tokens.
func ExampleBackend_UserToken() {
	b := &client.Backend{URL: "http://127.0.0.1:8080", ID: os.Getenv("CLIENT_ID"), Secret: os.Getenv("CLIENT_SECRET")}
	http.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		tokens, err := b.UserToken(r.Context(), "ada", "") // whoever the backend's own session says it is
		if err != nil {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, tokens.Access)
	})
}

// What a household would pay without the décote, which lowers the tax of those who pay little.
func ExampleClient_Compare() {
	c := &client.Client{URL: "http://127.0.0.1:8080"}
	with, without, err := c.Compare(ctx, client.Scenarios{
		Scenarios: []json.RawMessage{json.RawMessage(`{"period": "2024", "test_case": {"individus": [{"id": "ada", "salaire_imposable": 30000}],
			"familles": [{"parents": ["ada"]}], "foyers_fiscaux": [{"declarants": ["ada"]}], "menages": [{"personne_de_reference": "ada"}]}}`)},
		Variables: []string{"irpp"},
		Reforms:   []json.RawMessage{json.RawMessage(`{"parameters": {"impot_revenu.decote.taux": {"2024-01-01": 0}}}`)},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(with[0]["irpp"][0]), "in place of", string(without[0]["irpp"][0]))
}
