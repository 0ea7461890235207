// Command spec calls a server through the client that was generated from its /spec, with types of its legislation.
//
//	spec URL
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/spec/api"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url string) error {
	client, err := api.NewClientWithResponses(url)
	if err != nil {
		return err
	}
	salary := float32(30000)
	answer, err := client.CalculateWithResponse(ctx, api.SituationInput{
		Individus:     &map[string]api.Individu{"ada": {SalaireImposable: &map[string]*float32{"2024": &salary}}},
		FoyersFiscaux: &map[string]api.FoyerFiscal{"f": {Declarants: &[]string{"ada"}, Nbptr: &map[string]*float32{"2024": nil}}},
	})
	if err != nil {
		return err
	}
	if answer.JSON200 == nil {
		return fmt.Errorf("calculate: %s %s", answer.Status(), answer.Body)
	}
	if shares := (*(*answer.JSON200.FoyersFiscaux)["f"].Nbptr)["2024"]; shares == nil || *shares != 1 {
		return fmt.Errorf("calculate: %s", answer.Body)
	}
	parameter, err := client.GetParameterWithResponse(ctx, "impot_revenu.decote.taux")
	if err != nil {
		return err
	}
	if parameter.JSON200 == nil {
		return fmt.Errorf("parameter: %s %s", parameter.Status(), parameter.Body)
	}
	nothing, err := client.GetVariableWithResponse(ctx, "nothing")
	if err == nil && nothing.StatusCode() != http.StatusNotFound {
		err = fmt.Errorf("variable: %s %s", nothing.Status(), nothing.Body)
	}
	return err
}
