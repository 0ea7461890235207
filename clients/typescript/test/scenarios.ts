// What the client promises, tried against a real server: in Node, and in a browser on a page of another origin.

import { Client, EdictError, memoryStore, Session, signIn, StreamEnd, UnknownServer, Unreachable, type Pair, type StreamEvent, type StreamOptions } from "../src/index.js";
import { type Backoff, pauseOf, rest } from "../src/backoff.js";
import { Parser, type Frame } from "../src/sse.js";
import { follow } from "../src/stream.js";

/** Setting is the server of a test. */
export interface Setting {
  url: string; // over a wire that can be cut
  control: string; // POST /cut, /mend, /publish?channel=&from=&to=; GET /reconnect.json
  token: string; // of alice
  password: string; // of carol
  transport: "sse" | "websocket";
}

export type Scenario = (s: Setting) => Promise<void>;

export const scenarios: Record<string, Scenario> = { calls, watches, refusals, nobody, strangers, sessions, expiredTokens, cutStreams, pauses, returns, wakes, gaps, slowConsumers, revoked, left, parsing };

function equal(what: string, got: unknown, want: unknown): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
  if (a !== b) throw new Error(`${what} is ${a}, want ${b}`);
}

async function fails(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run();
  } catch (failed) {
    return failed;
  }
  throw new Error("it did not fail");
}

async function command(s: Setting, what: string): Promise<void> {
  const response = await fetch(`${s.control}/${what}`, { method: "POST" });
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
}

let channels = 0;

/** channelOf makes a channel of its own for a scenario. */
async function channelOf(s: Setting, maxItems?: number): Promise<{ client: Client; name: string }> {
  const client = new Client(s.url, { tokens: s.token });
  const name = `ts-${s.transport}-${Date.now()}-${++channels}`;
  await client.post("/message/api/v2/channels", { body: { channelName: name, ...(maxItems === undefined ? {} : { maxItems }) } });
  return { client, name };
}

async function calls(s: Setting): Promise<void> {
  const client = new Client(`${s.url}/`);
  const answer = await client.post("/calculate", {
    body: { individus: { ada: { salaire_imposable: { "2024": 30000 } } }, foyers_fiscaux: { f: { declarants: ["ada"], nbptr: { "2024": null } } } },
  });
  const groups = answer["foyers_fiscaux"] as Record<string, Record<string, Record<string, number>>>;
  equal("nbptr", groups["f"]?.["nbptr"]?.["2024"], 1);
  equal("formula", (await client.get("/api/2/formula/{rest}", { path: { rest: "2024/nbptr" } })).values, { nbptr: 1 });
  equal("type", (await client.get("/variable/{id}", { path: { id: "nbptr" } })).valueType, "Float");
  const { client: alice, name } = await channelOf(s);
  const draft = { path: { channel_name: name }, body: { content: { n: 1 } }, idempotencyKey: "once" };
  const first = await alice.post("/message/api/v2/channels/{channel_name}/items", draft);
  const again = await alice.post("/message/api/v2/channels/{channel_name}/items", draft);
  equal("id", again.messageId, first.messageId);
  const page = await alice.get("/message/api/v2/channels/{channel_name}/items/fetch", { path: { channel_name: name }, query: { size: 10 } });
  equal("items", page.items.map((i) => i.content), [{ n: 1 }]);
  await alice.delete("/message/api/v2/channels/{channel_name}", { path: { channel_name: name } });
}

async function watches(s: Setting): Promise<void> {
  const client = new Client(s.url, { tokens: s.token });
  const path = "/watch/api/v1/watches";
  const situation = { individus: { ada: { salaire_imposable: { "2024": 30000 } } }, foyers_fiscaux: { f: { declarants: ["ada"] } } };
  const made = await client.post(path, { body: { situation, period: "2024", figures: [{ variable: "nbptr" }], locale: "en" } });
  equal("the figure", made.figures, [{ variable: "nbptr", value: 1 }]);
  const { id } = made;
  equal("the list", (await client.get(path)).watches.some((w) => w.id === id), true);
  await client.delete("/watch/api/v1/watches/{id}", { path: { id } });
  const failed = await fails(() => client.get("/watch/api/v1/watches/{id}", { path: { id } }));
  equal("what is removed", failed instanceof EdictError ? failed.status : failed, 404);
}

