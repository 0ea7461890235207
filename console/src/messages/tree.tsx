// A JSON value as a tree. Its parts are shown when they are opened: a large item costs what is looked at.

import { useState } from "preact/hooks";

import { text } from "../text";
import { isExact } from "./exact";

const most = 100; // members shown at once

function isTree(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isExact(value) && Object.keys(value).length > 0;
}

/** preview is a value in one line, cut off where nobody reads on. */
export function preview(value: unknown, limit = 160): string {
  if (typeof value !== "object" || value === null || isExact(value)) return clipped(typeof value === "string" ? value : JSON.stringify(value), limit);
  let line = "";
  for (const [name, member] of Object.entries(value)) {
    line += `${line === "" ? "" : " · "}${Array.isArray(value) ? "" : `${name}: `}${short(member)}`;
    if (line.length > limit) break;
  }
  return clipped(line, limit);
}

function short(value: unknown): string {
  if (isExact(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === "object" && value !== null) return "{…}";
  return typeof value === "string" ? clipped(value, 80) : String(value);
}

function clipped(line: string, limit: number): string {
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

export function Tree(props: { value: unknown; open?: boolean }) {
  if (!isTree(props.value)) return <Leaf value={props.value} />;
  return <Members value={props.value} open={props.open ?? true} />;
}

function Members(props: { value: object; open: boolean }) {
  const [shown, setShown] = useState(most);
  const entries = Object.entries(props.value);
  const numbered = Array.isArray(props.value);
  return (
    <ul class="tree">
      {entries.slice(0, shown).map(([name, value]) => (
        <li key={name}>{isTree(value) ? <Branch name={name} value={value} open={props.open} numbered={numbered} /> : <Line name={name} value={value} numbered={numbered} />}</li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" class="link" onClick={() => setShown(shown + 10 * most)}>
            {text("message.more", { count: entries.length - shown })}
          </button>
        </li>
      )}
    </ul>
  );
}

function Branch(props: { name: string; value: object; open: boolean; numbered: boolean }) {
  const [open, setOpen] = useState(props.open);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class={props.numbered ? "soft" : "name"}>{props.name}</span> {!open && <span class="soft">{preview(props.value, 60)}</span>}
      </summary>
      {open && <Members value={props.value} open={false} />}
    </details>
  );
}

function Line(props: { name: string; value: unknown; numbered: boolean }) {
  return (
    <>
      <span class={props.numbered ? "soft" : "name"}>{props.name}</span> <Leaf value={props.value} />
    </>
  );
}

function Leaf(props: { value: unknown }) {
  const v = props.value;
  if (typeof v === "string") return <span class="leaf">{v === "" ? "\u201c\u201d" : v}</span>;
  return <span class="leaf other">{JSON.stringify(v)}</span>;
}
