package population

import (
	"encoding/binary"
	"errors"
	"math"

	"edict/simulation/statistics"
)

// What a part found travels in its file: sums exactly, households as they are, so that the report of all parts is that of one
// run to the last bit.

// MarshalJSON implements json.Marshaler.
func (f *finding) MarshalJSON() ([]byte, error) {
	out := f.everybody.append(nil)
	out = binary.AppendUvarint(out, uint64(len(f.households)))
	for _, field := range householdFields {
		for i := range f.households {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(*field(&f.households[i])))
		}
	}
	out = binary.AppendUvarint(out, uint64(len(f.by)))
	for i := range f.by {
		out = f.by[i].append(out)
	}
	return packed(out)
}

// householdFields are the numbers of a household; those of one kind lie together, which makes them smaller.
var householdFields = []func(*household) *float64{
	func(h *household) *float64 { return &h.weight }, func(h *household) *float64 { return &h.persons }, func(h *household) *float64 { return &h.scale },
	func(h *household) *float64 { return &h.income[0] }, func(h *household) *float64 { return &h.income[1] },
}

func (a *aggregate) append(out []byte) []byte {
	out = a.persons.Append(out)
	out = binary.AppendUvarint(out, uint64(len(a.variables)))
	for i := range a.variables {
		t := &a.variables[i]
		out = t.amount[1].Append(t.amount[0].Append(t.weight.Append(out)))
		out = binary.AppendUvarint(out, uint64(t.leftOut))
	}
	return out
}

func (b *breakdown) append(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(b.names)))
	for i, name := range b.names {
		out = append(binary.AppendUvarint(out, uint64(len(name))), name...)
		out = b.aggregates[i].append(out)
	}
	out = binary.AppendUvarint(out, uint64(len(b.shares)))
	for _, s := range b.shares {
		for _, n := range []int32{s.household, s.value, s.persons} {
			out = binary.AppendUvarint(out, uint64(n))
		}
	}
	return out
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *finding) UnmarshalJSON(text []byte) error {
	data, err := unpacked(text)
	if err != nil {
		return err
	}
	r := &findingReader{data: data}
	*f = finding{everybody: r.aggregate()}
	f.households = make([]household, r.count(8*len(householdFields)))
	for _, field := range householdFields {
		for i := range f.households {
			*field(&f.households[i]) = r.float()
		}
	}
	for range r.count(1) {
		f.by = append(f.by, r.breakdown(len(f.households)))
	}
	if r.bad || len(r.data) > 0 {
		return errFinding
	}
	return nil
}

var errFinding = errors.New("the findings of the part cannot be read")

// check makes sure that the finding is about what the report is about, and names its columns.
func (f *finding) check(s *subject) error {
	fits := func(a *aggregate) bool { return len(a.variables) == len(s.Totals) || a.variables == nil }
	right := fits(&f.everybody) && (len(f.by) == len(s.Analysis.By) || f.by == nil) && (s.Analysis.Income != "" || len(f.households) == 0)
	for _, b := range f.by {
		for i := range b.aggregates {
			right = right && fits(&b.aggregates[i])
		}
	}
	if !right {
		return errFinding
	}
	for i := range f.by {
		f.by[i].column = s.Analysis.By[i]
	}
	return nil
}

// findingReader reads a finding. What cannot be one makes it bad, and then everything it reads is nothing.
type findingReader struct {
	data []byte
	bad  bool
}

func (r *findingReader) number() uint64 {
	n, k := binary.Uvarint(r.data)
	if k <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[k:]
	return n
}

// count reads how many things of some bytes at least follow.
func (r *findingReader) count(size int) int {
	n := r.number()
	if n > uint64(len(r.data)/size) {
		r.bad, r.data = true, nil
		return 0
	}
	return int(n)
}

func (r *findingReader) float() float64 {
	if len(r.data) < 8 {
		r.bad, r.data = true, nil
		return 0
	}
	bits := binary.LittleEndian.Uint64(r.data)
	r.data = r.data[8:]
	return math.Float64frombits(bits)
}

func (r *findingReader) sum() (s statistics.Sum) {
	rest, err := s.Take(r.data)
	if err != nil {
		r.bad = true
	}
	r.data = rest
	return s
}

func (r *findingReader) aggregate() aggregate {
	a := aggregate{persons: r.sum()}
	for range r.count(4) {
		t := total{weight: r.sum()}
		t.amount = [2]statistics.Sum{r.sum(), r.sum()}
		t.leftOut = int(r.number() & math.MaxInt32)
		a.variables = append(a.variables, t)
	}
	return a
}

func (r *findingReader) breakdown(households int) breakdown {
	b := breakdown{index: map[string]int32{}}
	for range r.count(2) {
		n := r.count(1)
		if _, err := b.class(string(r.data[:n])); err != nil {
			r.bad = true
		}
		r.data = r.data[n:]
		b.aggregates = append(b.aggregates, r.aggregate())
	}
	r.bad = r.bad || len(b.names) != len(b.aggregates)
	for range r.count(3) {
		household, value, persons := r.number(), r.number(), r.number()
		if household >= uint64(households) || value >= uint64(len(b.names)) || persons > math.MaxInt32 {
			r.bad = true
			break
		}
		b.shares = append(b.shares, share{int32(household), int32(value), int32(persons)})
	}
	return b
}
