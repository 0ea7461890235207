package population

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"edict/platform/cores"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/vector"
)

// Job is a computation for the rows of a file.
type Job struct {
	System *legislation.System
	// Reform, if not nil, is computed beside System, which is the base then: every variable has a column for it and one for the
	// difference.
	Reform *legislation.System
	// Input has a row per person; Output is written, one file per entity if the variables are about several. The
	// extension of a name says what the file holds: .csv or .parquet. Without Output nothing but the report comes of it.
	Input, Output string
	// Variables are asked for on Period, or on a period of their own: "income_tax", "income_tax:2017-03".
	Variables []string
	Period    period.Period
	// IgnoreUnknown leaves out columns that are no variables of the legislation, of which Notice and the report tell;
	// otherwise they are an error.
	IgnoreUnknown bool
	// Keep are columns that are carried through to the output, as texts; a group has those of its first member.
	Keep []string
	// Extra are columns that mean nothing unless they are asked for; they are left out without a word.
	Extra []string
	// Label says what the input is, where reports are about something else than they may seem to be.
	Label string
	// Analysis, if not nil, asks for findings about the whole population; ReportFile, a .json or .csv file, gets them too.
	Analysis   *Analysis
	ReportFile string
	// Part, if not nil, is the share of the file to compute, by RunPart.
	Part *Part
	// Answers are those of the whole population, as far as merging parts found them out; nil for none.
	Answers *Answers
	// Terms are what parts must have in common beside the fields of a job: the program, the legislation and how it was loaded.
	Terms []Term
	// Storage holds input and output; nil means the directories of this machine.
	Storage Storage
	// Chunk is how many persons are computed at once by a core, Workers how many cores; 0 means what suits. They change
	// no number.
	Chunk, Workers int
	// Behind leaves the cores to others first (cores.Behind).
	Behind bool
	// Progress, if not nil, hears how far the job is. It is called from one goroutine at a time.
	Progress func(Progress)
	// Notice, if not nil, hears which columns are left out, and what makes the job take longer than it might, with whether
	// it takes more memory too because everybody is computed at once.
	Notice func(text string, everybody bool)

	afresh   bool      // run every formula, whatever it gave before
	ignored  []Ignored // nil until a header is read
	input    Object    // while a part is computed; nil otherwise
	identity string    // of it
}

// Progress is how far a job is.
type Progress struct {
	Persons int     // computed so far
	Read    float64 // share of the file that has been computed, from 0 to 1
}

// Report is what a job did.
type Report struct {
	Persons  int
	Files    []string
	Ignored  []Ignored
	Findings *Findings // nil without Job.Analysis
}

// Ignored is a column that was left out.
type Ignored struct {
	Column  string
	Nearest string // the name that it may have been meant to have, "" if none is near
}

// maxPasses bounds how often chunks are computed because their answers differed; then everything is one chunk.
const maxPasses = 4

// Run computes the job. If it fails or the context ends, no output file appears, and those that were there stay.
func (j *Job) Run(ctx context.Context) (Report, error) {
	if err := j.checkFiles(); err != nil {
		return Report{}, err
	}
	p := &pass{Job: j}
	for passes := 1; ; {
		report, err := p.run(ctx)
		var apart *scattered
		var all *needsAll
		switch {
		case errors.Is(err, errDisorder):
			p = &pass{Job: j, remember: true}
			continue
		case errors.Is(err, errUnsettled):
			if passes == 1 {
				j.notice(false, "parts of the population answer a question about everybody differently: they are computed again with the answer of all")
			}
			p = &pass{Job: j, remember: p.remember, known: p.answers()}
			if passes++; passes < maxPasses {
				continue
			}
			j.notice(true, "the answers still differ: "+atOnce)
		case errors.As(err, &apart):
			j.notice(true, "%s: "+atOnce+"; sort the rows by %s to avoid that", apart, apart.entity)
		case errors.As(err, &all):
			j.notice(true, "%s: "+atOnce, placeOf(err))
		default:
			return report, err
		}
		break
	}
	return (&pass{Job: j, whole: true}).run(ctx)
}

func (j *Job) checkFiles() error {
	if j.Output != "" {
		if err := checkFormat(j.Output); err != nil {
			return err
		}
	} else if j.Analysis == nil {
		return errors.New("there is neither a file to write nor a report to make")
	}
	if _, ok := reportFormats[extension(j.ReportFile)]; !ok && j.ReportFile != "" {
		return fmt.Errorf("%s: the name of a report ends in .json or .csv, which says what it holds", j.ReportFile)
	}
	return checkFormat(j.Input)
}

// placeOf is where in the legislation an error comes from, and what it is.
func placeOf(err error) string {
	if f, ok := errors.AsType[*engine.FormulaError](err); ok {
		err = f.Err // the variable that was asked for says little about the formula that was met on the way
	}
	return strings.Replace(err.Error(), "Stopped: ", "", 1)
}

const atOnce = "everybody is computed at once, which takes more memory and one core"

