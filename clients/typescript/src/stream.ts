import type { Backoff } from "./backoff.js";
import { messaging } from "./client.js";
import { EdictError, UnknownServer } from "./error.js";
import type { StreamEvent } from "./event.js";
import { endOf, Parser } from "./sse.js";

/** StreamState is what can be shown of a stream: it connects, catches up with what it missed, is live, or waits before it connects again. */
export type StreamState = "connecting" | "catching up" | "live" | "waiting";

export interface StreamOptions {
  /** The id of the last event that was seen; without it the stream begins now, with the messages that wait. */
  cursor?: string;
  /** How the events come. sse, which is taken if nothing is said, sends the token in a header; websocket takes a ticket. */
  transport?: "sse" | "websocket";
  /** A channel to listen to as an admin, subscribed or not: its events come, and nothing else. Without it everything for the caller comes. */
  channel?: string;
  signal?: AbortSignal;
  /** Is told what the stream does. */
  onState?: (state: StreamState) => void;
  /** How long the server may be silent before the connection is given up, in milliseconds; 60 s, more than two of its heartbeats. Of a WebSocket, whose pings the browser answers, it says nothing. */
  silence?: number;
}

/** StreamEnd says that the server ended a stream for a reason that connecting again does not mend. The codes are those of docs/reference/streams.md. */
export class StreamEnd extends Error {
  readonly code: number;

  constructor(code: number, reason: string) {
    super(`the stream ended: ${code} ${reason}`);
    this.name = "StreamEnd";
    this.code = code;
  }
}

/** Server is what a stream needs of a client. */
export interface Server {
  url: string;
  fetch(path: string, init: RequestInit): Promise<Response>;
  token(): Promise<string | undefined>;
  renew(refused: string): Promise<boolean>;
  parse(json: string): unknown;
  /** rest waits before the next connection and reports whether the browser ended it early. */
  rest(b: Backoff, signal: AbortSignal): Promise<boolean>;
}

