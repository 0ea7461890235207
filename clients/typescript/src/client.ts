import { pauseOf, rest } from "./backoff.js";
import { EdictError, reach, UnknownServer } from "./error.js";
import type { StreamEvent } from "./event.js";
import type { paths } from "./schema.js";
import type { Tokens } from "./session.js";
import { follow, type StreamOptions } from "./stream.js";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have a method. */
type PathsOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;

type Parameters<O, In extends string> = O extends { parameters: infer All } ? (In extends keyof All ? All[In] : undefined) : undefined;

type Content<C> = C extends { content: infer T } ? (T extends { "application/json": infer J } ? J : T[keyof T]) : undefined;

type Body<O> = O extends { requestBody: infer B } ? Content<B> : O extends { requestBody?: infer B } ? Content<NonNullable<B>> | undefined : undefined;

/** The answer of a success. */
type Answer<O> = O extends { responses: infer R } ? Content<R[keyof R & (200 | 201 | 202 | 204 | 300)]> : never;

/** A member that must be there unless it may be undefined. */
type Member<Name extends string, T> = undefined extends T ? { [N in Name]?: T } : {} extends NonNullable<T> ? { [N in Name]?: T } : { [N in Name]: T };

export type Request<O> = Member<"path", Parameters<O, "path">> &
  Member<"query", Parameters<O, "query">> &
  Member<"body", Body<O>> & {
    /** With an idempotency key a request that is sent again, because its answer was lost, counts once. */
    idempotencyKey?: string;
    signal?: AbortSignal;
  };

/** Without a member that must be there the request can be left out. */
type Arguments<O> = {} extends Request<O> ? [request?: Request<O>] : [request: Request<O>];

export interface ClientOptions {
  /** A token, or what gives one; without it requests are anonymous, which simulation mostly is. */
  tokens?: Tokens | string;
  /** How often a request is sent again that the server was too busy for, or whose answer was lost; only those that change nothing or have an idempotency key. 2 if not given. */
  retries?: number;
  /** Reads the JSON of answers and events, for callers that need what JSON.parse loses: numbers of more than 15 digits. */
  parse?: (json: string) => unknown;
  /** Preferred language of the law's labels, such as "en", or a function that returns it; the law's own if not given. */
  language?: string | (() => string);
}

/** Client calls a server. Paths, parameters, bodies and answers have the types of its /openapi.json. */
export class Client {
  readonly url: string;
  readonly #tokens: Tokens;
  readonly #retries: number;
  readonly #parse: (json: string) => unknown;
  readonly #language: () => string | undefined;

  constructor(url: string, options: ClientOptions = {}) {
    this.url = url.replace(/\/+$/, "");
    const tokens = options.tokens;
    this.#tokens = typeof tokens === "object" ? tokens : { token: () => Promise.resolve(tokens), renew: () => Promise.resolve(false) };
    this.#retries = options.retries ?? 2;
    this.#parse = options.parse ?? JSON.parse;
    const language = options.language;
    this.#language = typeof language === "function" ? language : () => language;
  }

  get<P extends PathsOf<"get">>(path: P, ...request: Arguments<Operation<P, "get">>): Promise<Answer<Operation<P, "get">>> {
    return this.#call("GET", path, request[0]);
  }

  post<P extends PathsOf<"post">>(path: P, ...request: Arguments<Operation<P, "post">>): Promise<Answer<Operation<P, "post">>> {
    return this.#call("POST", path, request[0]);
  }

  put<P extends PathsOf<"put">>(path: P, ...request: Arguments<Operation<P, "put">>): Promise<Answer<Operation<P, "put">>> {
    return this.#call("PUT", path, request[0]);
  }

  patch<P extends PathsOf<"patch">>(path: P, ...request: Arguments<Operation<P, "patch">>): Promise<Answer<Operation<P, "patch">>> {
    return this.#call("PATCH", path, request[0]);
  }

  delete<P extends PathsOf<"delete">>(path: P, ...request: Arguments<Operation<P, "delete">>): Promise<Answer<Operation<P, "delete">>> {
    return this.#call("DELETE", path, request[0]);
  }

