// Who is signed in. The refresh token is in a cookie that no script can read; here is the access token of this tab, in memory.

import { Client, EdictError, type Tokens } from "edict-client";
import { signal } from "@preact/signals";

import { about, root } from "./about";
import { language } from "./text";

export interface User {
  id: string;
  name: string;
  admin: boolean;
}

interface Answer {
  user: User | null;
  accessToken?: string;
  expiresIn?: number;
}

/** user is who is signed in; undefined as long as the server has not said. */
export const user = signal<User | null | undefined>(about.signIn ? undefined : null);

/** sessionProblem is why the server has not said who is signed in; it is asked again by itself. */
export const sessionProblem = signal<unknown>(undefined);

/** early is how long before its end a token is renewed, in milliseconds. */
const early = 30_000;

let held: { token: string; until: number } | undefined;

// Tabs share one cookie, and each exchange of it makes the one before void: they take turns.
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (!("locks" in navigator)) return run();
  return navigator.locks.request("edict.session", run) as Promise<T>;
}

async function ask(method: string, body?: object): Promise<Answer> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  const response = await fetch(`${root}/console/session`, init);
  if (!response.ok) throw await EdictError.of(`${method} /console/session`, response);
  const answer = (await response.json()) as Answer;
  held = answer.accessToken === undefined ? undefined : { token: answer.accessToken, until: Date.now() + (answer.expiresIn ?? 0) * 1000 };
  if (JSON.stringify(user.peek()) !== JSON.stringify(answer.user)) user.value = answer.user;
  return answer;
}

/** others hears of sign-ins and sign-outs in other tabs. */
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("edict.session") : undefined;

const tokens: Tokens = {
  async token() {
    if (!about.signIn || user.peek() === null) return undefined;
    if (held !== undefined && held.until - Date.now() > early) return held.token;
    await inTurn(async () => {
      if (held === undefined || held.until - Date.now() <= early) await ask("GET");
    });
    return held?.token;
  },
  async renew(refused) {
    return inTurn(async () => {
      if (held !== undefined && held.token !== refused) return true;
      await ask("GET");
      return held !== undefined;
    });
  },
};

/** clientOf calls the server as whoever is signed in, and reads its answers in a way of its own. */
export const clientOf = (parse: (json: string) => unknown): Client => new Client(location.origin + root, { tokens, retries: 0, parse, language: () => language.peek() });

/** client calls the server as whoever is signed in. */
export const client = clientOf(JSON.parse);

let listening = false;
let retry: ReturnType<typeof setTimeout> | undefined;

/** startSession finds out who is signed in, and signs in by the code of a one-time link. */
export async function startSession(): Promise<void> {
  if (!about.signIn) return;
  clearTimeout(retry);
  if (!listening) others?.addEventListener("message", () => {
    void inTurn(() => ask("GET")).catch(() => undefined);
  });
  listening = true;
  const code = /^code=([\w-]+)$/.exec(location.hash.slice(1))?.[1];
  if (code !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    try {
      await inTurn(() => ask("POST", { code }));
      others?.postMessage("");
      return;
    } catch {
      // the link was used before: whoever used it here is still signed in
    }
  }
  try {
    await inTurn(() => ask("GET"));
    sessionProblem.value = undefined;
  } catch (error) {
    // A server that is busy or away has not signed anybody out.
    const asked = error instanceof EdictError ? (error.retryAfter ?? 1) : 1;
    if (error instanceof EdictError && error.status !== 429 && error.status < 500) user.value = null;
    else {
      sessionProblem.value = error;
      retry = setTimeout(() => void startSession(), Math.min(asked, 10) * 1000);
    }
  }
}

export async function signIn(name: string, password: string): Promise<void> {
  await inTurn(() => ask("POST", { user: name, password }));
  others?.postMessage("");
}

/** signInAt signs in with what an external issuer gave. */
export async function signInAt(token: string): Promise<void> {
  await inTurn(() => ask("POST", { token }));
  others?.postMessage("");
}

export async function signOut(): Promise<void> {
  await inTurn(() => ask("DELETE"));
  held = undefined;
  others?.postMessage("");
}
