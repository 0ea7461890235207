// Fields of the form for a population.

import type { Catalogue, Variable } from "../law/catalogue";
import { Search } from "../law/search";
import { text } from "../text";

/** columnsOf reads the names in the first line of a CSV file; of anything else none are known here. */
export async function columnsOf(file: File): Promise<string[]> {
  if (!/\.csv$/i.test(file.name)) return [];
  const line = (await file.slice(0, 64 << 10).text()).replace(/^\uFEFF/, "").split(/\r?\n/, 1)[0] ?? "";
  const mark = [",", ";", "\t"].find((m) => line.includes(m)) ?? ",";
  return line.split(mark).map((name) => name.trim().replace(/^"(.*)"$/, "$1")).filter((name) => name !== "");
}

/** Pick chooses variables by search. */
export function Pick(props: { catalogue: Catalogue; chosen: string[]; onChange: (chosen: string[]) => void }) {
  const { catalogue: c, chosen } = props;
  return (
    <div class="stack tight">
      <p class="legend">{text("population.variables")}</p>
      <ul class="chips" aria-label={text("population.variables")}>
        {chosen.map((id) => (
          <li key={id}>
            <button type="button" class="chip" aria-label={text("population.leaveOut", { name: c.byId.get(id)?.label ?? id })} onClick={() => props.onChange(chosen.filter((other) => other !== id))}>
              {c.byId.get(id)?.label ?? id} ✕
            </button>
          </li>
        ))}
      </ul>
      <Search label={text("population.addVariable")} all={c.variables} fits={(v) => v.formula && !chosen.includes(v.id)} onTake={(v) => props.onChange([...chosen, v.id])} />
    </div>
  );
}

/** IncomeField chooses the variable whose distribution is measured: an amount of a group, such as a household. */
export function IncomeField(props: { catalogue: Catalogue; chosen: string; onChange: (id: string) => void }) {
  const { catalogue: c, chosen } = props;
  const isIncome = (v: Variable): boolean => v.formula && v.entity !== c.person && (v.type === "Float" || v.type === "Integer");
  return (
    <div class="stack tight">
      <p class="legend">{text("population.income")}</p>
      <p>{chosen === "" ? text("population.noIncome") : `${c.byId.get(chosen)?.label ?? chosen} (${chosen})`}</p>
      <Search label={text(chosen === "" ? "population.chooseIncome" : "population.changeIncome")} all={c.variables} fits={(v) => isIncome(v) && v.id !== chosen} onTake={(v) => props.onChange(v.id)} />
    </div>
  );
}