  /**
   * stream yields everything for the caller as it happens, over as many connections as it takes: what is lost on the way is fetched
   * again from the last event, nothing comes twice, and what the server no longer has comes as a gap. It ends with an error when going
   * on is in vain (StreamEnd, EdictError), and quietly when its signal says so or the loop is left.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamEvent, void, undefined> {
    return follow({ url: this.url, fetch: (path, init) => this.fetch(path, init), renew: (refused) => this.#tokens.renew(refused), token: () => this.#tokens.token(), parse: this.#parse, rest }, options);
  }

  /** fetch sends a request with the caller's token, and once more if that has just expired. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    for (let renewed = false; ; renewed = true) {
      const token = await this.#tokens.token();
      const headers = new Headers(init.headers);
      const language = this.#language();
      if (language !== undefined && !headers.has("Accept-Language")) headers.set("Accept-Language", language);
      if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
      const response = await reach(this.url, path, { ...init, headers });
      if (response.status !== 401 || token === undefined || renewed || !(await this.#tokens.renew(token))) return response;
      await response.body?.cancel();
    }
  }

  async #call<T>(method: string, path: string, given: unknown): Promise<T> {
    const request = (given ?? {}) as { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown; idempotencyKey?: string; signal?: AbortSignal };
    const headers = new Headers();
    const init: RequestInit = { method, headers };
    if (request.signal !== undefined) init.signal = request.signal;
    if (request.idempotencyKey !== undefined) headers.set("Idempotency-Key", request.idempotencyKey);
    if (request.body instanceof FormData || request.body instanceof URLSearchParams) {
      init.body = request.body;
    } else if (request.body !== undefined) {
      headers.set("Content-Type", "application/json");
      init.body = JSON.stringify(request.body);
    }
    const repeatable = method === "GET" || request.idempotencyKey !== undefined;
    const target = expand(path, request.path ?? {}) + queryOf(request.query ?? {});
    return (await this.#answer(`${method} ${path}`, target, init, repeatable ? this.#retries : 0)) as T;
  }

  async #answer(name: string, target: string, init: RequestInit, retries: number): Promise<unknown> {
    for (let tried = 0; ; tried++) {
      let least = 0;
      try {
        const response = await this.fetch(target, init);
        if (response.ok || response.status === 300) return await this.#content(target, response);
        const failed = await EdictError.of(name, response);
        // Whatever messaging has not, it says with a code.
        if (failed.status === 404 && failed.code === undefined && target.startsWith(messaging)) throw new UnknownServer(this.url, `has no ${messaging}`);
        if (tried >= retries || (response.status !== 429 && response.status !== 503)) throw failed;
        least = (failed.retryAfter ?? 0) * 1000;
      } catch (failed) {
        if (failed instanceof EdictError || failed instanceof UnknownServer || init.signal?.aborted || tried >= retries) throw failed;
      }
      await pause(pauseOf({ first: 1000, failures: tried, least }), init.signal ?? undefined);
    }
  }

  async #content(target: string, response: Response): Promise<unknown> {
    if (response.status === 204) return undefined;
    const type = response.headers.get("Content-Type") ?? "";
    if (type.includes("json")) return this.#parse(await response.text());
    const text = await response.text();
    if (text !== "" && target.startsWith(messaging)) throw new UnknownServer(this.url, `answers ${type || "something"} where messaging answers JSON`);
    return text;
  }
}

/** messaging begins the paths of its API, with the version that this client was made for. */
export const messaging = "/message/api/v2";

// A slash inside a value is no step of the path, but in {rest}, which stands for several.
function expand(path: string, parameters: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new TypeError(`${path}: the parameter ${name} is missing`);
    const steps = name === "rest" ? String(value).split("/") : [String(value)];
    // URLs resolve these, however they are written.
    if (steps.some((step) => step === "" || step === "." || step === "..")) throw new TypeError(`${path}: the parameter ${name} cannot be "${String(value)}"`);
    return steps.map(encodeURIComponent).join("/");
  });
}

function queryOf(query: Record<string, unknown>): string {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) all.append(name, String(one));
    }
  }
  const text = all.toString();
  return text === "" ? "" : `?${text}`;
}

/** pause waits, or fails as soon as the signal says so. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    if (signal?.aborted) {
      failed(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
