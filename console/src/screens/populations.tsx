import { useRef, useState } from "preact/hooks";

import { about } from "../about";
import { useAnswer } from "../answer";
import type { Catalogue } from "../law/catalogue";
import type { Change } from "../law/household";
import { ReformFields } from "../law/reform";
import { WithLaw } from "../law/use";
import { Confirm, Refused, useAct } from "../messages/act";
import { useEvery } from "../messages/every";
import { columnsOf, IncomeField, Pick } from "../population/fields";
import { isOver, type Job, jobs, type Options, remove, send } from "../population/job";
import { stateOf } from "../population/words";
import { address, go } from "../router";
import { user } from "../session";
import { moment, number, percent, text } from "../text";
import { Check, Field, Input, Select } from "../ui/field";
import { Forbidden, Loading, Shown } from "../ui/state";
import { Table } from "../ui/table";

export function Populations() {
  return (
    <section class="page">
      <h1>{text("population.title")}</h1>
      <p class="lead">{text("population.lead")}</p>
      {about.populations === "admin" && user.value === undefined ? <Loading /> : about.populations === "admin" && !user.value?.admin ? <Forbidden signedIn={user.value !== null} /> : <Allowed />}
    </section>
  );
}

function Allowed() {
  return (
    <>
      <WithLaw>{(c) => <Form catalogue={c} />}</WithLaw>
      {about.populations === "admin" && <Jobs />}
    </>
  );
}

function Form(props: { catalogue: Catalogue }) {
  const c = props.catalogue;
  const [sample, setSample] = useState(about.sample);
  const [file, setFile] = useState<File | undefined>(undefined);
  const [columns, setColumns] = useState<string[]>([]);
  const [year, setYear] = useState(about.sample ? "2022" : String(new Date().getFullYear() - 1));
  const [variables, setVariables] = useState<string[]>(() => (c.income === undefined ? [] : [c.income.id]));
  const [changes, setChanges] = useState<Change[]>([]);
  const [weight, setWeight] = useState("");
  const [by, setBy] = useState("");
  const [income, setIncome] = useState(c.income?.id ?? "");
  const [line, setLine] = useState("");
  const [scale, setScale] = useState("modified-oecd");
  const [ignore, setIgnore] = useState(false);
  const act = useAct();
  const stop = useRef<AbortController | undefined>(undefined);
  const choose = async (chosen: File | undefined): Promise<void> => {
    setFile(chosen);
    const found = chosen === undefined ? [] : await columnsOf(chosen);
    setColumns(found);
    setWeight(found.find((name) => /^(weight|poids|wgt|w)$/i.test(name)) ?? "");
  };
  const options = (): Options => {
    const o: Options = { variables, period: year };
    if (sample) o.sample = true;
    if (!sample && weight !== "") o.weight = weight;
    if (changes.length > 0) Object.assign(o, { reform: changes, compare: true });
    if (by.trim() !== "") o.by = by.split(",").map((name) => name.trim()).filter((name) => name !== "");
    if (income !== "") o.income = income;
    if (line.trim() !== "") o["poverty-line"] = Number(line);
    if (scale !== "modified-oecd") o.equivalence = scale;
    if (!sample && ignore) o["ignore-unknown"] = true;
    return o;
  };
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    stop.current = new AbortController();
    const { signal } = stop.current;
    await act.run(async () => go(`/population/${(await send(options(), sample ? undefined : file, signal)).id}`));
  };
  return (
    <form class="wide-form" onSubmit={(event) => void start(event)}>
      <div class="two">
        <section class="card" aria-label={text("population.who")}>
          <h2>{text("population.who")}</h2>
          {about.sample && (
            <fieldset class="stack tight">
              <legend class="hidden">{text("population.who")}</legend>
              {([true, false] as const).map((which) => (
                <label key={String(which)} class="check">
                  <input type="radio" name="source" checked={sample === which} onChange={() => setSample(which)} />
                  <span>{text(which ? "population.sample" : "population.file")}</span>
                </label>
              ))}
            </fieldset>
          )}
          {sample ? (
            <p class="soft">{text("population.sampleAbout")}</p>
          ) : (
            <>
              <Field label={text("population.persons")} hint={text("population.fileHint")}>
                {(id, described) => <input id={id} type="file" accept=".csv,.parquet,.h5,.hdf5" required aria-describedby={described} onChange={(event) => void choose(event.currentTarget.files?.[0])} />}
              </Field>
              {columns.length > 0 ? (
                <Select label={text("population.weight")} value={weight} choices={[["", text("population.noWeight")], ...columns.map((name) => [name, name] as const)]} onChange={setWeight} />
              ) : (
                <Input label={text("population.weight")} value={weight} onInput={setWeight} />
              )}
              <Check label={text("population.ignore")} checked={ignore} onChange={setIgnore} />
            </>
          )}
          <Input label={text("population.by")} hint={text(sample ? "population.bySample" : "population.byHint")} value={by} onInput={setBy} />
        </section>
        <section class="card" aria-label={text("population.what")}>
          <h2>{text("population.what")}</h2>
          <Input label={text("household.year")} value={year} required onInput={setYear} />
          <Pick catalogue={c} chosen={variables} onChange={setVariables} />
          <IncomeField catalogue={c} chosen={income} onChange={setIncome} />
          <Select label={text("population.scale")} value={scale} choices={[["modified-oecd", text("population.oecd")], ["sqrt", text("population.sqrt")], ["none", text("population.noScale")]]} onChange={setScale} />
          <Input label={text("population.line")} hint={text("population.lineHint")} type="number" min="0" value={line} onInput={setLine} />
        </section>
      </div>
      <section class="card" aria-label={text("population.reform")}>
        <h2>{text("population.reform")}</h2>
        <p class="soft">{text("population.reformAbout")}</p>
        <ReformFields catalogue={c} period={year} changes={changes} onChange={setChanges} />
      </section>
      <Refused error={act.error instanceof DOMException && act.error.name === "AbortError" ? undefined : act.error} />
      <div class="row-of">
        <button type="submit" class="primary" disabled={act.busy || variables.length === 0}>
          {text(act.busy ? "population.sending" : "population.start")}
        </button>
        {act.busy && (
          <button type="button" onClick={() => stop.current?.abort()}>
            {text("population.cancel")}
          </button>
        )}
        {variables.length === 0 && <span class="soft">{text("population.noVariable")}</span>}
      </div>
    </form>
  );
}

