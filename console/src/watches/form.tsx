// The form of a watch: the figures, from which change on to be told, and for how long.

import type { Catalogue } from "../law/catalogue";
import { Search } from "../law/search";
import { language, text } from "../text";
import { Input, Select } from "../ui/field";
import type { Asked, Watch } from "./api";

export interface Fields {
  figures: { variable: string; index: number; label: string }[];
  period: string;
  amount: string;
  percent: string;
  locale: "en" | "fr";
  /** expires is a day, or nothing for as long as there may be */
  expires: string;
}

/** most is how many figures a watch may have, and how many characters a label. */
const most = { figures: 20, label: 200 };

function figureOf(c: Catalogue, variable: string): Fields["figures"][number] {
  return { variable, index: 0, label: (c.byId.get(variable)?.label ?? variable).slice(0, most.label) };
}

/** newFields are those of a watch that is begun: what is left in the end, and every change. */
export function newFields(c: Catalogue, period: string): Fields {
  const total = c.income?.id;
  return { figures: total === undefined ? [] : [figureOf(c, total)], period, amount: "", percent: "", locale: language.value, expires: "" };
}

/** fieldsOf are those of a watch that is there. */
export function fieldsOf(w: Watch): Fields {
  const { amount, percent } = w.threshold ?? {};
  return {
    figures: w.figures.map((f) => ({ variable: f.variable, index: f.index ?? 0, label: f.label ?? "" })),
    period: w.period,
    amount: amount === undefined ? "" : String(amount),
    percent: percent === undefined ? "" : String(percent),
    locale: w.locale,
    expires: w.expiresAt.slice(0, 10),
  };
}

/** askedOf is what the API takes. A day of expiry that was not changed is not sent. */
export function askedOf(f: Fields, before?: Watch): Asked {
  const asked: Asked = { period: f.period.trim(), figures: f.figures, threshold: {}, locale: f.locale };
  if (f.amount !== "") asked.threshold = { ...asked.threshold, amount: Number(f.amount) };
  if (f.percent !== "") asked.threshold = { ...asked.threshold, percent: Number(f.percent) };
  if (f.expires !== "" && f.expires !== before?.expiresAt.slice(0, 10)) asked.expiresAt = `${f.expires}T00:00:00Z`;
  return asked;
}

/** members are the names of the persons, in their order, where they are known. */
export function WatchFields(props: { catalogue: Catalogue; members: string[]; fields: Fields; onChange: (some: Partial<Fields>) => void }) {
  const { catalogue: c, fields: f, onChange } = props;
  const change = (at: number, some: Partial<Fields["figures"][number]>): void => onChange({ figures: f.figures.map((one, i) => (i === at ? { ...one, ...some } : one)) });
  return (
    <>
      <fieldset class="stack tight">
        <legend class="legend">{text("watch.figures")}</legend>
        {f.figures.map((figure, i) => {
          const v = c.byId.get(figure.variable);
          const name = v?.label ?? figure.variable;
          return (
            <div key={`${figure.variable} ${i}`} class="card">
              <div class="row-of between">
                <strong>{name}</strong>
                <button type="button" class="plain small" aria-label={text("population.leaveOut", { name })} onClick={() => onChange({ figures: f.figures.filter((_, j) => j !== i) })}>
                  ✕
                </button>
              </div>
              {v?.entity === c.person && props.members.length > 1 && (
                <Select label={text("watch.member")} value={String(figure.index)} choices={props.members.map((m, j) => [String(j), m] as const)} onChange={(at) => change(i, { index: Number(at) })} />
              )}
              <Input label={text("watch.label")} value={figure.label} onInput={(label) => change(i, { label })} />
            </div>
          );
        })}
        {f.figures.length < most.figures && (
          <Search
            label={text("watch.addFigure")}
            all={c.variables}
            fits={(v) => v.formula && (v.type === "Float" || v.type === "Integer")}
            onTake={(v) => onChange({ figures: [...f.figures, figureOf(c, v.id)] })}
          />
        )}
      </fieldset>
      <div class="field-grid">
        <Input label={text("watch.period")} value={f.period} required onInput={(period) => onChange({ period })} />
        <Input label={text("watch.amount")} hint={text("watch.thresholdHint")} type="number" min="0" value={f.amount} onInput={(amount) => onChange({ amount })} />
        <Input label={text("watch.percent")} type="number" min="0" value={f.percent} onInput={(percent) => onChange({ percent })} />
        <Select label={text("watch.locale")} value={f.locale} choices={[["en", "English"], ["fr", "Français"]]} onChange={(locale) => onChange({ locale })} />
        <Input label={text("watch.until")} hint={text("watch.untilHint")} type="date" value={f.expires} onInput={(expires) => onChange({ expires })} />
      </div>
    </>
  );
}
