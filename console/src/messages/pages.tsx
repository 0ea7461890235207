// Lists that come in pages: the first is asked for by itself, the next ones by a button.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { type Answer, useAnswer } from "../answer";
import { text } from "../text";
import { Refused, useAct } from "./act";

export interface Page<Row> {
  rows: Row[];
  next?: string | null | undefined;
}

export interface Pages<Row> {
  /** answer is that of the first page, with the rows of all pages that were asked for */
  answer: Answer<Row[]>;
  /** More is the button for the next page, while there is one */
  more: ComponentChildren | null;
}

export function usePages<Row>(key: string | undefined, read: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<Row>>): Pages<Row> {
  const first = useAnswer(key, (signal) => read(undefined, signal));
  const [rest, setRest] = useState<Page<Row>>({ rows: [] });
  const act = useAct();
  useEffect(() => setRest({ rows: [], next: first.value?.next }), [first.value]);
  const next = rest.next;
  const load = async (): Promise<void> => {
    const page = await read(next ?? undefined);
    setRest((r) => (r.next === next ? { rows: [...r.rows, ...page.rows], next: page.next } : r));
  };
  const more = next ? (
    <div class="stack tight">
      <Refused error={act.error} />
      <button type="button" disabled={act.busy} onClick={() => void act.run(load)}>
        {text("message.nextPage")}
      </button>
    </div>
  ) : null;
  return { answer: { ...first, value: first.value && [...first.value.rows, ...rest.rows] }, more };
}
