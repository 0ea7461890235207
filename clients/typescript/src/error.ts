/** EdictError is an answer that says no. */
export class EdictError extends Error {
  /** status is that of HTTP. */
  readonly status: number;
  /** code is messaging's own, where it has one. */
  readonly code: number | undefined;
  /** body is what was answered: JSON where it is some, else a text. */
  readonly body: unknown;
  /** retryAfter is how many seconds the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(request: string, status: number, body: unknown, retryAfter?: number) {
    super(`${request}: ${status} ${messageOf(body)}`);
    this.name = "EdictError";
    this.status = status;
    this.body = body;
    this.code = numberOf(body, "code");
    this.retryAfter = retryAfter;
  }

  /** of reads an answer that says no. */
  static async of(request: string, response: Response): Promise<EdictError> {
    const text = await response.text();
    const wait = Number(response.headers.get("Retry-After"));
    return new EdictError(request, response.status, parsed(text), wait > 0 ? wait : undefined);
  }
}

/** Unreachable: the server does not answer. It is a TypeError as that of fetch, whose words say nothing of a remedy. */
export class Unreachable extends TypeError {
  constructor(url: string, cause: unknown) {
    const origin = globalThis.location?.origin;
    const allowed = origin === undefined || url.startsWith(origin) ? "" : `, and does it let pages of ${origin} call it (--messaging-origins)`;
    super(`${url} does not answer (${reasonOf(cause)}): is the server running there${allowed}?`, { cause });
    this.name = "Unreachable";
  }
}

/** UnknownServer: what answers is no edict server, or none that has the API of this client. Trying again is in vain. */
export class UnknownServer extends Error {
  constructor(url: string, what: string) {
    super(`the server at ${url} ${what}: check the address, that the server does not run with --only simulation, and that this client is not older than the server (npm update edict-client)`);
    this.name = "UnknownServer";
  }
}

/** reach is fetch whose failure names the server and the remedy. */
export async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url + path, init);
  } catch (failed) {
    throw init.signal?.aborted ? failed : new Unreachable(url, failed);
  }
}

// Node says why in the cause of its error.
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

function numberOf(body: unknown, name: string): number | undefined {
  const value = field(body, name);
  return typeof value === "number" ? value : undefined;
}

// Each service has its own shape: messaging {code, message}, OAuth {error, error_description}, simulation {error} or a tree.
function messageOf(body: unknown): string {
  for (const name of ["message", "error_description", "error"]) {
    const value = field(body, name);
    if (typeof value === "string") return value;
    const inner = field(value, "message");
    if (typeof inner === "string") return inner;
  }
  return typeof body === "string" ? body : JSON.stringify(body);
}
