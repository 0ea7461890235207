// Items as they come: newest first, one line each that opens into a tree.

import { Component, type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { isAway } from "../answer";
import { useKey } from "../keys";
import { fold, moment, text } from "../text";
import { Away, Empty, Failure, Loading } from "../ui/state";
import { Copy } from "./act";
import type { Entry } from "./log";
import { channelAddress, curl, type Item, itemsPath } from "./names";
import { preview, Tree } from "./tree";
import { type Ending, Watch } from "./watch";

const drawn = 50; // rows at first

const haystacks = new WeakMap<Item, string>();

function contains(item: Item, needle: string): boolean {
  let hay = haystacks.get(item);
  if (hay === undefined) {
    hay = fold(`${item.channelName} ${item.publisher.userId} ${item.itemId} ${JSON.stringify(item.content)}`);
    haystacks.set(item, hay);
  }
  return hay.includes(needle);
}

export interface ItemActs {
  /** what can be done with an item, besides what anybody can */
  acts?: (item: Item) => ComponentChildren;
  /** shows the channel of each item */
  channels?: boolean;
  /** few shows no more than so many, without tools: a view beside other things */
  few?: number;
}

export function Items(props: ItemActs & { watch: Watch; listens: boolean }) {
  const { watch } = props;
  const [held, setHeld] = useState<{ entries: readonly Entry[]; received: number } | undefined>(undefined);
  const [filter, setFilter] = useState("");
  const [rows, setRows] = useState(props.few ?? drawn);
  const whole = props.few === undefined;
  const search = useRef<HTMLInputElement>(null);
  const pause = (): void => setHeld(held === undefined ? { entries: watch.log.entries, received: watch.log.received } : undefined);
  useKey("/", () => whole && search.current?.focus());
  useKey("p", () => whole && pause());
  const list = useRef<HTMLOListElement>(null);
  const slotsOf = useSlots(list);
  void watch.turn.value; // what follows is drawn again when it grows
  const needle = fold(filter.trim());
  const all = held?.entries ?? watch.log.entries;
  const shown: Entry[] = [];
  let more = false;
  for (let i = all.length - 1; i >= 0 && !more; i--) {
    const entry = all[i] as Entry;
    if (needle !== "" && entry.kind === "item" && !contains(entry.item, needle)) continue;
    if (shown.length === rows) more = true;
    else shown.push(entry);
  }
  const slots = slotsOf(shown);
  return (
    <section class="stack" aria-label={text("message.items")}>
      <div class="bar">
        {props.listens && <State watch={watch} paused={held !== undefined} />}
        {props.listens && whole && (
          <button type="button" aria-pressed={held !== undefined} onClick={pause}>
            {held === undefined ? text("message.pause") : text("message.goOn", { count: watch.log.received - held.received })}
          </button>
        )}
        {whole && <input ref={search} type="search" class="grow" value={filter} placeholder={text("message.filter")} aria-label={text("message.filter")} onInput={(event) => setFilter(event.currentTarget.value)} />}
      </div>
      {watch.ending.value !== undefined && <Ended ending={watch.ending.value} />}
      <Trouble watch={watch} />
      {!watch.loaded.value && watch.error.value === undefined && watch.ending.value === undefined && <Loading />}
      {watch.loaded.value && shown.length === 0 && <Empty>{text(needle === "" ? "message.none" : "message.noneFound")}</Empty>}
      <ol ref={list} class="items" onKeyDown={walk}>
        {shown.map((entry) => (
          <Row key={slots.get(entry.key)} entry={entry} acts={props.acts} channels={props.channels} />
        ))}
      </ol>
      {whole && <Older watch={watch} more={more} onMore={() => setRows(rows + drawn)} />}
    </section>
  );
}

function Trouble(props: { watch: Watch }) {
  const error = props.watch.error.value;
  if (error === undefined) return null;
  return isAway(error) ? <Away error={new TypeError("away")} again={() => undefined} /> : <Failure error={error} />;
}

function Older(props: { watch: Watch; more: boolean; onMore: () => void }) {
  const older = props.watch.older.value;
  if (!props.more && older === "none") return null;
  return (
    <button type="button" disabled={!props.more && older === "busy"} onClick={() => (props.more ? props.onMore() : void props.watch.loadOlder().then(props.onMore))}>
      {text("message.older")}
    </button>
  );
}

/** walk moves along the items by arrow keys. */
function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>(":scope > li > details > summary")];
  const at = lines.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  lines[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}

function State(props: { watch: Watch; paused: boolean }) {
  const state = props.watch.state.value;
  const ended = props.watch.ending.value !== undefined;
  const late = state === "waiting" || (state === "connecting" && props.watch.loaded.value);
  const word = ended ? "ended" : late ? "away" : state === "live" ? "live" : "connecting";
  const labels = {
    ended: text("live.ended"),
    away: text("live.away"),
    live: text(props.paused ? "live.paused" : "live.live"),
    connecting: text(state === "catching up" ? "live.catchingUp" : "live.connecting"),
  };
  return (
    <span class={`badge ${word}`} role="status">
      {labels[word]}
    </span>
  );
}

