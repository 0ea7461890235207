// What each member has of it: the variables of persons behind the total, one column for each person.

import { useAnswer } from "../answer";
import { client } from "../session";
import { money, text } from "../text";
import { Shown } from "../ui/state";
import { Table } from "../ui/table";
import type { Catalogue, Variable } from "./catalogue";
import { type Household, monthsOf, request } from "./household";
import type { Figure } from "./simulate";

function personVariables(tree: Figure, c: Catalogue, found: Variable[] = []): Variable[] {
  const v = c.byId.get(tree.code);
  if (v !== undefined && v.entity === c.person && v.type === "Float" && !found.includes(v)) found.push(v);
  for (const child of tree.children) personVariables(child, c, found);
  return found;
}

interface Values {
  value: Record<string, Record<string, Record<string, number> | undefined>[]>[];
}

/** askedFor are the periods on which a variable is asked for: laws need not say how months make a year, so they are added up here. */
function askedFor(v: Variable, period: string): string[] {
  return v.period === "month" ? monthsOf(period) : [period];
}

export function Members(props: { catalogue: Catalogue; household: Household; tree: Figure; reform?: number | undefined; monthly: boolean }) {
  const { catalogue: c, household: h } = props;
  const variables = personVariables(props.tree, c);
  const asked = variables.flatMap((v) => askedFor(v, h.period).map((period) => ({ name: v.id, period })));
  const body = { ...request(c, h, props.reform), variables: asked };
  const answer = useAnswer(variables.length === 0 ? undefined : JSON.stringify(body), (signal) => client.post("/api/1/calculate", { body: body as never, signal }) as unknown as Promise<Values>);
  if (variables.length === 0) return null;
  const share = props.monthly ? 1 / 12 : 1;
  return (
    <Shown answer={answer}>
      {(got) => {
        const members = got.value[0]?.[c.person.plural] ?? [];
        const valueOf = (v: Variable, i: number): number => askedFor(v, h.period).reduce((sum, period) => sum + (members[i]?.[v.id]?.[period] ?? 0), 0);
        const rows = variables.filter((v) => h.people.some((_, i) => Math.abs(valueOf(v, i)) >= 0.005));
        return (
          <Table
            caption={text("household.members")}
            rows={rows}
            keyOf={(v) => v.id}
            columns={[
              { name: text("breakdown.part"), cell: (v) => v.label },
              ...h.people.map((p, i) => ({ name: p.id, figures: true, cell: (v: Variable) => money(valueOf(v, i) * share, c.currency) })),
            ]}
          />
        );
      }}
    </Shown>
  );
}
