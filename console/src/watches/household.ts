import { byMonth, earningsOf, type Household, monthsOf, type Person, type Value } from "../law/household";
import type { Catalogue } from "../law/catalogue";

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const isValue = (value: unknown): value is Value => ["number", "string", "boolean"].includes(typeof value);

// What is said of every month alike is one value here, for a variable that the law takes by the month alone.
function plain(c: Catalogue, period: string, row: Row): Record<string, Value> | undefined {
  const values: Record<string, Value> = {};
  for (const [id, given] of Object.entries(row)) {
    const months = monthsOf(period);
    const same = byMonth(c.byId.get(id)) && isRow(given) && Object.keys(given).length === months.length && new Set(months.map((m) => given[m])).size === 1;
    const value = same ? given[months[0] ?? ""] : given;
    if (!isValue(value)) return undefined;
    values[id] = value;
  }
  return values;
}

/** householdOf reads a test case as the page of a household writes it; undefined for one that this page could not show as it is. */
export function householdOf(c: Catalogue, testCase: unknown, period: string): Household | undefined {
  if (!isRow(testCase)) return undefined;
  const persons = testCase[c.person.plural];
  if (!Array.isArray(persons) || persons.length === 0 || !/^\d{4}$/.test(period)) return undefined;
  const people: Person[] = [];
  for (const row of persons as unknown[]) {
    if (!isRow(row) || typeof row["id"] !== "string") return undefined;
    const { id, ...said } = row;
    const values = plain(c, period, said);
    if (values === undefined) return undefined;
    people.push({ id: id as string, values, roles: {} });
  }
  const groups: Household["groups"] = {};
  for (const g of c.groups) {
    const rows = testCase[g.plural];
    const row: unknown = Array.isArray(rows) && rows.length === 1 ? rows[0] : undefined;
    if (!isRow(row)) return undefined;
    const values = { ...row };
    for (const role of g.roles) {
      const said = values[role.name];
      delete values[role.name];
      for (const id of said === undefined ? [] : Array.isArray(said) ? (said as unknown[]) : [said]) {
        const person = people.find((p) => p.id === id);
        if (person === undefined) return undefined;
        person.roles[g.key] = role.key;
      }
    }
    const given = plain(c, period, values);
    if (given === undefined || people.some((p) => p.roles[g.key] === undefined)) return undefined;
    if (Object.keys(given).length > 0) groups[g.key] = given;
  }
  return { period, people, groups, vary: earningsOf(c)?.id ?? "", reforms: [] };
}
