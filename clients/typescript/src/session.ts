import { EdictError, reach } from "./error.js";

/** Tokens gives a client its token. */
export interface Tokens {
  /** token returns the token to send, undefined for none. */
  token(): Promise<string | undefined>;
  /** renew is called when a token was refused or has expired; it returns whether there is another one. */
  renew(refused: string): Promise<boolean>;
}

/** Pair is what a session lives on. A refresh token can be exchanged once. */
export interface Pair {
  accessToken: string;
  refreshToken: string;
  /** expires is when the access token does, in milliseconds since 1970. */
  expires: number;
}

/** Store keeps the pair of a session. Tabs of one origin that share a store share the session. */
export interface Store {
  load(): Pair | undefined;
  save(pair: Pair | undefined): void;
  /** lock runs one exchange at a time among everybody who has the store. */
  lock<T>(run: () => Promise<T>): Promise<T>;
}

/** memoryStore keeps a pair as long as the page or the process lives. */
export function memoryStore(pair?: Pair): Store {
  let kept = pair;
  let last: Promise<unknown> = Promise.resolve();
  return {
    load: () => kept,
    save: (p) => {
      kept = p;
    },
    lock: (run) => {
      const next = last.then(run, run);
      last = next.catch(() => undefined);
      return next;
    },
  };
}

/** localStore keeps a pair in the browser's storage under a name, for all tabs of the origin. Whatever script runs on the origin can read it. */
export function localStore(name: string): Store {
  return {
    load: () => {
      const text = localStorage.getItem(name);
      return text === null ? undefined : (JSON.parse(text) as Pair);
    },
    save: (pair) => (pair === undefined ? localStorage.removeItem(name) : localStorage.setItem(name, JSON.stringify(pair))),
    lock: async (run) => (await navigator.locks.request(name, run)) as Awaited<ReturnType<typeof run>>,
  };
}

/** early is how long before its end a token is exchanged, in milliseconds. */
const early = 30_000;

/** Session is a user who is signed in. It exchanges its tokens before they expire, once for all who ask at the same time, in all tabs that share its store. */
export class Session implements Tokens {
  readonly #url: string;
  readonly #store: Store;

  constructor(url: string, store: Store) {
    this.#url = url.replace(/\/+$/, "");
    this.#store = store;
  }

  async token(): Promise<string | undefined> {
    const pair = this.#store.load();
    if (pair === undefined) return undefined;
    if (pair.expires - Date.now() > early) return pair.accessToken;
    await this.renew(pair.accessToken);
    return this.#store.load()?.accessToken;
  }

  async renew(refused: string): Promise<boolean> {
    return this.#store.lock(async () => {
      const pair = this.#store.load();
      if (pair === undefined) return false;
      if (pair.accessToken !== refused) return true; // somebody else was faster
      try {
        this.#store.save(await exchange(this.#url, { grant_type: "refresh_token", refresh_token: pair.refreshToken }));
        return true;
      } catch (failed) {
        if (!(failed instanceof EdictError) || failed.status !== 400) throw failed; // the server may answer later
        this.#store.save(undefined);
        return false;
      }
    });
  }

  /** signOut ends the session, here and on the server. */
  async signOut(): Promise<void> {
    const pair = this.#store.load();
    this.#store.save(undefined);
    if (pair === undefined) return;
    const response = await reach(this.#url, "/auth/revoke", { method: "POST", body: new URLSearchParams({ token: pair.refreshToken }) });
    if (!response.ok) throw await EdictError.of("POST /auth/revoke", response);
  }
}

/** signIn exchanges a name and a password for a session. Apps that users come to from elsewhere use the authorization code flow instead. */
export async function signIn(url: string, name: string, password: string, options: { device?: string; store?: Store } = {}): Promise<Session> {
  const store = options.store ?? memoryStore();
  const form: Record<string, string> = { grant_type: "password", username: name, password };
  if (options.device !== undefined) form["device_id"] = options.device;
  store.save(await exchange(url.replace(/\/+$/, ""), form));
  return new Session(url, store);
}

async function exchange(url: string, form: Record<string, string>): Promise<Pair> {
  const response = await reach(url, "/auth/token", { method: "POST", body: new URLSearchParams(form) });
  if (!response.ok) throw await EdictError.of("POST /auth/token", response);
  const got = (await response.json()) as { access_token: string; refresh_token?: string; expires_in: number };
  return { accessToken: got.access_token, refreshToken: got.refresh_token ?? "", expires: Date.now() + got.expires_in * 1000 };
}
