// Words and numbers in the language of the visitor.

import { computed } from "@preact/signals";

import en from "../text/en.json";
import fr from "../text/fr.json";
import { remembered } from "./remember";

/** Key names a text. Both languages have all of them: a test compares them. */
export type Key = keyof typeof en;

const texts: Record<"en" | "fr", Record<Key, string>> = { en, fr };

/** languageChoice is what the visitor asked for; auto follows the browser. */
export const languageChoice = remembered("language", ["auto", "en", "fr"] as const, "auto");

export const language = computed<"en" | "fr">(() => {
  if (languageChoice.value !== "auto") return languageChoice.value;
  return navigator.languages.find((l) => /^(en|fr)\b/.test(l))?.startsWith("fr") ? "fr" : "en";
});

/** text returns a text with its {placeholders} filled in. */
export function text(key: Key, values: Record<string, string | number> = {}): string {
  return texts[language.value][key].replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return value === undefined ? all : typeof value === "number" ? number(value) : value;
  });
}

// A format takes far longer to make than to use.
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function made<F extends Intl.NumberFormat | Intl.DateTimeFormat, O>(kind: new (locale: string, options: O) => F, options: O): F {
  const key = language.value + JSON.stringify(options);
  let found = formats.get(key);
  if (found === undefined) {
    found = new kind(language.value === "fr" ? "fr-FR" : "en-GB", options);
    formats.set(key, found);
  }
  return found as F;
}

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return made(Intl.NumberFormat, options);
}

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return made(Intl.DateTimeFormat, options);
}

/** number writes a number for people, with as many digits as matter. */
export function number(value: number, digits = Number.isInteger(value) ? 0 : 2): string {
  return format({ minimumFractionDigits: 0, maximumFractionDigits: digits }).format(value);
}

/** signed is number with its sign, for differences. */
export function signed(value: number, digits = 0): string {
  return format({ maximumFractionDigits: digits, signDisplay: "exceptZero" }).format(value);
}

/** percent writes a share. */
export function percent(value: number, digits = 1): string {
  return format({ style: "percent", maximumFractionDigits: digits }).format(value);
}

/** money writes an amount in a currency; where the law has none that is known here, the number alone. */
export function money(value: number, currency: string | undefined, sign = false): string {
  const amount = Object.is(Math.round(value), -0) ? 0 : value;
  const signDisplay = sign ? "exceptZero" : "auto";
  if (currency === undefined) return format({ maximumFractionDigits: 0, signDisplay }).format(amount);
  return format({ style: "currency", currency, maximumFractionDigits: 0, signDisplay }).format(amount);
}

/** date writes a day, YYYY-MM-DD. */
export function day(value: string): string {
  const at = new Date(`${value}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return value;
  return dates({ dateStyle: "medium", timeZone: "UTC" }).format(at);
}

/** moment writes a point in time. */
export function moment(value: Date): string {
  return dates({ dateStyle: "medium", timeStyle: "medium" }).format(value);
}

/** fold takes away what does not count when words are compared: case and accents. */
export function fold(words: string): string {
  return words.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/œ/g, "oe").replace(/æ/g, "ae");
}
