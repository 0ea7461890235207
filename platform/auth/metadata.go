package auth

import (
	"net/http"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"edict/platform/fault"
	"edict/platform/web"
)

func (a *Authority) metadataRoutes() []web.Route {
	metadata := func(path, id, standard string) web.Route {
		return web.Route{
			Method: http.MethodGet, Path: path, Policy: web.Public, Handle: a.serveMetadata,
			Doc: web.Doc{
				ID: id, Summary: "Metadata of the issuer, by " + standard, Description: "URLs of the identity endpoints (" + standard + "). Requires `--public-url`, or `--auth-issuer` with a URL.",
				Answers: []web.Answer{{Status: http.StatusOK, Example: a.metadata("https://edict.example")}, {Status: http.StatusNotFound, Description: "the server has no public URL"}},
			},
		}
	}
	return []web.Route{
		{
			Method: http.MethodGet, Path: "/.well-known/jwks.json", Policy: web.Public, Handle: a.serveKeys,
			Doc: web.Doc{
				ID: "jwks", Summary: "Public keys of the issuer", Description: "Returns the public keys that verify this server's tokens (RFC 7517).",
				Answers: []web.Answer{{Status: http.StatusOK, Type: web.FreeObject(), Example: exampleKeys}},
			},
		},
		metadata("/.well-known/openid-configuration", "openidConfiguration", "OpenID Connect Discovery"),
		metadata("/.well-known/oauth-authorization-server", "oauthMetadata", "RFC 8414"),
	}
}

type metadataBody struct {
	Issuer        string   `json:"issuer"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	Revocation    string   `json:"revocation_endpoint"`
	Userinfo      string   `json:"userinfo_endpoint"`
	Keys          string   `json:"jwks_uri"`
	Grants        []string `json:"grant_types_supported"`
	ResponseTypes []string `json:"response_types_supported"`
	ResponseModes []string `json:"response_modes_supported"`
	Challenges    []string `json:"code_challenge_methods_supported"`
	NamesIssuer   bool     `json:"authorization_response_iss_parameter_supported"`
	ClientAuth    []string `json:"token_endpoint_auth_methods_supported"`
	RevokeAuth    []string `json:"revocation_endpoint_auth_methods_supported"`
	Locales       []string `json:"ui_locales_supported"`
	Algorithms    []string `json:"id_token_signing_alg_values_supported"`
	SubjectTypes  []string `json:"subject_types_supported"`
	Scopes        []string `json:"scopes_supported"`
}

func (a *Authority) metadata(issuer string) metadataBody {
	base := strings.TrimSuffix(issuer, "/")
	methods := []string{"none", "client_secret_basic", "client_secret_post"}
	return metadataBody{
		Issuer: issuer, Authorization: base + authorizePath, Token: base + "/auth/token", Revocation: base + "/auth/revoke", Userinfo: base + "/auth/userinfo",
		Keys: base + "/.well-known/jwks.json", Grants: a.grants(),
		ResponseTypes: []string{"code"}, ResponseModes: []string{"query"}, Challenges: []string{"S256"}, NamesIssuer: true,
		ClientAuth: methods, RevokeAuth: methods, Locales: []string{"en", "fr"},
		Algorithms: []string{string(jose.EdDSA)}, SubjectTypes: []string{"public"}, Scopes: []string{ScopeMessaging, ScopeAdmin, ScopeMint, ScopeReset},
	}
}

// issuerIsURL reports whether clients can find this server by the name of its issuer. Without a public URL they cannot: a name taken
// from the Host header would be one that any caller chooses, and not the "iss" of the tokens.
func (a *Authority) issuerIsURL() bool {
	return strings.HasPrefix(a.opts.Issuer, "https://") || strings.HasPrefix(a.opts.Issuer, "http://")
}

// serveMetadata names the endpoints below the issuer. RFC 8414 section 3.3 has clients reject a document whose issuer is not the URL that
// they asked, so there is none without a URL.
func (a *Authority) serveMetadata(w http.ResponseWriter, _ *http.Request) error {
	if !a.issuerIsURL() {
		return fault.New(fault.NotFound, "this server does not know its URL, so it has no metadata: start it with --public-url, or give clients the addresses of /auth/authorize and /auth/token")
	}
	return web.WriteJSON(w, http.StatusOK, a.metadata(a.opts.Issuer))
}

func (a *Authority) serveKeys(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", "public, max-age=300")
	return web.WriteJSON(w, http.StatusOK, a.keys.jwks)
}

// exampleKeys is what the document of the API shows: the same one on every server.
var exampleKeys = map[string]any{"keys": []map[string]string{{
	"use": "sig", "kty": "OKP", "kid": "VVsa92o0nTL7ge6QuMp7yQ", "crv": "Ed25519", "alg": "EdDSA", "x": "i9l8lgSga4UlsOOn23itCAeLqWaDXa6x-V_Z9Tx1Cqc",
}}}