async function refusals(s: Setting): Promise<void> {
  const client = new Client(s.url, { tokens: s.token });
  const missing = await fails(() => client.get("/message/api/v2/channels/{channel_name}", { path: { channel_name: "nowhere" } }));
  if (!(missing instanceof EdictError)) throw missing;
  equal("refusal", [missing.status, typeof missing.code, missing.message.startsWith("GET /message/api/v2/channels/{channel_name}: 404 ")], [404, "number", true]);
  for (const name of ["..", ".", ""]) {
    const wrong = await fails(() => client.get("/message/api/v2/channels/{channel_name}", { path: { channel_name: name } }));
    equal("a step", wrong instanceof TypeError, true);
  }
  const nobody = await fails(() => new Client(s.url).get("/auth/userinfo"));
  equal("anonymous", nobody instanceof EdictError && nobody.status, 401);
  const stopped = AbortSignal.abort(new Error("enough"));
  equal("aborted", String(await fails(() => client.get("/entities", { signal: stopped }))), "Error: enough");
}

/** nobody: a server that is not there, or not any more, is named with the remedy. */
async function nobody(s: Setting): Promise<void> {
  const client = new Client("http://127.0.0.1:1", { tokens: "t", retries: 0 });
  for (const ask of [() => client.get("/auth/userinfo"), () => signIn(client.url, "carol", "x")]) {
    const failed = await fails(ask);
    equal(`what fails (${String(failed)})`, failed instanceof Unreachable && /^http:\/\/127.0.0.1:1 does not answer \(.+\): is the server running there/.test(failed.message), true);
  }
  const here = new Client(s.url, { tokens: s.token, retries: 0 });
  await command(s, "cut");
  const cut = await fails(() => here.get("/auth/userinfo"));
  await command(s, "mend");
  equal(`a server that dies (${String(cut)})`, cut instanceof Unreachable, true);
}

/** strangers: what is no edict server, or has another API, is said, and a stream does not ask it for ever. */
async function strangers(s: Setting): Promise<void> {
  const path = { channel_name: "news" };
  for (const [server, what] of [[`${s.control}/stranger`, "answers text/html"], [`${s.control}/newer`, "has no /message/api/v2"]] as const) {
    const client = new Client(server, { tokens: s.token });
    for (const ask of [() => client.get("/message/api/v2/channels/{channel_name}", { path }), () => take(client, {}, 1)]) {
      const failed = await fails(ask);
      equal(`what fails (${String(failed)})`, failed instanceof UnknownServer && failed.message.includes(`the server at ${server} ${what}`) && failed.message.includes("npm update edict-client"), true);
    }
  }
}

async function sessions(s: Setting): Promise<void> {
  const wrong = await fails(() => signIn(s.url, "carol", "nonsense"));
  equal("wrong password", wrong instanceof EdictError && wrong.status, 400);
  const store = memoryStore();
  const session = await signIn(s.url, "carol", s.password, { store });
  const client = new Client(s.url, { tokens: session });
  equal("user", (await client.get("/auth/userinfo")).preferred_username, "carol");
  const before = store.load() as Pair;
  store.save({ ...before, expires: Date.now() });
  // Both see a token that is about to expire; a refresh token that came twice would end the session.
  await Promise.all([client.get("/auth/userinfo"), client.get("/auth/userinfo")]);
  const after = store.load() as Pair;
  equal("exchanged", [after.refreshToken !== before.refreshToken, after.expires > Date.now() + 60_000], [true, true]);
  store.save({ ...after, accessToken: "revoked.or.lost" });
  equal("renewed", (await client.get("/auth/userinfo")).preferred_username, "carol");
  const last = store.load() as Pair;
  await session.signOut();
  equal("signed out", store.load(), undefined);
  const other = new Session(s.url, memoryStore(last));
  equal("renewal", [await other.renew(last.accessToken), await other.token()], [false, undefined]);
}

/** expiredTokens: a token that the server refuses is exchanged when the stream connects. */
async function expiredTokens(s: Setting): Promise<void> {
  const store = memoryStore();
  const client = new Client(s.url, { tokens: await signIn(s.url, "carol", s.password, { store }) });
  store.save({ ...(store.load() as Pair), accessToken: "revoked.or.lost" });
  const [event] = await take(client, { transport: s.transport }, 1);
  equal("event", event?.event, "ready");
}

