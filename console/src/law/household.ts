// A household as somebody describes it, and the request that is made of it. It lives in the fragment of the address and nowhere else.

import type { Catalogue, Entity, Variable } from "./catalogue";

export type Value = number | string | boolean;

export interface Person {
  id: string;
  values: Record<string, Value>;
  /** roles by the key of a group entity */
  roles: Record<string, string>;
}

/** Change is a reform: a key of the package, or parameters with their values from a day on. */
export type Change = string | { name: string; parameters: Record<string, Record<string, unknown>> };

export interface Household {
  /** period is a year, or a month where the law counts by the month */
  period: string;
  people: Person[];
  /** groups has values by entity and variable; there is one group of each kind */
  groups: Record<string, Record<string, Value>>;
  /** vary is the variable of the first person that the slider moves */
  vary: string;
  /** reforms that stand beside the law as it is, up to four, each a list of changes */
  reforms: Change[][];
}

// Names that packages give to what somebody earns and to the day of birth, the likeliest first.
const earnings = ["salaire_imposable", "salaire_de_base", "salary", "employment_income", "earnings", "wage", "income", "salaire"];
const births = ["date_naissance", "birth", "birth_date", "date_of_birth"];

function firstOf(c: Catalogue, names: string[], fits: (v: Variable) => boolean): Variable | undefined {
  for (const name of names) {
    const v = c.byId.get(name);
    if (v !== undefined && v.entity === c.person && fits(v)) return v;
  }
  return c.variables.find((v) => v.entity === c.person && !v.formula && fits(v));
}

/** earningsOf is what the slider moves: an amount of a person that is given and not computed. */
export function earningsOf(c: Catalogue): Variable | undefined {
  const given = firstOf(c, earnings, (v) => v.type === "Float" && !v.formula);
  return given ?? c.variables.find((v) => v.entity === c.person && v.type === "Float");
}

export function birthOf(c: Catalogue): Variable | undefined {
  return firstOf(c, births, (v) => v.type === "Date");
}

/** ageOf returns the input for a person's age, in laws without a date of birth. */
export function ageOf(c: Catalogue): Variable | undefined {
  const age = c.byId.get("age");
  const given = age?.entity === c.person && !age.formula && (age.type === "Integer" || age.type === "Float");
  return given && birthOf(c) === undefined ? age : undefined;
}

/** byMonth reports whether the law takes a variable by the month alone: what is said of it here is then said of every month of the period. */
export function byMonth(v: Variable | undefined): boolean {
  return v?.period === "month" && !v.longer;
}

/** monthsOf are the months of a period. */
export function monthsOf(period: string): string[] {
  return period.length === 4 ? Array.from({ length: 12 }, (_, i) => `${period}-${String(i + 1).padStart(2, "0")}`) : [period];
}

/** inYear is how often an amount of what the slider moves counts in a year. */
export function inYear(c: Catalogue, h: Household): number {
  return byMonth(c.byId.get(h.vary)) ? 12 : 1;
}

/** roleFor finds the role of an adult or a child: adults fill the roles that are bounded, children take the first that is not theirs. */
function roleFor(group: Entity, adult: boolean, taken: string[]): string {
  const free = group.roles.filter((r) => r.max === undefined || taken.filter((t) => t === r.key).length < r.max);
  const bounded = free.filter((r) => r.max !== undefined);
  const open = free.filter((r) => r.max === undefined);
  const first = group.roles[0]?.key ?? "";
  if (adult) return (bounded[0] ?? (open.length > 1 || group.roles.every((r) => r.max === undefined) ? open[0] : open.at(-1)))?.key ?? first;
  const child = open.find((r) => /enf|child|kid|depend|charge/.test(r.key));
  return (child ?? open.find((r) => r.key !== first) ?? open[0] ?? free[0])?.key ?? first;
}

/** newPerson returns somebody who fits in beside those who are there. */
export function newPerson(c: Catalogue, people: Person[], adult: boolean, period: string, name: string): Person {
  const roles: Record<string, string> = {};
  for (const g of c.groups) {
    roles[g.key] = roleFor(
      g,
      adult,
      people.map((p) => p.roles[g.key] ?? ""),
    );
  }
  const values: Record<string, Value> = {};
  const birth = birthOf(c);
  const year = Number(period.slice(0, 4));
  const children = people.filter((p) => Object.values(p.roles).some((r) => /enf|child|kid|depend|charge/.test(r))).length;
  if (birth !== undefined) values[birth.id] = adult ? `${year - 40 + people.length}-05-01` : `${year - 11 + 3 * children}-09-01`;
  const age = ageOf(c)?.id;
  if (age !== undefined) values[age] = adult ? 40 - people.length : Math.max(0, 11 - 3 * people.filter((p) => Number(p.values[age]) < 18).length);
  return { id: unusedId(people, name), values, roles };
}

