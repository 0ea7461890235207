import { useState } from "preact/hooks";

import { runs } from "../about";
import { useAnswer } from "../answer";
import { later } from "../later";
import { Breakdown } from "../law/breakdown";
import type { Catalogue } from "../law/catalogue";
import { Earnings } from "../law/earnings";
import { type Household, newPerson, preset, presets } from "../law/household";
import { pack } from "../law/link";
import { Members } from "../law/members";
import { GroupFields, nameOf, PersonCard, ValueName } from "../law/person";
import { simulate, type Suggestion } from "../law/simulate";
import { EarningsSlider } from "../law/slider";
import { useHousehold } from "../law/state";
import { WithLaw } from "../law/use";
import { Why } from "../law/why";
import { go, place } from "../router";
import { moment, money, text } from "../text";
import { Check, Input, Select } from "../ui/field";
import { Loading, Shown } from "../ui/state";

const WatchThis = later<{ catalogue: Catalogue; household: Household }>("WatchThis", true);

const presetNames = { single: "preset.single", singleParent: "preset.singleParent", couple: "preset.couple", family: "preset.family" } as const;

export function HouseholdScreen() {
  return (
    <section class="page">
      <h1>{text("household.title")}</h1>
      <WithLaw>{(c) => <Whole catalogue={c} />}</WithLaw>
    </section>
  );
}

function Whole(props: { catalogue: Catalogue }) {
  const c = props.catalogue;
  const { household: h, change, problem, ready } = useHousehold(c, "/household");
  const [monthly, setMonthly] = useState(false);
  const [chosen, setChosen] = useState<string | undefined>(place.peek().query.get("why") ?? undefined);
  const reform = h.reforms.length > 0 ? 0 : undefined;
  const answer = useAnswer(ready ? JSON.stringify(h) : undefined, (signal) => simulate(c, h, signal, reform));
  if (!ready) return <Loading />;
  return (
    <>
      {problem !== undefined && <p class="notice bad">{text(problem === "broken" ? "link.broken" : "link.otherVersion")}</p>}
      <PrintHead catalogue={c} household={h} />
      <div class="side">
        <Inputs catalogue={c} household={h} onChange={change} suggestions={answer.value?.suggestions ?? []} />
        <div class="stack">
          <div class="card no-print">
            <EarningsSlider catalogue={c} household={h} onChange={change} />
            <div class="row-of">
              <Check label={text("household.monthly")} checked={monthly} onChange={setMonthly} />
              <button type="button" onClick={() => void pack(h).then((packed) => go(`/compare#${packed}`))}>
                {text("household.compare")}
              </button>
              {runs("watch") && <WatchThis catalogue={c} household={h} />}
              <CopyLink />
              <button type="button" onClick={() => print()}>
                {text("household.print")}
              </button>
            </div>
          </div>
          <Shown answer={answer}>
            {(s) => (
              <div class="stack">
                <p class="result" aria-live="polite">
                  <span>{s.tree.name}</span>
                  <strong>{money((s.tree.values[0] ?? 0) * (monthly ? 1 / 12 : 1), c.currency)}</strong>
                </p>
                <Breakdown catalogue={c} household={h} simulated={s} reform={reform} monthly={monthly} chosen={chosen} onChoose={setChosen} table />
                <section class="card" aria-label={text("why.title")}>
                  <h2>{text("why.title")}</h2>
                  {chosen === undefined ? <p class="soft">{text("why.choose")}</p> : <Why key={chosen} catalogue={c} household={h} reform={reform} variable={chosen} />}
                </section>
                <Members catalogue={c} household={h} tree={s.tree} reform={reform} monthly={monthly} />
              </div>
            )}
          </Shown>
          <Earnings catalogue={c} household={h} reform={reform} monthly={monthly} onChange={change} />
        </div>
      </div>
    </>
  );
}

function CopyLink() {
  const [copied, setCopied] = useState(false);
  return (
    <button type="button" onClick={() => void navigator.clipboard.writeText(location.href).then(() => setCopied(true), () => undefined)}>
      {text(copied ? "household.copied" : "household.copy")}
    </button>
  );
}

