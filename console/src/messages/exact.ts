// JSON whose numbers keep the digits that they came with, where a script would round them.

import { clientOf } from "../session";

/** Raw is a number as it was written: JSON.stringify writes it so again. */
interface Raw {
  rawJSON: string;
}

// Browsers have these since 2025; one that does not shows what it can.
const own = JSON as unknown as { rawJSON?: (source: string) => Raw; isRawJSON?: (value: unknown) => value is Raw };

/** risky is whether a text may have a number that loses something: many digits, or an exponent. Ids, which are texts, have both. */
const risky = /(?:^|[:[,])\s*-?(?:[\d.]{16}|[\d.]+[eE])/;

/** isLost reports whether a number is not what its text says: it has more digits than fit, or is too large or too small. */
function isLost(value: number, source: string): boolean {
  const digits = source.replace(/[eE].*/, "").replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length > 15 ? String(value) !== source : !Number.isFinite(value) || (value === 0 && digits !== "");
}

function kept(_: string, value: unknown, at?: { source?: string }): unknown {
  return typeof value === "number" && at?.source !== undefined && own.rawJSON !== undefined && isLost(value, at.source) ? own.rawJSON(at.source) : value;
}

/** parse reads JSON; isExact tells the numbers that are no longer of the type number. */
export function parse(json: string): unknown {
  return risky.test(json) ? JSON.parse(json, kept as (name: string, value: unknown) => unknown) : JSON.parse(json);
}

export function isExact(value: unknown): value is Raw {
  return own.isRawJSON?.(value) ?? false;
}

/** exactClient is for what people published. */
export const exactClient = clientOf(parse);
