package scenario

import (
	"edict/platform/heap"
	"edict/simulation/legislation"
)

// slabs are what documents are made of, many parts in few allocations.
type slabs struct {
	keys   heap.Slab[string]
	values heap.Slab[legislation.Data]
	maps   heap.Slab[legislation.Ordered[legislation.Data]]
}

// object makes an empty object with room for some members.
func (s *slabs) object(room int) legislation.Data {
	return s.objectOf(s.keys.Take(room)[:0], s.values.Take(room)[:0])
}

// objectOf makes an object of names and values, which both belong to it from then on.
func (s *slabs) objectOf(keys []string, values []legislation.Data) legislation.Data {
	m := s.maps.New()
	*m = legislation.OrderedOf(keys, values)
	return legislation.Data{Kind: legislation.Mapping, Map: m}
}

// copied makes an object of the same members as another, with room for more.
func (s *slabs) copied(from *legislation.Ordered[legislation.Data], more int) legislation.Data {
	out := s.object(from.Len() + more)
	for i, key := range from.Keys() {
		out.Map.Set(key, *from.Ref(i))
	}
	return out
}

// list makes a list of so many nulls.
func (s *slabs) list(n int) legislation.Data {
	return legislation.Data{Kind: legislation.List, List: s.values.Take(n)}
}

// reset takes everything back.
func (s *slabs) reset() {
	s.keys.Reset()
	s.values.Reset()
	s.maps.Reset()
}
