package auth

import (
	"net/http"

	"edict/platform/web"
)

// limited bounds how often routes are asked: those that need no token per address, the others per user.
func (a *Authority) limited(routes []web.Route) []web.Route {
	for i := range routes {
		next := routes[i].Handle
		routes[i].Handle = func(w http.ResponseWriter, r *http.Request) error {
			limit, key := a.throttles.public, web.AddressOf(r)
			if caller := web.CallerOf(r); caller != nil {
				limit, key = a.throttles.caller, FoldID(caller.UserID)
			}
			if wait, ok := limit.take(key); !ok {
				return tooMany(wait)
			}
			return next(w, r)
		}
	}
	return routes
}
