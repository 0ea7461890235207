package simapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/population"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// populationKeys are the options of a population: the flags of "edict population" by their names.
var populationKeys = []string{
	"variables", "period", "reform", "set", "compare", "weight", "income", "equivalence", "poverty-line", "by", "tolerance", "replicate-weights", "replicate-method", "keep", "ignore-unknown", "output", "sample",
}

// populationOutputs are what the rows may be written as. The report alone has none.
const (
	outputCSV     = "csv"
	outputParquet = "parquet"
	outputNone    = "none"
)

// populationAsked is what a request says about a population, besides the file.
type populationAsked struct {
	variables    []string
	period       period.Period
	keep         []string
	ignore       bool
	compare      bool
	output       string
	analysis     population.Analysis
	base, reform *legislation.System // reform is nil unless they are compared
	changes      string              // what makes them others than the legislation that is served
	reforms      []json.RawMessage   // in the form of a provenance
	sample       *PopulationSample   // that stands for a file; nil if there is one
}

// readPopulation reads options. The sample is what they may ask for instead of a file, if it is not nil.
func (l *law) readPopulation(ctx context.Context, text []byte, sample *PopulationSample) (*populationAsked, error) {
	q := &request{shown: true}
	doc, err := scenario.DecodeJSON(text)
	if q.doc = doc; err != nil {
		return nil, &refusal{status: 400, message: "options: Invalid JSON: " + jsonProblem(text, err)}
	}
	if doc.Kind != legislation.Mapping {
		return nil, &refusal{status: 400, message: "options: expected an object, got " + scenario.KindInWords(doc)}
	}
	for _, key := range doc.Map.Keys() {
		if !slices.Contains(populationKeys, key) {
			q.refuse("Unexpected item: options are "+strings.Join(populationKeys, ", ")+didYouMean(key, populationKeys), key)
		}
	}
	if !q.flag("sample") {
		sample = nil
	} else if sample == nil {
		q.refuse("only the embedded law has a sample: send a file", "sample")
	}
	p := &populationAsked{
		sample: sample,
		keep:   q.distinct("keep"), ignore: q.flag("ignore-unknown"), compare: q.flag("compare"),
		output: q.choice("output", "", outputCSV, outputParquet, outputNone),
	}
	byDefault := PopulationSample{}
	if sample != nil {
		byDefault = *sample
	}
	d, given := doc.Get("variables")
	switch p.variables = q.distinct("variables"); {
	case !given:
		p.variables = byDefault.Variables
		given = len(p.variables) > 0
	case d.Kind == legislation.List:
		given = len(d.List) > 0
	}
	if !given {
		q.refuse("At least one variable is required", "variables")
	}
	l.checkVariables(q)
	p.period = q.onePeriod("period", byDefault.Period)
	p.analysis = population.Analysis{
		Weight: q.word("weight", byDefault.Weight), Income: q.word("income", l.income), Equivalence: q.word("equivalence", population.ModifiedOECD),
		PovertyLine: q.amount("poverty-line", 0), By: q.distinct("by"), Tolerance: q.amount("tolerance", 1),
	}
	q.readReplication(&p.analysis)
	if d, ok := doc.Get("poverty-line"); ok && p.analysis.PovertyLine == 0 && d.Kind == legislation.Scalar {
		q.refuse("must be more than 0: leave it out for 60 % of the median", "poverty-line") // what else is wrong with it has been said
	}
	if err := l.composePopulation(ctx, q, p); err != nil {
		return nil, err
	}
	if len(q.wrong) == 0 {
		p.check(q)
	}
	if len(q.wrong) > 0 {
		return nil, q.refused(400, q.wrong.Tree())
	}
	return p, nil
}

// readReplication reads replicate weights and their method, of which neither is there without the other.
func (q *request) readReplication(a *population.Analysis) {
	r := &population.Replication{Columns: q.distinct("replicate-weights"), Method: q.word("replicate-method", "")}
	_, method := q.doc.Get("replicate-method")
	switch {
	case len(r.Columns) == 0 && method:
		q.refuse("there are no replicate weights", "replicate-method")
	case len(r.Columns) > 0 && !method:
		q.refuse("Missing value: expected "+population.ReplicateMethods, "replicate-method")
	case len(r.Columns) > 0:
		if _, err := r.Scale(2); err != nil {
			q.refuse(err.Error(), "replicate-method")
		}
		a.Replication = r
	}
}

// composePopulation makes the legislation that is asked for.
func (l *law) composePopulation(ctx context.Context, q *request, p *populationAsked) error {
	for _, key := range []string{"reform", "set"} {
		asked, _ := q.doc.Get(key)
		p.changes += key + string(scenario.AppendJSON(nil, asked))
	}
	changes := q.readReforms("reform")
	from := len(changes.steps) // those of set
	for i, text := range q.texts("set") {
		r, err := legislation.ParseSet(text)
		if err != nil {
			q.refuse(err.Error(), "set", strconv.Itoa(i))
			continue
		}
		changes.steps, changes.places = append(changes.steps, legislation.Step{Data: r}), append(changes.places, i)
	}
	if p.compare && len(changes.steps) == 0 && len(q.wrong) == 0 {
		q.refuse("there is nothing to compare with: name a reform, or set a parameter", "compare")
	}
	if len(q.wrong) > 0 {
		return nil
	}
	system, err := l.catalogue.Compose(ctx, changes.steps)
	if wrong, ok := errors.AsType[legislation.StepErrors](err); ok {
		for _, e := range wrong {
			msg, key := e.Err.Error(), "reform"
			if none, ok := errors.AsType[*legislation.NoReform](e.Err); ok {
				msg = l.unknownReform(none.Key)
			}
			place := e.Place
			if e.Step >= from {
				key, place = "set", nil // it is one text
			}
			q.refuse(msg, append([]string{key, strconv.Itoa(changes.places[e.Step])}, place...)...)
		}
		return nil
	}
	p.reforms = changes.written(q, from)
	if p.base = system; p.compare {
		p.base, p.reform = l.system, system
	}
	return err
}

