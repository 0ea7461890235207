package legislation

// PropagateScales gives what the scales of a tree say of all their brackets to the parameters in the brackets, as PolicyEngine's
// scales do when they are made: the index in "uprating" to rates and amounts; to thresholds that in "threshold_uprating", else,
// with "uprate_thresholds", the same; the unit in "amount_unit" and its like. What a parameter says itself counts before that.
func PropagateScales(item ParameterItem) {
	switch item := item.(type) {
	case *ParameterNode:
		for _, child := range item.Children.All() {
			PropagateScales(child)
		}
	case *ParameterScale:
		for _, bracket := range item.Brackets {
			for key, child := range bracket.Children.All() {
				item.propagate(key, child.Info())
			}
		}
	}
}

// propagate completes what the parameter under a key of a bracket says.
func (s *ParameterScale) propagate(key string, of *ParameterInfo) {
	inherit := func(name string, value Data, ok bool) {
		if said, has := of.Metadata.Get(name); !ok || has && truth(said) {
			return
		}
		own := of.Metadata.Map.Copy() // others may have the same
		own.Set(name, value)
		of.Metadata = Data{Kind: Mapping, Line: of.Metadata.Line, Map: own}
	}
	index, ok := s.Metadata.Get("uprating")
	if key == "threshold" {
		follows, _ := s.Metadata.Get("uprate_thresholds")
		ok = ok && truth(follows)
		if dedicated, has := s.Metadata.Get("threshold_uprating"); has {
			index, ok = dedicated, true
		}
	}
	inherit("uprating", index, ok)
	unit, ok := s.Metadata.Get(key + "_unit")
	if _, has := of.Metadata.Map.Get("unit"); !has {
		inherit("unit", unit, ok)
	}
}