function Ended(props: { ending: Ending }) {
  if (typeof props.ending === "object") return <Failure error={props.ending.error} />;
  const sentences = { deleted: text("live.deleted"), revoked: text("live.revoked"), otherData: text("live.otherData"), tie: text("live.tie") };
  return (
    <div class="notice" role="alert">
      <p>{sentences[props.ending]}</p>
      <button type="button" onClick={() => location.reload()}>
        {text("live.reload")}
      </button>
    </div>
  );
}

/**
 * useSlots gives each entry that is shown a number of its own. One that comes takes that of one that went, and with it its elements: to make new ones takes
 * far longer. Those that have the focus go: what is typed next is not meant for another item.
 */
function useSlots(list: { readonly current: HTMLElement | null }): (shown: readonly Entry[]) => ReadonlyMap<string, number> {
  const held = useRef<ReadonlyMap<string, number>>(new Map());
  const made = useRef(0);
  return (shown) => {
    const next = new Map<string, number>();
    const left = new Map(held.current);
    for (const { key } of shown) {
      next.set(key, left.get(key) ?? -1);
      left.delete(key);
    }
    if (list.current?.matches(":focus-within")) {
      const at = [...list.current.children].findIndex((row) => row.matches(":focus-within"));
      left.delete([...held.current.keys()][at] ?? "");
    }
    const free = [...left.values()];
    for (const [key, slot] of next) if (slot < 0) next.set(key, free.pop() ?? made.current++);
    held.current = next;
    return next;
  };
}

interface RowProps {
  entry: Entry;
  acts: ItemActs["acts"] | undefined;
  channels: boolean | undefined;
}

/** Row is drawn again only when its item is another one: the others need not be looked at when one comes. */
class Row extends Component<RowProps, { open: string | undefined }> {
  override shouldComponentUpdate(next: RowProps, state: { open: string | undefined }): boolean {
    return next.entry !== this.props.entry || next.channels !== this.props.channels || state.open !== this.state.open;
  }

  // What is open is an item, and not the row that it is in.
  readonly #toggled = (event: Event & { currentTarget: HTMLDetailsElement }): void => {
    this.setState({ open: event.currentTarget.open ? this.props.entry.key : undefined });
  };

  override render() {
    const { entry, channels } = this.props;
    if (entry.kind === "gap") return <li class="gap">{text("message.gap", { channel: entry.channel })}</li>;
    const { item } = entry;
    const open = this.state.open === entry.key;
    return (
      <li>
        <details open={open} onToggle={this.#toggled}>
          <summary>
            <time dateTime={item.metaData.creationDate}>{moment(new Date(item.metaData.creationDate))}</time>
            {channels && <strong>{item.channelName}</strong>}
            <span class="by">{item.publisher.userId}</span>
            <span class="preview">{preview(item.content)}</span>
            {item.metaData.editedDate && <span class="chip">{text("message.edited")}</span>}
          </summary>
          {open && <Opened item={item} acts={this.props.acts} channels={channels} />}
        </details>
      </li>
    );
  }
}

function Opened(props: { item: Item; acts: ItemActs["acts"] | undefined; channels: boolean | undefined }) {
  const { item } = props;
  const read = `${itemsPath(item.channelName)}?id=${item.itemId}`;
  return (
    <div class="stack tight opened">
      <Tree value={item.content} />
      <p class="soft small">
        {item.metaData.messageType && `${item.metaData.messageType} · `}
        {item.metaData.contentType && `${item.metaData.contentType} · `}
        {item.publisher.deviceId && `${text("message.device", { device: item.publisher.deviceId })} · `}
        {item.metaData.editedDate && `${text("message.editedAt", { time: moment(new Date(item.metaData.editedDate)) })} · `}
        <code>{item.itemId}</code>
      </p>
      <div class="row-of">
        {props.channels && (
          <a class="button quiet" href={channelAddress(item.channelName)}>
            {text("message.toChannel")}
          </a>
        )}
        <Copy label={text("message.copyJson")} what={() => JSON.stringify(item.content, null, 2)} />
        <Copy label={text("message.copyCurl")} what={() => curl("GET", read)} />
        {props.acts?.(item)}
      </div>
    </div>
  );
}

/** useWatch watches sources as long as the screen is shown, and anew when they change. */
export function useWatch(sources: readonly { channel: string; how: "own" | "tap" | "look" }[] | undefined): Watch | undefined {
  const [watch, setWatch] = useState<Watch | undefined>(undefined);
  const key = JSON.stringify(sources);
  useEffect(() => {
    if (sources === undefined || sources.length === 0) {
      setWatch(undefined);
      return undefined;
    }
    const next = new Watch(sources);
    next.start();
    setWatch(next);
    return () => next.stop();
  }, [key]);
  return watch;
}
