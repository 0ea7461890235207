package legislation

import (
	"encoding/binary"
	"math"
	"strings"

	"edict/simulation/vector"
)

// Applications of scales are recorded by keys that tell all about them, so that later processes can carry them out.

// scaleKey tells applications of scales apart: those of scales with the same brackets, of whichever law, do the same.
type scaleKey struct {
	what           string
	kind           ScaleKind
	brackets       string
	right, rounded bool
	decimals       int
}

func (s *Scale) key(what string, o CalcOptions) scaleKey {
	k := scaleKey{what: what, kind: s.Kind, brackets: s.brackets(), right: o.Right}
	if k.rounded = o.RoundBaseDecimals != nil; k.rounded {
		k.decimals = *o.RoundBaseDecimals
	}
	return k
}

// numberBytes is what brackets takes for each number.
const numberBytes = 17

// brackets is what the brackets are, down to the last bit.
func (s *Scale) brackets() string {
	out := make([]byte, 0, numberBytes*(len(s.Thresholds)+len(s.Values))+1)
	for _, numbers := range [][]Number{s.Thresholds, s.Values} {
		for _, n := range numbers {
			kind := byte(0)
			if n.IsInt {
				kind = 1
			}
			out = binary.LittleEndian.AppendUint64(append(out, kind), math.Float64bits(n.Float))
			out = binary.LittleEndian.AppendUint64(out, uint64(n.Int))
		}
		out = append(out, '|')
	}
	return string(out)
}

// record applies the scale, as it is now, to a base that is taped.
func (s *Scale) record(what string, base vector.Column, o CalcOptions) (vector.Column, error) {
	key := s.key(what, o)
	if o.Factor == nil {
		return vector.Record(key, key.operation(s.Copy()), nil, base)
	}
	return vector.Record(key, key.operation(s.Copy()), nil, base, *o.Factor)
}

// operation gives what is recorded: the key applied to a scale with its brackets.
func (k scaleKey) operation(law *Scale) func(r *vector.Rules, in []vector.Column) (vector.Column, error) {
	if what, ok := strings.CutPrefix(k.what, "pick "); ok {
		return func(_ *vector.Rules, in []vector.Column) (vector.Column, error) { return law.pick(what, in[0]) }
	}
	apply, options := (*Scale).Calc, CalcOptions{Right: k.right}
	if k.what == "indices" {
		apply = (*Scale).BracketIndices
	}
	if k.rounded {
		options.RoundBaseDecimals = &k.decimals
	}
	return func(r *vector.Rules, in []vector.Column) (vector.Column, error) {
		o := options
		o.rules = r
		if len(in) > 1 {
			o.Factor = &in[1]
		}
		return apply(law, in[0], o)
	}
}

// scaleOf makes a scale of a kind with brackets, as [Scale.brackets] writes them.
func scaleOf(kind ScaleKind, brackets []byte) (*Scale, bool) {
	s := &Scale{Kind: kind}
	for _, list := range []*[]Number{&s.Thresholds, &s.Values} {
		for len(brackets) >= numberBytes && brackets[0] <= 1 {
			*list = append(*list, Number{
				Float: math.Float64frombits(binary.LittleEndian.Uint64(brackets[1:])), Int: int64(binary.LittleEndian.Uint64(brackets[9:])), IsInt: brackets[0] == 1,
			})
			brackets = brackets[numberBytes:]
		}
		if len(brackets) == 0 || brackets[0] != '|' {
			return nil, false
		}
		brackets = brackets[1:]
	}
	return s, len(brackets) == 0
}