// written returns the reforms in the form of a provenance; those from a position on are texts of set.
func (r reforms) written(q *request, from int) (all []json.RawMessage) {
	for i, place := range r.places {
		key := "reform"
		if i >= from {
			key = "set"
		}
		asked, _ := q.doc.Get(key)
		text := scenario.AppendJSON(nil, asked.List[place])
		if i >= from {
			text = slices.Concat([]byte(`{"set":`), text, []byte("}"))
		}
		all = append(all, text)
	}
	return all
}

// checkVariables refuses variables that the legislation does not have; a reform may have more.
func (l *law) checkVariables(q *request) {
	if _, reformed := q.doc.Get("reform"); reformed {
		return
	}
	asked, _ := q.doc.Get("variables")
	for i, item := range asked.List {
		text, _ := item.Text()
		name, _, _ := strings.Cut(text, ":")
		if name == "" {
			continue // which is refused for that
		}
		if _, err := l.system.Lookup(name); err != nil {
			q.refuse(unknownVariable(err), "variables", strconv.Itoa(i))
		}
	}
}

// check refuses what does not suit the legislation that is asked for.
func (p *populationAsked) check(q *request) {
	for _, misfit := range p.job("").Misfits() {
		path := []string{misfit.Option}
		if misfit.Option == "variables" {
			if _, given := q.doc.Get("variables"); given {
				path = append(path, strconv.Itoa(misfit.Index))
			}
		}
		q.refuse(unknownVariable(misfit.Err), path...)
	}
}

// distinct reads a list of texts that are not empty, of which none may be there twice: where nothing is refused each has the place that it
// has in the request.
func (q *request) distinct(key string) (out []string) {
	d, ok := q.doc.Get(key)
	if ok && d.Kind != legislation.List {
		q.refuse("expected a list, got "+scenario.KindInWords(d), key)
	}
	first := map[string]int{}
	for i, item := range d.List {
		text, isText := item.Text()
		before, twice := first[text]
		switch {
		case item.Kind == legislation.Null || isText && text == "":
			q.refuse("Missing value", key, strconv.Itoa(i))
		case !isText:
			q.refuse("expected a string, got "+scenario.KindInWords(item), key, strconv.Itoa(i))
		case twice:
			q.refuse(fmt.Sprintf("%.80q is in the list twice, first at %d: leave one of them out", text, before), key, strconv.Itoa(i))
		default:
			first[text] = i
			out = append(out, text)
		}
	}
	return out
}

// word reads a text.
func (q *request) word(key, byDefault string) string {
	d, ok := q.doc.Get(key)
	if !ok {
		return byDefault
	}
	text, isText := d.Text()
	switch {
	case !isText:
		q.refuse("expected a string, got "+scenario.KindInWords(d), key)
	case text == "":
		q.refuse("Missing value: leave the option out, or name something", key)
	}
	return text
}

// amount reads a number that is not negative.
func (q *request) amount(key string, byDefault float64) float64 {
	d, ok := q.doc.Get(key)
	if !ok {
		return byDefault
	}
	if d.Kind != legislation.Scalar || d.Scalar.Type() != vector.Int64 && d.Scalar.Type() != vector.Float64 {
		q.refuse("expected a number, got "+scenario.KindInWords(d), key)
		return byDefault
	}
	n := d.Scalar.Float(0)
	switch {
	case n < 0:
		q.refuse("must not be negative", key)
	case !(n <= math.MaxFloat64):
		q.refuse("the number is too large", key)
	}
	return n
}

// onePeriod reads a period that must be there, unless there is a default.
func (q *request) onePeriod(key, byDefault string) period.Period {
	d, ok := q.doc.Get(key)
	if !ok && byDefault == "" {
		q.refuse("Missing value", key)
		return period.Period{}
	}
	read := func() (period.Period, error) { return scenario.ParsePeriod(d) }
	if !ok {
		read = func() (period.Period, error) { return period.Parse(byDefault) }
	}
	at, err := read()
	switch {
	case err != nil:
		q.refuse(err.Error(), key)
	case at.IsEternal():
		q.refuse("a population is computed for a period with a beginning and an end, such as 2022 or 2022-01", key)
	default:
		if _, err := at.Stop(); err != nil {
			q.refuse(err.Error(), key)
		}
	}
	return at
}

// job is what is computed of a file; the rows are written beside it.
func (p *populationAsked) job(file string) *population.Job {
	output := p.output
	if output == "" {
		output = outputCSV
		if filepath.Ext(file) == "."+outputParquet {
			output = outputParquet
		}
	}
	job := &population.Job{
		Option: func(name string) string { return fmt.Sprintf("the option %q", name) },
		System: p.base, Reform: p.reform, Input: file, Variables: p.variables, Period: p.period, IgnoreUnknown: p.ignore, Keep: p.keep, Analysis: &p.analysis,
	}
	if p.sample != nil {
		job.Label, job.Extra = p.sample.Label, p.sample.Extra
	}
	if output != outputNone {
		job.Output = filepath.Join(filepath.Dir(file), fmt.Sprintf("rows.%s", output))
	}
	return job
}
