// Signing in at another issuer: OpenID Connect, an authorization code with PKCE, as a public client. What comes of it is a token that
// /console/session checks and makes a session of; nothing of it is kept here. Between leaving and coming back the tab remembers what it asked for.

import { about, type Issuer } from "./about";
import { address } from "./router";
import { signInAt } from "./session";
import type { Key } from "./text";

/** Trouble is a sign-in that did not work out, with the text that says so. */
export class Trouble extends Error {
  readonly key: Key;
  readonly values: Record<string, string>;

  constructor(key: Key, issuer: Issuer | undefined, reason = "") {
    super(`${key} ${reason}`);
    this.key = key;
    this.values = { name: issuer?.name ?? "", reason };
  }
}

/** Pending is a sign-in that is under way at an issuer. */
interface Pending {
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
  /** to is the screen to go on with */
  to: string;
}

const kept = "edict.issuer";

const redirect = (): string => location.origin + address("/sign-in");

function encoded(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const random = (): string => encoded(crypto.getRandomValues(new Uint8Array(32)));

type Members = Record<string, unknown>;

/** ask gets a JSON object of an issuer, without what the browser knows of its visitor there. */
async function ask(issuer: Issuer, url: string, body?: URLSearchParams): Promise<Members> {
  let response: Response;
  let got: unknown;
  try {
    response = await fetch(url, { credentials: "omit", redirect: "error", ...(body === undefined ? {} : { method: "POST", body }) });
    got = await response.json();
  } catch (failed) {
    throw new Trouble("signIn.away", issuer, String(failed));
  }
  const members = typeof got === "object" && got !== null ? (got as Members) : {};
  if (!response.ok) throw new Trouble("signIn.refused", issuer, String(members["error_description"] ?? members["error"] ?? response.status));
  return members;
}

/** endpointsOf reads the discovery document. Tokens are asked for where the issuer is, and nowhere else: the policy of the page allows no other place. */
async function endpointsOf(issuer: Issuer): Promise<{ authorization: URL; token: URL }> {
  const found = await ask(issuer, `${issuer.url.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const [authorization, token] = ["authorization_endpoint", "token_endpoint"].map((name) => URL.parse(String(found[name])));
  if (found["issuer"] !== issuer.url || !authorization || !token) throw new Trouble("signIn.odd", issuer, "openid-configuration");
  if (!/^https?:$/.test(authorization.protocol) || token.origin !== new URL(issuer.url).origin) throw new Trouble("signIn.odd", issuer, String(token));
  return { authorization, token };
}

/** leave goes to the issuer; to is the screen to come back to. */
export async function leave(issuer: Issuer, to: string): Promise<void> {
  if (!isSecureContext) throw new Trouble("signIn.insecure", issuer);
  const { authorization } = await endpointsOf(issuer);
  const pending: Pending = { issuer: issuer.url, state: random(), nonce: random(), verifier: random(), to };
  const challenge = encoded(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pending.verifier))));
  const asked = {
    response_type: "code", client_id: issuer.client, redirect_uri: redirect(), scope: issuer.scope,
    state: pending.state, nonce: pending.nonce, code_challenge: challenge, code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(asked)) authorization.searchParams.set(name, value);
  sessionStorage.setItem(kept, JSON.stringify(pending));
  location.assign(authorization.href);
}

/** payloadOf reads what a token says, without believing it: the server checks who signed it. */
function payloadOf(token: unknown): Members | undefined {
  try {
    const bytes = Uint8Array.from(atob(String(token).split(".")[1]?.replace(/-/g, "+").replace(/_/g, "/") ?? ""), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as Members;
  } catch {
    return undefined;
  }
}

const isFor = (audience: string, payload: Members | undefined): boolean => [payload?.["aud"]].flat().includes(audience);

/** chosen is the token that is meant for this server: the access token, or else the ID token, which must be the answer to what was asked here. */
function chosen(issuer: Issuer, nonce: string, answer: Members): string {
  const [access, id] = [answer["access_token"], answer["id_token"]];
  const said = id === undefined ? undefined : payloadOf(id);
  const expected = issuer.scope.split(" ").includes("openid");
  if ((expected || id !== undefined) && (said?.["nonce"] !== nonce || !isFor(issuer.client, said))) throw new Trouble("signIn.odd", issuer, "id_token");
  for (const token of [access, id]) if (typeof token === "string" && isFor(issuer.audience, payloadOf(token))) return token;
  throw new Trouble("signIn.odd", issuer, `aud ≠ ${issuer.audience}`);
}

/** isBack reports whether an issuer sent somebody to this address. */
export const isBack = (query: URLSearchParams): boolean => query.has("state") && (query.has("code") || query.has("error"));

/** comeBack ends the sign-in that an issuer answers, and returns the screen to go on with. */
export async function comeBack(query: URLSearchParams): Promise<string> {
  const pending = JSON.parse(sessionStorage.getItem(kept) ?? "{}") as Partial<Pending>;
  sessionStorage.removeItem(kept); // an answer counts once
  const issuer = about.issuers.find((x) => x.url === pending.issuer);
  const { state, nonce, verifier, to } = pending;
  if (issuer === undefined || state === undefined || nonce === undefined || verifier === undefined || query.get("state") !== state || (query.get("iss") ?? issuer.url) !== issuer.url) {
    throw new Trouble("signIn.stale", issuer);
  }
  if (query.has("error")) throw new Trouble("signIn.refused", issuer, query.get("error_description") ?? query.get("error") ?? "");
  const { token } = await endpointsOf(issuer);
  const asked = { grant_type: "authorization_code", code: query.get("code") ?? "", redirect_uri: redirect(), client_id: issuer.client, code_verifier: verifier };
  await signInAt(chosen(issuer, nonce, await ask(issuer, token.href, new URLSearchParams(asked))));
  return to ?? "/";
}
