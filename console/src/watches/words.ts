// What watches and runs are called.

import type { Catalogue } from "../law/catalogue";
import { type Key, money, number, text } from "../text";
import type { Count, Figure, Run, Watch } from "./api";

/** nameOf is a watch by its figures and its period. */
export function nameOf(c: Catalogue, w: Watch): string {
  return `${w.figures.map((f) => labelOf(c, f)).join(", ")} (${w.period})`;
}

export function labelOf(c: Catalogue, f: Figure): string {
  return f.label || (c.byId.get(f.variable)?.label ?? f.variable);
}

/** amountOf writes a figure: an amount of money, unless it counts something. */
export function amountOf(c: Catalogue, f: Figure): string {
  return c.byId.get(f.variable)?.type === "Integer" ? number(f.value) : money(f.value, c.currency);
}

const states: Record<Run["state"], Key> = {
  computing: "run.computing",
  computed: "run.computed",
  sending: "run.sending",
  sent: "run.sent",
  cancelled: "run.cancelled",
  failed: "run.failed",
};

/** about writes a count that is approximate, or too small to be shown. */
export const about = (count: Count): string => (count === null ? text("run.few") : `≈ ${number(count)}`);

export const stateOf = (run: Run): string => text(states[run.state]);
