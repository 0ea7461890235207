"""Signs in with authlib: at the login page, and as a backend. Arguments: server, issuer, secret of the client backend."""
import sys
import urllib.parse

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

server, issuer, secret = sys.argv[1:]
metadata = requests.get(issuer + "/.well-known/oauth-authorization-server").json()
assert metadata["issuer"] == issuer, metadata
back = "https://app.example/back"

# A public client: authorization code with PKCE.
session = OAuth2Session("chat", redirect_uri=back, scope="messaging", code_challenge_method="S256", token_endpoint_auth_method="none")
verifier = generate_token(48)
address, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
page, query = address.split("?")
form = dict(urllib.parse.parse_qsl(query), username="ann", password="secret of ann")
answer = requests.post(page, data=form, allow_redirects=False)
assert answer.status_code == 303, answer.text
came = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers["Location"]).query)
assert came["iss"] == [issuer], came
token = session.fetch_token(metadata["token_endpoint"], authorization_response=answer.headers["Location"], state=state, code_verifier=verifier)
assert token["user_id"] == "ann", token
assert session.get(metadata["userinfo_endpoint"]).json()["sub"] == "ann"
fresh = session.refresh_token(metadata["token_endpoint"])
assert fresh["refresh_token"] != token["refresh_token"]
session.revoke_token(metadata["revocation_endpoint"], fresh["refresh_token"], token_type_hint="refresh_token")
assert session.get(metadata["userinfo_endpoint"]).status_code == 401

# A backend: client credentials, by both methods, and token exchange.
for method in ("client_secret_basic", "client_secret_post"):
    backend = OAuth2Session("backend", secret, scope="mint", token_endpoint_auth_method=method)
    own = backend.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")
    assert own["scope"] == "mint" and "refresh_token" not in own, own
    minted = backend.fetch_token(
        metadata["token_endpoint"], grant_type="urn:ietf:params:oauth:grant-type:token-exchange", scope="messaging",
        subject_token=own["access_token"], subject_token_type="urn:ietf:params:oauth:token-type:access_token", requested_subject="ann")
    assert minted["user_id"] == "ann", minted
    assert backend.get(server + "/message/api/v2/channels").status_code == 200
print("ok")
