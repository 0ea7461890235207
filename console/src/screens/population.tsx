import { useEffect } from "preact/hooks";

import { useAnswer } from "../answer";
import { catalogue, wantCatalogue } from "../law/catalogue";
import { Refused, useAct } from "../messages/act";
import { useEvery } from "../messages/every";
import { download } from "../charts/export";
import { content, isOver, type Job, job, jobPath, remove, report, type Rows } from "../population/job";
import { Findings } from "../population/report";
import { stateOf } from "../population/words";
import { address, go, type Params } from "../router";
import { moment, number, percent, text } from "../text";
import { Shown } from "../ui/state";

export function PopulationScreen(props: { params: Params }) {
  const id = props.params["id"] ?? "";
  useEffect(() => wantCatalogue(), []);
  const answer = useAnswer(id, (signal) => job(id, signal));
  useEvery(500, () => {
    if (!answer.away && !answer.busy && answer.value !== undefined && !isOver(answer.value)) answer.again();
  });
  return (
    <section class="page">
      <header class="stack tight">
        <p class="no-print">
          <a href={address("/population")}>{text("population.all")}</a>
        </p>
        <h1>{text("population.title")}</h1>
      </header>
      <Shown answer={answer}>{(j) => <Whole job={j} />}</Shown>
    </section>
  );
}

function Whole(props: { job: Job }) {
  const j = props.job;
  return (
    <>
      <State job={j} />
      {j.error !== undefined && (
        <div class="notice bad" role="alert">
          <p>{text("population.failedBecause")}</p>
          <p>{j.error}</p>
        </div>
      )}
      {(j.notices ?? []).map((n) => (
        <p key={n} class="notice">
          {n}
        </p>
      ))}
      {j.state === "done" && <Done job={j} />}
    </>
  );
}

/** State says how far it is, and offers to cancel it. */
function State(props: { job: Job }) {
  const j = props.job;
  const act = useAct();
  const drop = async (): Promise<void> => {
    if (await act.run(() => remove(j.id))) go("/population");
  };
  return (
    <div class="card no-print">
      <p role="status">
        {stateOf(j)}. {j.state === "running" && percent(j.progress, 0)} {j.persons > 0 && text("population.read", { count: j.persons })}
      </p>
      {!isOver(j) && <progress max={1} value={j.progress} aria-label={stateOf(j)} />}
      {j.expires !== undefined && <p class="soft">{text("population.expires", { at: moment(new Date(j.expires)) })}</p>}
      <Refused error={act.error} />
      <div class="row-of">
        <button type="button" disabled={act.busy} onClick={() => void drop()}>
          {text(isOver(j) ? "message.delete" : "population.cancel")}
        </button>
      </div>
    </div>
  );
}

function Done(props: { job: Job }) {
  const j = props.job;
  const answer = useAnswer(j.id, (signal) => report(j.id, signal));
  const law = catalogue.value;
  return (
    <>
      <p class="print-only">{text("population.printed", { law: law === undefined ? "" : `${law.name} ${law.version}`, day: moment(new Date()) })}</p>
      <p class="soft">
        <code class="options">{JSON.stringify(j.options)}</code>
      </p>
      <Files job={j} />
      <Shown answer={answer}>{(r) => <Findings report={r} path={`${jobPath(j.id)}/report`} />}</Shown>
    </>
  );
}

/** Files are what can be taken away: the report, and the rows. */
function Files(props: { job: Job }) {
  const j = props.job;
  const act = useAct();
  const save = (path: string, name: string): void => void act.run(async () => download(name, await content(path)));
  const rowsName = (rows: Rows): string => `rows${rows.entity === undefined ? "" : `.${rows.entity}`}.${j.options.output === "parquet" ? "parquet" : "csv"}`;
  return (
    <div class="stack tight no-print">
      <div class="row-of" role="group" aria-label={text("population.files")}>
        {(["json", "csv", "table"] as const).map((format) => (
          <button key={format} type="button" disabled={act.busy} onClick={() => save(`${jobPath(j.id)}/report?format=${format}`, `report.${format === "table" ? "txt" : format}`)}>
            {text("population.reportAs", { format: format === "table" ? "TXT" : format.toUpperCase() })}
          </button>
        ))}
        {(j.rows ?? []).map((rows) => (
          <button key={rows.path} type="button" disabled={act.busy} onClick={() => save(rows.path, rowsName(rows))}>
            {text("population.rows", { what: rows.entity ?? "", size: `${number(rows.bytes / 1e6, 1)} MB` })}
          </button>
        ))}
        <button type="button" onClick={() => print()}>
          {text("household.print")}
        </button>
      </div>
      <Refused error={act.error} />
    </div>
  );
}
