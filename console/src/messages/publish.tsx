// Writing items. What is typed stays until the server has it.

import { useRef } from "preact/hooks";
import { EdictError } from "edict-client";

import { useAnswer } from "../answer";
import { client } from "../session";
import { text } from "../text";
import { Field } from "../ui/field";
import { Copy, Refused, useAct } from "./act";
import { draft } from "./draft";
import { parse } from "./exact";
import { curl, type Item, itemsPath } from "./names";

/** contentOf is what is sent for a text: a JSON object as it is written, with all its digits, and other texts as the member text. undefined: it begins as an object and is none. */
function contentOf(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (!trimmed.startsWith("{")) return JSON.stringify({ text: trimmed });
  try {
    JSON.parse(trimmed);
    return trimmed;
  } catch {
    return undefined;
  }
}

async function send(method: string, path: string, content: string, key: string): Promise<void> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  const response = await client.fetch(path, { method, headers, body: `{"content":${content}}` });
  if (!response.ok) throw await EdictError.of(`${method} ${path}`, response);
}

/** exact writes the content of the item in an answer for people, each number with the digits that it came with. */
function exact(json: string): string {
  const { items } = parse(json) as { items: Item[] };
  return JSON.stringify(items[0]?.content ?? {}, null, 2);
}

/** useNow is the content of an item as the server has it, to begin a correction with; undefined until it is there. */
function useNow(channel: string, item: Item | undefined): string | undefined {
  const path = `${itemsPath(channel)}?id=${item?.itemId ?? ""}`;
  const answer = useAnswer(item && path, async (signal) => {
    const response = await client.fetch(path, { signal });
    if (!response.ok) throw await EdictError.of(`GET ${path}`, response);
    return exact(await response.text());
  });
  if (item === undefined) return undefined;
  return answer.value ?? (answer.error === undefined || answer.away ? undefined : JSON.stringify(item.content, null, 2));
}

/** Writer is the box that items are written in: new ones, or the correction of one. */
export function Writer(props: { channel: string; item?: Item; onSent: () => void }) {
  const name = props.item === undefined ? props.channel : `${props.channel}/${props.item.itemId}`;
  const written = draft(name);
  const act = useAct();
  // The same text has the same key: sent again because an answer was lost, it counts once.
  const key = useRef({ of: "", key: "" });
  const now = useNow(props.channel, written.value === "" ? props.item : undefined);
  const typed = written.value === "" && props.item !== undefined ? (now ?? "") : written.value;
  const content = contentOf(typed);
  const method = props.item === undefined ? "POST" : "PUT";
  const path = itemsPath(props.channel) + (props.item === undefined ? "" : `/${props.item.itemId}`);
  const publish = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (content === undefined || typed.trim() === "") return;
    if (key.current.of !== content) key.current = { of: content, key: crypto.randomUUID() };
    if (!(await act.run(() => send(method, path, content, key.current.key)))) return;
    key.current = { of: "", key: "" };
    written.value = "";
    props.onSent();
  };
  return (
    <form class="writer no-print" onSubmit={(event) => void publish(event)}>
      <Field label={text(props.item === undefined ? "message.write" : "message.correctTo")} hint={text("message.writeHint", { example: `{"text": "…"}` })} error={content === undefined ? text("message.noObject") : undefined}>
        {(id, about) => (
          <textarea
            id={id}
            aria-describedby={about}
            rows={props.item === undefined ? 2 : 10}
            value={typed}
            disabled={props.item !== undefined && written.value === "" && now === undefined}
            spellcheck={false}
            onInput={(event) => (written.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Field>
      <Refused error={act.error} />
      <div class="row-of">
        <button type="submit" class="primary" disabled={act.busy || content === undefined || typed.trim() === ""}>
          {text(props.item === undefined ? "message.publish" : "message.correct")}
        </button>
        {content !== undefined && typed.trim() !== "" && <Copy label={text("message.copyCurl")} what={() => curl(method, path, `{"content":${content}}`)} />}
      </div>
    </form>
  );
}
