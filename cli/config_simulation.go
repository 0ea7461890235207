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

	Warm string `placeholder:"FILE" help:"Requests that the server plays to itself before it is ready, so that those that follow are fast: a line each, {\"path\": \"/calculate\", \"body\": {…}}."`
}

// SimulationUse bounds requests.
type SimulationUse struct {
	Auth       string        `default:"none" placeholder:"WHO" enum:"none, required" help:"Whether callers need a token: ${enum}. With --only simulation there is nobody to issue tokens, so it is none."`
	Headline   string        `placeholder:"NAME" help:"Variable that graph, field and a derived decomposition are about when a request names none; revdisp where the legislation has it."`
	Welcome    string        `placeholder:"TEXT" help:"Text of the root path."`
	Scenarios  int           `default:"100" placeholder:"N" help:"Most scenarios of one request."`
	Points     int           `default:"1000000" placeholder:"N" help:"Most points of the axes of one request."`
	Cells      int64         `default:"50000000" placeholder:"N" help:"Most values that one simulation may hold in memory."`
	Body       Size          `default:"16MiB" placeholder:"SIZE" help:"Largest body of a request."`
	Timeout    time.Duration `default:"30s" placeholder:"TIME" help:"How long one request may take."`
	Concurrent int           `default:"0" placeholder:"N" help:"Simulations that run at once; 0 is two per core."`
	Waiting    int           `default:"64" placeholder:"N" help:"Requests that may wait for their turn before others are told to come back."`
	Values     int           `default:"1000000" placeholder:"N" help:"Most values in the body of one request, lists and objects included."`
	Answer     Size          `default:"128MiB" placeholder:"SIZE" help:"Largest answer."`

	Populations         string        `default:"admin" placeholder:"WHO" enum:"off, admin, open" help:"Who may send populations, which are computed behind other requests: ${enum}. With --only simulation there are no admins."`
	PopulationBody      Size          `default:"256MiB" placeholder:"SIZE" help:"Largest file of a population."`
	PopulationRows      int           `default:"2000000" placeholder:"N" help:"Most persons of a population."`
	PopulationMax       int           `default:"10" placeholder:"N" help:"Maximum number of populations. When it is reached, the one that ended first is removed; if none has ended, new ones get 503."`
	PopulationRetention time.Duration `default:"24h" placeholder:"TIME" help:"How long a population is kept after its end, if its place is not needed. Populations sent without a token: one hour at most."`
	PopulationCores     int           `default:"0" placeholder:"N" help:"Cores that a population is computed on; 0 is half of them."`
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
