import { earningsOf, type Household, type Person, type Value } from "../law/household";
import type { Catalogue } from "../law/catalogue";

type Row = Record<string, unknown>;

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const isValue = (value: unknown): value is Value => ["number", "string", "boolean"].includes(typeof value);

/** householdOf reads a test case as the page of a household writes it; undefined for one that this page could not show as it is. */
export function householdOf(c: Catalogue, testCase: unknown, period: string): Household | undefined {
  if (!isRow(testCase)) return undefined;
  const persons = testCase[c.person.plural];
  if (!Array.isArray(persons) || persons.length === 0 || !/^\d{4}$/.test(period)) return undefined;
  const people: Person[] = [];
  for (const row of persons as unknown[]) {
    if (!isRow(row) || typeof row["id"] !== "string") return undefined;
    const { id, ...values } = row;
    if (!Object.values(values).every(isValue)) return undefined;
    people.push({ id: id as string, values: values as Record<string, Value>, roles: {} });
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
    if (!Object.values(values).every(isValue) || people.some((p) => p.roles[g.key] === undefined)) return undefined;
    if (Object.keys(values).length > 0) groups[g.key] = values as Record<string, Value>;
  }
  return { period, people, groups, vary: earningsOf(c)?.id ?? "", reforms: [] };
}