function labelOf(c: Catalogue, id: string): string {
  const v = c.byId.get(id);
  return v === undefined ? id : nameOf(v);
}

/** PrintHead is what a printed sheet says about itself. */
function PrintHead(props: { catalogue: Catalogue; household: Household }) {
  const { catalogue: c, household: h } = props;
  return (
    <div class="print-only">
      <p>{text("print.law", { law: `${c.name} ${c.version}`, period: h.period, day: moment(new Date()) })}</p>
      <ul>
        {h.people.map((p) => (
          <li key={p.id}>
            {p.id}:{" "}
            {Object.entries(p.values).map(([id, value], i) => (
              <span key={id}>
                {i > 0 && ", "}
                {labelOf(c, id)} <ValueName variable={c.byId.get(id)} value={value} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Inputs(props: { catalogue: Catalogue; household: Household; onChange: (h: Household) => void; suggestions: Suggestion[] }) {
  const { catalogue: c, household: h } = props;
  const earnings = c.variables.filter((v) => v.entity === c.person && v.type === "Float" && (!v.formula || v.id === h.vary));
  return (
    <section class="stack no-print" aria-label={text("household.inputs")}>
      <div class="chips" role="group" aria-label={text("household.presets")}>
        {presets.map((which) => (
          <button key={which} type="button" class="chip" onClick={() => props.onChange({ ...preset(c, which, h.period), reforms: h.reforms })}>
            {text(presetNames[which])}
          </button>
        ))}
      </div>
      <div class="row-of end">
        <div class="grow">
          <Input label={text("household.year")} type="number" value={h.period} step="1" min="1945" max="2100" onInput={(year) => /^\d{4}$/.test(year) && props.onChange({ ...h, period: year })} />
        </div>
        <div class="grow">
          <Select label={text("household.vary")} value={h.vary} choices={earnings.slice(0, 300).map((v) => [v.id, v.label] as const)} onChange={(vary) => props.onChange({ ...h, vary })} />
        </div>
      </div>
      <Suggestions {...props} />
      {h.people.map((p, i) => (
        <PersonCard key={p.id} catalogue={c} household={h} index={i} onChange={props.onChange} />
      ))}
      <div class="row-of">
        {([true, false] as const).map((adult) => (
          <button
            key={String(adult)}
            type="button"
            disabled={h.people.length >= 20}
            onClick={() => props.onChange({ ...h, people: [...h.people, newPerson(c, h.people, adult, h.period, text(adult ? "household.adult" : "household.child"))] })}
          >
            {text(adult ? "household.addAdult" : "household.addChild")}
          </button>
        ))}
      </div>
      <details class="card" open={Object.values(h.groups).some((values) => Object.keys(values).length > 0)}>
        <summary>{text("household.together")}</summary>
        <div class="stack">
          {c.groups.map((g) => (
            <GroupFields key={g.key} catalogue={c} household={h} group={g} onChange={props.onChange} />
          ))}
        </div>
      </details>
    </section>
  );
}

/** Suggestions are what the law assumed because nobody said it; a click says it. */
function Suggestions(props: { catalogue: Catalogue; household: Household; onChange: (h: Household) => void; suggestions: Suggestion[] }) {
  const { catalogue: c, household: h } = props;
  const open = props.suggestions.filter((s) => s.entity === c.person.plural && h.people.some((p) => p.id === s.id && p.values[s.variable] === undefined)).slice(0, 8);
  if (open.length === 0) return null;
  return (
    <div class="stack tight">
      <p class="legend">{text("household.suggestions")}</p>
      <ul class="chips">
        {open.map((s) => (
          <li key={`${s.id}/${s.variable}`}>
            <button type="button" class="chip" onClick={() => props.onChange({ ...h, people: h.people.map((p) => (p.id === s.id ? { ...p, values: { ...p.values, [s.variable]: s.value } } : p)) })}>
              + {s.id}: {labelOf(c, s.variable)} <ValueName variable={c.byId.get(s.variable)} value={s.value} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
