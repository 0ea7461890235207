// Types and periods of variables in the language of the page.

import { type Key, text } from "../text";

const types: Record<string, Key> = { Boolean: "kind.boolean", Date: "kind.date", Enumeration: "kind.enumeration", Float: "kind.number", Integer: "kind.integer", String: "kind.text" };

const periods: Record<string, Key> = { day: "kind.day", eternity: "kind.eternity", month: "kind.month", week: "kind.week", weekday: "kind.day", year: "kind.year" };

/** typeName returns the name of a type, the type itself if it has none. */
export function typeName(type: string): string {
  const key = types[type];
  return key === undefined ? type : text(key);
}

/** periodName returns how often a variable has a value. */
export function periodName(period: string): string {
  const key = periods[period];
  return key === undefined ? period : text(key);
}
