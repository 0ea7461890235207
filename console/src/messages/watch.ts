// A live view of channels: streams that go on by themselves, what was there before, and what to show of their state.

import { EdictError, type StreamEvent, StreamEnd, type StreamState } from "edict-client";
import { signal } from "@preact/signals";

import { isAway } from "../answer";
import { client } from "../session";
import { exactClient } from "./exact";
import { Log } from "./log";

/** Source is how a channel is heard: own, because the user is subscribed; tap, by the right of an admin; look, not at all: its items are fetched. */
export interface Source {
  channel: string;
  how: "own" | "tap" | "look";
}

const page = 50; // items

/** Ending is why a view gets nothing more. */
export type Ending = "deleted" | "revoked" | "otherData" | "tie" | { error: unknown };

export class Watch {
  readonly log = new Log();
  readonly state = signal<StreamState>("connecting");
  readonly ending = signal<Ending | undefined>(undefined);
  /** turn grows whenever the log has changed. */
  readonly turn = signal(0);
  /** changes grows whenever a channel's record or its ties may have changed. */
  readonly changes = signal(0);
  /** error is what went wrong when what was there before was fetched. */
  readonly error = signal<unknown>(undefined);
  /** loaded says that what was there before is shown. */
  readonly loaded = signal(false);
  readonly total = signal(0);
  readonly older = signal<"none" | "more" | "busy">("none");

  readonly #sources: readonly Source[];
  readonly #stop = new AbortController();
  readonly #states = new Map<string, StreamState>();
  readonly #next = new Map<string, string>();
  #waiting: StreamEvent[] = [];
  #frame = 0;

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  /** start opens the streams; what is there already is fetched as soon as they carry what comes, so that nothing falls between. */
  start(): void {
    const own = this.#sources.filter((s) => s.how === "own").map((s) => s.channel);
    if (own.length > 0) void this.#follow("", own);
    for (const s of this.#sources) {
      if (s.how === "tap") void this.#follow(s.channel, [s.channel]);
      if (s.how === "look") void this.load(s.channel);
    }
  }

  stop(): void {
    this.#stop.abort();
    cancelAnimationFrame(this.#frame);
  }

  async #follow(tap: string, channels: readonly string[]): Promise<void> {
    const signal = this.#stop.signal;
    const wanted = new Set(channels);
    let begun = false;
    try {
      const options = { transport: "websocket" as const, signal, onState: (state: StreamState) => this.#became(tap, state), ...(tap === "" ? {} : { channel: tap }) };
      for await (const event of exactClient.stream(options)) {
        if (event.event === "ready" && !begun) {
          begun = true;
          for (const channel of channels) void this.load(channel);
        }
        if ("channelName" in event.data && wanted.has(event.data.channelName)) this.#came(event);
      }
    } catch (error) {
      if (!signal.aborted) this.#ended(error);
    }
  }

  #became(tap: string, state: StreamState): void {
    this.#states.set(tap, state);
    const all = [...this.#states.values()];
    this.state.value = (["waiting", "connecting", "catching up"] as const).find((s) => all.includes(s)) ?? "live";
  }

  // Events are taken together, once per frame: however many come, the screen is drawn once. A page that is not seen has no frames.
  #came(event: StreamEvent): void {
    if (event.event === "channel") {
      if (event.data.change === "deleted") this.ending.value = "deleted";
      else if (/^(unsubscribed|removed|banned)$/.test(event.data.change)) this.ending.value = "tie";
      this.changes.value++;
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length === 1) this.#frame = document.hidden ? 0 : requestAnimationFrame(() => this.#draw());
    if (document.hidden || this.#waiting.length >= 500) this.#draw();
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame);
    const events = this.#waiting;
    this.#waiting = [];
    this.log.take(events);
    if (this.log.trimmed) this.older.value = "more";
    this.turn.value++;
  }

  #ended(error: unknown): void {
    if (error instanceof StreamEnd && error.code === 4004) this.ending.value = "deleted";
    else if (error instanceof StreamEnd && [4001, 4002, 4003].includes(error.code)) this.ending.value = "revoked";
    else if ((error instanceof StreamEnd && error.code === 4010) || (error instanceof EdictError && error.status === 409)) this.ending.value = "otherData";
    else if (error instanceof EdictError && error.status === 401) this.ending.value = "revoked";
    else this.ending.value = { error };
    // The session may be over: whoever is asked next finds out.
    void client.get("/auth/userinfo").catch(() => undefined);
  }

  #fetch(channel: string, from: { until?: string; cursor?: string }) {
    const query = { sort_order: "DESC" as const, size: page, ...from };
    return exactClient.get("/message/api/v2/channels/{channel_name}/items/fetch", { path: { channel_name: channel }, query, signal: this.#stop.signal });
  }

  /** load fetches the newest items of a channel; a server that is away is asked again. */
  async load(channel: string, tried = 0): Promise<void> {
    try {
      const got = await this.#fetch(channel, {});
      this.log.add(got.items);
      this.log.whole = true;
      this.total.value = got.totalCount;
      this.#goOn(channel, got.nextCursor);
      this.loaded.value = true;
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.error.value = error;
      if (isAway(error)) setTimeout(() => void this.load(channel, tried + 1), Math.min(500 * 2 ** tried, 8000));
    }
  }

  // next leads to what is older, if there is something.
  #goOn(channel: string, next: string | null | undefined): void {
    if (next) this.#next.set(channel, next);
    else this.#next.delete(channel);
    this.older.value = this.#next.size > 0 ? "more" : "none";
    this.error.value = undefined;
    this.turn.value++;
  }

  /** loadOlder fetches what was published before what is shown. */
  async loadOlder(): Promise<void> {
    if (this.older.peek() !== "more") return;
    this.older.value = "busy";
    // What was let go of is behind the oldest item that is left, and not behind the last page.
    const from = this.log.trimmed ? this.log.oldest?.metaData.creationDate : undefined;
    const until = from === undefined ? undefined : new Date(Date.parse(from) + 1).toISOString();
    this.log.trimmed = false;
    try {
      for (const channel of until === undefined ? [...this.#next.keys()] : this.#sources.map((s) => s.channel)) {
        const got = await this.#fetch(channel, until === undefined ? { cursor: this.#next.get(channel) ?? "" } : { until });
        this.log.addOlder(got.items);
        this.#goOn(channel, got.nextCursor);
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.error.value = error;
      this.log.trimmed ||= until !== undefined;
      this.older.value = "more";
    }
  }

  /** removed forgets items that were deleted. */
  removed(ids: readonly string[]): void {
    this.log.remove(ids);
    this.turn.value++;
  }
}
