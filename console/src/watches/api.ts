// Watches and runs as the server knows them. Answers are told more closely here than in its document: states and languages are words of a few.

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
  locale?: "en" | "fr";
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

/** Count is a number of accounts, to the nearest ten and with noise; null where it is too small to be shown. */
export type Count = number | null;

export interface Report {
  recipients: Count;
  winners: Count;
  losers: Count;
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
  leftOut: { period: Count; figure: Count; failed: Count };
  recipients: Count;
  sent: Count;
  report?: Report;
  failure?: string;
}

export const isUnderWay = (run: Run): boolean => run.state === "computing" || run.state === "sending";

/** reportPath is where the figures of a run are, for curl. */
export const reportPath = (id: string): string => `/watch/api/v1/runs/${encodeURIComponent(id)}`;

export const watches = async (signal: AbortSignal): Promise<Watch[]> => (await client.get("/watch/api/v1/watches", { signal })).watches as Watch[];
export const watch = (id: string, signal?: AbortSignal): Promise<Watch> => client.get("/watch/api/v1/watches/{id}", { path: { id }, ...(signal === undefined ? {} : { signal }) }) as Promise<Watch>;
export const createWatch = (asked: Asked): Promise<Watch> => client.post("/watch/api/v1/watches", { body: asked }) as Promise<Watch>;
export const changeWatch = (id: string, asked: Asked): Promise<Watch> => client.patch("/watch/api/v1/watches/{id}", { path: { id }, body: asked }) as Promise<Watch>;
export const removeWatch = (id: string): Promise<void> => client.delete("/watch/api/v1/watches/{id}", { path: { id } });

export const runs = async (signal: AbortSignal): Promise<Run[]> => (await client.get("/watch/api/v1/runs", { signal })).runs as Run[];
export const run = (id: string, signal: AbortSignal): Promise<Run> => client.get("/watch/api/v1/runs/{id}", { path: { id }, signal }) as Promise<Run>;
export const startRun = (asked: RunAsked): Promise<Run> => client.post("/watch/api/v1/runs", { body: asked }) as Promise<Run>;
export const sendRun = (id: string): Promise<Run> => client.post("/watch/api/v1/runs/{id}/send", { path: { id } }) as Promise<Run>;
export const cancelRun = (id: string): Promise<Run> => client.post("/watch/api/v1/runs/{id}/cancel", { path: { id } }) as Promise<Run>;
