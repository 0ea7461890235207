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
