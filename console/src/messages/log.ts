// What a live view has seen: items in the order of the server's log, each once, with marks where the server no longer had what was missed.

import type { GapEvent, StreamEvent } from "edict-client";

import type { Item } from "./names";

/** most is how many items a view holds. Older ones are fetched again for whoever goes back to them. */
const most = 2000;

export type Entry = { kind: "item"; key: string; item: Item } | { kind: "gap"; key: string; channel: string };

/** Log merges what is fetched with what streams bring. Ids of items sort as the log does, so that their order needs no one to say it. */
export class Log {
  #items = new Map<string, Entry & { kind: "item" }>();
  #entries: Entry[] = []; // oldest first
  #gone = new Set<string>(); // deleted here: what is fetched late does not bring it back
  #gaps = 0;
  #limit = most;
  /** trimmed says that the oldest items were let go of since whoever uses the log last cleared it. */
  trimmed = false;
  /** whole says that the newest items that were there before are in. */
  whole = false;
  /** received counts the items that streams have brought. */
  received = 0;

  /** entries are what there is, oldest first; a new list whenever it changes. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get oldest(): Item | undefined {
    return this.#entries.find((e) => e.kind === "item")?.item;
  }

  /** add takes items, from wherever and in whatever order; one that is there gives way to a newer correction of it. */
  add(items: readonly Item[]): void {
    const fresh: Entry[] = [];
    let corrected = false;
    for (const item of items) {
      if (this.#gone.has(item.itemId)) continue;
      const had = this.#items.get(item.itemId);
      if (had !== undefined && !newer(item, had.item)) continue;
      const entry = { kind: "item" as const, key: item.itemId, item };
      this.#items.set(item.itemId, entry);
      if (had === undefined) fresh.push(entry);
      else corrected = true;
    }
    if (corrected) this.#entries = this.#entries.map((e) => (e.kind === "item" ? (this.#items.get(e.key) ?? e) : e));
    this.#entries = merged(this.#entries, fresh.sort((a, b) => (a.key < b.key ? -1 : 1)));
    this.#trim();
  }

  /** addOlder is add for items that somebody went back to: they are held besides the others. */
  addOlder(items: readonly Item[]): void {
    this.#limit += items.length;
    this.add(items);
  }

  /** take takes events of streams, in their order. */
  take(events: readonly StreamEvent[]): void {
    let items: Item[] = [];
    for (const event of events) {
      if (event.event === "item") {
        if (!event.data.edited) this.received++;
        if (this.#concerns(event.data)) items.push(event.data);
      } else if (event.event === "gap") {
        this.add(items);
        items = [];
        this.#mark(event);
      }
    }
    this.add(items);
  }

  // The correction of an item from before what is held would stand there alone.
  #concerns(item: Item & { edited?: boolean }): boolean {
    const oldest = this.oldest;
    return !item.edited || !this.whole || this.#items.has(item.itemId) || (oldest !== undefined && oldest.itemId < item.itemId);
  }

  #mark(event: GapEvent): void {
    const last = this.#entries.at(-1);
    if (last?.kind === "gap" && last.channel === event.data.channelName) return; // the rest of the same gap
    this.#entries = [...this.#entries, { kind: "gap", key: `gap-${this.#gaps++}`, channel: event.data.channelName }];
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.#gone.add(id);
      this.#items.delete(id);
    }
    this.#entries = this.#entries.filter((e) => e.kind !== "item" || !this.#gone.has(e.key));
  }

  #trim(): void {
    if (this.#entries.length <= this.#limit) return;
    for (const e of this.#entries.slice(0, -this.#limit)) this.#items.delete(e.key);
    this.#entries = this.#entries.slice(-this.#limit);
    this.trimmed = true;
  }
}

function newer(item: Item, than: Item): boolean {
  return (item.metaData.editedDate ?? "") > (than.metaData.editedDate ?? "");
}

/** merged puts items, in order, between those that are there. A mark stays behind the item that it was behind. */
function merged(entries: Entry[], fresh: Entry[]): Entry[] {
  const first = fresh[0];
  if (first === undefined) return entries;
  const last = entries.findLast((e) => e.kind === "item");
  if (last === undefined || last.key < first.key) return [...entries, ...fresh];
  const all: Entry[] = [];
  let next = 0;
  for (const entry of entries) {
    for (let f = fresh[next]; entry.kind === "item" && f !== undefined && f.key < entry.key; f = fresh[++next]) all.push(f);
    all.push(entry);
  }
  return [...all, ...fresh.slice(next)];
}
