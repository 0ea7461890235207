// Finding one of many by words, and taking it.

import { useState } from "preact/hooks";

import { fold, text } from "../text";
import { Field } from "../ui/field";

interface Named {
  id: string;
  label: string;
  folded: string;
}

/** most is how many a search lists. */
const most = 8;

/** Search lists those that match the words that are typed and that fit; a click takes one. */
export function Search<T extends Named>(props: {
  label: string;
  hint?: string;
  all: readonly T[];
  fits: (one: T) => boolean;
  /** first says which of two comes first; the order of all if it is left out */
  first?: (a: T, b: T) => number;
  /** note stands beside a name; the id if it is left out */
  note?: (one: T) => string;
  onTake: (one: T) => void;
}) {
  const [typed, setTyped] = useState("");
  const words = fold(typed).split(/\s+/).filter((w) => w !== "");
  const matching = words.length === 0 ? [] : props.all.filter((one) => props.fits(one) && words.every((w) => one.folded.includes(w)));
  const found = (props.first === undefined ? matching : matching.sort(props.first)).slice(0, most);
  return (
    <div class="stack tight">
      <Field label={props.label}>
        {(id) => <input id={id} type="search" autocomplete="off" placeholder={props.hint} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />}
      </Field>
      {words.length > 0 && (
        <ul class="plain-list" aria-label={text("household.found")}>
          {found.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                class="link"
                onClick={() => {
                  props.onTake(one);
                  setTyped("");
                }}
              >
                {one.label}
              </button>{" "}
              <small>{props.note?.(one) ?? one.id}</small>
            </li>
          ))}
          {found.length === 0 && <li class="soft">{text("law.none")}</li>}
        </ul>
      )}
    </div>
  );
}
