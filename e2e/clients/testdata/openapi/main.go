// Command openapi calls a server through the client that was generated from its /openapi.json.
//
//	openapi URL TOKEN
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/openapi/api"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, token string) error {
	client, err := api.NewClientWithResponses(url, api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		return err
	}
	for _, call := range []func(context.Context, *api.ClientWithResponses) error{health, channel, situation, scenario, wrong} {
		if err := call(ctx, client); err != nil {
			return err
		}
	}
	return nil
}

func health(ctx context.Context, client *api.ClientWithResponses) error {
	answer, err := client.HealthWithResponse(ctx)
	if err == nil && answer.StatusCode() != http.StatusOK {
		err = fmt.Errorf("health: %s %s", answer.Status(), answer.Body)
	}
	return err
}

func channel(ctx context.Context, client *api.ClientWithResponses) error {
	answer, err := client.CreateChannelWithResponse(ctx, api.NewChannel{ChannelName: "generated"})
	if err == nil && answer.StatusCode() != http.StatusCreated {
		err = fmt.Errorf("createChannel: %s %s", answer.Status(), answer.Body)
	}
	return err
}

func situation(ctx context.Context, client *api.ClientWithResponses) error {
	body := api.Situation{AdditionalProperties: map[string]map[string]api.SituationMember{
		"individus":      {"ada": {"salaire_imposable": map[string]any{"2024": 30000}}},
		"foyers_fiscaux": {"f": {"declarants": []string{"ada"}, "nbptr": map[string]any{"2024": nil}}},
	}}
	answer, err := client.CalculateWithResponse(ctx, body)
	if err != nil {
		return err
	}
	if answer.JSON200 == nil {
		return fmt.Errorf("calculate: %s %s", answer.Status(), answer.Body)
	}
	foyer := answer.JSON200.AdditionalProperties["foyers_fiscaux"]["f"]
	if shares := foyer["nbptr"].(map[string]any)["2024"]; shares != 1.0 {
		return fmt.Errorf("calculate: nbptr is %v", shares)
	}
	return nil
}

func scenario(ctx context.Context, client *api.ClientWithResponses) error {
	format, names := api.Calculate1JSONBodyOutputFormat("variables"), []api.AskedVariable{"nbptr", map[string]any{"name": "irpp", "period": "2024"}}
	answer, err := client.Calculate1WithResponse(ctx, nil, api.Calculate1JSONRequestBody{
		OutputFormat: &format, Variables: &names,
		Scenarios: []api.Scenario{{
			Period: "2024", Axes: &[]any{api.Axis{Name: "salaire_imposable", Min: 0, Max: 10, Count: 2}},
			TestCase: &api.TestCase{
				"individus": []map[string]any{{"id": "ada"}}, "familles": []map[string]any{{"parents": []string{"ada"}}},
				"foyers_fiscaux": []map[string]any{{"declarants": []string{"ada"}}}, "menages": []map[string]any{{"personne_de_reference": "ada"}},
			},
		}},
		Reforms: &[]api.Reform{api.ReformData{Parameters: &map[string]map[string]any{"impot_revenu.decote.taux": {"2024-01-01": 0}}}},
	})
	if err != nil {
		return err
	}
	if answer.JSON200 == nil || answer.JSON200.Value == nil {
		return fmt.Errorf("calculate1: %s %s", answer.Status(), answer.Body)
	}
	if got := fmt.Sprint(*answer.JSON200.Value); got != "[map[irpp:[0 0] nbptr:[1 1]]]" {
		return fmt.Errorf("calculate1: %s", got)
	}
	return nil
}

// wrong is a request that the server refuses.
func wrong(ctx context.Context, client *api.ClientWithResponses) error {
	answer, err := client.Variables1WithResponse(ctx, &api.Variables1Params{Name: &[]string{"irpp", "nothing"}})
	if err == nil && answer.StatusCode() != http.StatusBadRequest {
		err = fmt.Errorf("variables1: %s %s", answer.Status(), answer.Body)
	}
	return err
}
