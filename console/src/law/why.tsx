// Why a figure is what it is: the formula, what it read and what it asked for, down to the article.

import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { address } from "../router";
import { client } from "../session";
import { day, money, number, percent, text } from "../text";
import { Shown } from "../ui/state";
import { type Catalogue, lawLanguage } from "./catalogue";
import { type Household, request } from "./household";

interface Reference {
  title?: string;
  href?: string;
}

interface Read {
  name: string;
  label?: string;
  value: unknown;
  since?: string;
  unit?: string | null;
  references?: (Reference | string)[];
}

interface Because {
  line: number;
  text: string;
  is: unknown;
  sides?: { text: string; value: unknown }[];
}

export interface Branch {
  variable: string;
  label?: string;
  entity?: string;
  period: string;
  index: number;
  id?: string | null;
  value: unknown;
  others?: unknown;
  origin: "formula" | "input" | "default" | "neutralized";
  formula?: { file: string; line: number };
  parameters?: Read[];
  branches?: Branch[];
  zeros?: string[];
  more?: number;
  because?: Because[];
  cut?: "depth" | "size" | "shown";
  folded?: boolean;
}

interface Reason {
  value: Branch;
  figure: string;
}

const origins = { formula: "why.formula", input: "why.input", default: "why.default", neutralized: "why.neutralized" } as const;

function step(b: Branch): string {
  return `${b.variable}<${b.period}>[${b.index}]`;
}

interface WhyProps {
  catalogue: Catalogue;
  household: Household;
  reform?: number | undefined;
  variable: string;
}

export function Why(props: WhyProps) {
  const of = props.catalogue.byId.get(props.variable);
  const [member, setMember] = useState(0);
  const persons = of?.entity === props.catalogue.person;
  const index = persons ? Math.min(member, props.household.people.length - 1) : 0;
  if (of === undefined) return <p class="soft">{text("why.unknown", { name: props.variable })}</p>;
  return (
    <div class="stack">
      {persons && props.household.people.length > 1 && (
        <div class="chips" role="group" aria-label={text("why.member")}>
          {props.household.people.map((p, i) => (
            <button key={p.id} type="button" class="chip" aria-pressed={i === index} onClick={() => setMember(i)}>
              {p.id}
            </button>
          ))}
        </div>
      )}
      <Opened {...props} path={undefined} index={index} depth={2} />
    </div>
  );
}

/** Opened asks for a figure, or for a branch of it by the steps that lead there, and shows it. */
function Opened(props: WhyProps & { path: string[] | undefined; index: number; depth: number }) {
  const of = props.catalogue.byId.get(props.variable);
  const year = props.household.period.slice(0, 4);
  const period = of?.period === "month" ? `${year}-12` : of?.period === "eternity" ? undefined : props.household.period;
  const body = {
    ...request(props.catalogue, props.household, props.reform),
    figure: { variable: props.variable, index: props.index, ...(period === undefined ? {} : { period }) },
    depth: props.depth,
    ...(props.path === undefined ? {} : { path: props.path }),
  };
  const answer = useAnswer(JSON.stringify(body), (signal) => client.post("/api/2/why", { body: body as never, signal }) as unknown as Promise<Reason>);
  return <Shown answer={answer}>{(got) => <BranchView {...props} branch={got.value} steps={props.path ?? [step(got.value)]} open />}</Shown>;
}

