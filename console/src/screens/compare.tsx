import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { Breakdown } from "../law/breakdown";
import type { Catalogue } from "../law/catalogue";
import { Earnings } from "../law/earnings";
import type { Change, Household } from "../law/household";
import { pack } from "../law/link";
import { ReformFields } from "../law/reform";
import { simulate } from "../law/simulate";
import { EarningsSlider } from "../law/slider";
import { useHousehold } from "../law/state";
import { WithLaw } from "../law/use";
import { go } from "../router";
import { money, text } from "../text";
import { Check } from "../ui/field";
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
      <ReformFields catalogue={c} period={h.period} changes={changes} onChange={set} />
    </article>
  );
}
