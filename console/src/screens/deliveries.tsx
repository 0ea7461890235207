import type { components } from "edict-client";
import { useState } from "preact/hooks";

import { useEvery } from "../messages/every";
import { usePages } from "../messages/pages";
import { Person } from "../messages/person";
import { stateWord, when } from "../messages/words";
import { place, replace } from "../router";
import { client } from "../session";
import { text } from "../text";
import { Input } from "../ui/field";
import { Empty, Shown } from "../ui/state";
import { Table } from "../ui/table";

type Wakeup = components["schemas"]["WakeupRecord"];

function addressOf(user: string, since: string): string {
  const query = new URLSearchParams();
  if (user !== "") query.set("user", user);
  if (since !== "") query.set("since", since);
  const all = query.toString();
  return all === "" ? "/deliveries" : `/deliveries?${all}`;
}

export function Deliveries() {
  const user = place.value.query.get("user") ?? "";
  const since = place.value.query.get("since") ?? "";
  const [wakeups, setWakeups] = useState<Wakeup[]>([]);
  const pages = usePages(`${user} ${since}`, async (cursor, signal) => {
    const query = { size: 50, ...(user !== "" && { user }), ...(since !== "" && { since }), ...(cursor !== undefined && { cursor }) };
    const list = await client.get("/message/api/v2/admin/deliveries", { query, ...(signal && { signal }) });
    if (cursor === undefined) setWakeups(list.wakeups);
    return { rows: list.deliveries, next: list.nextCursor };
  });
  const first = pages.answer.value;
  // What is going on is looked at again, until somebody has gone further back.
  useEvery(5000, () => {
    if (first !== undefined && first.length <= 50) pages.answer.again();
  });
  return (
    <section class="page">
      <header class="stack tight">
        <h1>{text("deliveries.title")}</h1>
        <p class="soft">{text("deliveries.lead")}</p>
      </header>
      <div class="row-of end fields">
        <Input label={text("deliveries.user")} type="search" value={user} onInput={(typed) => replace(addressOf(typed.trim(), since))} />
        <Input label={text("deliveries.since")} type="date" value={since} onInput={(typed) => replace(addressOf(user, typed))} />
      </div>
      <Shown answer={pages.answer}>
        {(copies) =>
          copies.length === 0 ? (
            <Empty>{text("deliveries.none")}</Empty>
          ) : (
            <Table
              caption={text("deliveries.title")}
              hideCaption
              rows={copies}
              keyOf={(c) => `${c.messageId} ${c.recipient} ${c.deviceId ?? ""}`}
              columns={[
                { name: text("deliveries.queued"), cell: (c) => when(c.queuedAt) },
                { name: text("deliveries.from"), cell: (c) => <Person id={c.sender} /> },
                { name: text("deliveries.to"), cell: (c) => <Person id={c.recipient} /> },
                { name: text("users.device"), cell: (c) => c.deviceId ?? "–" },
                { name: text("deliveries.where"), cell: (c) => <span class={`where ${c.state.toLowerCase()}`}>{stateWord(c.state)}</span> },
                { name: text("deliveries.woken"), cell: (c) => when(c.wokenAt) },
                { name: text("deliveries.receivedAt"), cell: (c) => when(c.receivedAt) },
                { name: text("users.expires"), cell: (c) => when(c.expiresAt) },
                { name: text("deliveries.message"), cell: (c) => <code>{c.messageId}</code> },
              ]}
            />
          )
        }
      </Shown>
      {pages.more}
      {wakeups.length > 0 && (
        <Table
          caption={text("deliveries.wakeups")}
          rows={wakeups}
          keyOf={(w) => `${w.userId} ${w.deviceId}`}
          columns={[
            { name: text("deliveries.to"), cell: (w) => <Person id={w.userId} /> },
            { name: text("users.device"), cell: (w) => w.deviceId },
            { name: text("overview.service"), cell: (w) => w.service },
            { name: text("deliveries.due"), cell: (w) => (w.sending ? text("deliveries.sending") : when(w.dueAt)) },
            { name: text("deliveries.failures"), figures: true, cell: (w) => w.attempts },
          ]}
        />
      )}
    </section>
  );
}
