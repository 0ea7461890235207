// A person or a group as a card: who they are and what is said about them.

import { useAnswer } from "../answer";
import { client } from "../session";
import { text } from "../text";
import { Check, Input, Select } from "../ui/field";
import { ageOf, birthOf, byMonth, type Household, type Person, type Value } from "./household";
import type { Catalogue, Entity, Variable } from "./catalogue";
import { Search } from "./search";

interface PersonCardProps {
  catalogue: Catalogue;
  household: Household;
  index: number;
  onChange: (h: Household) => void;
}

export function PersonCard(props: PersonCardProps) {
  const { catalogue: c, household: h, index } = props;
  const person = h.people[index];
  if (person === undefined) return null;
  const set = (next: Person): void => props.onChange({ ...h, people: h.people.map((p, i) => (i === index ? next : p)) });
  const birth = (birthOf(c) ?? ageOf(c))?.id;
  const shown = [birth, h.vary, ...Object.keys(person.values)].filter((v, i, all): v is string => v !== undefined && v !== "" && all.indexOf(v) === i);
  return (
    <article class="card" aria-label={person.id}>
      <header class="row-of between">
        <h3>{person.id}</h3>
        {h.people.length > 1 && (
          <button type="button" class="plain small" onClick={() => props.onChange({ ...h, people: h.people.filter((_, i) => i !== index) })}>
            {text("household.remove")}
          </button>
        )}
      </header>
      <ValueFields catalogue={c} of={c.person} names={shown} values={person.values} onChange={(values) => set({ ...person, values })} />
      <details>
        <summary>{text("household.roles")}</summary>
        <div class="stack tight">
          {c.groups.map((g) => (
            <Select
              key={g.key}
              label={g.label}
              value={person.roles[g.key] ?? ""}
              choices={g.roles.map((r) => [r.key, r.label] as const)}
              onChange={(role) => set({ ...person, roles: { ...person.roles, [g.key]: role } })}
            />
          ))}
        </div>
      </details>
    </article>
  );
}

/** GroupFields is what is said about a group as a whole. */
export function GroupFields(props: { catalogue: Catalogue; household: Household; group: Entity; onChange: (h: Household) => void }) {
  const { catalogue: c, household: h, group } = props;
  const values = h.groups[group.key] ?? {};
  return (
    <section class="stack tight" aria-label={group.label}>
      <h3>{group.label}</h3>
      <ValueFields catalogue={c} of={group} names={Object.keys(values)} values={values} onChange={(next) => props.onChange({ ...h, groups: { ...h.groups, [group.key]: next } })} />
    </section>
  );
}

/** ValueFields are fields for some variables of an entity, and a way to add any other. */
function ValueFields(props: { catalogue: Catalogue; of: Entity; names: string[]; values: Record<string, Value>; onChange: (values: Record<string, Value>) => void }) {
  const { values } = props;
  const set = (id: string, value: Value | undefined): void => {
    const next = { ...values };
    if (value === undefined) delete next[id];
    else next[id] = value;
    props.onChange(next);
  };
  return (
    <div class="stack tight">
      {props.names.map((id) => {
        const v = props.catalogue.byId.get(id);
        return v === undefined ? (
          <p key={id} class="notice bad">
            {text("household.unknown", { name: id })}
            <button type="button" class="link" onClick={() => set(id, undefined)}>
              {text("household.remove")}
            </button>
          </p>
        ) : (
          <ValueField key={id} variable={v} value={values[id]} onChange={(value) => set(id, value)} />
        );
      })}
      <Search
        label={text("household.add")}
        hint={text("household.addHint")}
        all={props.catalogue.variables}
        fits={(v) => v.entity === props.of && !props.names.includes(v.id)}
        first={(a, b) => Number(a.formula) - Number(b.formula)}
        note={(v) => (v.formula ? text("household.computed") : v.id)}
        onTake={(v) => set(v.id, v.type === "Boolean" ? true : v.type === "Float" || v.type === "Integer" ? 0 : "")}
      />
    </div>
  );
}

/** nameOf is what a field of a variable is called. */
export function nameOf(v: Variable): string {
  return byMonth(v) ? text("household.eachMonth", { name: v.label }) : v.label;
}

export function ValueField(props: { variable: Variable; value: Value | undefined; onChange: (value: Value | undefined) => void }) {
  const { variable: v, value } = props;
  const label = nameOf(v);
  if (v.type === "Boolean") return <Check label={label} checked={value === true} onChange={props.onChange} />;
  if (v.type === "Enumeration") return <EnumField {...props} />;
  if (v.type === "Float" || v.type === "Integer") {
    return (
      <Input
        label={label}
        type="number"
        value={value === undefined ? "" : String(value)}
        onInput={(typed) => {
          const n = Number(typed);
          props.onChange(typed === "" || !Number.isFinite(n) ? undefined : n);
        }}
      />
    );
  }
  return <Input label={label} type={v.type === "Date" ? "date" : "text"} value={String(value ?? "")} onInput={(typed) => props.onChange(typed === "" ? undefined : typed)} />;
}

interface PossibleValues {
  variable: { possible_values?: { id: string; label: string }[] };
}

/** useChoices asks for the values of an enumeration, each with its label. */
function useChoices(v: Variable | undefined): (readonly [id: string, label: string])[] {
  const name = v?.type === "Enumeration" ? v.id : undefined;
  const answer = useAnswer(name, (signal) => client.get("/api/2/variable/{name}", { path: { name: name ?? "" }, signal }) as unknown as Promise<PossibleValues>);
  return (answer.value?.variable.possible_values ?? []).map((p) => [p.id, p.label] as const);
}

/** ValueName is a value as text: that of an enumeration is its label. */
export function ValueName(props: { variable: Variable | undefined; value: Value }) {
  const choices = useChoices(props.variable);
  return <>{choices.find(([id]) => id === props.value)?.[1] ?? String(props.value)}</>;
}

function EnumField(props: { variable: Variable; value: Value | undefined; onChange: (value: Value | undefined) => void }) {
  const choices = useChoices(props.variable);
  return <Select label={nameOf(props.variable)} value={String(props.value ?? "")} choices={[["", "–"], ...choices]} onChange={(value) => props.onChange(value === "" ? undefined : value)} />;
}
