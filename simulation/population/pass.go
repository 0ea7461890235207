package population

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"edict/platform/cores"
	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// pass is one way through the file.
type pass struct {
	*Job
	whole    bool
	single   bool // one chunk, though not everybody
	remember bool
	known    [][]bool // by side

	sides   []*side
	header  []string // of the input
	used    []int    // columns that mean something
	given   []given  // columns to read
	givenOf [][]int  // of them, by side and input
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
	played  bool      // by a plan, which holds nothing of the chunk
	encoded []any     // by table
	rows    []int     // by table
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
	if err := s.only(p.used); err != nil {
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
	p.recall()
	if err := p.compute(ctx, s); err != nil {
		p.files.discard()
		return Report{}, p.files.blame(err)
	}
	p.keep()
	p.report.Ignored = p.ignored
	if err := p.conclude(ctx); err != nil {
		p.files.discard()
		return Report{}, p.files.blame(err)
	}
	p.report.Files = p.files.names
	return p.report, p.files.finish()
}

// create begins the output.
func (p *pass) create(ctx context.Context) (*files, error) {
	for _, t := range p.base().tables {
		p.schemas = append(p.schemas, p.base().schema(t, p.Reform != nil))
	}
	if err := p.distinct(); err != nil {
		return nil, err
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
	about := p.subject(p.base())
	if err := about.check(p.report.Persons, &p.finding); err != nil {
		return fmt.Errorf("%s: %w", p.Input, err)
	}
	hash, err := p.hash.wait()
	if err != nil {
		return err
	}
	p.report.Findings = about.findings(&p.finding)
	p.report.Findings.complete(about.Provenance, ProvenanceInput{p.inputName(), hash})
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
	p.header, p.used = header, p.base().columns()
	p.given, p.givenOf = p.givens()
	return nil
}

// compute reads, computes and writes: one goroutine cuts the file, several compute its chunks, and another takes them in
// order. Chunks that are cut wait, so that nobody waits for the next: as many as there are workers, and twice as many until they are taken.
func (p *pass) compute(ctx context.Context, s source) error {
	workers := p.Workers
	if workers <= 0 {
		workers = cores.Count()
	}
	group, ctx := errgroup.WithContext(ctx)
	work, order := make(chan ticket, workers), make(chan ticket, 2*workers)
	group.Go(func() error {
		defer close(work)
		defer close(order)
		return p.feed(ctx, s, cutting{p.Chunk, workers, p.whole || p.single, p.remember, p.census(), p.expect, p.plans.hopeless}, order, work)
	})
	for range workers {
		group.Go(func() error {
			var w worker
			for t := range work {
				t.done <- p.chunk(ctx, &w, t.chunk, t.read)
			}
			return nil
		})
	}
	group.Go(func() error { return p.collect(ctx, order) })
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

// worker is what chunks are computed with one after the other.
type worker struct {
	executor engine.Executor
	columns  []column // that are read, in storage for the next chunk too
}

// chunk computes a chunk and encodes its output.
func (p *pass) chunk(ctx context.Context, w *worker, c *chunk, read float64) done {
	d := done{chunk: c, read: read}
	if d.err = ctx.Err(); d.err != nil {
		return d
	}
	if d.err = p.checkTexts(c); d.err != nil {
		return d
	}
	var values [][]vector.Column
	if values, d.ballots, d.played, d.err = p.values(ctx, w, c); d.err == nil {
		d.err = p.encode(c, values, &d)
	}
	if !d.played {
		w.columns = nil // formulas may hold them
	}
	return d
}

// encode makes the rows of a chunk ready to be written, and finds what it adds to the report.
func (p *pass) encode(c *chunk, values [][]vector.Column, d *done) (err error) {
	for i, s := range p.files.sinks {
		rows := p.base().part(p.base().tables[i], c, values)
		encoded, err := s.encode(rows)
		if err != nil {
			return err
		}
		d.encoded, d.rows = append(d.encoded, encoded), append(d.rows, rows.rows)
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
	d.chunk.done(d.played)
	if p.Progress != nil {
		p.Progress(Progress{Persons: p.report.Persons, Read: d.read})
	}
	return nil
}

func (p *pass) write(d done) error {
	for i, encoded := range d.encoded {
		if err := p.files.sinks[i].write(encoded); err != nil {
			return err
		}
		p.files.rows[i] += int64(d.rows[i])
	}
	if d.finding != nil {
		return p.finding.add(d.finding)
	}
	return nil
}
