package population

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Provenance names everything that the figures of a report follow from: program, law, input, options and reforms. Equal runs have equal
// provenance, whether they ran on a command line, over HTTP or in parts.
type Provenance struct {
	Edict   ProvenanceBuild   `json:"edict"`
	Law     ProvenanceLaw     `json:"law"`
	Inputs  []ProvenanceInput `json:"inputs"`
	Options ProvenanceOptions `json:"options"`
	// Base are the reforms that both sides of a comparison have: those of a server.
	Base []json.RawMessage `json:"base,omitempty"`
	// Reforms are keys, objects as in requests, {"set": TEXT} and {"file": NAME, "sha256": HASH}, in the order in which they apply.
	Reforms []json.RawMessage `json:"reforms"`
	Dialect string            `json:"dialect"`
	Date    string            `json:"date"`    // day of the computation, UTC
	Figures string            `json:"figures"` // SHA-256 of the figures, in the form of [Findings.Figures]
}

// ProvenanceBuild is the program that computed a report.
type ProvenanceBuild struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

// ProvenanceLaw is the legislation of a report without reforms. Hash is the Country-Package-Hash of a server without reforms.
type ProvenanceLaw struct {
	Package    string   `json:"package"`
	Version    string   `json:"version"`
	Hash       string   `json:"hash"`
	Extensions []string `json:"extensions,omitempty"`
}

// ProvenanceInput is a file that a report was computed from.
type ProvenanceInput struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// ProvenanceOptions are the options that figures depend on, by the names of the flags.
type ProvenanceOptions struct {
	Period      string   `json:"period"`
	Variables   []string `json:"variables"`
	Compare     bool     `json:"compare"`
	Weight      string   `json:"weight,omitempty"`
	Income      string   `json:"income,omitempty"`
	Equivalence string   `json:"equivalence,omitempty"`
	PovertyLine float64  `json:"poverty-line,omitempty"`
	By          []string `json:"by,omitempty"`
	Tolerance   float64  `json:"tolerance"`

	ReplicateWeights []string `json:"replicate-weights,omitempty"`
	ReplicateMethod  string   `json:"replicate-method,omitempty"`

	Keep          []string `json:"keep,omitempty"`
	IgnoreUnknown bool     `json:"ignore-unknown,omitempty"`
	Sample        bool     `json:"sample,omitempty"`
	Profile       string   `json:"profile"`
	Today         string   `json:"today"`
}

// options are those of the job in addition to what its caller recorded.
func (j *Job) options(o ProvenanceOptions) ProvenanceOptions {
	a := j.Analysis
	o.Period, o.Variables, o.Compare, o.Keep, o.IgnoreUnknown = j.Period.String(), j.Variables, j.Reform != nil, j.Keep, j.IgnoreUnknown
	o.Weight, o.Income, o.Equivalence, o.PovertyLine, o.By, o.Tolerance = a.Weight, a.Income, a.Equivalence, a.PovertyLine, a.By, a.Tolerance
	if r := a.Replication; r != nil {
		o.ReplicateWeights, o.ReplicateMethod = r.Columns, r.Method
	}
	return o
}

// provenance returns the provenance of the job's report without inputs and figures, nil if the caller recorded none.
func (j *Job) provenance() *Provenance {
	if j.Provenance == nil {
		return nil
	}
	p := *j.Provenance
	p.Options = j.options(p.Options)
	if p.Reforms == nil {
		p.Reforms = []json.RawMessage{}
	}
	return &p
}

// inputName is what a report calls the input.
func (j *Job) inputName() string {
	if j.InputName != "" {
		return j.InputName
	}
	return baseName(j.Input)
}

// complete adds the input and the hash of the figures.
func (f *Findings) complete(p *Provenance, input ProvenanceInput) {
	if p == nil {
		return
	}
	one := *p
	one.Inputs, one.Figures = []ProvenanceInput{input}, f.Figures()
	f.Provenance = &one
}

const identityPrefix = "sha256:"

