// Everything there is in the law, in short: loaded once, kept as long as the page lives.

import { effect, signal } from "@preact/signals";

import { isAway } from "../answer";
import { client } from "../session";
import { fold, language } from "../text";

export interface Role {
  key: string;
  /** name under which members are listed in a test case */
  name: string;
  label: string;
  max: number | undefined;
}

export interface Entity {
  key: string;
  plural: string;
  label: string;
  /** roles of a group; none for persons */
  roles: Role[];
}

export interface Variable {
  id: string;
  label: string;
  entity: Entity;
  /** type is Float, Integer, Boolean, Date, Enumeration or String */
  type: string;
  /** period is month, year, eternity, … */
  period: string;
  formula: boolean;
  /** longer says that it takes inputs for longer periods than its own */
  longer: boolean;
  folded: string;
}

export interface Parameter {
  id: string;
  label: string;
  /** kind is node, parameter or scale */
  kind: string;
  folded: string;
}

export interface Reform {
  key: string;
  name: string;
  description: string;
}

export interface Catalogue {
  name: string;
  version: string;
  /** language is that of the labels, where it is known */
  language: string | undefined;
  person: Entity;
  groups: Entity[];
  variables: Variable[];
  byId: Map<string, Variable>;
  parameters: Parameter[];
  reforms: Reform[];
  currency: string | undefined;
  /** income is what stands for disposable income, of a law that has it */
  income: Variable | undefined;
}

interface RawCatalogue {
  country_package_name: string;
  country_package_version: string;
  income?: string;
  language?: string;
  entities: [key: string, plural: string, label: string, roles: [key: string, name: string, label: string, max?: number][]][];
  types: string[];
  periods: string[];
  variables: [string, string, number, number, number, number, number][];
  parameters: RawParameters;
}

interface RawParameters {
  [name: string]: string | [string, string | RawParameters];
}

/** currencies of the packages that are known here: a law does not say in which it counts. */
const currencies: [RegExp, string][] = [
  [/france|paris|mayotte|lycee/i, "EUR"],
  [/tunisia/i, "TND"],
  [/japan/i, "JPY"],
  [/aotearoa|new_?zealand/i, "NZD"],
  [/barcelona|italy|spain|catalonia/i, "EUR"],
  [/senegal|mali|cote/i, "XOF"],
  [/(^|[-_])uk\b|united_kingdom/i, "GBP"],
  [/(^|[-_])us\b|united_states/i, "USD"],
];

/** words makes something readable of a name: "personne_de_reference" is "Personne de reference". */
export function words(name: string): string {
  const plain = name.replace(/_/g, " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function entitiesOf(raw: RawCatalogue): Entity[] {
  return raw.entities.map(([key, plural, label, roles]) => ({
    key,
    plural,
    label: label === "" ? words(key) : label,
    roles: roles.map(([role, name, said, max]) => ({ key: role, name, label: said === "" ? words(role) : said, max })),
  }));
}

/** parametersOf walks the tree of parameters: a text is a parameter with its label, a list a label and either a kind or what lies below. */
function parametersOf(tree: RawParameters, above: string, found: Parameter[]): Parameter[] {
  for (const [name, row] of Object.entries(tree)) {
    const id = above === "" ? name : `${above}.${name}`;
    const [label, below] = Array.isArray(row) ? row : [row, undefined];
    const kind = typeof below === "string" ? below : below === undefined ? "parameter" : "node";
    found.push({ id, label: label || words(name), kind, folded: fold(`${id} ${label}`) });
    if (typeof below === "object") parametersOf(below, id, found);
  }
  return found;
}

async function load(): Promise<Catalogue> {
  const [catalogue, reforms] = await Promise.all([
    client.get("/api/2/catalogue") as Promise<unknown>,
    client.get("/api/1/reforms") as Promise<unknown>,
  ]);
  const raw = catalogue as RawCatalogue;
  const all = entitiesOf(raw);
  const person = all.find((e) => e.roles.length === 0) ?? all[0];
  if (person === undefined) throw new Error("the law has no entities");
  const variables = raw.variables.flatMap(([id, label, entity, type, period, formula, longer]): Variable[] => {
    const of = all[entity];
    if (of === undefined) return [];
    return [{ id, label: label || words(id), entity: of, type: raw.types[type] ?? "", period: raw.periods[period] ?? "", formula: formula === 1, longer: longer === 1, folded: fold(`${id} ${label}`) }];
  });
  const byId = new Map(variables.map((v) => [v.id, v]));
  return {
    name: raw.country_package_name,
    version: raw.country_package_version,
    language: raw.language,
    person,
    groups: all.filter((e) => e !== person),
    variables,
    byId,
    parameters: parametersOf(raw.parameters, "", []),
    reforms: (reforms as { reforms: Reform[] }).reforms,
    currency: currencies.find(([name]) => name.test(raw.country_package_name))?.[1],
    income: raw.income === undefined ? undefined : byId.get(raw.income),
  };
}

/** catalogue is the law's, once it is there. */
export const catalogue = signal<Catalogue | undefined>(undefined);

/** catalogueError is why it is not. */
export const catalogueError = signal<unknown>(undefined);

/** asked is the language that the catalogue was last asked for in. */
let asked: string | undefined;

/** wantCatalogue loads the catalogue in the visitor's language unless it is there or on its way; a server that is not ready is asked again. */
export function wantCatalogue(tried = 0): void {
  const wanted = language.peek();
  if (asked === wanted && tried === 0) return;
  asked = wanted;
  load().then(
    (got) => {
      if (asked !== wanted) return;
      catalogue.value = got;
      catalogueError.value = undefined;
    },
    (error: unknown) => {
      if (asked !== wanted) return;
      catalogueError.value = error;
      if (isAway(error)) setTimeout(() => asked === wanted && wantCatalogue(tried + 1), Math.min(500 * 2 ** tried, 5000));
      else asked = undefined;
    },
  );
}

// A change of language loads the catalogue again.
effect(() => {
  language.value;
  if (asked !== undefined) wantCatalogue();
});

/** lawLanguage is the lang attribute of the law's labels: their language where it is known and not that of the page. */
export function lawLanguage(): string | undefined {
  const spoken = catalogue.value?.language;
  return spoken === undefined || spoken === language.value ? undefined : spoken;
}
