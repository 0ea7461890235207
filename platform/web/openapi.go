package web

type page struct{}

func (s *Server) document() error { return nil }

func operationID(r *Route) string { return r.Method + r.Path }

// Schema is a JSON Schema written by hand, for [Param], [Body] and [Answer].
type Schema map[string]any
