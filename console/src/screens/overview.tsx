import type { components } from "edict-client";
import type { ComponentChildren } from "preact";

import { useAnswer } from "../answer";
import { useEvery } from "../messages/every";
import { Spark } from "../messages/spark";
import { stateWord, when } from "../messages/words";
import { address } from "../router";
import { client } from "../session";
import { language, number, text } from "../text";
import { Shown } from "../ui/state";
import { Table } from "../ui/table";

type State = components["schemas"]["Overview"];

function written(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language.value === "fr" ? "fr-FR" : "en-GB", { maximumFractionDigits: 1, ...options }).format(value);
}

function bytes(value: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return written(value, { style: "unit", unit: units[unit] as string });
}

const rate = (value: number): string => `${number(value, value < 10 ? 2 : 0)}/s`;
const millis = (value: number): string => `${number(value, value < 10 ? 2 : 0)} ms`;
const share = (value: number): string => written(value, { style: "percent" });

export function Overview() {
  const answer = useAnswer("overview", (signal) => client.get("/message/api/v2/admin/overview", { signal }));
  useEvery(5000, () => {
    if (!answer.away) answer.again(); // else it is asked again by itself
  });
  return (
    <section class="page">
      <h1>{text("overview.title")}</h1>
      <Shown answer={answer}>{(state) => <Server state={state} away={answer.away} />}</Shown>
    </section>
  );
}

function Figure(props: { label: string; value: string; note?: string | false; bad?: boolean; values?: readonly number[]; at: readonly number[]; write: (value: number) => string }) {
  return (
    <section class={props.bad ? "card figure bad" : "card figure"}>
      <h2>{props.label}</h2>
      <p class="value">{props.value}</p>
      <p class="soft small">{props.note || "\u00a0"}</p>
      {props.values !== undefined && <Spark label={props.label} at={props.at} values={props.values} write={props.write} />}
    </section>
  );
}

function Server(props: { state: State; away: boolean }) {
  const { state } = props;
  const { history: h, rates: r, streams, store, queue } = state;
  const healthy = store.healthy && !props.away;
  return (
    <>
      <p class="row-of">
        <span class={`badge ${healthy ? "live" : "away"}`} role="status">
          {text(props.away ? "overview.away" : store.healthy ? "overview.healthy" : "overview.unhealthy")}
        </span>
        <span class="soft">{text("overview.since", { started: when(state.startedAt), at: when(state.at) })}</span>
      </p>
      {store.problem && (
        <div class="notice bad" role="alert">
          <p>{store.problem}</p>
        </div>
      )}
      <div class="cards">
        <Figure label={text("overview.streams")} value={number(streams.open)} note={text("overview.byTransport", { sse: streams.sse, webSocket: streams.webSocket })} at={h.at} values={h.streams} write={number} />
        <Figure label={text("overview.published")} value={rate(r.published)} at={h.at} values={h.published} write={rate} />
        <Figure label={text("overview.delivered")} value={rate(r.delivered)} note={streams.queuedBytes > 0 && text("overview.waiting", { size: bytes(streams.queuedBytes) })} at={h.at} values={h.delivered} write={rate} />
        <Figure label={text("overview.sent")} value={rate(r.sent)} at={h.at} values={h.sent} write={rate} />
        <Figure label={text("overview.requests")} value={rate(r.requests)} note={text("overview.throttled", { rate: rate(r.throttled) })} at={h.at} values={h.requests} write={rate} />
        <Figure label={text("overview.failed")} value={rate(r.failed)} bad={r.failed > 0} at={h.at} values={h.failed} write={rate} />
        <Figure label={text("overview.commit")} value={millis(store.commitMillis)} note={text("overview.writes", { count: number(store.writesPerCommit, 1) })} at={h.at} values={h.commitMillis} write={millis} />
        <Figure label={text("overview.queue")} value={number(queue.devices)} note={queue.lagSeconds > 0 && text("overview.lag", { seconds: Math.round(queue.lagSeconds) })} bad={queue.lagSeconds > 60} at={h.at} values={h.devices} write={number} />
        <Figure label={text("overview.pushes")} value={rate(r.pushes)} at={h.at} values={h.pushes} write={rate} />
        <Figure label={text("overview.memory")} value={bytes(h.memoryBytes.at(-1) ?? 0)} at={h.at} values={h.memoryBytes} write={bytes} />
        <Figure label={text("overview.cpu")} value={share(h.cpu.at(-1) ?? 0)} at={h.at} values={h.cpu} write={share} />
        <Figure label={text("overview.size")} value={bytes(store.bytes)} note={store.failures > 0 && text("overview.failures", { count: store.failures })} bad={store.failures > 0} at={h.at} write={bytes} />
      </div>
      <div class="two">
        <Counts caption={text("overview.copies")} counts={queue.states} name={stateWord} link={<a href={address("/deliveries")}>{text("deliveries.title")}</a>} />
        <Counts caption={text("overview.ended")} counts={streams.ended} name={ending} />
        <Pushes state={state} />
        <Counts caption={text("overview.refused")} counts={streams.refused} name={refusal} />
      </div>
    </>
  );
}

function ending(reason: string): string {
  const words: Record<string, string> = {
    account: text("overview.endAccount"),
    cursor: text("overview.endCursor"),
    deleted: text("overview.endDeleted"),
    expired: text("overview.endExpired"),
    gone: text("overview.endGone"),
    memory: text("overview.endMemory"),
    protocol: text("overview.endProtocol"),
    revoked: text("overview.endRevoked"),
    silent: text("overview.endSilent"),
    slow: text("overview.endSlow"),
    stop: text("overview.endStop"),
    store: text("overview.endStore"),
  };
  return words[reason] ?? reason;
}

function refusal(of: string): string {
  const words: Record<string, string> = { address: text("overview.byAddress"), server: text("overview.byServer"), user: text("overview.byUser") };
  return words[of] ?? of;
}

/** Counts are what was counted, the largest first; what did not happen is left out. */
function Counts(props: { caption: string; counts: Record<string, number>; name: (key: string) => string; link?: ComponentChildren }) {
  const rows = Object.entries(props.counts).filter(([, count]) => count > 0);
  return (
    <div class="stack tight">
      <Table
        caption={props.caption}
        rows={rows.sort((a, b) => b[1] - a[1])}
        keyOf={([key]) => key}
        columns={[
          { name: text("overview.what"), cell: ([key]) => props.name(key) },
          { name: text("overview.count"), figures: true, cell: ([, count]) => number(count) },
        ]}
      />
      {rows.length === 0 && <p class="soft">{text("overview.none")}</p>}
      {props.link}
    </div>
  );
}

function Pushes(props: { state: State }) {
  const waiting = new Map(props.state.queue.services.map((s) => [s.service, s]));
  return (
    <Table
      caption={text("overview.services")}
      rows={props.state.push.services}
      keyOf={(s) => s.service}
      columns={[
        { name: text("overview.service"), cell: (s) => s.service },
        { name: text("overview.taken"), figures: true, cell: (s) => number(s.outcomes["sent"] ?? 0) },
        { name: text("overview.dead"), figures: true, cell: (s) => number(s.outcomes["dead"] ?? 0) },
        { name: text("overview.notTaken"), figures: true, cell: (s) => number((s.outcomes["failed"] ?? 0) + (s.outcomes["refused"] ?? 0) + (s.outcomes["busy"] ?? 0)) },
        { name: text("overview.time"), figures: true, cell: (s) => millis(s.millis) },
        { name: text("overview.due"), figures: true, cell: (s) => number(waiting.get(s.service)?.devices ?? 0) },
      ]}
    />
  );
}
