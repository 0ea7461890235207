import { useAnswer } from "../answer";
import { Curve } from "../charts/curve";
import { Frame } from "../charts/frame";
import { type Catalogue, lawLanguage } from "../law/catalogue";
import { preset } from "../law/household";
import { pack } from "../law/link";
import { WithLaw } from "../law/use";
import { parameterValue, References } from "../law/why";
import { address, go, type Params } from "../router";
import { client } from "../session";
import { day, text } from "../text";
import { Shown } from "../ui/state";
import { Table } from "../ui/table";
import type { Linked } from "./variable";

interface Dated {
  start: string;
  stop: string | null;
  value: unknown;
  references?: { title?: string; href?: string }[];
}

type Bracket = Partial<Record<"threshold" | "rate" | "amount" | "average_rate", Dated[]>>;

interface Page {
  parameter: {
    id: string;
    label: string | null;
    description: string | null;
    type: "Parameter" | "Scale" | "Node";
    unit: string | null;
    threshold_unit?: string;
    rate_unit?: string;
    references: (string | { title?: string; href?: string })[];
    values?: Dated[];
    brackets?: Bracket[];
    children?: { name: string; id: string; label: string; type: string }[];
    variables: Linked[];
  };
}

export function ParameterScreen(props: { params: Params }) {
  const path = props.params["path"] ?? "";
  const answer = useAnswer(path, (signal) => client.get("/api/2/parameter/{path}", { path: { path }, signal }) as unknown as Promise<Page>);
  return (
    <section class="page" key={path}>
      <a href={address("/law")}>{text("law.back")}</a>
      {answer.value === undefined && <h1>{path}</h1>}
      <Shown answer={answer}>{(got) => <WithLaw>{(c) => <Whole page={got} catalogue={c} />}</WithLaw>}</Shown>
    </section>
  );
}

function Whole(props: { page: Page; catalogue: Catalogue }) {
  const p = props.page.parameter;
  const c = props.catalogue;
  const last = p.values?.[0];
  const change = (): void => {
    const h = preset(c, "family");
    void pack({ ...h, reforms: [[{ name: p.label ?? p.id, parameters: { [p.id]: { [`${h.period}-01-01`]: last?.value ?? 0 } } }]] }).then((packed) => go(`/compare#${packed}`));
  };
  return (
    <>
      <header class="stack tight">
        <h1 lang={lawLanguage()}>{p.label ?? p.id}</h1>
        <p>
          <code>{p.id}</code>
        </p>
        {p.description !== null && <p lang={lawLanguage()}>{p.description}</p>}
        <References references={p.references} />
        {p.values !== undefined && (
          <p class="result">
            <strong>{parameterValue(last?.value, p.unit, c)}</strong>
            {last !== undefined && <span class="soft">{text("why.since", { day: day(last.start) })}</span>}
          </p>
        )}
        {p.values !== undefined && typeof last?.value === "number" && (
          <div>
            <button type="button" class="primary" onClick={change}>
              {text("parameter.change")}
            </button>
          </div>
        )}
      </header>
      {p.values !== undefined && <History page={props.page} catalogue={c} />}
      {p.brackets !== undefined && <Brackets page={props.page} catalogue={c} />}
      {p.children !== undefined && (
        <ul class="plain-list">
          {p.children.map((child) => (
            <li key={child.id}>
              <a href={address(`/law/p/${encodeURIComponent(child.id)}`)} lang={lawLanguage()}>{child.label || child.name}</a> <code>{child.name}</code>
            </li>
          ))}
        </ul>
      )}
      <section class="stack tight">
        <h2>{text("parameter.readers")}</h2>
        {p.variables.length === 0 && <p class="soft">{text("parameter.noReaders")}</p>}
        <ul class="plain-list">
          {p.variables.map((v) => (
            <li key={v.id}>
              <a href={address(`/law/v/${encodeURIComponent(v.id)}`)}>{v.label || v.id}</a> <code>{v.id}</code>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** yearOf is a day as a number that a chart can place. */
function yearOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getTime() / (365.25 * 86_400_000) + 1970;
}

function History(props: { page: Page; catalogue: Catalogue }) {
  const p = props.page.parameter;
  const values = [...(p.values ?? [])].reverse();
  const drawn = values.filter((v) => typeof v.value === "number" && v.start > "0002");
  const today = Math.max(new Date().getFullYear() + 1, Math.ceil(yearOf(drawn.at(-1)?.start ?? "2000-01-01")) + 1);
  const x = [...drawn.map((v) => yearOf(v.start)), today];
  const y = [...drawn.map((v) => v.value as number), (drawn.at(-1)?.value as number | undefined) ?? 0];
  return (
    <div class="stack">
      {drawn.length > 1 && (
        <Frame title={text("parameter.history")} name={p.id} data={() => ({ columns: ["start", "value"], rows: values.map((v) => [v.start, typeof v.value === "number" ? v.value : String(v.value)]) })} request={{ path: `/api/2/parameter/${p.id}` }}>
          {(width) => <Curve width={width} height={220} label={text("parameter.history")} x={x} lines={[{ key: "value", label: p.id, values: y, kind: "main", stepped: true }]} writeX={(v) => String(Math.round(v))} writeY={(v) => parameterValue(v, p.unit, props.catalogue)} />}
        </Frame>
      )}
      <Table
        caption={text("parameter.values")}
        rows={p.values ?? []}
        keyOf={(v) => v.start}
        columns={[
          { name: text("parameter.since"), cell: (v) => day(v.start) },
          { name: text("breakdown.amount"), figures: true, cell: (v) => parameterValue(v.value, p.unit, props.catalogue) },
          { name: text("parameter.sources"), cell: (v) => <References references={v.references} /> },
        ]}
      />
    </div>
  );
}

/** Brackets shows a scale as it is in force, each value a link to its history. */
function Brackets(props: { page: Page; catalogue: Catalogue }) {
  const p = props.page.parameter;
  const kinds = (["threshold", "rate", "amount", "average_rate"] as const).filter((k) => p.brackets?.some((b) => b[k] !== undefined));
  const titles = { threshold: "parameter.threshold", rate: "parameter.rate", amount: "breakdown.amount", average_rate: "parameter.averageRate" } as const;
  const units = { threshold: p.threshold_unit, rate: p.rate_unit ?? "/1", amount: p.unit ?? p.threshold_unit, average_rate: p.rate_unit ?? "/1" };
  const rows = (p.brackets ?? []).map((bracket, i) => ({ bracket, i }));
  return (
    <Table
      caption={text("parameter.scale")}
      rows={rows}
      keyOf={(r) => String(r.i)}
      columns={[
        { name: text("parameter.bracket"), cell: (r) => String(r.i + 1) },
        ...kinds.map((kind) => ({
          name: text(titles[kind]),
          figures: true,
          cell: (r: { bracket: Bracket; i: number }) => {
            const now = r.bracket[kind]?.[0];
            if (now === undefined || now.value === null) return "–";
            return <a href={address(`/law/p/${encodeURIComponent(`${p.id}.brackets[${r.i}].${kind}`)}`)}>{parameterValue(now.value, units[kind], props.catalogue)}</a>;
          },
        })),
      ]}
    />
  );
}
