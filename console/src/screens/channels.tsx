import { useRef, useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { useKey } from "../keys";
import { channelAddress, type ChannelRow, fullName } from "../messages/names";
import { kind, NewChannel, permission } from "../messages/settings";
import { address, go, place, replace } from "../router";
import { client, user } from "../session";
import { text } from "../text";
import { Input } from "../ui/field";
import { Empty, Forbidden, Shown } from "../ui/state";
import { type Column, Table } from "../ui/table";

const page = 50;

function addressOf(q: string, offset: number): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (offset > 0) query.set("from", String(offset));
  const all = query.toString();
  return all === "" ? "/channels" : `/channels?${all}`;
}

/** queryOf is the search for what was typed: a part of the name, or a tag behind #. */
function queryOf(q: string, offset: number) {
  const at = { offset, size: page };
  if (q.startsWith("#") && q.length > 1) return { ...at, tag: [q.slice(1)] };
  return q === "" || q === "#" ? at : { ...at, channelName: q };
}

export function Channels() {
  const q = place.value.query.get("q") ?? "";
  const offset = Math.max(0, Number(place.value.query.get("from")) || 0);
  const me = user.value?.id;
  const [making, setMaking] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useKey("/", () => search.current?.focus());
  const found = useAnswer(me && `${me} ${q} ${offset}`, (signal) => client.get("/message/api/v2/channels", { query: queryOf(q.trim(), offset), signal }));
  const mine = useAnswer(me, (signal) => client.get("/message/api/v2/channels/my_subscriptions", { signal }));
  if (user.value === null) {
    return (
      <section class="page">
        <h1>{text("channels.title")}</h1>
        <Forbidden signedIn={false} />
      </section>
    );
  }
  return (
    <section class="page">
      <div class="row-of between">
        <h1>{text("channels.title")}</h1>
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          {text("channels.new")}
        </button>
      </div>
      <Mine subscriptions={mine.value ?? []} />
      <Input label={text("channels.search")} hint={text("channels.searchHint")} type="search" value={q} inputRef={search} onInput={(typed) => replace(addressOf(typed, 0))} />
      <Shown answer={found}>
        {(list) =>
          list.results.length === 0 ? (
            <Empty>{text(q === "" ? "channels.none" : "channels.noneFound")}</Empty>
          ) : (
            <>
              <Table caption={text("channels.found", { count: list.total })} columns={columns(me ?? "")} rows={list.results} keyOf={(c) => fullName(c, me ?? "")} />
              <Pages offset={offset} total={list.total} to={(at) => addressOf(q, at)} />
            </>
          )
        }
      </Shown>
      {making && (
        <NewChannel
          onClose={() => setMaking(false)}
          onMade={(name, personal) => {
            setMaking(false);
            go(`/channels/${encodeURIComponent(personal ? `${me}#${name}` : name)}`);
          }}
        />
      )}
    </section>
  );
}

function columns(me: string): Column<ChannelRow>[] {
  return [
    { name: text("channels.name"), cell: (c) => <a href={channelAddress(fullName(c, me))}>{c.name}</a> },
    { name: text("channels.description"), cell: (c) => c.description },
    { name: text("channels.publishing"), cell: (c) => permission(c.publishPermission) },
    { name: text("channels.kind"), cell: (c) => kind(c) },
  ];
}

function Mine(props: { subscriptions: readonly { channelName: string; unread: number }[] }) {
  if (props.subscriptions.length === 0) return null;
  return (
    <section class="stack tight">
      <div class="row-of between">
        <h2>{text("channels.mine")}</h2>
        <a href={address("/live")}>{text("live.all")}</a>
      </div>
      <ul class="chips">
        {props.subscriptions.slice(0, page).map((s) => (
          <li key={s.channelName}>
            <a class="chip" href={channelAddress(s.channelName)}>
              {s.channelName}
              {s.unread > 0 && <strong>{text("channels.unread", { count: s.unread })}</strong>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pages(props: { offset: number; total: number; to: (offset: number) => string }) {
  if (props.total <= page) return null;
  const from = props.offset + 1;
  return (
    <nav class="row-of" aria-label={text("message.pages")}>
      {props.offset > 0 && <a href={address(props.to(Math.max(0, props.offset - page)))}>{text("message.before")}</a>}
      <span class="soft">{text("message.range", { from, to: Math.min(props.offset + page, props.total), total: props.total })}</span>
      {props.offset + page < props.total && <a href={address(props.to(props.offset + page))}>{text("message.after")}</a>}
    </nav>
  );
}
