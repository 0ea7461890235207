// The form of a run: two laws, what it is about, and the text that people get.

import { useRef } from "preact/hooks";

import type { Catalogue } from "../law/catalogue";
import type { Change } from "../law/household";
import { ReformFields } from "../law/reform";
import { text } from "../text";
import { Field, Input } from "../ui/field";
import type { LawChoice, Run, RunAsked } from "./api";

export interface RunFields {
  /** from says which law is compared with: that in force, the version before, or another package */
  from: "force" | "before" | "other";
  basePackage: string;
  baseReforms: Change[];
  newPackage: string;
  newReforms: Change[];
  date: string;
  period: string;
  link: string;
  en: string;
  fr: string;
}

export function newRun(): RunFields {
  const year = String(new Date().getFullYear());
  return {
    from: "force",
    basePackage: "",
    baseReforms: [],
    newPackage: "",
    newReforms: [],
    date: `${year}-01-01`,
    period: year,
    link: "",
    en: "{label}: {difference} from {date} on. It was {before} and is {after}.",
    fr: "{label} : {difference} à partir du {date}. C’était {before}, c’est {after}.",
  };
}

function changesOf(law: LawChoice): Change[] {
  const own = Object.entries(law.parameters ?? {}).map(([path, days]): Change => ({ name: path, parameters: { [path]: days } }));
  return [...(law.reforms ?? []), ...own];
}

/** fieldsOfRun are those of a run that was, to begin another with. */
export function fieldsOfRun(run: Run): RunFields {
  return {
    from: run.base === undefined ? "before" : "other",
    basePackage: run.base?.package ?? "",
    baseReforms: changesOf(run.base ?? {}),
    newPackage: run.new.package ?? "",
    newReforms: changesOf(run.new),
    date: run.date ?? "",
    period: run.period ?? "",
    link: run.link ?? "",
    en: run.message["en"] ?? "",
    fr: run.message["fr"] ?? "",
  };
}

function lawOf(pack: string, reforms: Change[]): LawChoice {
  const law: LawChoice = {};
  if (pack.trim() !== "") law.package = pack.trim();
  if (reforms.length > 0) law.reforms = reforms;
  return law;
}

/** runAskedOf is what the API takes: always a dry run, which is sent when somebody has looked at it. */
export function runAskedOf(f: RunFields): RunAsked {
  const asked: RunAsked = { new: lawOf(f.newPackage, f.newReforms), message: { en: f.en }, dry: true };
  if (f.from !== "before") asked.base = lawOf(f.from === "other" ? f.basePackage : "", f.baseReforms);
  if (f.fr.trim() !== "") asked.message["fr"] = f.fr;
  if (f.period.trim() !== "") asked.period = f.period.trim();
  if (f.date !== "") asked.date = f.date;
  if (f.link.trim() !== "") asked.link = f.link.trim();
  return asked;
}

/** redated moves what reforms change to another day. */
function redated(changes: Change[], from: string, to: string): Change[] {
  if (from === "" || to === "") return changes;
  return changes.map((change) =>
    typeof change === "string" ? change : { ...change, parameters: Object.fromEntries(Object.entries(change.parameters).map(([path, days]) => [path, Object.fromEntries(Object.entries(days).map(([day, value]) => [day === from ? to : day, value]))])) },
  );
}

const bases = [
  ["force", "run.inForce"],
  ["before", "run.before"],
  ["other", "run.other"],
] as const;

export function RunFieldsets(props: { catalogue: Catalogue; fields: RunFields; onChange: (some: Partial<RunFields>) => void }) {
  const { catalogue: c, fields: f, onChange } = props;
  const day = f.date === "" ? String(new Date().getFullYear()) : f.date;
  return (
    <>
      <div class="two">
        <section class="card" aria-label={text("run.base")}>
          <h2>{text("run.base")}</h2>
          <fieldset class="stack tight">
            <legend class="hidden">{text("run.base")}</legend>
            {bases.map(([which, name]) => (
              <label key={which} class="check">
                <input type="radio" name="base" checked={f.from === which} onChange={() => onChange({ from: which })} />
                <span>{text(name)}</span>
              </label>
            ))}
          </fieldset>
          {f.from === "other" && <Input label={text("run.basePackage")} hint={text("run.packageHint", { example: `${c.name}==${c.version}` })} value={f.basePackage} onInput={(basePackage) => onChange({ basePackage })} />}
          {f.from !== "before" && (
            <details open={f.baseReforms.length > 0}>
              <summary>{text("run.baseReforms")}</summary>
              <div class="stack tight">
                <ReformFields catalogue={c} period={day} changes={f.baseReforms} onChange={(baseReforms) => onChange({ baseReforms })} />
              </div>
            </details>
          )}
        </section>
        <section class="card" aria-label={text("run.new")}>
          <h2>{text("run.new")}</h2>
          <Input
            label={text("run.date")}
            type="date"
            value={f.date}
            onInput={(date) => onChange({ date, baseReforms: redated(f.baseReforms, f.date, date), newReforms: redated(f.newReforms, f.date, date) })}
          />
          <ReformFields catalogue={c} period={day} changes={f.newReforms} onChange={(newReforms) => onChange({ newReforms })} />
          <Input label={text("run.newPackage")} hint={text("run.newPackageHint")} value={f.newPackage} onInput={(newPackage) => onChange({ newPackage })} />
        </section>
      </div>
      <section class="card" aria-label={text("run.message")}>
        <h2>{text("run.message")}</h2>
        <div class="two">
          <Text label={text("run.english")} value={f.en} required onInput={(en) => onChange({ en })} />
          <Text label={text("run.french")} value={f.fr} onInput={(fr) => onChange({ fr })} />
        </div>
        <div class="field-grid">
          <Input label={text("run.link")} hint={text("run.linkHint")} value={f.link} onInput={(link) => onChange({ link })} />
          <Input label={text("run.period")} hint={text("run.periodHint")} value={f.period} onInput={(period) => onChange({ period })} />
        </div>
      </section>
    </>
  );
}

const fieldNames = ["label", "difference", "before", "after", "date", "link"];

/** Text is a text with fields, which a click puts where the cursor is. */
function Text(props: { label: string; value: string; required?: boolean; onInput: (value: string) => void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const put = (name: string): void => {
    const { selectionStart: from, selectionEnd: to } = box.current ?? { selectionStart: props.value.length, selectionEnd: props.value.length };
    props.onInput(`${props.value.slice(0, from)}{${name}}${props.value.slice(to)}`);
    box.current?.focus();
  };
  return (
    <div class="stack tight">
      <Field label={props.label}>{(id) => <textarea id={id} ref={box} rows={4} required={props.required} value={props.value} onInput={(event) => props.onInput(event.currentTarget.value)} />}</Field>
      <div class="chips" role="group" aria-label={text("run.fields")}>
        {fieldNames.map((name) => (
          <button key={name} type="button" class="chip" onClick={() => put(name)}>
            {`{${name}}`}
          </button>
        ))}
      </div>
    </div>
  );
}
