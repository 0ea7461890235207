import { useAnswer } from "../answer";
import type { Catalogue } from "../law/catalogue";
import { WithLaw } from "../law/use";
import { Refused, useAct } from "../messages/act";
import { draftOf } from "../messages/draft";
import { useEvery } from "../messages/every";
import { address, go } from "../router";
import { moment, number, text } from "../text";
import { Shown } from "../ui/state";
import { Table } from "../ui/table";
import { isUnderWay, runs, startRun } from "../watches/api";
import { newRun, runAskedOf, RunFieldsets } from "../watches/runform";
import { about, stateOf } from "../watches/words";

export function Runs() {
  return (
    <section class="page">
      <h1>{text("run.title")}</h1>
      <p class="lead">{text("run.lead")}</p>
      <WithLaw>{(c) => <Form catalogue={c} />}</WithLaw>
      <Earlier />
    </section>
  );
}

function Form(props: { catalogue: Catalogue }) {
  const form = draftOf("run", newRun());
  const act = useAct();
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    await act.run(async () => go(`/runs/${(await startRun(runAskedOf(form.value))).id}`));
  };
  return (
    <form class="wide-form" onSubmit={(event) => void start(event)}>
      <RunFieldsets catalogue={props.catalogue} fields={form.value} onChange={form.set} />
      <Refused error={act.error} />
      <div class="row-of">
        <button type="submit" class="primary" disabled={act.busy}>
          {text("run.start")}
        </button>
        <button type="button" class="plain" onClick={form.clear}>
          {text("run.clear")}
        </button>
        <span class="soft">{text("run.startHint")}</span>
      </div>
    </form>
  );
}

/** Earlier are the runs that the server keeps, the newest first. */
function Earlier() {
  const answer = useAnswer("runs", runs);
  useEvery(2000, () => {
    if (!answer.away && !answer.busy && answer.value?.some(isUnderWay)) answer.again();
  });
  return (
    <section class="stack">
      <h2>{text("run.earlier")}</h2>
      <Shown answer={answer}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">{text("run.none")}</p>
          ) : (
            <Table
              caption={text("run.earlier")}
              hideCaption
              rows={all}
              keyOf={(r) => r.id}
              columns={[
                { name: text("run.started"), cell: (r) => <a href={address(`/runs/${r.id}`)}>{moment(new Date(r.createdAt))}</a> },
                { name: text("population.state"), cell: stateOf },
                { name: text("run.by"), cell: (r) => r.createdBy },
                { name: text("watch.title"), figures: true, cell: (r) => number(r.watches) },
                { name: text("run.told"), figures: true, cell: (r) => (r.report === undefined ? "–" : about(r.recipients)) },
                { name: text("run.messages"), figures: true, cell: (r) => (r.state === "sent" ? about(r.sent) : "–") },
              ]}
            />
          )
        }
      </Shown>
    </section>
  );
}
