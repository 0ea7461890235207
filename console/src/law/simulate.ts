// Figures of a household: a tree whose parts add up to its root.

import { EdictError } from "edict-client";

import { client } from "../session";
import type { Catalogue, Variable } from "./catalogue";
import { type Axis, type Household, request } from "./household";

export interface Figure {
  code: string;
  name: string;
  children: Figure[];
  /** values along the axis, or one */
  values: number[];
}

export interface Suggestion {
  entity: string;
  id: string;
  variable: string;
  value: number | string | boolean;
}

export interface Simulated {
  tree: Figure;
  /** base is the tree without the reform, where there is one */
  base: Figure | undefined;
  suggestions: Suggestion[];
}

interface RawFigure {
  code: string;
  name?: string;
  short_name?: string;
  values: number[];
  children?: RawFigure[];
}

function figure(raw: RawFigure): Figure {
  return { code: raw.code, name: raw.name ?? raw.short_name ?? raw.code, values: raw.values, children: (raw.children ?? []).map(figure) };
}

/** simulate computes the tree of a household. A law without one gives its disposable income alone, where it has one. */
export async function simulate(c: Catalogue, h: Household, signal: AbortSignal, reform?: number, axis?: Axis): Promise<Simulated> {
  const body = request(c, h, reform, axis);
  try {
    const raw = (await client.post("/api/1/simulate", { body: body as never, signal })) as unknown as { value: RawFigure; base_value?: RawFigure; suggestions?: Suggestion[] };
    return { tree: figure(raw.value), base: raw.base_value === undefined ? undefined : figure(raw.base_value), suggestions: raw.suggestions ?? [] };
  } catch (failed) {
    const total = c.income;
    if (!(failed instanceof EdictError) || failed.status !== 501 || total === undefined) throw failed;
    return derived(c, h, total, signal, reform, axis);
  }
}

interface RawValues {
  value: Record<string, number[]>[];
  base_value?: Record<string, number[]>[];
  suggestions?: Suggestion[];
}

// A law that declares no decomposition: its total, and what the formula of the total asks for if that adds up to it.
async function derived(c: Catalogue, h: Household, total: Variable, signal: AbortSignal, reform?: number, axis?: Axis): Promise<Simulated> {
  const month = total.period === "month" && h.period.length === 4;
  const body = request(c, month ? { ...h, period: `${h.period}-01` } : h, reform, axis);
  const page = (await client.get("/api/2/variable/{name}", { path: { name: total.id }, signal })) as unknown as { variable: { inputs: { id: string }[] } };
  const parts = page.variable.inputs.flatMap((i) => c.byId.get(i.id) ?? []).filter((v) => v.type === "Float" && v.period === total.period);
  const variables = [total, ...parts];
  const raw = (await client.post("/api/1/calculate", { body: { ...body, variables: variables.map((v) => v.id), output_format: "variables" } as never, signal })) as unknown as RawValues;
  const count = axis?.count ?? 1;
  const tree = (of: Record<string, number[]> | undefined): Figure => {
    const children = parts.map((v): Figure => ({ code: v.id, name: v.label, children: [], values: summed(of?.[v.id] ?? [], count) }));
    const values = summed(of?.[total.id] ?? [], count);
    const adds = values.every((value, i) => Math.abs(children.reduce((sum, child) => sum + at(child, i), 0) - value) <= Math.max(1, Math.abs(value) * 1e-4));
    return { code: total.id, name: total.label, children: adds ? children : [], values };
  };
  return { tree: tree(raw.value[0]), base: raw.base_value === undefined ? undefined : tree(raw.base_value[0]), suggestions: raw.suggestions ?? [] };
}

/** summed adds up what members have, at each point of the axis. */
function summed(values: number[], count: number): number[] {
  const members = values.length / count;
  return Array.from({ length: count }, (_, i) => values.slice(i * members, (i + 1) * members).reduce((sum, v) => sum + v, 0));
}

/** at is a tree at one point of the axis. */
export function at(f: Figure, index = 0): number {
  return f.values[index] ?? 0;
}

/** isZero reports whether nothing of a figure is anything, anywhere. */
export function isZero(f: Figure): boolean {
  return f.values.every((v) => Math.abs(v) < 0.005) && f.children.every(isZero);
}
