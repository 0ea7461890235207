// Populations as the server knows them.

import { EdictError } from "edict-client";

import { client } from "../session";

export interface Rows {
  entity?: string;
  path: string;
  bytes: number;
}

export interface Job {
  id: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  progress: number;
  persons: number;
  created: string;
  ended?: string;
  expires?: string;
  error?: string;
  notices?: string[];
  options: Options;
  rows?: Rows[];
}

/** Options are the flags of "edict population" by their names. */
export interface Options {
  sample?: boolean;
  variables?: string[];
  period?: string;
  reform?: unknown[];
  compare?: boolean;
  weight?: string;
  by?: string[];
  income?: string;
  equivalence?: string;
  "poverty-line"?: number;
  "ignore-unknown"?: boolean;
  output?: string;
}

/** Pair is a figure of the law as it is and, if a reform is compared with it, the reform's; what is no number is null. */
export interface Pair {
  base: number | null;
  reform?: number | null;
  difference?: number | null;
}

export interface Decile {
  decile: number;
  upTo?: number | null;
  persons: number;
  meanIncome: Pair;
  winners?: number | null;
  losers?: number | null;
  unchanged?: number | null;
  meanGain?: number | null;
}

/** Group is what is found about some persons. */
export interface Group {
  persons: number;
  /** households are counted where an income is measured: it says which group they are */
  households?: number;
  variables: { variable: string; entity: string; total: Pair; mean: Pair }[];
  incomes?: (Pair & { measure: string })[];
  deciles?: Decile[];
  warnings?: string[];
}

export interface Report extends Group {
  label?: string;
  period: string;
  income?: string;
  equivalence?: string;
  compared: boolean;
  povertyLine?: number | null;
  by?: { column: string; values: (Group & { value: string })[] }[];
}

export const isOver = (job: Job): boolean => job.state !== "queued" && job.state !== "running";

const here = "/api/2/populations";

/** fetched is what the server answers, or the refusal. */
async function fetched(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await client.fetch(path, { method, ...init });
  if (!response.ok) throw await EdictError.of(`${method} ${path}`, response);
  return response;
}

export async function send(options: Options, file: File | undefined, signal: AbortSignal): Promise<Job> {
  const form = new FormData();
  form.append("options", JSON.stringify(options));
  if (file !== undefined) form.append("file", file, file.name);
  return (await (await fetched("POST", here, { body: form, signal })).json()) as Job;
}

export async function jobs(signal: AbortSignal): Promise<Job[]> {
  return ((await (await fetched("GET", here, { signal })).json()) as { populations: Job[] }).populations;
}

export async function job(id: string, signal: AbortSignal): Promise<Job> {
  return (await (await fetched("GET", jobPath(id), { signal })).json()) as Job;
}

export async function report(id: string, signal: AbortSignal): Promise<Report> {
  return (await (await fetched("GET", `${jobPath(id)}/report`, { signal })).json()) as Report;
}

export async function remove(id: string): Promise<void> {
  await fetched("DELETE", jobPath(id));
}

/** content is a file of the server, which asks for the visitor's token. */
export async function content(path: string): Promise<Blob> {
  return (await fetched("GET", path)).blob();
}

export function jobPath(id: string): string {
  return `${here}/${encodeURIComponent(id)}`;
}
