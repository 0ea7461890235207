import { useEffect, useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { Breakdown } from "../law/breakdown";
import type { Catalogue } from "../law/catalogue";
import { Earnings } from "../law/earnings";
import type { Change, Household } from "../law/household";
import { pack } from "../law/link";
import { simulate } from "../law/simulate";
import { EarningsSlider } from "../law/slider";
import { useHousehold } from "../law/state";
import { WithLaw } from "../law/use";
import { parameterValue } from "../law/why";
import { go } from "../router";
import { client } from "../session";
import { fold, money, text } from "../text";
import { Check, Field, Input } from "../ui/field";
import { Loading, Shown } from "../ui/state";

/** mostReforms is how many stand beside the law as it is. */
const mostReforms = 4;

export function CompareScreen() {
  return (
    <section class="page">
      <h1>{text("compare.title")}</h1>
      <p class="lead">{text("compare.lead")}</p>
      <WithLaw>{(c) => <Whole catalogue={c} />}</WithLaw>
    </section>
  );
}

function nameOf(changes: Change[], c: Catalogue, index: number): string {
  const names = changes.map((change) => (typeof change === "string" ? (c.reforms.find((r) => r.key === change)?.name ?? change) : change.name));
  return names.length === 0 ? text("compare.reform", { number: String(index + 1) }) : names.join(" + ");
}

function Whole(props: { catalogue: Catalogue }) {
  const c = props.catalogue;
  const { household: h, change, problem, ready } = useHousehold(c, "/compare");
  const [at, setAt] = useState(0);
  const [monthly, setMonthly] = useState(false);
  if (!ready) return <Loading />;
  const shown = Math.min(at, h.reforms.length - 1);
  return (
    <>
      {problem !== undefined && <p class="notice bad">{text(problem === "broken" ? "link.broken" : "link.otherVersion")}</p>}
      <div class="side">
        <section class="stack no-print" aria-label={text("compare.reforms")}>
          {h.reforms.map((changes, i) => (
            <ReformCard key={i} catalogue={c} household={h} index={i} name={nameOf(changes, c, i)} onChange={change} />
          ))}
          {h.reforms.length < mostReforms && (
            <button
              type="button"
              onClick={() => {
                change({ ...h, reforms: [...h.reforms, []] });
                setAt(h.reforms.length);
              }}
            >
              {text("compare.add")}
            </button>
          )}
          <button type="button" onClick={() => void pack(h).then((packed) => go(`/household#${packed}`))}>
            {text("compare.household")}
          </button>
        </section>
        <div class="stack">
          <div class="card no-print">
            <EarningsSlider catalogue={c} household={h} onChange={change} />
            <Check label={text("household.monthly")} checked={monthly} onChange={setMonthly} />
          </div>
          {h.reforms.length === 0 ? (
            <p class="notice">{text("compare.none")}</p>
          ) : (
            <>
              {h.reforms.length > 1 && (
                <div class="chips" role="group" aria-label={text("compare.reforms")}>
                  {h.reforms.map((changes, i) => (
                    <button key={i} type="button" class="chip" aria-pressed={i === shown} onClick={() => setAt(i)}>
                      {nameOf(changes, c, i)}
                    </button>
                  ))}
                </div>
              )}
              <Compared key={shown} catalogue={c} household={h} reform={shown} monthly={monthly} onChange={change} />
            </>
          )}
        </div>
      </div>
    </>
  );
}

function Compared(props: { catalogue: Catalogue; household: Household; reform: number; monthly: boolean; onChange: (h: Household) => void }) {
  const { catalogue: c, household: h, reform } = props;
  const answer = useAnswer(JSON.stringify([h, reform]), (signal) => simulate(c, h, signal, reform));
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const share = props.monthly ? 1 / 12 : 1;
  return (
    <>
      <Shown answer={answer}>
        {(s) => {
          const value = (s.tree.values[0] ?? 0) * share;
          const difference = value - (s.base?.values[0] ?? s.tree.values[0] ?? 0) * share;
          return (
            <div class="stack">
              <p class="result" aria-live="polite">
                <span>{s.tree.name}</span>
                <strong>{money(difference, c.currency, true)}</strong>
                <span class="soft">{text("compare.becomes", { amount: money(value, c.currency) })}</span>
              </p>
              <Breakdown catalogue={c} household={h} simulated={s} reform={reform} monthly={props.monthly} chosen={chosen} onChoose={setChosen} table />
            </div>
          );
        }}
      </Shown>
      <Earnings catalogue={c} household={h} reform={reform} monthly={props.monthly} onChange={props.onChange} />
    </>
  );
}

function ReformCard(props: { catalogue: Catalogue; household: Household; index: number; name: string; onChange: (h: Household) => void }) {
  const { catalogue: c, household: h, index } = props;
  const changes = h.reforms[index] ?? [];
  const set = (next: Change[] | undefined): void => props.onChange({ ...h, reforms: h.reforms.flatMap((r, i) => (i !== index ? [r] : next === undefined ? [] : [next])) });
  return (
    <article class="card" aria-label={props.name}>
      <header class="row-of between">
        <h2>{props.name}</h2>
        <button type="button" class="plain small" onClick={() => set(undefined)}>
          {text("household.remove")}
        </button>
      </header>
      {c.reforms.map((r) => (
        <Check key={r.key} label={r.name || r.key} checked={changes.includes(r.key)} onChange={(on) => set(on ? [r.key, ...changes] : changes.filter((change) => change !== r.key))} />
      ))}
      {changes.map((change, i) =>
        typeof change === "string"
          ? null
          : Object.keys(change.parameters).map((path) => (
              <ParameterField key={path} catalogue={c} path={path} days={change.parameters[path] ?? {}} onChange={(days) => set(changes.flatMap((other, j) => (j !== i ? [other] : days === undefined ? [] : [{ ...change, parameters: { [path]: days } }])))} />
            )),
      )}
      <AddParameter catalogue={c} onAdd={(path, label) => set([...changes, { name: label, parameters: { [path]: { [`${h.period}-01-01`]: null } } }])} />
    </article>
  );
}

interface Values {
  parameter: { label: string | null; unit: string | null; values?: { start: string; value: unknown }[] };
}

/** ParameterField is a parameter with another value, which begins as the one in force. */
function ParameterField(props: { catalogue: Catalogue; path: string; days: Record<string, unknown>; onChange: (days: Record<string, unknown> | undefined) => void }) {
  const answer = useAnswer(props.path, (signal) => client.get("/api/2/parameter/{path}", { path: { path: props.path }, signal }) as unknown as Promise<Values>);
  const start = Object.keys(props.days)[0] ?? "";
  const p = answer.value?.parameter;
  const now = p?.values?.find((v) => v.start <= start)?.value ?? p?.values?.at(-1)?.value;
  const value = props.days[start];
  useEffect(() => {
    if (value === null && now !== undefined) props.onChange({ [start]: now });
  }, [now, value]);
  return (
    <div class="stack tight">
      <Input
        label={p?.label ?? props.path}
        hint={text("compare.now", { value: parameterValue(now, p?.unit, props.catalogue), day: start })}
        type="number"
        value={typeof value === "number" ? String(value) : ""}
        onInput={(typed) => typed !== "" && Number.isFinite(Number(typed)) && props.onChange({ [start]: Number(typed) })}
      />
      <button type="button" class="plain small" onClick={() => props.onChange(undefined)}>
        {text("household.remove")}
      </button>
    </div>
  );
}

function AddParameter(props: { catalogue: Catalogue; onAdd: (path: string, label: string) => void }) {
  const [typed, setTyped] = useState("");
  const words = fold(typed).split(/\s+/).filter((w) => w !== "");
  const found = words.length === 0 ? [] : props.catalogue.parameters.filter((p) => p.kind === "parameter" && words.every((w) => p.folded.includes(w))).slice(0, 8);
  return (
    <div class="stack tight">
      <Field label={text("compare.parameter")}>
        {(id) => <input id={id} type="search" autocomplete="off" placeholder={text("compare.parameterHint")} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />}
      </Field>
      {words.length > 0 && (
        <ul class="plain-list" aria-label={text("household.found")}>
          {found.map((p) => (
            <li key={p.id}>
              <button
                type="button"
                class="link"
                onClick={() => {
                  props.onAdd(p.id, p.label);
                  setTyped("");
                }}
              >
                {p.label}
              </button>{" "}
              <small>{p.id}</small>
            </li>
          ))}
          {found.length === 0 && <li class="soft">{text("law.none")}</li>}
        </ul>
      )}
    </div>
  );
}
