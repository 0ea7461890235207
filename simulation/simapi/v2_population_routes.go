package simapi

import (
	"encoding/json"
	"net/http"

	"edict/platform/web"
	"edict/simulation/jobs"
)

// populationPolicy is who may have populations computed.
func (a *API) populationPolicy() web.Policy {
	switch o := a.o.Populations; {
	case o.Open:
		return a.policy()
	case o.Lone:
		return web.Public // for the answer that says why not
	}
	return web.Policy{Name: "admin", Access: web.RequiredCaller, Admins: true, Description: "Admins."}
}

var (
	populationSchema = objectSchema(map[string]web.Schema{
		"variables":         described(severally, "Variables to compute, as name or name:period."),
		"period":            described(aText, "Period of variables and columns without one, such as 2024 or 2024-01."),
		"reform":            described(listOf(anyValue), "Reforms: keys, or objects with parameters and neutralised variables."),
		"set":               described(severally, "Values of parameters, each as PATH=VALUE, PATH=VALUE@START or PATH=VALUE@START..END."),
		"compare":           described(aBoolean, "Also compute the base without reforms and report the difference."),
		"weight":            described(aText, "Column with the weight of each person."),
		"income":            described(aText, "Variable whose distribution is measured. Defaults to the catalogue's income."),
		"equivalence":       described(aText, "Equivalence scale of household incomes: modified-oecd, sqrt, none or a column."),
		"poverty-line":      described(aNumber, "Poverty line, as equivalised income. Defaults to 60 % of the base's median."),
		"by":                described(severally, "Columns to break the report down by."),
		"tolerance":         described(aNumber, "Income changes below this amount count as unchanged."),
		"replicate-weights": described(severally, "Replicate weights, for standard errors of all figures: columns, or one prefix of columns that end in a number."),
		"replicate-method":  described(aText, "Method of the replicate weights: jackknife, brr, fay:0.5, bootstrap or sdr."),
		"keep":              described(severally, "Columns to copy to the rows."),
		"ignore-unknown":    described(aBoolean, "Skip columns that are not variables of the law."),
		"output":            {"type": "string", "enum": []string{outputCSV, outputParquet, outputNone}, "description": "Format of the rows. Defaults to the file's, for HDF5 to csv."},
		"sample":            described(aBoolean, "Use the embedded law's synthetic sample instead of a file. Its households are invented. Year, weights and disposable income are the defaults of the options."),
	})
	populationForm = objectSchema(map[string]web.Schema{
		"file":    {"type": "string", "format": "binary", "description": "Persons, one per row; its name ends in .csv, .parquet, .h5 or .hdf5. Not with the sample."},
		"options": described(populationSchema, "The flags of edict population by name. variables and period are required without sample."),
	}, "options")
	populationExample = populationRecord{
		ID: "k3mv5yqzx7w2", State: jobs.Running, Progress: 0.4, Persons: 20000, Created: "2026-11-16T09:30:00.000Z", Started: "2026-11-16T09:30:01.000Z",
		Options: json.RawMessage(`{"variables":["irpp"],"period":"2024"}`),
	}
)

var populationFormExample = []web.FormPart{
	{Name: "options", Text: `{"variables":["irpp"],"period":"2024"}`}, {Name: "file", File: "persons.csv", Text: "individu_id,salaire_imposable\n1,30000\n"},
}

// v2Populations are the routes of populations; none without a queue.
func (a *API) v2Populations() []web.Route {
	if a.o.Populations.Queue == nil {
		return nil
	}
	route := func(method, path, id, summary, description string, h web.Handler, answers ...web.Answer) web.Route {
		return web.Route{
			Method: method, Path: "/api/2/populations" + path, Policy: a.populationPolicy(), Handle: h,
			Doc: web.Doc{ID: id, Summary: summary, Description: description, Answers: answers},
		}
	}
	send := route(http.MethodPost, "", "sendPopulation2", "Compute a population", "Computes variables for a file of persons in the background: one population at a time, on some of the cores. Location contains the population's address.",
		a.computes(a.sendPopulation), web.Answer{Status: http.StatusAccepted, Type: populationRecord{}, Example: populationExample})
	send.Doc.Body = &web.Body{Type: populationForm, Example: populationFormExample, ContentType: "multipart/form-data"}
	send.MaxBody, send.Timeout = a.o.Populations.Body, -1
	report := route(http.MethodGet, "/{id}/report", "populationReport2", "Read the report", "Returns totals, winners and losers, inequality and poverty of a finished population.",
		a.populationReport, web.Answer{Status: 200, Type: anyObject, Example: object{{"period", "2024"}, {"persons", 120000}}})
	report.Doc.Params = []web.Param{{Name: "format", Type: web.OneOf("json", "csv", "table"), Description: "json (default), csv, or table for people."}}
	rows := route(http.MethodGet, "/{id}/rows", "populationRows2", "Download the rows", "Returns the variables of every person or group of a finished population. Supports range requests.",
		a.populationRows, web.Answer{Status: 200, ContentType: "text/csv", Type: aText, Example: "individu,irpp\n1,-1587.99\n"})
	rows.Doc.Params, rows.Timeout = []web.Param{{Name: "entity", Description: "Key of the entity, if there is one file per entity."}}, -1
	events := route(http.MethodGet, "/{id}/events", "populationEvents2", "Follow a population", "Streams the population as Server-Sent Events: first immediately, then on changes, up to four times a second, and finally when it ends.",
		a.populationEvents, web.Answer{Status: 200, ContentType: "text/event-stream", Type: aText, Example: "event: population\ndata: {\"id\":\"k3mv5yqzx7w2\",\"state\":\"running\",…}\n\n"})
	events.Stream = true
	return []web.Route{
		send, report, rows, events,
		route(http.MethodGet, "", "populations2", "List populations", "Returns queued, running and stored populations. For admins. With --simulation-populations open there is no list: callers keep the address of theirs.",
			a.populations, web.Answer{Status: 200, Type: populationList{}, Example: populationList{[]populationRecord{populationExample}}}),
		route(http.MethodGet, "/{id}", "population2", "Read a population", "Returns a population's state and the addresses of its report and rows.",
			a.population, web.Answer{Status: 200, Type: populationRecord{}, Example: populationExample}),
		route(http.MethodDelete, "/{id}", "removePopulation2", "Delete a population", "Cancels a population if it has not ended, and deletes it with its files.",
			a.removePopulation, web.Answer{Status: http.StatusNoContent}),
	}
}