/** take returns the first so many events. */
async function take(client: Client, options: StreamOptions, count: number): Promise<StreamEvent[]> {
  const seen: StreamEvent[] = [];
  for await (const event of client.stream(options)) {
    seen.push(event);
    if (seen.length === count) break;
  }
  return seen;
}

function numbers(seen: StreamEvent[]): number[] {
  return seen.flatMap((e) => (e.event === "item" ? [Number(e.data.content["n"])] : []));
}

async function cutStreams(s: Setting): Promise<void> {
  const { client, name } = await channelOf(s);
  const seen: StreamEvent[] = [];
  const states: string[] = [];
  for await (const event of client.stream({ transport: s.transport, onState: (state) => states.push(state) })) {
    if (event.event === "item" && event.data.channelName !== name) continue;
    seen.push(event);
    if (event.event === "ready" && numbers(seen).length === 0) await command(s, `publish?channel=${name}&from=1&to=2`);
    const last = numbers(seen).at(-1);
    if (event.event === "item" && last === 2) {
      await command(s, "cut");
      await command(s, `publish?channel=${name}&from=3&to=40`);
      await command(s, "mend");
    }
    if (event.event === "item" && last === 40) break;
  }
  equal("numbers", numbers(seen), Array.from({ length: 40 }, (_, i) => i + 1));
  equal("states", [states.filter((x) => x === "waiting").length >= 1, states.includes("catching up"), states[0]], [true, true, "connecting"]);
}

/** pauses: the pauses between attempts are those that all clients share. */
async function pauses(s: Setting): Promise<void> {
  const { cases } = (await (await fetch(`${s.control}/reconnect.json`)).json()) as { cases: (Backoff & { name: string; random: number; pause: number })[] };
  for (const c of cases) {
    const pause = pauseOf({ first: c.first * 1000, failures: c.failures, least: c.least * 1000 }, c.random) / 1000;
    if (Math.abs(pause - c.pause) > 1e-6) throw new Error(`${c.name}: ${pause} s, want ${c.pause} s`);
  }
  equal("cases", cases.length > 10, true);
}

/** returns: a server is away for 30 s. All of 50 clients reach it within 10 s of its return, and never attempt all at once. Pauses take no time here. */
async function returns(): Promise<void> {
  const [clients, back] = [50, 30_000];
  for (const refused of [undefined, 5]) {
    const seconds: number[] = [];
    for (let i = 0; i < clients; i++) {
      let now = 0;
      const stop = new AbortController();
      const answer = (): Promise<Response> => {
        const second = Math.floor(now / 1000);
        seconds[second] = (seconds[second] ?? 0) + 1;
        if (now >= back) stop.abort();
        else if (refused !== undefined) return Promise.resolve(new Response("{}", { status: 503, headers: { "Retry-After": String(refused) } }));
        return Promise.reject(new TypeError("nothing answers"));
      };
      const rests = (b: Backoff): Promise<boolean> => {
        now += pauseOf(b);
        return Promise.resolve(false);
      };
      const server = { url: "http://edict.example", fetch: answer, token: () => Promise.resolve("t"), renew: () => Promise.resolve(false), parse: JSON.parse, rest: rests };
      for await (const _ of follow(server, { signal: stop.signal }));
      equal(`within 10 s (${now / 1000} s)`, now >= back && now <= back + 10_000, true);
    }
    for (const [second, n] of seconds.entries()) {
      if (n > 3 * clients || (second > 15 && n > (clients * 4) / 5)) throw new Error(`${n} attempts in second ${second}`);
    }
    const attempts = seconds.slice(0, back / 1000).reduce((sum, n) => sum + n, 0);
    if (refused !== undefined && attempts > 7 * clients) throw new Error(`${attempts} attempts although Retry-After is ${refused} s`); // one each, and one every 5 s
  }
}

/** wakes: a browser that is online again, or a page that becomes visible, connects at once, but not before Retry-After. */
async function wakes(): Promise<void> {
  const never = new AbortController().signal;
  const hours = { first: 10_000, failures: 9, least: 0 };
  if (typeof document === "undefined") return; // Node has neither event
  for (const wake of [() => globalThis.dispatchEvent(new Event("online")), () => document.dispatchEvent(new Event("visibilitychange"))]) {
    for (const least of [0, 300]) {
      const begun = performance.now();
      const resting = rest({ ...hours, least }, never, 0.999);
      wake();
      equal("woken", await resting, true);
      const took = performance.now() - begun;
      equal(`in time (${took} ms, at least ${least})`, took >= least - 5 && took < 5000, true);
    }
  }
}

