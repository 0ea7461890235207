package engine

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"edict/simulation/legislation"
	"edict/simulation/vector"
)

// A plan is packed for later processes that are asked the same of the same law. They find what its program refers to by names, and read the
// special program alone as long as it holds.

// programOf is the program of a plan, which is read when it is asked for first.
type programOf struct {
	once  sync.Once
	text  string // packed; "" of a plan that was recorded here
	seen  string
	names vector.References
	made  *vector.Program
	saw   *vector.Seen
}

// get gives the program, nil if it cannot be read.
func (p *programOf) get() *vector.Program {
	p.once.Do(func() {
		if p.text == "" {
			return
		}
		seen, err := vector.UnpackSeen(p.seen, p.names)
		if err != nil {
			return
		}
		if p.made, err = vector.UnpackProgram(p.text, p.names); err == nil {
			p.saw = seen
		}
	})
	return p.made
}

// remember adds what was seen when the plan was packed. The caller holds the lock of the special program.
func (p *Plan) remember() {
	if saw := p.program.saw; saw != nil {
		p.special.seen.Join(saw)
		p.program.saw = nil
	}
}

// planHead is what a packed plan begins with.
type planHead struct {
	Inputs  int
	Sources []packedSource
	At      []int
	Results []packedResult
	Most    map[string]int
	Made    int    // special programs, by all that carried it out
	Lengths [3]int // of the program, what was seen, and the special program, which come after it
}

type packedSource struct {
	Kind         sourceKind
	Entity, Role string
	N            int
}

type packedResult struct {
	Entity string
	Varies bool
}

// Steps is how many steps the plan has, as it was recorded.
func (p *Plan) Steps() int {
	if program := p.program.get(); program != nil {
		return program.Steps()
	}
	return 0
}

// News tells whether there is something to pack that was not packed before.
func (p *Plan) News() bool {
	p.special.mu.Lock()
	defer p.special.mu.Unlock()
	return p.special.made != p.special.packed
}

// Pack writes down a plan that was recorded of system, and what it has learnt by now. It is an error if it refers to something without a name.
func (p *Plan) Pack(system *legislation.System, names vector.References) ([]byte, error) {
	p.special.mu.Lock()
	defer p.special.mu.Unlock()
	head := planHead{Inputs: p.inputs, At: p.at, Most: p.most, Made: min(p.special.made, maxSpecials/2)}
	for _, s := range p.sources {
		one := packedSource{Kind: s.kind, Entity: s.entity, N: s.n}
		if s.role != nil {
			if one.Role = s.role.Key; system.Entity(s.entity).Role(one.Role) != s.role {
				return nil, fmt.Errorf("the role %s cannot be distinguished from another", s.role.Key)
			}
		}
		head.Sources = append(head.Sources, one)
	}
	for _, r := range p.results {
		head.Results = append(head.Results, packedResult{r.entity, r.varies})
	}
	program := p.program.get()
	if program == nil {
		return nil, errors.New("the program cannot be read")
	}
	p.remember()
	var parts [3][]byte
	var wrong [3]error
	parts[0], wrong[0] = program.Pack(names)
	parts[1], wrong[1] = p.special.seen.Pack(names)
	if quick := p.special.program.Load(); quick != nil {
		parts[2], wrong[2] = quick.Pack(names)
	}
	for i, part := range parts {
		head.Lengths[i] = len(part)
	}
	text, err := json.Marshal(head)
	if err := errors.Join(err, errors.Join(wrong[:]...)); err != nil {
		return nil, err
	}
	p.special.packed = p.special.made
	return slices.Concat(binary.AppendUvarint(nil, uint64(len(text))), text, parts[0], parts[1], parts[2]), nil
}

// mostInputs is how many inputs a packed plan may have.
const mostInputs = 1 << 20

var errNoPlan = errors.New("this is no packed plan")

// UnpackPlan reads a plan for system.
func UnpackPlan(data string, system *legislation.System, names vector.References) (*Plan, error) {
	n, size := binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(data)-size) {
		return nil, errNoPlan
	}
	text, rest := data[size:size+int(n)], data[size+int(n):]
	var head planHead
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return nil, err
	}
	var parts [3]string
	for i, n := range head.Lengths {
		if n < 0 || n > len(rest) {
			return nil, errNoPlan
		}
		parts[i], rest = rest[:n], rest[n:]
	}
	p := &Plan{program: &programOf{text: parts[0], seen: parts[1], names: names}, special: &special{}, at: head.At, inputs: head.Inputs, most: head.Most}
	if err := p.unpackSources(&head, system); err != nil {
		return nil, err
	}
	for _, r := range head.Results {
		if system.Entity(r.Entity) == nil {
			return nil, errNoPlan
		}
		p.results = append(p.results, resultOf{r.Entity, r.Varies})
	}
	p.special.made, p.special.packed = head.Made, head.Made
	if parts[2] == "" {
		return p, nil
	}
	quick, err := vector.UnpackProgram(parts[2], names)
	if err != nil {
		return nil, err
	}
	p.special.program.Store(quick)
	return p, nil
}

func (p *Plan) unpackSources(head *planHead, system *legislation.System) error {
	if len(head.Sources) != len(head.At) || len(head.At) > head.Inputs || head.Inputs > mostInputs {
		return errNoPlan
	}
	for entity := range head.Most {
		if system.Entity(entity) == nil {
			return errNoPlan
		}
	}
	for i, s := range head.Sources {
		entity := system.Entity(s.Entity)
		if entity == nil || s.Kind > memberSource || head.At[i] < 0 || head.At[i] >= head.Inputs {
			return errNoPlan
		}
		one := source{kind: s.Kind, entity: s.Entity, n: s.N}
		if s.Role != "" {
			if one.role = entity.Role(s.Role); one.role == nil {
				return errNoPlan
			}
		}
		p.sources = append(p.sources, one)
	}
	return nil
}
