package population

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
)

// Merge puts the parts of a job together.
type Merge struct {
	// Parts are the files that tell of parts, or directories that have them.
	Parts []string
	// Output is written as the job without parts would have; "" for the report alone. ReportFile gets the report, if the parts were
	// asked for one.
	Output, ReportFile string
	// Storage holds all of them; nil means the directories of this machine.
	Storage Storage
	// Progress, if not nil, hears how far merging is.
	Progress func(Progress)
}

// UnsettledError says that parts answered questions about everybody differently. They have to be computed again with the
// answers in the file.
type UnsettledError struct{ Answers string }

// Error implements error.
func (e *UnsettledError) Error() string {
	return fmt.Sprintf("the parts return different results for a value of the whole population. The answer of all is in %s: compute the parts again with --answers %s, then merge them", e.Answers, e.Answers)
}

// answersName is the file beside the output that has the answers.
const answersName = "answers.json"

// Run merges. It fails with an *UnsettledError if the parts have to be computed again, and writes nothing else whatever is wrong.
func (m *Merge) Run(ctx context.Context) (Report, error) {
	if m.Storage == nil {
		m.Storage = Directories{}
	}
	parts, err := m.read(ctx)
	if err != nil {
		return Report{}, err
	}
	if err := m.compatible(parts); err != nil {
		return Report{}, err
	}
	if err := m.distinct(parts); err != nil {
		return Report{}, err
	}
	if err := m.settled(ctx, parts); err != nil {
		return Report{}, err
	}
	if err := adjacent(parts); err != nil {
		return Report{}, err
	}
	return m.write(ctx, parts)
}

// read reads the files of all parts and puts them in order.
func (m *Merge) read(ctx context.Context) ([]*partFile, error) {
	var parts []*partFile
	for _, name := range m.Parts {
		names := []string{name}
		if !strings.HasSuffix(name, partSuffix) {
			var err error
			if names, err = m.list(ctx, name); err != nil {
				return nil, err
			}
		}
		for _, file := range names {
			p, err := readPart(ctx, m.Storage, file)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("no parts are named")
	}
	slices.SortStableFunc(parts, func(a, b *partFile) int { return a.Part - b.Part })
	return parts, nil
}

// list names the files of the parts in a directory.
func (m *Merge) list(ctx context.Context, dir string) ([]string, error) {
	names, err := m.Storage.List(ctx, dir)
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w: name the files of all parts, which end in %s, or a directory that has them", dir, about.Err, partSuffix)
	}
	names = slices.DeleteFunc(names, func(f string) bool { return !strings.HasSuffix(f, partSuffix) || strings.HasPrefix(baseName(f), ".") })
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s has no parts: their files end in %s", dir, partSuffix)
	}
	return names, err
}

// compatible refuses parts that are not all those of one job.
func (m *Merge) compatible(parts []*partFile) error {
	first := parts[0]
	for i, p := range parts {
		switch name, one, other, differs := differ(first.Terms, p.Terms); {
		case p.Of != first.Of:
			return fmt.Errorf("%s is one of %d parts, %s one of %d", p.name, p.Of, first.name, first.Of)
		case p.Identity != first.Identity:
			return fmt.Errorf("%s was computed from another %s than %s: the input was changed in between, or is another file", p.name, p.Input, first.name)
		case differs:
			return fmt.Errorf("%s was computed with %s %q, %s with %q", p.name, name, other, first.name, one)
		case !reflect.DeepEqual(p.Schemas, first.Schemas) || !p.Subject.same(first.Subject) || len(p.Ballots) != len(first.Ballots) || len(p.Groups) != len(first.Groups):
			return fmt.Errorf("%s is a part of another job than %s", p.name, first.name)
		case i > 0 && p.Part == parts[i-1].Part:
			return fmt.Errorf("part %d is there twice: %s and %s", p.Part, parts[i-1].name, p.name)
		}
	}
	return m.allThere(parts)
}

func (m *Merge) allThere(parts []*partFile) error {
	var missing []string
	next := 0
	for i := 1; i <= parts[0].Of; i++ {
		if next < len(parts) && parts[next].Part == i {
			next++
			continue
		}
		missing = append(missing, fmt.Sprint(i))
	}
	const named = 10
	of, where, which := parts[0].Of, "among the files that are named", strings.Join(missing, ", ")
	if len(m.Parts) == 1 {
		where = "in " + m.Parts[0]
	}
	switch n := len(missing); {
	case n == 0:
		return m.rightKind(parts[0])
	case n == 1:
		return fmt.Errorf("part %s of %d is missing %s: compute it with --part %s/%d", which, of, where, which, of)
	case n > named:
		which = fmt.Sprintf("%s and %d more", strings.Join(missing[:named], ", "), n-named)
	}
	return fmt.Errorf("parts %s of %d are missing %s: compute each of them, with --part %s/%d and so on", which, of, where, missing[0], of)
}

// rightKind refuses an output that the parts cannot make.
func (m *Merge) rightKind(p *partFile) error {
	for _, t := range p.Terms {
		if t.Name == "--output" && m.Output != "" && t.Value != extension(m.Output) {
			return fmt.Errorf("%s: the parts are %s files: the merged file needs the same ending", m.Output, t.Value)
		}
	}
	if _, ok := reportFormats[extension(m.ReportFile)]; !ok && m.ReportFile != "" {
		return fmt.Errorf("%s: the name of a report has to end in .json or .csv", m.ReportFile)
	}
	if p.Subject == nil && (m.ReportFile != "" || m.Output == "") {
		return errors.New("the parts were not asked for a report: compute them with --weight, --income or --compare")
	}
	return nil
}