/** target is what a connection asks for. */
function target(options: StreamOptions, query: Record<string, string | undefined>): string {
  const given = Object.entries({ channel: options.channel, ...query }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return `${messaging}${options.channel === undefined ? "" : "/admin"}/events${text === "" ? "" : `?${text}`}`;
}

const expired = 4002;
/** The client was wrong, revoked or gone: the next connection would end alike. */
const final = new Set([1002, 1009, 4001, 4003, 4004, 4010]);

/** End is how a connection ended; undefined if nobody said. */
type End = { code: number; reason: string } | undefined;

/** follow is Client.stream. */
export async function* follow(server: Server, options: StreamOptions): AsyncGenerator<StreamEvent, void, undefined> {
  const stop = new AbortController();
  const abort = (): void => stop.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", abort, { once: true });
  if (options.signal?.aborted) abort();
  const state: State = { cursor: options.cursor, backoff: { first: 1000, failures: 0, least: 0 } };
  try {
    while (!stop.signal.aborted) {
      options.onState?.("connecting");
      yield* connection(server, options, state, stop.signal);
      if (stop.signal.aborted) return;
      options.onState?.("waiting");
      // A network that has just come back may need another attempt soon.
      if (await server.rest(state.backoff, stop.signal)) state.backoff.failures = 0;
      else state.backoff.failures++;
    }
  } catch (failed) {
    if (!stop.signal.aborted) throw failed;
  } finally {
    options.signal?.removeEventListener("abort", abort);
    stop.abort();
  }
}

/** State goes from one connection to the next. */
interface State {
  cursor: string | undefined;
  backoff: Backoff;
}

/** connection yields the events of one connection. It returns when it is worth trying again. */
async function* connection(server: Server, options: StreamOptions, state: State, signal: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
  let end: End;
  let token: string | undefined;
  let current = state.cursor === undefined; // nothing was missed, or all of it has come
  let told: boolean | undefined;
  state.backoff.least = 0;
  const frames = options.transport === "websocket" ? openSocket(server, options, state, signal) : openSource(server, options, state, signal);
  try {
    token = await server.token(); // which may have to ask a server that is away
    for (let next = await frames.next(); ; next = await frames.next()) {
      if (next.done) {
        end = next.value;
        break;
      }
      state.backoff.failures = 0;
      for (const event of next.value) {
        current ||= event.event === "ready";
        if (told !== current) options.onState?.(current ? "live" : "catching up");
        told = current;
        yield event;
        // From here on its consumer has it, and the next connection goes on behind it.
        if (event.id !== null) state.cursor = event.id;
      }
    }
  } catch (failed) {
    if (signal.aborted || failed instanceof UnknownServer || (failed instanceof EdictError && failed.status < 500 && failed.status !== 429)) throw failed;
    if (failed instanceof EdictError) state.backoff.least = (failed.retryAfter ?? 0) * 1000;
  } finally {
    await frames.return(undefined); // a loop that is left closes its connection
  }
  if (end === undefined) return;
  if (final.has(end.code)) throw new StreamEnd(end.code, end.reason);
  if (end.code !== expired) return;
  // A server that is away while the token is renewed is asked again by the next connection.
  const renewed = token !== undefined && (await server.renew(token).catch(() => true));
  if (!renewed) throw new StreamEnd(end.code, end.reason);
}

/** openSource reads Server-Sent Events, as many at a time as have come. */
async function* openSource(server: Server, options: StreamOptions, state: State, signal: AbortSignal): AsyncGenerator<StreamEvent[], End, undefined> {
  const quiet = new AbortController();
  const path = target(options, { cursor: state.cursor });
  const giveUp = (): ReturnType<typeof setTimeout> => setTimeout(() => quiet.abort(), options.silence ?? 60_000);
  let timer = giveUp();
  const response = await server
    .fetch(path, {
      headers: { Accept: "text/event-stream" },
      cache: "no-store",
      signal: AbortSignal.any([signal, quiet.signal]),
    })
    .finally(() => clearTimeout(timer));
  if (!response.ok || response.body === null) throw await refusalOf(server, `GET ${path}`, response);
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.startsWith("text/event-stream")) throw new UnknownServer(server.url, `answers ${type || "something"} where a stream should be`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new Parser((json) => server.parse(json));
  let end: End;
  try {
    for (;;) {
      timer = giveUp();
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return end;
      const events: StreamEvent[] = [];
      for (const frame of parser.add(value)) {
        if (frame.kind === "event") events.push(frame.event);
        else if (frame.kind === "retry") state.backoff.first = frame.milliseconds || state.backoff.first;
        else end = endOf(frame.text) ?? end;
      }
      if (events.length > 0) yield events;
    }
  } finally {
    clearTimeout(timer);
    quiet.abort();
  }
}

/** refusalOf is what a stream that was refused ends with, or tries again after. */
async function refusalOf(server: Server, request: string, response: Response): Promise<Error> {
  const failed = await EdictError.of(request, response);
  return failed.status === 404 && failed.code === undefined ? new UnknownServer(server.url, `has no ${messaging}/events`) : failed;
}

/** pending is how many events may wait for the consumer of a WebSocket, which cannot be slowed down: beyond that it is closed, and goes on from the cursor. */
const pending = 10_000;

/** openSocket reads a WebSocket, which browsers open with a ticket, as many events at a time as have come. */
async function* openSocket(server: Server, options: StreamOptions, state: State, signal: AbortSignal): AsyncGenerator<StreamEvent[], End, undefined> {
  const issued = await server.fetch("/auth/ticket", { method: "POST", signal });
  if (!issued.ok) throw await refusalOf(server, "POST /auth/ticket", issued);
  const { ticket } = (await issued.json()) as { ticket: string };
  const socket = new WebSocket(server.url.replace(/^http/, "ws") + target(options, { ticket, cursor: state.cursor }));
  const queue = new Queue();
  socket.onopen = () => {
    if (state.cursor === undefined) socket.send('{"type":"resume"}'); // else the server waits for one
  };
  socket.onmessage = (message) => {
    for (const line of String(message.data).split("\n")) if (line !== "") queue.add(server.parse(line) as StreamEvent);
    if (queue.length > pending) socket.close();
  };
  socket.onclose = (closed) => queue.close(closed.code >= 4000 || final.has(closed.code) ? { code: closed.code, reason: closed.reason } : undefined);
  const abort = (): void => socket.close();
  signal.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      const events = await queue.take();
      if (events.length === 0) return queue.end;
      yield events;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    socket.close();
  }
}

/** Queue hands events over, and the end behind them. */
class Queue {
  #events: StreamEvent[] = [];
  #closed = false;
  #wake: (() => void) | undefined;
  end: End;

  get length(): number {
    return this.#events.length;
  }

  add(event: StreamEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  close(end: End): void {
    this.end = end;
    this.#closed = true;
    this.#wake?.();
  }

  /** take waits for events and returns all that are there; none behind the last. */
  async take(): Promise<StreamEvent[]> {
    while (this.#events.length === 0 && !this.#closed) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
