// What a variable asks for, on its left, and what asks for it, on its right: lists that can be walked, joined to the middle.

import { useState } from "preact/hooks";

import { address } from "../router";
import { text } from "../text";
import { lawLanguage } from "./catalogue";

interface Linked {
  id: string;
  label: string;
  formula?: boolean;
}

/** few is how many of a side are shown before the rest is asked for. */
const few = 12;

export function Neighbours(props: { id: string; label: string; inputs: Linked[]; consumers: Linked[] }) {
  return (
    <section class="neighbours" aria-label={text("variable.graph")}>
      <Side title={text("variable.inputs", { count: props.inputs.length })} none={text("variable.noInputs")} links={props.inputs} />
      <div class="here">
        <strong lang={lawLanguage()}>{props.label}</strong>
        <code>{props.id}</code>
      </div>
      <Side title={text("variable.consumers", { count: props.consumers.length })} none={text("variable.noConsumers")} links={props.consumers} />
    </section>
  );
}

function Side(props: { title: string; none: string; links: Linked[] }) {
  const [all, setAll] = useState(false);
  return (
    <div class="stack tight">
      <h2>{props.title}</h2>
      {props.links.length === 0 && <p class="soft">{props.none}</p>}
      <ul class="plain-list">
        {props.links.slice(0, all ? undefined : few).map((l) => (
          <li key={l.id}>
            <a class="node" href={address(`/law/v/${encodeURIComponent(l.id)}`)}>
              <span lang={lawLanguage()}>{l.label || l.id}</span>
              {l.formula === false && <small> · {text("why.input")}</small>}
            </a>
          </li>
        ))}
      </ul>
      {!all && props.links.length > few && (
        <button type="button" onClick={() => setAll(true)}>
          {text("variable.all", { count: props.links.length })}
        </button>
      )}
    </div>
  );
}