// hashOf returns the SHA-256 of an object. Directories have it as the identity, buckets have an ETag instead.
func hashOf(ctx context.Context, o Object, identity string) (string, error) {
	if hash, ok := strings.CutPrefix(identity, identityPrefix); ok {
		return hash, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, &untilDone{ctx, io.NewSectionReader(o, 0, o.Size())}); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// fingerprint is the SHA-256 of the input, which is read while the input is computed.
type fingerprint struct {
	object Object
	cancel context.CancelFunc
	done   chan struct{}
	hash   string
	err    error
}

// fingerprint begins to hash the input. It returns nil if no report will have the hash.
func (j *Job) fingerprint(ctx context.Context) (*fingerprint, error) {
	if j.Analysis == nil || j.Provenance == nil {
		return nil, nil
	}
	object, err := j.storage().Open(ctx, j.Input)
	if err != nil {
		return nil, err
	}
	f := &fingerprint{object: object, done: make(chan struct{})}
	ctx, f.cancel = context.WithCancel(ctx)
	go func() {
		defer close(f.done)
		var identity string
		if identity, f.err = object.Identity(ctx); f.err == nil {
			f.hash, f.err = hashOf(ctx, object, identity)
		}
	}()
	return f, nil
}

// wait returns the hash. It fails if the file was changed since the computation began.
func (f *fingerprint) wait() (string, error) {
	if f == nil {
		return "", nil
	}
	if <-f.done; f.err != nil {
		return "", f.err
	}
	return f.hash, f.object.Unchanged()
}

// stop ends hashing.
func (f *fingerprint) stop() {
	if f != nil {
		f.cancel()
		<-f.done
		_ = f.object.Close()
	}
}

// figureRows returns the rows of the CSV report that have a figure. Shares of empty deciles are no figures.
func (f *Findings) figureRows() [][]string { return withFigures(f.measured()) }

func withFigures(rows [][]string) [][]string {
	return slices.DeleteFunc(rows, func(row []string) bool { return row[4] == "" && row[5] == "" && row[6] == "" })
}

// measured returns a row of the CSV report for everything that is measured.
func (f *Findings) measured() (rows [][]string) {
	for _, v := range f.values() {
		rows = append(rows, v.texts())
	}
	if f.Precision == nil {
		return rows
	}
	for _, e := range f.Precision.Figures {
		for _, of := range []struct {
			name string
			Pair
		}{{"standardError", e.Error}, {"low", e.Low}, {"high", e.High}} {
			row := rowOf(e.Of, e.Measure+" "+of.name, of.Pair)
			row.column, row.value = e.Column, e.Value
			rows = append(rows, row.texts())
		}
	}
	return rows
}

// values returns all figures but their precision.
func (f *Findings) values() (rows []figureRow) {
	if f.Line != nil {
		rows = append(rows, rowOf("income", "povertyLine", Pair{Base: *f.Line}))
	}
	rows = append(rows, f.Group.values()...)
	for _, by := range f.By {
		for _, v := range by.Values {
			for _, row := range v.values() {
				row.column, row.value = by.Column, v.Value
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// Figures returns the SHA-256 of the figures: the lines of the CSV report after its header that do not end in ",,,".
func (f *Findings) Figures() string { return hashRows(f.figureRows()) }

func hashRows(rows [][]string) string {
	var text bytes.Buffer
	_ = csv.NewWriter(&text).WriteAll(rows) // a buffer takes everything
	sum := sha256.Sum256(text.Bytes())
	return hex.EncodeToString(sum[:])
}

// provenanceKey is a part of a provenance, a line of the CSV report.
type provenanceKey struct {
	name string
	part any // pointer to it
}

func (p *Provenance) keys() []provenanceKey {
	keys := []provenanceKey{
		{"edict", &p.Edict}, {"law", &p.Law}, {"inputs", &p.Inputs}, {"options", &p.Options}, {"base", &p.Base}, {"reforms", &p.Reforms},
		{"dialect", &p.Dialect}, {"date", &p.Date}, {"figures", &p.Figures},
	}
	return keys
}

// block is the lines that begin with #, before the header of a CSV report: a key and its value in JSON.
func (p *Provenance) block() []byte {
	var out bytes.Buffer
	if p == nil {
		return nil
	}
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, k := range p.keys() {
		if k.name == "base" && p.Base == nil {
			continue
		}
		out.WriteString("# " + k.name + ": ")
		_ = e.Encode(k.part) // texts and numbers
	}
	return out.Bytes()
}

// canonicalNumber is a number as figures are written, whatever wrote it; other texts stay.
func canonicalNumber(text string) string {
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		one := Figure(f)
		return plain(&one)
	}
	return text
}
