package population

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// partFormat is the format of the files of parts; another one is refused.
const partFormat = 2

// partSuffix follows the name of the output in the name of the file that tells of a part.
const partSuffix = ".part.json"

func partName(output string) string { return output + partSuffix }

// Term is what parts must have in common, such as {"--period", "2022"}.
type Term struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// partFile is what a part tells whoever merges it.
type partFile struct {
	Format   int        `json:"format"`
	Part     int        `json:"part"`
	Of       int        `json:"of"`
	Input    string     `json:"input"`            // its name, for people
	Identity string     `json:"identity"`         // of the input
	SHA256   string     `json:"sha256,omitempty"` // whole input; only the first part of a report has it
	Terms    []Term     `json:"terms"`
	First    int64      `json:"first"` // where the rows of the input begin
	End      int64      `json:"end"`   // and end
	From     int64      `json:"from"`  // where those of the part begin
	To       int64      `json:"to"`    // and end
	Persons  int        `json:"persons"`
	Ballots  [][]string `json:"ballots"` // the answers of chunks about everybody, by side
	Needs    string     `json:"needsEverybody,omitempty"`
	NeedsWay []string   `json:"needsWay,omitempty"` // the answers up to there, by side

	Files   []writtenFile `json:"files,omitempty"` // none if the part could not be computed for itself
	Schemas []schema      `json:"schemas"`
	Groups  []partGroups  `json:"groups"`
	Subject *subject      `json:"report,omitempty"`
	Finding *finding      `json:"finding,omitempty"`

	name string // of the file itself
}

// writtenFile is a file with the rows of a part.
type writtenFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"`
}

// partGroups is the groups of an entity in a part.
type partGroups struct {
	Entity string  `json:"entity"`
	Groups *census `json:"groups"`
}

// complete reports whether the part has rows.
func (p *partFile) complete() bool { return p.Files != nil }

// terms are what another part must have too, of the fields of a job.
func (j *Job) terms() []Term {
	terms := []Term{
		{"--period", j.Period.Exact()}, {"--variables", strings.Join(j.Variables, ",")}, {"--keep", strings.Join(j.Keep, ",")},
		{"--ignore-unknown", strconv.FormatBool(j.IgnoreUnknown)}, {"--compare", strconv.FormatBool(j.Reform != nil)}, {"--output", extension(j.Output)},
	}
	a := j.Analysis
	if a == nil {
		return append(terms, Term{"report", "no"})
	}
	return append(terms, Term{"report", "yes"}, Term{"--weight", a.Weight}, Term{"--income", a.Income}, Term{"--equivalence", a.Equivalence},
		Term{"--poverty-line", strconv.FormatFloat(a.PovertyLine, 'g', -1, 64)}, Term{"--by", strings.Join(a.By, ",")},
		Term{"--tolerance", strconv.FormatFloat(a.Tolerance, 'g', -1, 64)})
}

// differ names the first term that is not the same.
func differ(a, b []Term) (name, one, other string, yes bool) {
	for i, t := range a {
		if i >= len(b) || b[i] != t {
			second := Term{}
			if i < len(b) {
				second = b[i]
			}
			return t.Name, t.Value, second.Value, true
		}
	}
	return "", "", "", len(a) != len(b)
}

func (p *partFile) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(p)
}

// maxPartFile bounds the file of a part: it has some bytes per household.
const maxPartFile = 4 << 30

// readPart reads the file of a part.
func readPart(ctx context.Context, where Storage, name string) (*partFile, error) {
	text, err := readAll(ctx, where, name, maxPartFile)
	if err != nil {
		return nil, err
	}
	p := &partFile{name: name}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, unreadable(name, "file of a part", text, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// unreadable says what is wrong with a text that is no JSON, or other JSON than what is expected.
func unreadable(name, what string, text []byte, err error) error {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return fmt.Errorf("%s is empty, and no %s: compute it again", name, what)
	case ok && syntax.Offset >= int64(len(text)):
		return fmt.Errorf("%s is cut off, and no %s: copy or compute it again", name, what)
	case ok:
		return fmt.Errorf("%s is no %s, or is damaged at byte %d", name, what, syntax.Offset)
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s is no %s", name, what)
	}
	return fmt.Errorf("%s is no %s: %w", name, what, err)
}

func readAll(ctx context.Context, where Storage, name string, most int64) ([]byte, error) {
	f, err := where.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() > most {
		return nil, fmt.Errorf("%s is larger than such files are", name)
	}
	text := make([]byte, f.Size())
	_, err = io.ReadFull(io.NewSectionReader(f, 0, f.Size()), text)
	return text, err
}

// check refuses what no part says.
func (p *partFile) check() error {
	switch {
	case p.Format == 0:
		return errors.New("this is no file of a part")
	case p.Format != partFormat:
		return fmt.Errorf("the file has format %d, and this edict knows %d: merge with the edict that computed it", p.Format, partFormat)
	case p.Part < 1 || p.Part > p.Of || p.Of > maxParts, p.From > p.To, p.Persons < 0, len(p.Schemas) == 0, len(p.Ballots) < 1 || len(p.Ballots) > 2,
		p.Needs != "" && len(p.NeedsWay) != len(p.Ballots), p.complete() && len(p.Files) != len(p.Schemas),
		(p.Subject == nil) != (p.Finding == nil), p.Subject != nil && p.Subject.Analysis == nil:
		return errors.New("this is no file of a part")
	}
	for _, s := range p.Schemas {
		if len(s.IDs) == 0 {
			return errors.New("this is no file of a part")
		}
	}
	for _, f := range p.Files {
		if f.Name != baseName(f.Name) || f.Name == "" {
			return fmt.Errorf("%q is not the name of a file in the same directory", f.Name)
		}
		if f.Bytes < 0 || f.Rows < 0 {
			return errors.New("this is no file of a part")
		}
	}
	for _, g := range p.Groups {
		if g.Groups == nil {
			return errors.New("this is no file of a part")
		}
	}
	if p.Finding != nil {
		return p.Finding.check(p.Subject)
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (c *census) MarshalJSON() ([]byte, error) {
	data, err := c.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return packed(data)
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *census) UnmarshalJSON(text []byte) error {
	data, err := unpacked(text)
	if err != nil {
		return err
	}
	return c.UnmarshalBinary(data)
}

// packed is bytes as a text of JSON, made small.
func packed(data []byte) ([]byte, error) {
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return json.Marshal(small.Bytes())
}

func unpacked(text []byte) ([]byte, error) {
	var small []byte
	if err := json.Unmarshal(text, &small); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(small)), maxPartFile))
	if err != nil {
		return nil, fmt.Errorf("the file is damaged: %w", err)
	}
	return data, nil
}
