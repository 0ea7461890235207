// The report of a population: what it costs, who gains, and what becomes of inequality and poverty.

import { useState } from "preact/hooks";

import { Bars, type Pile } from "../charts/bars";
import { Frame } from "../charts/frame";
import { catalogue } from "../law/catalogue";
import { money, number, percent, signed, text } from "../text";
import { Select } from "../ui/field";
import { type Column, Table } from "../ui/table";
import type { Decile, Group, Pair, Report } from "./job";
import { measureOf, scaleOf } from "./words";

const currency = (): string | undefined => catalogue.value?.currency;
const label = (variable: string): string => catalogue.value?.byId.get(variable)?.label ?? variable;
const dash = "–";

function amount(value: number | null | undefined, sign = false): string {
  return value == null ? dash : money(value, currency(), sign);
}

const shares = new Set(["povertyRate", "povertyGap", "medianPovertyGap"]);

/** figure writes a measure as it is usually written: a share, an index or an amount. */
function figure(measure: string, value: number | null | undefined, difference = false): string {
  if (value == null) return dash;
  if (shares.has(measure)) return difference ? text("population.points", { count: signed(value * 100, 1) }) : percent(value);
  if (measure === "mean" || measure === "median") return money(value, currency(), difference);
  return difference ? signed(value, 4) : number(value, 4);
}

export function Findings(props: { report: Report; path: string }) {
  const r = props.report;
  const [at, setAt] = useState("");
  const groups = (r.by ?? []).flatMap((split) => split.values.map((v) => [`${split.column} = ${v.value}`, v] as const));
  const group: Group = groups.find(([name]) => name === at)?.[1] ?? r;
  return (
    <>
      {r.label !== undefined && <p class="notice synthetic">{text("population.sample")}. {text("population.sampleAbout")}</p>}
      <p class="soft">{r.income === undefined ? text("population.totalsOnly", { period: r.period }) : text("population.about", { period: r.period, income: label(r.income), scale: r.equivalence === undefined ? dash : scaleOf(r.equivalence), line: amount(r.povertyLine) })}</p>
      {groups.length > 0 && <Select label={text("population.group")} value={at} choices={[["", text("population.everybody")], ...groups.map(([name]) => [name, name] as const)]} onChange={setAt} />}
      <Cards report={r} group={group} />
      <Totals group={group} compared={r.compared} />
      <Incomes group={group} compared={r.compared} />
      <Deciles group={group} compared={r.compared} path={props.path} />
      {(group.warnings ?? []).map((w) => (
        <p key={w} class="soft">
          {w}
        </p>
      ))}
    </>
  );
}

function Card(props: { name: string; value: string; note?: string | undefined }) {
  return (
    <section class="card figure">
      <h2>{props.name}</h2>
      <p class="value">{props.value}</p>
      <p class="soft small">{props.note ?? "\u00a0"}</p>
    </section>
  );
}

/** Cards are the figures that are asked for first. */
function Cards(props: { report: Report; group: Group }) {
  const { group: g, report: r } = props;
  const measure = (name: string): Pair | undefined => g.incomes?.find((m) => m.measure === name);
  const main = (name: string) => {
    const m = measure(name);
    if (m === undefined) return null;
    return <Card key={name} name={measureOf(name)} value={figure(name, r.compared ? m.reform : m.base)} note={r.compared ? figure(name, m.difference, true) : undefined} />;
  };
  const budget = g.variables[0];
  const affected = (of: (d: Decile) => number | null | undefined): number => {
    const all = (g.deciles ?? []).reduce((sum, d) => sum + d.persons, 0);
    return (g.deciles ?? []).reduce((sum, d) => sum + d.persons * (of(d) ?? 0), 0) / (all || 1);
  };
  return (
    <div class="cards">
      <Card name={text("population.persons")} value={number(Math.round(g.persons))} note={g.households === undefined ? undefined : text("population.households", { count: Math.round(g.households) })} />
      {budget !== undefined && <Card name={text(r.compared ? "population.cost" : "population.total", { name: label(budget.variable) })} value={amount(r.compared ? budget.total.difference : budget.total.base, r.compared)} note={text("population.each", { amount: amount(r.compared ? budget.mean.difference : budget.mean.base, r.compared) })} />}
      {r.compared && g.deciles !== undefined && <Card name={text("population.winners")} value={percent(affected((d) => d.winners))} note={text("population.losersToo", { share: percent(affected((d) => d.losers)) })} />}
      {main("povertyRate")}
      {main("gini")}
    </div>
  );
}

function pairColumns<Row>(compared: boolean, of: (row: Row) => Pair, write: (row: Row, value: number | null | undefined, difference: boolean) => string): Column<Row>[] {
  const columns: Column<Row>[] = [{ name: text(compared ? "breakdown.base" : "breakdown.amount"), figures: true, cell: (row) => write(row, of(row).base, false) }];
  if (compared) {
    columns.push({ name: text("breakdown.reform"), figures: true, cell: (row) => write(row, of(row).reform, false) }, { name: text("breakdown.difference"), figures: true, cell: (row) => write(row, of(row).difference, true) });
  }
  return columns;
}

