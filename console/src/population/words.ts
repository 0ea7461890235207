import { text } from "../text";
import type { Job } from "./job";

const states = { queued: "population.queued", running: "population.running", done: "population.done", failed: "population.failed", cancelled: "population.cancelled" } as const;

export function stateOf(j: Job): string {
  return text(states[j.state]);
}

const scales = { "modified-oecd": "population.oecd", sqrt: "population.sqrt", none: "population.noScale" } as const;

/** scaleOf is the name of an equivalence scale; a column's name is its own. */
export function scaleOf(name: string): string {
  return name in scales ? text(scales[name as keyof typeof scales]) : name;
}

const measures = {
  mean: "population.mean",
  median: "population.median",
  gini: "population.gini",
  s80s20: "population.s80s20",
  theil: "population.theil",
  povertyRate: "population.povertyRate",
  povertyGap: "population.povertyGap",
  medianPovertyGap: "population.medianPovertyGap",
} as const;

/** measureOf is the name of a measure of incomes. */
export function measureOf(name: string): string {
  return name in measures ? text(measures[name as keyof typeof measures]) : name;
}
