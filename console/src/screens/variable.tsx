import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { catalogue, lawLanguage, wantCatalogue } from "../law/catalogue";
import { preset } from "../law/household";
import { periodName, typeName } from "../law/kinds";
import { pack } from "../law/link";
import { Neighbours } from "../law/neighbours";
import { WithLaw } from "../law/use";
import { References } from "../law/why";
import { address, go, type Params } from "../router";
import { client } from "../session";
import { day, text } from "../text";
import { Shown } from "../ui/state";

export interface Linked {
  id: string;
  label: string;
  formula?: boolean;
  seen?: boolean;
}

interface Formula {
  start: string | null;
  stop: string | null;
  text: string;
  source?: { file: string; line: number };
  documentation?: string | null;
  names: { kind: "variable" | "parameter"; id: string; line: number; column: number; length: number }[];
  dynamic: unknown[];
}

interface Page {
  variable: {
    id: string;
    label: string | null;
    description: string | null;
    entity: { label: string };
    type: string;
    default: unknown;
    period: string;
    end: string | null;
    references: string[];
    source?: { file: string; line: number };
    possible_values?: { id: string; label: string }[];
    formulas: Formula[];
    inputs: Linked[];
    parameters: Linked[];
    consumers: Linked[];
  };
}

export function VariableScreen(props: { params: Params }) {
  const name = props.params["id"] ?? "";
  const answer = useAnswer(name, (signal) => client.get("/api/2/variable/{name}", { path: { name }, signal }) as unknown as Promise<Page>);
  return (
    <section class="page" key={name}>
      <a href={address("/law")}>{text("law.back")}</a>
      <Shown answer={answer}>{(got) => <Whole page={got} />}</Shown>
      {answer.value === undefined && <h1>{name}</h1>}
    </section>
  );
}

function Whole(props: { page: Page }) {
  const v = props.page.variable;
  const facts = [v.entity.label, typeName(v.type), periodName(v.period), ...(v.end === null ? [] : [text("variable.end", { day: day(v.end) })])];
  return (
    <>
      <header class="stack tight">
        <h1 lang={lawLanguage()}>{v.label ?? v.id}</h1>
        <p class="row-of">
          <code>{v.id}</code>
          <span class="soft">{facts.join(" · ")}</span>
        </p>
        {v.description !== null && <p lang={lawLanguage()}>{v.description}</p>}
        <References references={v.references} />
        <WithLaw>
          {(c) => (
            <div>
              <button type="button" class="primary" onClick={() => void pack({ ...preset(c, "family"), ...(v.formulas.length === 0 && v.type === "Float" && c.byId.get(v.id)?.entity === c.person ? { vary: v.id } : {}) }).then((packed) => go(`/household?why=${encodeURIComponent(v.id)}#${packed}`))}>
                {text("variable.try")}
              </button>
            </div>
          )}
        </WithLaw>
      </header>
      <Neighbours id={v.id} label={v.label ?? v.id} inputs={v.inputs} consumers={v.consumers} />
      {v.possible_values !== undefined && (
        <section class="stack tight">
          <h2>{text("variable.values")}</h2>
          <ul class="plain-list">
            {v.possible_values.map((p) => (
              <li key={p.id}>
                <code>{p.id}</code> <span lang={lawLanguage()}>{p.label}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="stack">
        <h2>{text("variable.formulas")}</h2>
        {v.formulas.length === 0 ? <p class="soft">{text("variable.input")}</p> : <Formulas formulas={v.formulas} />}
      </section>
      {v.parameters.length > 0 && (
        <section class="stack tight">
          <h2>{text("variable.parameters")}</h2>
          <ul class="plain-list">
            {v.parameters.map((p) => (
              <li key={p.id}>
                <a href={address(`/law/p/${encodeURIComponent(p.id)}`)} lang={lawLanguage()}>{p.label || p.id}</a> <code>{p.id}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Formulas shows the formula of one date at a time, the latest first. */
function Formulas(props: { formulas: Formula[] }) {
  const latest = props.formulas.length - 1;
  const order = [...props.formulas].sort((a, b) => (a.start ?? "").localeCompare(b.start ?? ""));
  const [at, setAt] = useState(latest);
  const f = order[at];
  if (f === undefined) return null;
  return (
    <div class="stack tight">
      {order.length > 1 && (
        <div class="chips" role="group" aria-label={text("variable.dates")}>
          {order.map((one, i) => (
            <button key={one.start ?? ""} type="button" class="chip" aria-pressed={i === at} onClick={() => setAt(i)}>
              {one.start === null ? text("variable.always") : text("variable.from", { day: day(one.start) })}
            </button>
          ))}
        </div>
      )}
      <pre class="formula" tabIndex={0}>
        <code>{linked(f)}</code>
      </pre>
      {f.source !== undefined && (
        <small>
          {f.source.file}:{f.source.line}
        </small>
      )}
      {f.dynamic.length > 0 && <p class="soft">{text("variable.dynamic", { count: f.dynamic.length })}</p>}
    </div>
  );
}

/** linked is the text of a formula with the names in it made links. */
function linked(f: Formula) {
  return f.text.split("\n").map((line, i) => {
    const here = f.names.filter((n) => n.line === i + 1).sort((a, b) => a.column - b.column);
    const characters = [...line];
    const parts = [];
    let from = 0;
    for (const n of here) {
      const start = n.column - 1;
      if (start < from) continue;
      parts.push(characters.slice(from, start).join(""));
      parts.push(
        <a key={`${i}-${n.column}`} href={address(`/law/${n.kind === "variable" ? "v" : "p"}/${encodeURIComponent(n.id)}`)}>
          {characters.slice(start, start + n.length).join("")}
        </a>,
      );
      from = start + n.length;
    }
    return [...parts, characters.slice(from).join(""), "\n"];
  });
}

// The page of a variable needs the catalogue for "try it" alone: it is fetched meanwhile.
if (catalogue.peek() === undefined && location.pathname.includes("/law/v/")) wantCatalogue();
