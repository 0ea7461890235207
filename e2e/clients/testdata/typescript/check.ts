// What both clients share: the server they call, and what they say of it.

// The server, a token, whose it is, somebody else, and a token of an admin.
export const [url, token, self, other, admin] = process.argv.slice(2) as [string, string, string, string, string];

// situation is a household of the embedded legislation, in the form of /calculate and /trace.
export const situation = {
  individus: { ada: { salaire_imposable: { "2024": 30000 } } },
  foyers_fiscaux: { f: { declarants: ["ada"], nbptr: { "2024": null } } },
};

// scenario is the same household in the form of /api/1/calculate.
export const scenario = {
  period: "2024",
  test_case: {
    individus: [{ id: "ada", salaire_imposable: 30000 }],
    familles: [{ parents: ["ada"] }],
    foyers_fiscaux: [{ declarants: ["ada"] }],
    menages: [{ personne_de_reference: "ada" }],
  },
};

// varied is the household along an axis, and cheaper a reform that is written as data.
export const varied = { ...scenario, axes: [{ name: "salaire_imposable", min: 0, max: 60000, count: 3 }] };
export const cheaper = {
  name: "a lower second rate",
  parameters: { "impot_revenu.bareme.brackets[1].rate": { "2024-01-01.2024-12-31": 0.1 } },
  neutralize: ["af"],
};

// answered prints the operation that was called and returns its answer. A failure ends the program.
export function answered<T>(operation: string, result: { data?: T; error?: unknown; response?: Response }): T {
  if (result.error !== undefined || !result.response?.ok) {
    throw new Error(`${operation}: ${result.response?.status} ${JSON.stringify(result.error)}`);
  }
  console.log(operation);
  return result.data as T;
}

export function equal(what: string, got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) {
    throw new Error(`${what} is ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
  }
}

// shares reads one number of an answer of /calculate, whose members depend on the legislation.
export function shares(answer: { [key: string]: unknown }): unknown {
  const groups = answer["foyers_fiscaux"] as Record<string, Record<string, Record<string, number>>>;
  return groups["f"]?.["nbptr"]?.["2024"];
}