function BranchView(props: WhyProps & { branch: Branch; steps: string[]; open?: boolean; index: number }) {
  const b = props.branch;
  const [asked, setAsked] = useState(false);
  const goesOn = b.cut === "depth" || b.cut === "size" || (b.folded === true && b.because === undefined);
  const leaf = (b.branches?.length ?? 0) + (b.parameters?.length ?? 0) + (b.because?.length ?? 0) + (b.zeros?.length ?? 0) === 0 && !goesOn;
  const whose = props.catalogue.byId.get(b.variable)?.entity === props.catalogue.person ? b.id : undefined; // groups have numbers, which say nothing
  const head = (
    <>
      <span class="why-label" lang={lawLanguage()}>
        {b.label ?? b.variable}
      </span>
      <span class="why-value">{shown(b.value, props.catalogue)}</span>
      <small>
        {[whose, b.period, text(origins[b.origin])].filter((part) => part !== undefined && part !== null && part !== "").join(" · ")}
        {b.cut === "shown" ? ` · ${text("why.elsewhere")}` : ""}
      </small>
    </>
  );
  if (leaf) return <div class="why leaf">{head}</div>;
  return (
    <details class="why" open={props.open} onToggle={(event) => event.currentTarget.open && goesOn && setAsked(true)}>
      <summary>{head}</summary>
      <div class="why-inside">
        <a href={address(`/law/v/${encodeURIComponent(b.variable)}`)}>
          <code>{b.variable}</code>
        </a>
        {b.because?.map((x) => <BecauseView key={`${x.line}${x.text}`} because={x} catalogue={props.catalogue} />)}
        {b.parameters?.map((p) => <ReadView key={p.name} read={p} catalogue={props.catalogue} />)}
        {goesOn ? (
          asked && <Opened {...props} path={props.steps} depth={2} />
        ) : (
          b.branches?.map((child) => <BranchView key={step(child)} {...props} open={false} branch={child} steps={[...props.steps, step(child)]} />)
        )}
        {b.zeros !== undefined && b.zeros.length > 0 && <p class="soft">{text("why.zeros", { names: b.zeros.slice(0, 12).join(", ") })}</p>}
        {b.more !== undefined && b.more > 0 && <p class="soft">{text("why.more", { count: b.more })}</p>}
      </div>
    </details>
  );
}

function BecauseView(props: { because: Because; catalogue: Catalogue }) {
  return (
    <p class="because">
      <code>{props.because.text}</code> = <strong>{shown(props.because.is, props.catalogue)}</strong>
      {props.because.sides?.map((s) => (
        <span key={s.text} class="side-of">
          <code>{s.text}</code> = {shown(s.value, props.catalogue)}
        </span>
      ))}
    </p>
  );
}

function ReadView(props: { read: Read; catalogue: Catalogue }) {
  const r = props.read;
  return (
    <p class="read">
      <a href={address(`/law/p/${encodeURIComponent(r.name)}`)} lang={lawLanguage()}>
        {r.label ?? r.name}
      </a>
      <strong>{parameterValue(r.value, r.unit, props.catalogue)}</strong>
      {r.since !== undefined && <small>{text("why.since", { day: day(r.since) })}</small>}
      <References references={r.references} />
    </p>
  );
}

export function References(props: { references: (Reference | string)[] | undefined }) {
  const links = (props.references ?? []).map((r) => (typeof r === "string" ? { href: r, title: r } : { href: r.href, title: r.title ?? r.href ?? "" }));
  if (links.length === 0) return null;
  return (
    <span class="references">
      {links.map((l) =>
        l.href !== undefined && /^https?:/.test(l.href) ? (
          <a key={l.title} href={l.href} target="_blank" rel="noreferrer noopener">
            {l.title}
          </a>
        ) : (
          <span key={l.title}>{l.title}</span>
        ),
      )}
    </span>
  );
}

/** shown writes a value of the law for people. */
function shown(value: unknown, c: Catalogue): string {
  if (typeof value === "number") return Math.abs(value) >= 1000 ? money(value, c.currency) : number(value, 2);
  if (typeof value === "boolean") return text(value ? "value.yes" : "value.no");
  if (Array.isArray(value)) return value.slice(0, 6).map((v) => shown(v, c)).join("; ");
  return value === null || value === undefined ? "–" : typeof value === "object" ? JSON.stringify(value) : typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? day(value) : String(value);
}

/** parameterValue writes the value of a parameter in its unit. */
export function parameterValue(value: unknown, unit: string | null | undefined, c: Catalogue): string {
  if (typeof value === "number") {
    if (unit === "/1") return percent(value, 3);
    if (unit === "currency" || unit?.startsWith("currency")) return c.currency === undefined ? number(value, 4) : new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: c.currency, maximumFractionDigits: Number.isInteger(value) ? 0 : 4 }).format(value);
    return number(value, 6);
  }
  if (Array.isArray(value)) return text("parameter.brackets", { count: value.length });
  return shown(value, c);
}
