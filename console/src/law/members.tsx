// What each member has of it: the variables of persons behind the total, one column for each person.

import { useAnswer } from "../answer";
import { client } from "../session";
import { money, text } from "../text";
import { Shown } from "../ui/state";
import { Table } from "../ui/table";
import type { Catalogue, Variable } from "./catalogue";
import { type Household, request } from "./household";
import type { Figure } from "./simulate";

function personVariables(tree: Figure, c: Catalogue, found: Variable[] = []): Variable[] {
  const v = c.byId.get(tree.code);
  if (v !== undefined && v.entity === c.person && v.type === "Float" && !found.includes(v)) found.push(v);
  for (const child of tree.children) personVariables(child, c, found);
  return found;
}

interface Values {
  value: Record<string, number[]>[];
}

export function Members(props: { catalogue: Catalogue; household: Household; tree: Figure; reform?: number | undefined; monthly: boolean }) {
  const { catalogue: c, household: h } = props;
  const variables = personVariables(props.tree, c);
  const body = { ...request(c, h, props.reform), variables: variables.map((v) => v.id), output_format: "variables" };
  const answer = useAnswer(variables.length === 0 ? undefined : JSON.stringify(body), (signal) => client.post("/api/1/calculate", { body: body as never, signal }) as unknown as Promise<Values>);
  if (variables.length === 0) return null;
  const share = props.monthly ? 1 / 12 : 1;
  return (
    <Shown answer={answer}>
      {(got) => {
        const values = got.value[0] ?? {};
        const rows = variables.filter((v) => values[v.id]?.some((n) => Math.abs(n) >= 0.005));
        return (
          <Table
            caption={text("household.members")}
            rows={rows}
            keyOf={(v) => v.id}
            columns={[
              { name: text("breakdown.part"), cell: (v) => v.label },
              ...h.people.map((p, i) => ({ name: p.id, figures: true, cell: (v: Variable) => money((values[v.id]?.[i] ?? 0) * share, c.currency) })),
            ]}
          />
        );
      }}
    </Shown>
  );
}
