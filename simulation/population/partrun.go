package population

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// portion is what a pass learns of its part.
type portion struct {
	*rangeSource
	groups   []census // by entity
	needs    string   // why everybody is needed, "" if not
	needsWay []string // by side: the answers on the way there
}

// RunPart computes Job.Part and writes, beside the rows, a file that Merge understands. Where the chunks of the part answer a
// question about everybody differently, or a formula needs everybody, there are no rows: merging finds out what to do.
func (j *Job) RunPart(ctx context.Context) (Report, error) {
	if err := j.checkPart(); err != nil {
		return Report{}, err
	}
	if err := j.checkOptions(ctx); err != nil {
		return Report{}, err
	}
	input, err := j.storage().Open(ctx, j.Input)
	if err != nil {
		return Report{}, err
	}
	defer input.Close()
	j.input = input
	if j.identity, err = input.Identity(ctx); err != nil {
		return Report{}, err
	}
	if err := j.Answers.check(j); err != nil {
		return Report{}, err
	}
	j.plans = &plans{}
	p := &pass{Job: j, known: j.Answers.bySide()}
	report, err := p.run(ctx)
	if errors.Is(err, errDisorder) {
		p = &pass{Job: j, remember: true, known: j.Answers.bySide()}
		report, err = p.run(ctx)
	}
	if apart, ok := errors.AsType[*scattered](err); ok {
		j.notice(true, "%s: this part is computed at once, which takes more memory and one core; sort the rows by %s to avoid that", apart, apart.entity)
		p = &pass{Job: j, single: true, known: j.Answers.bySide()}
		report, err = p.run(ctx)
	}
	var all *needsAll
	switch {
	case errors.Is(err, errUnsettled):
		j.notice(false, "the rows of this part need a value of the whole population: they are written once merging has computed it")
		return p.withoutRows(ctx)
	case errors.As(err, &all):
		j.notice(false, "%s: parts may not be able to compute this, which merging tells", placeOf(err))
		p.portion.needs = placeOf(err)
		return p.withoutRows(ctx)
	}
	return report, err
}

func (j *Job) checkPart() error {
	switch {
	case j.Part == nil || j.Part.Index < 1 || j.Part.Index > j.Part.Of:
		return errors.New("there is no such part")
	case j.Analysis != nil && j.Analysis.Replication != nil:
		return errNoParts
	case j.Output == "":
		return errors.New("a part needs an output, which its file is named after")
	case j.ReportFile != "":
		return errors.New("a report needs all parts: it is written when parts are merged")
	}
	return j.CheckFiles()
}

// narrow leaves the rows of the part.
func (p *pass) narrow(ctx context.Context, s source) (source, error) {
	cuts := &segments{source: s, layout: p.base(), of: p.Part.Of, cuts: map[int]int64{}}
	rows, err := cuts.narrow(*p.Part)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Input, err)
	}
	p.portion = &portion{rangeSource: rows, groups: make([]census, len(p.base().groups)), needsWay: make([]string, len(p.sides))}
	before := &rowsBefore{count: func() (int64, error) { return p.countRows(ctx, rows.from) }}
	for _, one := range p.sides {
		one.layout.before = before
	}
	return rows, nil
}

// census is where the groups of a part are noted.
func (p *pass) census() []census {
	if p.portion == nil {
		return nil
	}
	return p.portion.groups
}

// stuck keeps the answers with which a chunk came to need everybody.
func (p *pass) stuck(d done) {
	var all *needsAll
	if p.portion == nil || !errors.As(d.err, &all) || len(d.ballots) == 0 {
		return
	}
	side := len(d.ballots) - 1 // the one that was computed last
	p.portion.needsWay[side] = string(d.ballots[side].given)
}

// concludePart adds the file that tells of the part, which gets its name after all others.
func (p *pass) concludePart(ctx context.Context) error {
	err := errors.Join(p.base().before.err, p.input.Unchanged(), p.files.flush())
	if err != nil {
		return err
	}
	about := p.about()
	if about.Subject != nil && p.Part.Index == 1 { // the others need not read all of an input in a bucket
		if about.SHA256, err = hashOf(ctx, p.input, p.identity); err != nil {
			return err
		}
	}
	for i, m := range p.files.meters {
		about.Files = append(about.Files, writtenFile{baseName(p.files.names[i]), m.bytes, p.files.rows[i], hex.EncodeToString(m.hash.Sum(nil))})
	}
	d, err := p.files.begin(ctx, partName(p.Output))
	if err != nil {
		return err
	}
	return about.write(d)
}

// withoutRows writes the file of the part alone.
func (p *pass) withoutRows(ctx context.Context) (Report, error) {
	about := p.about()
	f := &files{storage: p.storage()}
	d, err := f.begin(ctx, partName(p.Output))
	if err == nil {
		err = about.write(d)
	}
	if err != nil {
		f.discard()
		return Report{}, err
	}
	return Report{Persons: p.report.Persons, Files: f.names, Ignored: p.ignored}, f.finish()
}

// about describes the part.
func (p *pass) about() partFile {
	from, to := p.portion.from, p.portion.to
	begin, end := p.portion.bounds()
	about := partFile{
		Format: partFormat, Part: p.Part.Index, Of: p.Part.Of, Input: p.inputName(), Identity: p.identity, Terms: slices.Concat(p.Terms, p.terms()),
		First: begin, End: end, From: from, To: to, Persons: p.report.Persons, Needs: p.portion.needs, Subject: p.subject(p.base()), Schemas: p.schemas,
	}
	for i, one := range p.sides {
		about.Ballots = append(about.Ballots, one.poll.texts())
		about.NeedsWay = append(about.NeedsWay, digitsOf(p.portion.needsWay[i]))
	}
	for i, g := range p.base().groups {
		about.Groups = append(about.Groups, partGroups{g.entity.Key, &p.portion.groups[i]})
	}
	if p.Analysis != nil {
		about.Finding = &p.finding
	}
	return about
}

// rowsBefore counts the rows before a part, if somebody has to know: persons without a name are numbered.
type rowsBefore struct {
	once  sync.Once
	count func() (int64, error)
	n     int64
	err   error // read when all is computed
}

func (b *rowsBefore) rows() int64 {
	if b == nil {
		return 0
	}
	b.once.Do(func() { b.n, b.err = b.count() })
	return b.n
}

// countRows counts the rows before a position.
func (p *pass) countRows(ctx context.Context, position int64) (n int64, err error) {
	s, err := p.open(ctx)
	if err != nil {
		return 0, err
	}
	defer s.close()
	if _, lines := s.(*csvSource); !lines { // a position is the number of a row
		return position, nil
	}
	for {
		b, err := s.next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return 0, err
		}
		for row := range b.rows() {
			if b.position(row) >= position {
				return n, nil
			}
			n++
		}
	}
}
