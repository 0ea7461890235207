package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// What follows needs no token, unless the server runs with --simulation-auth required.

// Calculate returns a situation in OpenFisca's form, {"individus": {"ada": {"salaire_imposable": {"2024": 30000}}}, …}, with a value wherever it has null.
func (c *Client) Calculate(ctx context.Context, situation json.RawMessage) (answer json.RawMessage, err error) {
	err = c.call(ctx, http.MethodPost, "/calculate", situation, &answer)
	return answer, err
}

// Scenarios is a request of /api/1/calculate; docs/reference/simulation-api.md describes scenarios and reforms.
type Scenarios struct {
	Scenarios    []json.RawMessage `json:"scenarios"`
	Variables    []string          `json:"variables"`
	Reforms      []json.RawMessage `json:"reforms,omitempty"` // keys in quotes, and reforms as data
	OutputFormat string            `json:"output_format"`
}

// Columns are the values of variables, a list for each: an entry per member of its entity, along axes one step after the other.
type Columns map[string][]json.RawMessage

// Compare computes variables for scenarios, and with reforms also without them: a Columns per scenario. Without reforms base is nil.
func (c *Client) Compare(ctx context.Context, s Scenarios) (value, base []Columns, err error) {
	s.OutputFormat = "variables"
	var answer struct {
		Value []Columns `json:"value"`
		Base  []Columns `json:"base_value"`
	}
	err = c.call(ctx, http.MethodPost, "/api/1/calculate", s, &answer)
	return answer.Value, answer.Base, err
}

// Branch is a value and what it was made of, as docs/reference/why.md describes it.
type Branch struct {
	Variable string          `json:"variable"`
	Label    string          `json:"label"`
	Period   string          `json:"period"`
	Value    json.RawMessage `json:"value"`
	Origin   string          `json:"origin"` // "formula", "input", "default" or "neutralized"
	Branches []Branch        `json:"branches"`
}

// Why returns the tree behind the figure of a variable in a scenario, opened to a depth.
func (c *Client) Why(ctx context.Context, scenario json.RawMessage, variable string, depth int) (Branch, error) {
	request := map[string]any{"scenarios": []json.RawMessage{scenario}, "figure": map[string]any{"variable": variable}, "depth": depth}
	var answer struct {
		Value Branch `json:"value"`
	}
	err := c.call(ctx, http.MethodPost, "/api/2/why", request, &answer)
	return answer.Value, err
}

// Found is a variable or a parameter that SearchLaw found.
type Found struct {
	Kind  string `json:"kind"` // "variable" or "parameter"
	ID    string `json:"id"`
	Label string `json:"label"`
}

// SearchLaw returns the variables and parameters that a text means, the best first.
func (c *Client) SearchLaw(ctx context.Context, text string) ([]Found, error) {
	var answer struct {
		Results []Found `json:"results"`
	}
	err := c.call(ctx, http.MethodGet, "/api/2/search?q="+url.QueryEscape(text), nil, &answer)
	return answer.Results, err
}
