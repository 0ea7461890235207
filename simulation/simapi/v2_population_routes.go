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
		"variables":      described(severally, "Variables to compute, as name or name:period."),
		"period":         described(aText, "Period of the variables and of the columns that name none, such as 2024 or 2024-01."),
		"reform":         described(listOf(anyValue), "Reforms: keys, or objects with parameters and neutralised variables."),
		"set":            described(severally, "Values of parameters, each as PATH=VALUE, PATH=VALUE@START or PATH=VALUE@START..END."),
		"compare":        described(aBoolean, "Compute the legislation without reforms too, as the base, and report on the difference."),
		"weight":         described(aText, "Column that says how many persons a row stands for."),
		"income":         described(aText, "Variable whose distribution is measured; the income of the catalogue if it is not given."),
		"equivalence":    described(aText, "What incomes of households are divided by: modified-oecd, sqrt, none, or a column."),
		"poverty-line":   described(aNumber, "Equivalised income below which a person is poor; 60 % of the median of the base if it is not given."),
		"by":             described(severally, "Columns: everything is reported again for each of their values."),
		"tolerance":      described(aNumber, "Change of an income below which it counts as unchanged."),
		"keep":           described(severally, "Columns to carry through to the rows."),
		"ignore-unknown": described(aBoolean, "Leave out columns that are no variables of the legislation."),
		"output":         {"type": "string", "enum": []string{outputCSV, outputParquet, outputNone}, "description": "What the rows are written as; as the file if it is not given."},
		"sample":         described(aBoolean, "Use the synthetic sample of the embedded legislation instead of a file: nobody in it exists. Its year, its weights and the disposable income are what is asked for unless the options say otherwise."),
	})
	populationForm = objectSchema(map[string]web.Schema{
		"file":    {"type": "string", "format": "binary", "description": "Persons, one per row; its name ends in .csv, .parquet, .h5 or .hdf5. Not with the sample."},
		"options": described(populationSchema, "The flags of edict population by their names. Variables and a period are needed unless the sample is asked for."),
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
	send := route(http.MethodPost, "", "sendPopulation2", "Compute a population", "Takes a file of persons and computes variables for all of them, behind the requests for households: one population at a time, on some of the cores. The answer says where to look for it.",
		a.computes(a.sendPopulation), web.Answer{Status: http.StatusAccepted, Type: populationRecord{}, Example: populationExample})
	send.Doc.Body = &web.Body{Type: populationForm, Example: populationFormExample, ContentType: "multipart/form-data"}
	send.MaxBody, send.Timeout = a.o.Populations.Body, -1
	report := route(http.MethodGet, "/{id}/report", "populationReport2", "The report", "Totals, winners and losers, inequality and poverty of a population that is done.",
		a.populationReport, web.Answer{Status: 200, Type: anyObject, Example: object{{"period", "2024"}, {"persons", 120000}}})
	report.Doc.Params = []web.Param{{Name: "format", Type: web.OneOf("json", "csv", "table"), Description: "json (the default), csv, or table for people."}}
	rows := route(http.MethodGet, "/{id}/rows", "populationRows2", "The rows", "The variables of every person or group, of a population that is done. Ranges are answered.",
		a.populationRows, web.Answer{Status: 200, ContentType: "text/csv", Type: aText, Example: "individu,irpp\n1,-1587.99\n"})
	rows.Doc.Params, rows.Timeout = []web.Param{{Name: "entity", Description: "Key of the entity, where there is a file for each."}}, -1
	events := route(http.MethodGet, "/{id}/events", "populationEvents2", "Follow a population", "The record of a population as Server-Sent Events: at once, whenever it changes, four times a second at most, and a last time when it has ended.",
		a.populationEvents, web.Answer{Status: 200, ContentType: "text/event-stream", Type: aText, Example: "event: population\ndata: {\"id\":\"k3mv5yqzx7w2\",\"state\":\"running\",…}\n\n"})
	events.Stream = true
	return []web.Route{
		send, report, rows, events,
		route(http.MethodGet, "", "populations2", "The populations", "Everything that is queued, runs or has ended and is kept. For admins: where everybody may send populations, whoever sent one knows its address.",
			a.populations, web.Answer{Status: 200, Type: populationList{}, Example: populationList{[]populationRecord{populationExample}}}),
		route(http.MethodGet, "/{id}", "population2", "A population", "How a population stands, and where its report and rows are.",
			a.population, web.Answer{Status: 200, Type: populationRecord{}, Example: populationExample}),
		route(http.MethodDelete, "/{id}", "removePopulation2", "Remove a population", "Cancels a population that has not ended, and removes it with all its files.",
			a.removePopulation, web.Answer{Status: http.StatusNoContent}),
	}
}