function unusedId(people: Person[], name: string): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? name : `${name} ${n}`;
    if (!people.some((p) => p.id === id)) return id;
  }
}

export const presets = ["single", "singleParent", "couple", "family"] as const;
export type Preset = (typeof presets)[number];

const shapes: Record<Preset, [adults: number, children: number]> = { single: [1, 0], singleParent: [1, 2], couple: [2, 0], family: [2, 2] };

const names = ["Ada", "Boris", "Cleo", "Dan", "Eve", "Finn"];

/** preset returns a family to begin with, in the last year that is over. */
export function preset(c: Catalogue, which: Preset, period = String(new Date().getFullYear() - 1)): Household {
  const [adults, children] = shapes[which];
  const people: Person[] = [];
  for (let i = 0; i < adults + children; i++) people.push(newPerson(c, people, i < adults, period, names[i] ?? "X"));
  const vary = earningsOf(c)?.id ?? "";
  const share = byMonth(earningsOf(c)) ? 12 : 1;
  const [first, second] = people;
  if (first !== undefined && vary !== "") first.values[vary] = 48000 / share;
  if (second !== undefined && adults > 1 && vary !== "") second.values[vary] = Math.round(26000 / share);
  return { period, people, groups: {}, vary, reforms: [] };
}

/** varied is a household whose first person earns another amount in a year. */
export function varied(c: Catalogue, h: Household, amount: number): Household {
  const [first, ...others] = h.people;
  if (first === undefined) return h;
  return { ...h, people: [{ ...first, values: { ...first.values, [h.vary]: amount / inYear(c, h) } }, ...others] };
}

/** amountOf is what the first person earns in a year. */
export function amountOf(c: Catalogue, h: Household): number {
  const value = h.people[0]?.values[h.vary];
  return typeof value === "number" ? value * inYear(c, h) : 0;
}

/** dated are values as the API takes them for a period. */
function dated(c: Catalogue, period: string, values: Record<string, Value>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([id, value]) => [id, byMonth(c.byId.get(id)) ? Object.fromEntries(monthsOf(period).map((month) => [month, value])) : value]),
  );
}

/** testCase is the household as the API takes it. */
export function testCase(c: Catalogue, h: Household): Record<string, unknown> {
  const made: Record<string, unknown> = { [c.person.plural]: h.people.map((p) => ({ id: p.id, ...dated(c, h.period, p.values) })) };
  for (const g of c.groups) {
    const group: Record<string, unknown> = dated(c, h.period, h.groups[g.key] ?? {});
    for (const role of g.roles) {
      const members = h.people.filter((p) => p.roles[g.key] === role.key).map((p) => p.id);
      if (members.length === 0) continue;
      group[role.name] = role.max === 1 && role.name === role.key ? members[0] : members;
    }
    made[g.plural] = [group];
  }
  return made;
}

/** Axis is of amounts in a year. */
export interface Axis {
  min: number;
  max: number;
  count: number;
}

// Months that only take an amount of their own vary together.
function axesOf(c: Catalogue, h: Household, axis: Axis): unknown[] {
  const times = inYear(c, h);
  if (times === 1) return [{ name: h.vary, ...axis }];
  return [monthsOf(h.period).map((period) => ({ name: h.vary, min: axis.min / times, max: axis.max / times, count: axis.count, period }))];
}

/** request is the body of a simulation; reform is the number of one of its reforms. */
export function request(c: Catalogue, h: Household, reform?: number, axis?: Axis): Record<string, unknown> {
  const scenario: Record<string, unknown> = { period: h.period, test_case: testCase(c, h) };
  if (axis !== undefined) scenario["axes"] = axesOf(c, h, axis);
  const body: Record<string, unknown> = { scenarios: [scenario] };
  const changes = reform === undefined ? undefined : h.reforms[reform];
  if (changes !== undefined) body["reforms"] = changes;
  return body;
}
