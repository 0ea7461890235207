// What somebody has typed and not sent: it outlives a cut, a sign-in and a reload, and goes with its tab.

import { signal, type Signal } from "@preact/signals";

import { user } from "../session";

const drafts = new Map<string, Signal<string>>();
const prefix = "edict.draft.";

function stored(name: string): string {
  try {
    return sessionStorage.getItem(prefix + name) ?? "";
  } catch {
    return ""; // storage is forbidden
  }
}

function store(name: string, value: string): void {
  try {
    if (value === "") sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, value);
  } catch {
    // storage is forbidden, or full: the draft lives as long as the page
  }
}

/** draft is the text that the user who is signed in writes under a name. Another user of the same tab does not find it. */
export function draft(of: string): Signal<string> {
  const name = `${user.peek()?.id ?? ""}.${of}`;
  let found = drafts.get(name);
  if (found === undefined) {
    found = signal(stored(name));
    drafts.set(name, found);
    found.subscribe((value) => store(name, value));
  }
  return found;
}

/** Draft is a form that somebody fills in: its fields, the way to change some of them, and to forget them. */
export interface Draft<T> {
  value: T;
  set: (some: Partial<T>) => void;
  clear: () => void;
}

/** draftOf is a form of several fields, which are what start says until one is changed. */
export function draftOf<T extends object>(of: string, start: T): Draft<T> {
  const kept = draft(of);
  let value = start;
  try {
    if (kept.value !== "") value = { ...start, ...(JSON.parse(kept.value) as Partial<T>) };
  } catch {
    // of another version: begun anew
  }
  return { value, set: (some) => (kept.value = JSON.stringify({ ...value, ...some })), clear: () => (kept.value = "") };
}
