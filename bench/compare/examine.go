package main

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"edict/simulation/engine"
	"edict/simulation/legislation"
	"edict/simulation/period"
	"edict/simulation/scenario"
	"edict/simulation/vector"
)

// situation is a line of the situations.
type situation struct {
	ID             string          `json:"id"`
	Situation      json.RawMessage `json:"situation"`
	Outputs        [][2]string     `json:"outputs"`
	MaxSpiralLoops int             `json:"max_spiral_loops"`
	Reform         json.RawMessage `json:"reform"` // written as data, null for none
}

// changed gives the system of a situation: the one at hand, or one derived from it by the reform of the situation. Before
// that the situation is computed without the reform, so that there is something for derived systems to share.
func (s *settings) changed(ctx context.Context, system *legislation.System, given situation) (*legislation.System, error) {
	if len(given.Reform) == 0 {
		return system, nil
	}
	doc, err := scenario.DecodeJSON(given.Reform)
	if err != nil {
		return nil, err
	}
	reform, wrong := legislation.ReadReform(doc)
	if len(wrong) > 0 {
		return nil, wrong
	}
	_, _, _ = calculate(ctx, system, given, engine.Options{}) // an error is none of the reform's
	return s.catalogue.Compose(ctx, []legislation.Step{{Data: reform}})
}

// answer is a line of the reference.
type answer struct {
	ID    string `json:"id"`
	Error *struct {
		Stage   string   `json:"stage"`
		Output  []string `json:"output"`
		Type    string   `json:"type"`
		Message any      `json:"message"` // text, or a tree of texts
	} `json:"error"`
	Columns []column `json:"columns"`
}

// column is an array that the reference holds.
type column struct {
	Variable string            `json:"variable"`
	Period   string            `json:"period"`
	DType    string            `json:"dtype"`
	Values   []json.RawMessage `json:"values"`
	Bits     *string           `json:"bits"`
}

func key(variable, at string) string { return variable + "<" + at + ">" }

// verdict reports what differs.
type verdict struct {
	columns     int
	reached     bool              // a result is another one than without the reform
	beside      int               // results computed next to the scripts of the base
	differences map[string]string // by key of the column
	first       string            // the first that was computed, as far as that is known
}

func (v verdict) String() string {
	return fmt.Sprintf("%d of %d columns differ; the first is %s", len(v.differences), v.columns, v.first)
}

// examine runs a situation and compares. If something differs it runs again, traced, to find what was computed first.
func (s *settings) examine(ctx context.Context, system *legislation.System, p pairing) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = failure(fmt.Sprintf("edict itself failed: %v\n%s", r, debug.Stack()))
		}
	}()
	base := system
	system, err := s.changed(ctx, system, p.situation)
	if err != nil {
		return failure("edict refuses the reform: " + err.Error())
	}
	sim, at, err := calculate(ctx, system, p.situation, engine.Options{})
	if p.reference.Error != nil || err != nil {
		return compareErrors(p.reference, at, err)
	}
	v = compareColumns(sim, p.reference)
	if len(v.differences) > 0 {
		v.first = origin(ctx, system, p, v.differences)
	}
	if system != base && len(v.differences) == 0 {
		v.compareBeside(ctx, base, system, p.situation)
	}
	return v
}

// compareBeside wants what a derived system gives next to the scripts of its base to be what it gives without them.
func (v *verdict) compareBeside(ctx context.Context, base, derived *legislation.System, given situation) {
	before, _ := results(ctx, base, given, engine.Options{Scripted: true, Eager: true})
	want, _ := results(ctx, derived, given, engine.Options{})
	v.reached = !slices.EqualFunc(before, want, gave.same)
	got, played := results(ctx, derived, given, engine.Options{Scripted: true})
	v.beside = played
	for i := range want {
		if !got[i].same(want[i]) {
			v.first = fmt.Sprintf("%s, beside the base: %s, want %s", want[i].what, got[i], want[i])
			v.differences[want[i].what] = v.first
		}
	}
}

func failure(text string) verdict {
	return verdict{differences: map[string]string{"": text}, first: text}
}

// calculate computes the outputs in order; at is the one that failed.
func calculate(ctx context.Context, system *legislation.System, s situation, o engine.Options) (sim *engine.Simulation, at string, err error) {
	doc, err := scenario.DecodeJSON(s.Situation)
	if err != nil {
		return nil, "build", err
	}
	described, err := scenario.ParseEntities(system, doc)
	if err != nil {
		return nil, "build", err
	}
	o.MaxSpiralLoops = s.MaxSpiralLoops
	sim, err = described.Simulation(ctx, o)
	if err != nil {
		return nil, "build", err
	}
	for _, output := range s.Outputs {
		v, err := system.Lookup(output[0])
		if err != nil {
			return sim, key(output[0], output[1]), err
		}
		when, err := period.Parse(output[1])
		if err != nil {
			return sim, key(output[0], output[1]), err
		}
		if _, err := sim.Calculate(v.ID, sim.Periods().Intern(when), legislation.Plain); err != nil {
			return sim, key(output[0], output[1]), err
		}
	}
	return sim, "", nil
}

// compareErrors wants both to fail at the same place.
func compareErrors(ref answer, at string, err error) verdict {
	if ref.Error == nil {
		return failure(fmt.Sprintf("edict fails at %s: %v", at, err))
	}
	want := ref.Error.Stage
	if len(ref.Error.Output) == 2 {
		want = key(ref.Error.Output[0], ref.Error.Output[1])
	}
	if err == nil {
		return failure(fmt.Sprintf("the reference fails at %s (%s: %s), edict does not", want, ref.Error.Type, ref.Error.Message))
	}
	if want != at {
		return failure(fmt.Sprintf("the reference fails at %s (%s: %s), edict at %s (%v)", want, ref.Error.Type, ref.Error.Message, at, err))
	}
	return verdict{}
}

