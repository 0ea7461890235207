// Watches and runs as the server knows them. The types are written here: a server has these paths only with --watch.

import { EdictError } from "edict-client";

import type { Change } from "../law/household";
import { client } from "../session";

export interface Figure {
  variable: string;
  index?: number;
  label?: string;
  value: number;
}

export interface Threshold {
  amount?: number;
  percent?: number;
}

export interface Watch {
  id: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  situation?: unknown;
  test_case?: unknown;
  period: string;
  figures: Figure[];
  threshold?: Threshold;
  locale: "en" | "fr";
}

/** Asked is a watch as it is asked for, or what is changed of one. */
export interface Asked {
  test_case?: unknown;
  period?: string;
  figures?: Omit<Figure, "value">[];
  threshold?: Threshold;
  locale?: string;
  expiresAt?: string;
  renew?: boolean;
}

export interface LawChoice {
  package?: string;
  reforms?: Change[];
  parameters?: Record<string, Record<string, unknown>>;
}

export interface RunAsked {
  base?: LawChoice;
  new: LawChoice;
  period?: string;
  message: Record<string, string>;
  date?: string;
  link?: string;
  dry: boolean;
}

export interface Report {
  told: number;
  winners: number;
  losers: number;
  /** deciles are left out where each would be about too few */
  deciles?: number[];
  examples: Record<string, string>;
}

export interface Run extends RunAsked {
  id: string;
  state: "computing" | "computed" | "sending" | "sent" | "cancelled" | "failed";
  createdAt: string;
  createdBy: string;
  watches: number;
  computed: number;
  leftOut: { period: number; figure: number; failed: number };
  told: number;
  sent: number;
  unsent?: number;
  report?: Report;
  failure?: string;
}

export const isUnderWay = (run: Run): boolean => run.state === "computing" || run.state === "sending";

const here = "/watch/api/v1";

async function ask<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method };
  if (signal !== undefined) init.signal = signal;
  if (body !== undefined) Object.assign(init, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const response = await client.fetch(here + path, init);
  if (!response.ok) throw await EdictError.of(`${method} ${path}`, response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

const watchPath = (id: string): string => `/watches/${encodeURIComponent(id)}`;
const runPath = (id: string): string => `/runs/${encodeURIComponent(id)}`;

/** reportPath is where the figures of a run are, for curl. */
export const reportPath = (id: string): string => here + runPath(id);

export const watches = async (signal: AbortSignal): Promise<Watch[]> => (await ask<{ watches: Watch[] }>("GET", "/watches", undefined, signal)).watches;
export const watch = (id: string, signal?: AbortSignal): Promise<Watch> => ask("GET", watchPath(id), undefined, signal);
export const createWatch = (asked: Asked): Promise<Watch> => ask("POST", "/watches", asked);
export const changeWatch = (id: string, asked: Asked): Promise<Watch> => ask("PATCH", watchPath(id), asked);
export const removeWatch = (id: string): Promise<void> => ask("DELETE", watchPath(id));

export const runs = async (signal: AbortSignal): Promise<Run[]> => (await ask<{ runs: Run[] }>("GET", "/runs", undefined, signal)).runs;
export const run = (id: string, signal: AbortSignal): Promise<Run> => ask("GET", runPath(id), undefined, signal);
export const startRun = (asked: RunAsked): Promise<Run> => ask("POST", "/runs", asked);
export const sendRun = (id: string): Promise<Run> => ask("POST", `${runPath(id)}/send`);
export const cancelRun = (id: string): Promise<Run> => ask("POST", `${runPath(id)}/cancel`);