function Totals(props: { group: Group; compared: boolean }) {
  const rows = props.group.variables.flatMap((v) => [
    { key: `${v.variable} total`, name: `${label(v.variable)}, ${text("population.sum")}`, pair: v.total },
    { key: `${v.variable} mean`, name: `${label(v.variable)}, ${text("population.meanOf", { entity: v.entity })}`, pair: v.mean },
  ]);
  return <Table caption={text("population.budget")} rows={rows} keyOf={(row) => row.key} columns={[{ name: text("population.variable"), cell: (row) => row.name }, ...pairColumns<(typeof rows)[number]>(props.compared, (row) => row.pair, (_, value, difference) => amount(value, difference))]} />;
}

function Incomes(props: { group: Group; compared: boolean }) {
  const rows = props.group.incomes ?? [];
  if (rows.length === 0) return null;
  return <Table caption={text("population.incomes")} rows={rows} keyOf={(m) => m.measure} columns={[{ name: text("population.measure"), cell: (m) => measureOf(m.measure) }, ...pairColumns<(typeof rows)[number]>(props.compared, (m) => m, (m, value, difference) => figure(m.measure, value, difference))]} />;
}

function Deciles(props: { group: Group; compared: boolean; path: string }) {
  const deciles = props.group.deciles ?? [];
  if (deciles.length === 0) return null;
  const request = { path: props.path, signed: true };
  const data = () => ({
    columns: ["decile", "up_to", "persons", "mean_income", ...(props.compared ? ["mean_income_reform", "winners", "losers", "unchanged", "mean_gain"] : [])],
    rows: deciles.map((d) => [d.decile, d.upTo ?? "", d.persons, d.meanIncome.base ?? "", ...(props.compared ? [d.meanIncome.reform ?? "", d.winners ?? "", d.losers ?? "", d.unchanged ?? "", d.meanGain ?? ""] : [])]),
  });
  const main = (d: Decile): number => (props.compared ? d.meanGain : d.meanIncome.base) ?? 0;
  const first: Pile[] = deciles.map((d) => ({ label: String(d.decile), parts: [{ key: "value", value: main(d), kind: !props.compared ? "main" : main(d) < 0 ? "loss" : "gain" }], says: `${d.decile}: ${amount(main(d), props.compared)}` }));
  const title = text(props.compared ? "population.gains" : "population.meanIncomes");
  return (
    <>
      <div class="two">
        <Frame title={title} name="deciles" data={data} request={request}>
          {(width) => <Bars width={width} height={260} label={title} piles={first} writeY={(v) => money(v, currency())} />}
        </Frame>
        {props.compared && (
          <Frame title={text("population.shares")} name="winners" data={data} request={request}>
            {(width) => (
              <>
                <Bars width={width} height={260} label={text("population.shares")} piles={deciles.map(sharesOf)} writeY={(v) => percent(v, 0)} maxY={1} />
                <p class="row-of soft">
                  {(["gain", "none", "loss"] as const).map((kind) => (
                    <span key={kind}>
                      <span class={`key ${kind}`} aria-hidden="true" />
                      {text(kinds[kind])}
                    </span>
                  ))}
                </p>
              </>
            )}
          </Frame>
        )}
      </div>
      <Table
        caption={text("population.deciles")}
        rows={deciles}
        keyOf={(d) => String(d.decile)}
        columns={[
          { name: text("population.decile"), cell: (d) => d.decile },
          { name: text("population.upTo"), figures: true, cell: (d) => amount(d.upTo) },
          { name: text("population.persons"), figures: true, cell: (d) => number(Math.round(d.persons)) },
          ...pairColumns<Decile>(props.compared, (d) => d.meanIncome, (_, value, difference) => amount(value, difference)),
          ...(props.compared
            ? [
                { name: text("population.winners"), figures: true, cell: (d: Decile) => (d.winners == null ? dash : percent(d.winners)) },
                { name: text("population.losers"), figures: true, cell: (d: Decile) => (d.losers == null ? dash : percent(d.losers)) },
                { name: text("population.unchanged"), figures: true, cell: (d: Decile) => (d.unchanged == null ? dash : percent(d.unchanged)) },
                { name: text("population.meanGain"), figures: true, cell: (d: Decile) => amount(d.meanGain, true) },
              ]
            : []),
        ]}
      />
    </>
  );
}

const kinds = { gain: "population.winners", none: "population.unchanged", loss: "population.losers" } as const;

function sharesOf(d: Decile): Pile {
  const parts = [
    { key: "loss", value: d.losers ?? 0, kind: "loss" },
    { key: "none", value: d.unchanged ?? 0, kind: "none" },
    { key: "gain", value: d.winners ?? 0, kind: "gain" },
  ];
  return { label: String(d.decile), parts, says: `${d.decile}: ${text("population.winners")} ${percent(d.winners ?? 0)}, ${text("population.losers")} ${percent(d.losers ?? 0)}` };
}
