package cli

import (
	"net/http"
	"strings"

	"edict/platform/auth"
	"edict/platform/names"
	"edict/platform/web"
)

// auditReads adds what admins read by routes that are only for admins to the audit trail, once in ten minutes. The services of these routes
// know no audit trail of their own.
func (s *Server) auditReads(service *web.Service) {
	for i, route := range service.Routes {
		if route.Method != http.MethodGet || !route.Policy.Admins {
			continue
		}
		name, _, _ := strings.Cut(service.Name, "-")
		act := auth.Act(name + "." + route.Doc.ID)
		service.Routes[i].Handle = func(w http.ResponseWriter, r *http.Request) error {
			if caller := web.CallerOf(r); caller != nil && caller.Admin {
				by, id := auth.By{UserID: caller.UserID, Address: web.AddressOf(r)}, r.PathValue("id")
				if !names.IsID(id) {
					id = "" // nothing has it
				}
				if err := s.identity.AuditLook(r.Context(), by, act, "", id); err != nil {
					return err
				}
			}
			return route.Handle(w, r)
		}
	}
}
