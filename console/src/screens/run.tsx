import { useEffect, useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { Bars } from "../charts/bars";
import { Frame } from "../charts/frame";
import { catalogue, wantCatalogue } from "../law/catalogue";
import { Confirm } from "../messages/act";
import { draftOf } from "../messages/draft";
import { useEvery } from "../messages/every";
import { address, go, type Params } from "../router";
import { day, moment, money, text } from "../text";
import { Shown } from "../ui/state";
import { Table } from "../ui/table";
import { cancelRun, isUnderWay, type LawChoice, type Report, reportPath, type Run, run, sendRun } from "../watches/api";
import { fieldsOfRun, newRun } from "../watches/runform";
import { about, stateOf } from "../watches/words";

export function RunScreen(props: { params: Params }) {
  const id = props.params["id"] ?? "";
  useEffect(() => wantCatalogue(), []);
  const answer = useAnswer(id, (signal) => run(id, signal));
  useEvery(500, () => {
    if (!answer.away && !answer.busy && answer.value !== undefined && isUnderWay(answer.value)) answer.again();
  });
  return (
    <section class="page">
      <header class="stack tight">
        <p class="no-print">
          <a href={address("/runs")}>{text("run.all")}</a>
        </p>
        <h1>{text("run.one")}</h1>
      </header>
      <Shown answer={answer}>
        {(r) => (
          <>
            <State run={r} onChanged={answer.again} />
            {r.report !== undefined && <Findings run={r} report={r.report} />}
            <About run={r} />
          </>
        )}
      </Shown>
    </section>
  );
}

/** State says how far it is, and offers what can be done now. */
function State(props: { run: Run; onChanged: () => void }) {
  const r = props.run;
  const [doing, setDoing] = useState<"send" | "cancel" | undefined>(undefined);
  const form = draftOf("run", newRun());
  const again = (): void => {
    form.set(fieldsOfRun(r));
    go("/runs");
  };
  const close = (): void => setDoing(undefined);
  return (
    <div class="card no-print">
      <p role="status">
        {stateOf(r)}. {r.state === "computing" && text("run.progress", { done: r.computed, all: r.watches })}
      </p>
      {r.state === "computing" && <progress max={Math.max(1, r.watches)} value={r.computed} aria-label={stateOf(r)} />}
      {r.state === "sending" && <progress aria-label={stateOf(r)} />}
      {r.failure !== undefined && (
        <p class="notice bad" role="alert">
          {r.failure}
        </p>
      )}
      <div class="row-of">
        {r.state === "computed" && (
          <button type="button" class="primary" onClick={() => setDoing("send")}>
            {text("run.send")}
          </button>
        )}
        {(isUnderWay(r) || r.state === "computed") && (
          <button type="button" onClick={() => setDoing("cancel")}>
            {text("run.cancel")}
          </button>
        )}
        <button type="button" onClick={again}>
          {text("run.again")}
        </button>
      </div>
      {doing === "send" && (
        <Confirm title={text("run.sendTitle")} does={text("run.send")} act={() => sendRun(r.id).then(props.onChanged)} onClose={close}>
          {text("run.sendSure")}
        </Confirm>
      )}
      {doing === "cancel" && (
        <Confirm title={text("run.cancelTitle")} does={text("run.cancel")} act={() => cancelRun(r.id).then(props.onChanged)} onClose={close}>
          {text("run.cancelSure")}
        </Confirm>
      )}
    </div>
  );
}

function Card(props: { name: string; value: string; note: string }) {
  return (
    <section class="card figure">
      <h2>{props.name}</h2>
      <p class="value">{props.value}</p>
      <p class="soft small">{props.note}</p>
    </section>
  );
}

function Findings(props: { run: Run; report: Report }) {
  const { run: r, report } = props;
  const left = r.leftOut;
  const shown = [left.period, left.figure, left.failed].filter((n) => n !== null);
  const sum = shown.length === 0 ? null : shown.reduce((a, b) => a + b, 0);
  return (
    <>
      <div class="cards">
        <Card name={text("run.told")} value={about(report.recipients)} note={text("run.ofWatches", { count: r.watches })} />
        <Card name={text("population.winners")} value={about(report.winners)} note={text("run.winnersAre")} />
        <Card name={text("population.losers")} value={about(report.losers)} note={text("run.losersAre")} />
        <Card name={text("run.leftOut")} value={about(sum)} note={text("run.leftWhy", { period: about(left.period), figure: about(left.figure), failed: about(left.failed) })} />
      </div>
      <p class="soft">{text("run.approximate")}</p>
      <Examples examples={report.examples} />
      {report.deciles === undefined ? <p class="soft">{text("run.noDeciles")}</p> : <Deciles run={r} deciles={report.deciles} />}
    </>
  );
}

/** Examples are the texts as people get them, with amounts that nobody has. */
function Examples(props: { examples: Record<string, string> }) {
  const names: Record<string, string> = { en: text("run.english"), fr: text("run.french") };
  return (
    <section class="stack tight" aria-label={text("run.preview")}>
      <h2>{text("run.preview")}</h2>
      <p class="soft">{text("run.invented")}</p>
      <div class="two">
        {Object.entries(props.examples).map(([locale, example]) => (
          <figure key={locale} class="card">
            <figcaption class="legend">{names[locale] ?? locale}</figcaption>
            <blockquote lang={locale} class="message-text">
              {example}
            </blockquote>
          </figure>
        ))}
      </div>
    </section>
  );
}

function Deciles(props: { run: Run; deciles: number[] }) {
  const currency = catalogue.value?.currency;
  const rows = props.deciles.map((mean, i) => ({ tenth: i + 1, mean }));
  const title = text("run.deciles");
  return (
    <>
      <Frame title={title} name="changes" data={() => ({ columns: ["tenth", "mean_change"], rows: rows.map((row) => [row.tenth, row.mean]) })} request={{ path: reportPath(props.run.id), signed: true }}>
        {(width) => (
          <Bars
            width={width}
            height={260}
            label={title}
            piles={rows.map((row) => ({ label: String(row.tenth), parts: [{ key: "mean", value: row.mean, kind: row.mean < 0 ? "loss" : "gain" }], says: `${row.tenth}: ${money(row.mean, currency, true)}` }))}
            writeY={(v) => money(v, currency)}
          />
        )}
      </Frame>
      <Table
        caption={title}
        rows={rows}
        keyOf={(row) => String(row.tenth)}
        columns={[
          { name: text("run.tenth"), cell: (row) => row.tenth },
          { name: text("run.mean"), figures: true, cell: (row) => money(row.mean, currency, true) },
        ]}
      />
    </>
  );
}

/** About says what was asked. */
function About(props: { run: Run }) {
  const r = props.run;
  const rows: [name: string, value: string][] = [
    [text("run.started"), `${moment(new Date(r.createdAt))}, ${r.createdBy}`],
    [text("run.base"), lawWords(r.base ?? {})],
    [text("run.new"), lawWords(r.new)],
    [text("run.period"), r.period ?? text("run.ownPeriod")],
    [text("run.date"), r.date === undefined ? "–" : day(r.date)],
    [text("run.link"), r.link ?? "–"],
    [text("run.english"), r.message["en"] ?? "–"],
    [text("run.french"), r.message["fr"] ?? "–"],
  ];
  return <Table caption={text("run.asked")} rows={rows} keyOf={([name]) => name} columns={[{ name: text("run.what"), cell: ([name]) => name }, { name: text("run.value"), cell: ([, value]) => <span class="options">{value}</span> }]} />;
}

function lawWords(law: LawChoice): string {
  const reforms = (law.reforms ?? []).map((change) => (typeof change === "string" ? (catalogue.value?.reforms.find((r) => r.key === change)?.name ?? change) : JSON.stringify(change.parameters)));
  return [law.package ?? "", ...reforms, ...(law.parameters === undefined ? [] : [JSON.stringify(law.parameters)])].filter((part) => part !== "").join(" + ");
}
