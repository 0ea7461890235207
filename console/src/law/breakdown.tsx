// How the total comes about: a waterfall whose bars open, and the same as a table.

import { useState } from "preact/hooks";

import { Frame } from "../charts/frame";
import { type Bar, Waterfall } from "../charts/waterfall";
import { money, text } from "../text";
import { Table } from "../ui/table";
import { type Catalogue, lawLanguage } from "./catalogue";
import { type Household, request } from "./household";
import { at, type Figure, isZero, type Simulated } from "./simulate";

export interface BreakdownProps {
  catalogue: Catalogue;
  household: Household;
  simulated: Simulated;
  reform?: number | undefined;
  monthly: boolean;
  chosen?: string | undefined;
  onChoose: (code: string) => void;
  table?: boolean;
}

interface Row extends Bar {
  code: string;
  opens: boolean;
}

/** rowsOf lists the parts of a tree in the order of the waterfall, opened where they are opened; what is nothing is left out. */
function rowsOf(tree: Figure, base: Figure | undefined, opened: ReadonlySet<string>, share: number, level = 0, above = ""): Row[] {
  return tree.children.flatMap((child) => {
    const other = base?.children.find((b) => b.code === child.code);
    if (isZero(child) && (other === undefined || isZero(other))) return [];
    const key = `${above}/${child.code}`;
    const row: Row = {
      key,
      code: child.code,
      label: child.name,
      value: at(child) * share,
      base: other === undefined ? undefined : at(other) * share,
      level,
      total: false,
      opens: child.children.some((c) => !isZero(c)),
    };
    return [row, ...(opened.has(key) ? rowsOf(child, other, opened, share, level + 1, key) : [])];
  });
}

export function Breakdown(props: BreakdownProps) {
  const { tree, base } = props.simulated;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const share = props.monthly ? 1 / 12 : 1;
  const rows = rowsOf(tree, base, opened, share);
  const total: Row = { key: "/", code: tree.code, label: tree.name, value: at(tree) * share, base: base === undefined ? undefined : at(base) * share, level: 0, total: true, opens: false };
  const all = [...rows, total];
  const toggle = (key: string): void => {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    setOpened(next);
  };
  const currency = props.catalogue.currency;
  const title = text(props.monthly ? "breakdown.titleMonth" : "breakdown.title", { period: props.household.period });
  return (
    <div class="stack">
      <Frame
        title={title}
        name="waterfall"
        data={() => ({ columns: ["variable", "label", "value", ...(base === undefined ? [] : ["base"])], rows: all.map((r) => [r.code, r.label, r.value, ...(r.base === undefined ? [] : [r.base])]) })}
        request={{ path: "/api/1/simulate", body: request(props.catalogue, props.household, props.reform) }}
      >
        {(width) => (
          <Waterfall
            width={width}
            bars={all}
            currency={currency}
            label={title}
            chosen={all.find((r) => r.code === props.chosen)?.key}
            onChoose={(key) => {
              const row = all.find((r) => r.key === key);
              if (row?.opens) toggle(key);
              if (row !== undefined) props.onChoose(row.code);
            }}
          />
        )}
      </Frame>
      <p class="soft no-print">{text("breakdown.hint")}</p>
      {props.table && (
        <Table
          caption={text("breakdown.table")}
          rows={allRows(tree, base, share)}
          keyOf={(r) => r.key}
          columns={[
            { name: text("breakdown.part"), cell: (r) => <span class={`level${Math.min(3, r.level)}`} lang={lawLanguage()}>{r.label}</span> },
            ...(base === undefined ? [] : [{ name: text("breakdown.base"), figures: true, cell: (r: Row) => money(r.base ?? 0, currency) }]),
            { name: text(base === undefined ? "breakdown.amount" : "breakdown.reform"), figures: true, cell: (r: Row) => money(r.value, currency) },
            ...(base === undefined ? [] : [{ name: text("breakdown.difference"), figures: true, cell: (r: Row) => money(r.value - (r.base ?? 0), currency, true) }]),
          ]}
        />
      )}
    </div>
  );
}

function allRows(tree: Figure, base: Figure | undefined, share: number): Row[] {
  const everything = { has: () => true } as unknown as ReadonlySet<string>;
  const rows = rowsOf(tree, base, everything, share);
  return [...rows, { key: "/", code: tree.code, label: tree.name, value: at(tree) * share, base: base === undefined ? undefined : at(base) * share, level: 0, total: true, opens: false }];
}
