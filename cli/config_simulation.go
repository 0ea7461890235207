package cli

import (
	"errors"
	"time"

	"edict/simulation/simapi"
)

// SimulationConfig says which legislation is served, to whom, and what one request may use.
type SimulationConfig struct {
	CountryConfig `embed:""`
	SimulationUse `embed:"" prefix:"simulation-"`

	Warm string `placeholder:"FILE" help:"File of warm-up requests that run before the server is ready, one per line: {\"path\": \"/calculate\", \"body\": {…}}."`
}

// SimulationUse bounds requests.
type SimulationUse struct {
	Auth       string        `default:"none" placeholder:"WHO" enum:"none, required" help:"Whether callers need a token: ${enum}. Must be none with --only simulation, which issues no tokens."`
	Headline   string        `placeholder:"NAME" help:"Default variable of graph, field and derived decompositions. When empty, revdisp if the law has it."`
	Welcome    string        `placeholder:"TEXT" help:"Response text of the root path."`
	Scenarios  int           `default:"100" placeholder:"N" help:"Maximum number of scenarios per request."`
	Points     int           `default:"1000000" placeholder:"N" help:"Maximum number of axis points per request."`
	Cells      int64         `default:"50000000" placeholder:"N" help:"Maximum number of values in memory per simulation."`
	Body       Size          `default:"16MiB" placeholder:"SIZE" help:"Maximum size of a request body."`
	Timeout    time.Duration `default:"30s" placeholder:"TIME" help:"Timeout of a request."`
	Concurrent int           `default:"0" placeholder:"N" help:"Maximum number of concurrent simulations; 0 means two per core."`
	Waiting    int           `default:"64" placeholder:"N" help:"Maximum number of waiting requests. Further requests get 503."`
	Values     int           `default:"1000000" placeholder:"N" help:"Maximum number of values in a request body, lists and objects included."`
	Answer     Size          `default:"128MiB" placeholder:"SIZE" help:"Maximum size of a response."`

	Populations         string        `default:"admin" placeholder:"WHO" enum:"off, admin, open" help:"Callers who may submit populations, which run in the background: ${enum}. With --only simulation there are no admins."`
	PopulationBody      Size          `default:"256MiB" placeholder:"SIZE" help:"Maximum size of a population file."`
	PopulationRows      int           `default:"2000000" placeholder:"N" help:"Maximum number of persons in a population."`
	PopulationMax       int           `default:"10" placeholder:"N" help:"Maximum number of stored populations. Beyond it, the one that ended first is deleted; if none has ended, new ones get 503."`
	PopulationRetention time.Duration `default:"24h" placeholder:"TIME" help:"Retention of a finished population. Populations submitted without a token are kept for up to one hour."`
	PopulationCores     int           `default:"0" placeholder:"N" help:"Number of cores per population; 0 means half of all cores."`
}

func (c SimulationConfig) validate() error {
	_, err := c.loadOptions()
	return errors.Join(err,
		positive("--simulation-scenarios", c.Scenarios), positive("--simulation-points", c.Points), positive("--simulation-cells", c.Cells),
		positive("--simulation-body", c.Body), positive("--simulation-timeout", c.Timeout), atLeast("--simulation-concurrent", c.Concurrent, 0),
		atLeast("--simulation-waiting", c.Waiting, 1), positive("--simulation-values", c.Values), positive("--simulation-answer", c.Answer),
		positive("--simulation-population-body", c.PopulationBody), positive("--simulation-population-rows", c.PopulationRows),
		positive("--simulation-population-max", c.PopulationMax), positive("--simulation-population-retention", c.PopulationRetention),
		atLeast("--simulation-population-cores", c.PopulationCores, 0))
}

// options returns the options of the wire.
func (c SimulationUse) options() simapi.Options {
	return simapi.Options{
		Auth: c.Auth == "required", Headline: c.Headline, Welcome: c.Welcome, Scenarios: c.Scenarios, Points: c.Points, Cells: c.Cells,
		Body: int64(c.Body), Timeout: c.Timeout, Concurrent: c.Concurrent, Waiting: c.Waiting,
		Values: c.Values, Answer: int64(c.Answer),
		Populations: simapi.PopulationOptions{Open: c.Populations == "open", Body: int64(c.PopulationBody), Rows: c.PopulationRows, Cores: c.PopulationCores},
	}
}
