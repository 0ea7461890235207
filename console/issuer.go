package console

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
)

// Issuer is an external OpenID Connect issuer that people can sign in at. The page does it: authorization code with PKCE, as a public client.
type Issuer struct {
	URL      string `json:"url"`      // its name, and where its discovery document is
	Name     string `json:"name"`     // that people read; "": its host
	Client   string `json:"client"`   // the id that the console has there
	Scope    string `json:"scope"`    // that is asked for; "": openid
	Audience string `json:"audience"` // that a token must have to be good here
}

// completed returns issuers with what was left out, and their origins, the only ones besides its own that the page may ask.
func completed(issuers []Issuer) (whole []Issuer, origins []string, err error) {
	whole = []Issuer{}
	for _, x := range issuers {
		at, err := url.Parse(x.URL)
		if err != nil || at.Host == "" {
			return nil, nil, fmt.Errorf("the issuer %q is no URL", x.URL)
		}
		x.Name, x.Scope = cmp.Or(x.Name, at.Host), cmp.Or(x.Scope, "openid")
		whole = append(whole, x)
		if origin := at.Scheme + "://" + at.Host; !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return whole, origins, nil
}