func compareColumns(sim *engine.Simulation, ref answer) verdict {
	v := verdict{columns: len(ref.Columns), differences: map[string]string{}}
	held := map[string][]vector.Column{} // several if periods look alike, as weeks that begin on different days do
	for _, variable := range sim.System().Variables() {
		h, err := sim.Holder(variable.ID)
		if err != nil {
			continue
		}
		for _, at := range h.KnownPeriods() {
			c, _ := h.Array(at)
			k := key(variable.Name, at.String())
			held[k] = append(held[k], c)
		}
	}
	for _, c := range ref.Columns {
		k := key(c.Variable, c.Period)
		mine := held[k]
		if len(mine) == 0 {
			v.differences[k] = "edict does not hold it, the reference has " + show(c)
			continue
		}
		i := max(0, slices.IndexFunc(mine, func(m vector.Column) bool { return differ(m, c) == "" }))
		if difference := differ(mine[i], c); difference != "" {
			v.differences[k] = difference
		}
		held[k] = slices.Delete(mine, i, i+1)
	}
	for k, mine := range held {
		for _, m := range mine {
			v.differences[k] = "the reference does not hold it, edict has " + m.String()
		}
	}
	for k, text := range v.differences {
		v.first = k + ": " + text
		break
	}
	return v
}

func show(c column) string {
	var parts []string
	for _, v := range c.Values {
		parts = append(parts, string(v))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func differ(mine vector.Column, c column) string {
	if mine.Len() != len(c.Values) {
		return fmt.Sprintf("edict has %d values, the reference %d", mine.Len(), len(c.Values))
	}
	if c.Bits == nil {
		for i, raw := range c.Values {
			var text string
			if json.Unmarshal(raw, &text) != nil || text != asText(mine, i) {
				return fmt.Sprintf("edict has %s, the reference %s", mine.String(), show(c))
			}
		}
		return ""
	}
	bits, err := hex.DecodeString(*c.Bits)
	if err != nil {
		return err.Error()
	}
	size := len(bits) / max(len(c.Values), 1)
	for i := range c.Values {
		if !same(mine, i, c.DType, bits[i*size:(i+1)*size]) {
			return fmt.Sprintf("edict has %s (%s), the reference %s (%s)", mine.String(), mine.DType(), show(c), c.DType)
		}
	}
	return ""
}

// asText is an element as the reference writes it: bytes as the text that they are.
func asText(mine vector.Column, i int) string {
	if mine.Type() == vector.Bytes {
		return mine.Text(i)
	}
	return mine.Format(i)
}

// same compares an element with the bytes of the reference; two numbers that are none are the same.
func same(mine vector.Column, i int, dtype string, bits []byte) bool {
	switch dtype {
	case "float32":
		f := math.Float32frombits(binary.LittleEndian.Uint32(bits))
		return mine.Type() == vector.Float32 && sameFloat(mine.Float(i), float64(f))
	case "float64":
		return mine.Type() == vector.Float64 && sameFloat(mine.Float(i), math.Float64frombits(binary.LittleEndian.Uint64(bits)))
	case "int32":
		return mine.Type() == vector.Int32 && mine.Int(i) == int64(int32(binary.LittleEndian.Uint32(bits)))
	case "int64":
		return mine.Type() == vector.Int64 && mine.Int(i) == int64(binary.LittleEndian.Uint64(bits))
	case "bool":
		return mine.Type() == vector.Bool && mine.Bool(i) == (bits[0] != 0)
	case "enum":
		return mine.Type() == vector.Enum && mine.Int(i) == int64(int16(binary.LittleEndian.Uint16(bits)))
	case "date":
		return mine.Type() == vector.Date && mine.Int(i) == int64(binary.LittleEndian.Uint64(bits))
	}
	return false
}

func sameFloat(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// origin finds the column that differs and was computed from nothing that differs.
func origin(ctx context.Context, system *legislation.System, p pairing, differences map[string]string) string {
	tracer := engine.NewTracer(time.Now)
	if _, _, err := calculate(ctx, system, p.situation, engine.Options{Tracer: tracer}); err != nil {
		return "unknown: traced, edict fails: " + err.Error()
	}
	var found *engine.Trace
	for _, tree := range tracer.Trees {
		if found = deepest(tree, differences); found != nil {
			break
		}
	}
	if found == nil {
		for k, text := range differences {
			return k + ", which nothing asked for: " + text
		}
	}
	where := ""
	if v, err := system.Lookup(found.Variable); err == nil {
		where = fmt.Sprintf(" (%s:%d)", v.Source.File, v.Source.Line)
	}
	var asked []string
	for _, c := range found.Children {
		asked = append(asked, fmt.Sprintf("\n    %s = %s", c.Key(), c.Value.String()))
	}
	return found.Key() + where + ": " + differences[found.Key()] + strings.Join(asked, "")
}

// deepest is the first calculation that differs, children before their parent.
func deepest(n *engine.Trace, differences map[string]string) *engine.Trace {
	for _, c := range n.Children {
		if found := deepest(c, differences); found != nil {
			return found
		}
	}
	if _, ok := differences[n.Key()]; ok {
		return n
	}
	return nil
}