async function gaps(s: Setting): Promise<void> {
  const { client, name } = await channelOf(s, 5);
  await command(s, `publish?channel=${name}&from=1&to=1`);
  const [first] = await take(client, { transport: s.transport }, 1);
  await command(s, `publish?channel=${name}&from=2&to=30`);
  const seen: StreamEvent[] = [];
  for await (const event of client.stream({ transport: s.transport, cursor: first?.id ?? "" })) {
    if (event.event === "ready") break;
    if (event.event === "gap" && event.data.channelName === name) seen.push(event);
    if (event.event === "item" && event.data.channelName === name) seen.push(event);
  }
  equal("what came", [seen.map((e) => e.event), numbers(seen)], [["gap", "item", "item", "item", "item", "item"], [26, 27, 28, 29, 30]]);
}

/** slowConsumers: what comes while a consumer thinks waits for it. */
async function slowConsumers(s: Setting): Promise<void> {
  const { client, name } = await channelOf(s);
  const seen: StreamEvent[] = [];
  for await (const event of client.stream({ transport: s.transport })) {
    if (event.event === "ready" && seen.length === 0) {
      await command(s, `publish?channel=${name}&from=1&to=300`);
    } else if (event.event === "item" && event.data.channelName === name) {
      seen.push(event);
      if (seen.length % 50 === 0) await new Promise((done) => setTimeout(done, 5));
      if (seen.length === 300) break;
    }
  }
  equal("numbers", numbers(seen), Array.from({ length: 300 }, (_, i) => i + 1));
}

/** revoked: a stream whose session is ended elsewhere ends with an error, and so does one whose cursor is nobody's. */
async function revoked(s: Setting): Promise<void> {
  const store = memoryStore();
  const session = await signIn(s.url, "carol", s.password, { store });
  const client = new Client(s.url, { tokens: session });
  const failed = await fails(async () => {
    for await (const event of client.stream({ transport: s.transport })) {
      if (event.event === "ready") await session.signOut();
    }
  });
  const known = (failed instanceof StreamEnd && failed.code === 4001) || (failed instanceof EdictError && failed.status === 401);
  equal(`the end (${String(failed)})`, known, true);
  if (s.transport === "sse") {
    const refused = await fails(() => take(new Client(s.url, { tokens: s.token }), { cursor: "nonsense" }, 1));
    equal("cursor", refused instanceof EdictError && refused.status, 400);
  }
}

/** left: a loop that is left, or a signal, ends the stream and closes its connection. */
async function left(s: Setting): Promise<void> {
  const client = new Client(s.url, { tokens: s.token });
  const stop = new AbortController();
  let events = 0;
  for await (const _ of client.stream({ transport: s.transport, signal: stop.signal })) {
    events++;
    stop.abort();
  }
  equal("events", events, 1);
  for (let i = 0; i < 60; i++) await take(client, { transport: s.transport }, 1); // more than a user may have open at once
}

/** parsing: wherever the text of a stream is cut, its frames are the same. */
function parsing(): Promise<void> {
  const text = 'retry: 2417\n\nevent: item\nid: a1\ndata: {"n":1}\n\n:\n\r\nevent: gap\r\nid: a2\r\ndata: {"x":\r\ndata: "é\\n"}\r\n\r\n: 4008 slow reader: too slow\n\n';
  const whole = new Parser().add(text);
  equal("kinds", whole.map((f) => f.kind), ["retry", "event", "comment", "event", "comment"]);
  for (let step = 1; step < text.length; step++) {
    const parser = new Parser();
    const frames: Frame[] = [];
    for (let at = 0; at < text.length; at += step) frames.push(...parser.add(text.slice(at, at + step)));
    equal(`frames of pieces of ${step}`, frames, whole);
  }
  // Of a later server: a field, an event and a member that nobody here knows.
  const later = new Parser().add('later: x\nevent: later\nid: a1\ndata: [1]\n\nevent: gap\nid: a2\ndata: {"later":1}\n\n');
  equal("of a later server", later, [
    { kind: "event", event: { event: "later", id: "a1", data: [1] } },
    { kind: "event", event: { event: "gap", id: "a2", data: { later: 1 } } },
  ]);
  return Promise.resolve();
}
