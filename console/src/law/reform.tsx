// A reform as somebody puts it together: those of the package, and parameters with other values.

import { useEffect } from "preact/hooks";

import { useAnswer } from "../answer";
import { client } from "../session";
import { day, text } from "../text";
import { Check, Input } from "../ui/field";
import type { Catalogue } from "./catalogue";
import type { Change } from "./household";
import { Search } from "./search";
import { parameterValue } from "./why";

/** ReformFields are the fields of one reform; parameters change from the first day of the period on, or from the day that is given in its place. */
export function ReformFields(props: { catalogue: Catalogue; period: string; changes: Change[]; onChange: (changes: Change[]) => void }) {
  const { catalogue: c, changes, onChange: set } = props;
  return (
    <>
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
      <Search
        label={text("compare.parameter")}
        hint={text("compare.parameterHint")}
        all={c.parameters}
        fits={(p) => p.kind === "parameter"}
        onTake={(p) => set([...changes, { name: p.label, parameters: { [p.id]: { [props.period.length === 10 ? props.period : `${props.period.slice(0, 4)}-01-01`]: null } } }])}
      />
    </>
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
        hint={text("compare.now", { value: parameterValue(now, p?.unit, props.catalogue), day: day(start) })}
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