// ignore notes which columns are left out and tells of them, once; those that may be misspelt have a line of their own.
func (j *Job) ignore(columns []string) {
	if j.ignored != nil {
		return
	}
	j.ignored = make([]Ignored, len(columns))
	var others []string
	for i, name := range columns {
		bare, _, _ := cutPeriod(name)
		j.ignored[i] = Ignored{name, legislation.Nearest(bare, j.names())}
		if near := j.ignored[i].Nearest; near != "" {
			j.notice(false, "column %q is left out: there is no variable of that name; did you mean %s?", name, near)
		} else {
			others = append(others, strconv.Quote(name))
		}
	}
	if len(others) > 0 {
		j.notice(false, "left out, as there is no variable of that name: %s", strings.Join(others, ", "))
	}
}

func (j *Job) notice(everybody bool, format string, args ...any) {
	if j.Notice != nil {
		j.Notice(fmt.Sprintf(format, args...), everybody)
	}
}

// errUnsettled says that chunks went different ways.
var errUnsettled = errors.New("the answers of the chunks differ")

// pass is one way through the file.
type pass struct {
	*Job
	whole    bool
	single   bool // one chunk, though not everybody
	remember bool
	known    [][]bool // by side

	sides   []*side
	schemas []schema // of the output
	portion *portion // nil unless the job is a part
	astray  bool     // chunks went different ways: nothing is written any more
	files   *files
	finding finding
	report  Report
}

// side is a legislation that is computed: the base, and the reform if there is one.
type side struct {
	layout  *layout
	known   []bool
	poll    poll
	answers []bool // of the whole population, if the pass ends with errUnsettled
}

// base is the side that says what the file means.
func (p *pass) base() *layout { return p.sides[0].layout }

func (p *pass) answers() [][]bool {
	var all [][]bool
	for _, s := range p.sides {
		all = append(all, s.answers)
	}
	return all
}

// done is what has been computed of a chunk.
type done struct {
	chunk   *chunk
	encoded []any     // by table
	ballots []*ballot // by side; none if the chunk is everybody
	finding *finding
	read    float64
	err     error
}

func (p *pass) run(ctx context.Context) (Report, error) {
	s, err := p.open(ctx)
	if err != nil {
		return Report{}, err
	}
	defer s.close()
	if err := p.addSides(s.header()); err != nil {
		return Report{}, err
	}
	p.ignore(p.base().ignored)
	if err := s.only(p.base().columns()); err != nil {
		return Report{}, fmt.Errorf("%s: %w", p.Input, err)
	}
	if p.Part != nil {
		if s, err = p.narrow(ctx, s); err != nil {
			return Report{}, err
		}
	}
	if p.files, err = p.create(ctx); err != nil {
		return Report{}, err
	}
	if err := p.compute(ctx, s); err != nil {
		p.files.discard()
		return Report{}, err
	}
	p.report.Ignored = p.ignored
	if err := p.conclude(ctx); err != nil {
		p.files.discard()
		return Report{}, err
	}
	p.report.Files = p.files.names
	return p.report, p.files.finish()
}

// create begins the output.
func (p *pass) create(ctx context.Context) (*files, error) {
	for _, t := range p.base().tables {
		p.schemas = append(p.schemas, p.base().schema(t, p.Reform != nil))
	}
	return create(ctx, p.storage(), p.Output, p.ReportFile, p.schemas, p.Part != nil)
}

// conclude makes the report, or the file that tells of a part.
func (p *pass) conclude(ctx context.Context) error {
	if p.Part != nil {
		return p.concludePart(ctx)
	}
	if p.Analysis == nil {
		return nil
	}
	p.report.Findings = p.subject(p.base()).findings(&p.finding)
	if p.files.report == nil {
		return nil
	}
	return reportFormats[extension(p.ReportFile)](p.report.Findings, p.files.report)
}

func (p *pass) addSides(header []string) error {
	for i, system := range []*legislation.System{p.System, p.Reform} {
		if system == nil {
			continue
		}
		l, err := p.Job.layout(system, header)
		if err != nil {
			return err
		}
		one := &side{layout: l, poll: poll{}}
		if p.known != nil {
			one.known = p.known[i]
		}
		p.sides = append(p.sides, one)
	}
	return nil
}

// compute reads, computes and writes: one goroutine cuts the file, several compute its chunks, and this one takes them in
// order. A chunk that is cut waits in queue; there are never more than that and the ones being computed.
func (p *pass) compute(ctx context.Context, s source) error {
	workers := p.Workers
	if workers <= 0 {
		workers = cores.Count()
	}
	group, ctx := errgroup.WithContext(ctx)
	run := group.Go
	if p.Behind {
		run = func(f func() error) { group.Go(func() error { return cores.Behind(f) }) }
	}
	work, order := make(chan ticket), make(chan ticket, workers)
	run(func() error {
		defer close(work)
		defer close(order)
		return p.feed(ctx, s, cutting{p.Chunk, workers, p.whole || p.single, p.remember, p.census()}, order, work)
	})
	for range workers {
		run(func() error {
			for t := range work {
				t.done <- p.chunk(ctx, t.chunk, t.read)
			}
			return nil
		})
	}
	run(func() error { return p.collect(ctx, order) })
	if err := group.Wait(); err != nil {
		return err
	}
	return p.settle()
}