/** Jobs are those that the server keeps. */
function Jobs() {
  const answer = useAnswer("populations", jobs);
  const [removing, setRemoving] = useState<Job | undefined>(undefined);
  useEvery(2000, () => {
    if (!answer.away && !answer.busy && answer.value?.some((j) => !isOver(j))) answer.again();
  });
  return (
    <section class="stack">
      <h2>{text("population.kept")}</h2>
      <Shown answer={answer}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">{text("population.none")}</p>
          ) : (
            <Table
              caption={text("population.kept")}
              hideCaption
              rows={all}
              keyOf={(j) => j.id}
              columns={[
                { name: text("population.sent"), cell: (j) => <a href={address(`/population/${j.id}`)}>{moment(new Date(j.created))}</a> },
                { name: text("population.source"), cell: (j) => text(j.options.sample ? "population.sample" : "population.file") },
                { name: text("population.state"), cell: (j) => (j.state === "running" ? `${stateOf(j)} ${percent(j.progress, 0)}` : stateOf(j)) },
                { name: text("population.personsRead"), figures: true, cell: (j) => number(j.persons) },
                {
                  name: text("message.delete"),
                  cell: (j) => (
                    <button type="button" class="plain small" onClick={() => setRemoving(j)}>
                      {text(isOver(j) ? "message.delete" : "population.cancel")}
                    </button>
                  ),
                },
              ]}
            />
          )
        }
      </Shown>
      {removing !== undefined && (
        <Confirm title={text("population.removeTitle")} does={text("message.delete")} act={() => remove(removing.id).then(answer.again)} onClose={() => setRemoving(undefined)}>
          {text("population.removeSure")}
        </Confirm>
      )}
    </section>
  );
}
