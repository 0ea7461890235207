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
	answer, err := client.CalculateWithResponse(ctx, map[string]any{
		"individus":      map[string]any{"ada": map[string]any{"salaire_imposable": map[string]any{"2024": 30000}}},
		"foyers_fiscaux": map[string]any{"f": map[string]any{"declarants": []string{"ada"}, "nbptr": map[string]any{"2024": nil}}},
	})
	if err != nil {
		return err
	}
	if answer.JSON200 == nil {
		return fmt.Errorf("calculate: %s %s", answer.Status(), answer.Body)
	}
	foyer := (*answer.JSON200)["foyers_fiscaux"].(map[string]any)["f"].(map[string]any)
	if shares := foyer["nbptr"].(map[string]any)["2024"]; shares != 1.0 {
		return fmt.Errorf("calculate: nbptr is %v", shares)
	}
	return nil
}

func scenario(ctx context.Context, client *api.ClientWithResponses) error {
	format, names := api.Calculate1JSONBodyOutputFormat("variables"), []any{"nbptr"}
	body := api.Calculate1JSONRequestBody{OutputFormat: &format, Variables: &names}
	body.Scenarios = append(body.Scenarios, struct {
		Axes           *[]any          `json:"axes,omitempty"`
		InputVariables *map[string]any `json:"input_variables,omitempty"`
		Period         any             `json:"period"`
		TestCase       *map[string]any `json:"test_case,omitempty"`
	}{Period: "2024", InputVariables: &map[string]any{"salaire_imposable": []int{30000, 0}}})
	answer, err := client.Calculate1WithResponse(ctx, body)
	if err != nil {
		return err
	}
	if answer.JSON200 == nil || answer.JSON200.Value == nil {
		return fmt.Errorf("calculate1: %s %s", answer.Status(), answer.Body)
	}
	if got := fmt.Sprint(*answer.JSON200.Value); got != "[map[nbptr:[1 1]]]" {
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