// settled makes sure that all chunks of all parts went on with the answers of everybody.
func (m *Merge) settled(ctx context.Context, parts []*partFile) error {
	var answers [][]bool
	settled := true
	for side := range parts[0].Ballots {
		everybody := poll{}
		for _, p := range parts {
			for _, digits := range p.Ballots[side] {
				given, err := answersOf(digits)
				if err != nil {
					return fmt.Errorf("%s: %w", p.name, err)
				}
				everybody[given] = struct{}{}
			}
		}
		right, same := everybody.result()
		answers, settled = append(answers, right), settled && same
		for _, p := range parts {
			if p.Needs == "" {
				continue
			}
			given, err := answersOf(p.NeedsWay[side])
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			if everybody.onTheWay(given) {
				return fmt.Errorf("%s: %s: compute the file without --part, which takes more memory and one core", p.name, p.Needs)
			}
		}
	}
	for _, p := range parts {
		settled = settled && p.complete()
	}
	if settled {
		return nil
	}
	return m.ask(ctx, parts[0], answers)
}

// answersFile is the file of the answers, beside what is written.
func (m *Merge) answersFile(p *partFile) string {
	return beside(cmp.Or(m.Output, m.ReportFile, p.name), answersName)
}

// ask writes the answers for the next round.
func (m *Merge) ask(ctx context.Context, p *partFile, answers [][]bool) error {
	name := m.answersFile(p)
	for i := range answers {
		answers[i] = append([]bool{}, answers[i]...) // a list, if an empty one
	}
	f := &files{storage: m.Storage}
	d, err := f.begin(ctx, name)
	if err == nil {
		err = json.NewEncoder(d).Encode(&Answers{Format: partFormat, Input: p.Input, Identity: p.Identity, Terms: p.Terms, BySide: answers})
	}
	if err != nil {
		f.discard()
		return err
	}
	if err := f.finish(); err != nil {
		return err
	}
	return &UnsettledError{name}
}

// adjacent makes sure that every row is in one part, and every group.
func adjacent(parts []*partFile) error {
	at, before := parts[0].First, ""
	for _, p := range parts {
		if p.From == p.To {
			continue
		}
		if p.From != at {
			return fmt.Errorf("%s begins at %d, and what is before it%s ends at %d: text in quotes may have line ends that look like rows; take another number of parts, or a Parquet file", p.name, p.From, before, at)
		}
		at, before = p.To, ", "+p.name+","
	}
	if at != parts[0].End {
		return fmt.Errorf("the parts end at %d, and the input at %d", at, parts[0].End)
	}
	for i, g := range parts[0].Groups {
		var claims []claim
		for _, p := range parts {
			claims = append(claims, claim{p.Part, *p.Groups[i].Groups})
		}
		if err := apart(g.Entity, claims); err != nil {
			return err
		}
	}
	return nil
}

// write copies the rows of all parts and makes the report.
func (m *Merge) write(ctx context.Context, parts []*partFile) (Report, error) {
	out, err := create(ctx, m.Storage, m.Output, m.ReportFile, parts[0].Schemas, false)
	if err != nil {
		return Report{}, err
	}
	report := Report{Files: out.names}
	if err := m.copyParts(ctx, out, parts, &report); err != nil {
		out.discard()
		return Report{}, out.blame(err)
	}
	if err := m.conclude(parts, out, &report); err != nil {
		out.discard()
		return Report{}, out.blame(err)
	}
	return report, out.finish()
}

// same reports whether parts are about the same. They may have been computed on different days.
func (s *subject) same(o *subject) bool {
	if s == nil || o == nil {
		return s == o
	}
	undated := func(s subject) subject {
		if s.Provenance != nil {
			p := *s.Provenance
			p.Date, s.Provenance = "", &p
		}
		return s
	}
	return reflect.DeepEqual(undated(*s), undated(*o))
}

// latest is the provenance of the part that was computed last.
func latest(parts []*partFile) *Provenance {
	last := parts[0].Subject.Provenance
	for _, p := range parts[1:] {
		if other := p.Subject.Provenance; last != nil && other != nil && other.Date > last.Date {
			last = other
		}
	}
	return last
}

// conclude makes the report of what the parts found.
func (m *Merge) conclude(parts []*partFile, out *files, report *Report) error {
	if parts[0].Subject == nil {
		return nil
	}
	var found finding
	for _, p := range parts {
		if p.Persons == 0 {
			continue
		}
		if err := found.add(p.Finding); err != nil {
			return err
		}
		p.Finding = nil
	}
	if err := parts[0].Subject.check(report.Persons, &found); err != nil {
		return fmt.Errorf("%s: %w", parts[0].Input, err)
	}
	report.Findings = parts[0].Subject.findings(&found)
	report.Findings.complete(latest(parts), ProvenanceInput{parts[0].Input, parts[0].SHA256})
	if out.report == nil {
		return nil
	}
	return reportFormats[extension(m.ReportFile)](report.Findings, out.report)
}
