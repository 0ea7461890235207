// Command swagger calls a server through the client that was generated from its /api/1/swagger.
//
//	swagger HOST:PORT
package main

import (
	"errors"
	"fmt"
	"os"

	"clients/swagger/api/client"
	"clients/swagger/api/client/foyers_fiscaux"
	"clients/swagger/api/client/operations"
	"clients/swagger/api/models"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(host string) error {
	c := client.NewHTTPClientWithConfig(nil, client.DefaultTransportConfig().WithHost(host))
	body := &models.Calculate1Request{OutputFormat: "variables", Variables: []models.AskedVariable{"nbptr"}, Scenarios: []*models.Scenario{
		{Period: "2024", InputVariables: map[string]any{"salaire_imposable": []int{30000, 0}}},
	}}
	answer, err := c.Operations.Calculate1(operations.NewCalculate1Params().WithBody(body))
	if err != nil {
		return err
	}
	if got := fmt.Sprint(answer.Payload.Value); got != "[map[nbptr:[1.0 1.0]]]" {
		return fmt.Errorf("calculate1: %s", got)
	}
	shares, err := c.FoyersFiscaux.FormulaNbptr(foyers_fiscaux.NewFormulaNbptrParams().WithPeriod("2024"))
	if err != nil {
		return err
	}
	if got := shares.Payload.Values.Nbptr; got == nil || *got != 1 {
		return fmt.Errorf("formula_nbptr: %v", shares.Payload.Values)
	}
	_, err = c.Operations.Variables1(operations.NewVariables1Params().WithName([]string{"irpp", "nothing"}))
	if refused := (*operations.Variables1Default)(nil); !errors.As(err, &refused) || !refused.IsCode(400) {
		return fmt.Errorf("variables1: %v", err)
	}
	return nil
}