// ticket is a chunk on its way.
type ticket struct {
	chunk *chunk
	read  float64
	done  chan done // of room for one
}

// feed cuts the file and hands out its chunks: first their place in the order of the output, then their work.
func (p *pass) feed(ctx context.Context, s source, how cutting, order, work chan<- ticket) error {
	err := p.base().cut(s, how, func(c *chunk) error {
		t := ticket{c, s.read(), make(chan done, 1)}
		for _, ch := range []chan<- ticket{order, work} {
			select {
			case ch <- t:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", p.Input, err)
	}
	return nil
}

// collect takes what was computed in the order of the file.
func (p *pass) collect(ctx context.Context, order <-chan ticket) error {
	for t := range order {
		select {
		case d := <-t.done:
			if err := p.take(d); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// settle ends a pass: the answers must be those of the whole population.
func (p *pass) settle() error {
	if p.whole {
		return nil
	}
	if p.Part != nil {
		if p.astray {
			return errUnsettled
		}
		return nil // whether it was the way of everybody, merging finds out
	}
	settled := true
	for _, one := range p.sides {
		var right bool
		one.answers, right = one.poll.result()
		settled = settled && right
	}
	if !settled {
		return errUnsettled
	}
	return nil
}

// chunk computes a chunk and encodes its output.
func (p *pass) chunk(ctx context.Context, c *chunk, read float64) done {
	d := done{chunk: c, read: read}
	var values [][]vector.Column
	for _, one := range p.sides {
		var rows legislation.Rows
		if !p.whole {
			b := &ballot{known: one.known}
			d.ballots = append(d.ballots, b)
			rows = b
		}
		computed, err := p.Job.compute(ctx, one.layout, c, rows)
		if err != nil {
			d.err = err
			return d
		}
		values = append(values, computed)
	}
	d.err = p.encode(c, values, &d)
	return d
}

// encode makes the rows of a chunk ready to be written, and finds what it adds to the report.
func (p *pass) encode(c *chunk, values [][]vector.Column, d *done) (err error) {
	for i, s := range p.files.sinks {
		encoded, err := s.encode(p.base().part(p.base().tables[i], c, values))
		if err != nil {
			return err
		}
		d.encoded = append(d.encoded, encoded)
	}
	if p.Analysis == nil {
		return nil
	}
	d.finding, err = p.look(p.base(), c, values)
	return err
}

// take writes what was computed of the next chunk.
func (p *pass) take(d done) error {
	if d.err != nil {
		p.stuck(d)
		return d.err
	}
	for i, b := range d.ballots {
		if !p.sides[i].poll.count(b) {
			p.astray = true
		}
	}
	if !p.astray {
		if err := p.write(d); err != nil {
			return err
		}
	}
	p.report.Persons += d.chunk.persons
	if p.Progress != nil {
		p.Progress(Progress{p.report.Persons, d.read})
	}
	return nil
}

func (p *pass) write(d done) error {
	for i, encoded := range d.encoded {
		if err := p.files.sinks[i].write(encoded); err != nil {
			return err
		}
	}
	if d.finding != nil {
		return p.finding.add(d.finding)
	}
	return nil
}

// part is the output of a chunk for one entity; values are by side.
func (l *layout) part(t table, c *chunk, values [][]vector.Column) part {
	p := part{rows: c.persons}
	for _, i := range t.outputs {
		p.values = append(p.values, values[0][i])
		if len(values) > 1 {
			p.values = append(p.values, values[1][i])
			if differs(l.outputs[i].variable) {
				p.values = append(p.values, difference(values[0][i], values[1][i]))
			}
		}
	}
	if !t.entity.IsPerson {
		m := l.membersOf(t.entity, c)
		p.rows = len(m.names)
		p.ids = append([]func(int) []byte{func(row int) []byte { return m.names[row] }}, l.kept(c, m)...)
		return p
	}
	p.ids = append(p.ids, l.personIDs(c))
	for i, g := range l.groups {
		if g.id >= 0 {
			m := c.groups[i]
			p.ids = append(p.ids, func(row int) []byte { return m.names[m.groupOf[row]] })
		}
	}
	p.ids = append(p.ids, l.kept(c, nil)...)
	return p
}

// personIDs returns the names of the persons of a chunk. They are asked for in order.
func (l *layout) personIDs(c *chunk) func(row int) []byte {
	span, before := 0, 0
	return func(row int) []byte {
		if l.personID >= 0 {
			for row-before >= c.spans[span].to-c.spans[span].from {
				before += c.spans[span].to - c.spans[span].from
				span++
			}
			s := c.spans[span]
			if name := s.cell(s.from+row-before, l.personID).name(); len(name) > 0 {
				return name
			}
		}
		return strconv.AppendInt(nil, l.before.rows()+int64(c.first+row+1), 10)
	}
}
