import { EdictError } from "edict-client";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { root } from "../about";
import { useAnswer } from "../answer";
import { anchor, type Block, blocks, inlines, linked, search, start, titleOf } from "../docs/markdown";
import { useKey } from "../keys";
import { address, type Params, place, replace, visits } from "../router";
import { client } from "../session";
import { fold, text } from "../text";
import { Field } from "../ui/field";
import { Empty, Shown } from "../ui/state";

type Pages = Record<string, string>;

let kept: Promise<Pages> | undefined;

async function load(): Promise<Pages> {
  const response = await client.fetch("/console/assets/docs.json");
  if (!response.ok) throw await EdictError.of("GET /console/assets/docs.json", response);
  return (await response.json()) as Pages;
}

function pages(): Promise<Pages> {
  kept ??= load().catch((error: unknown) => {
    kept = undefined;
    throw error;
  });
  return kept;
}

/** Docs is the start page with a list of all pages, and what is found in them. */
export function Docs() {
  const answer = useAnswer("docs", pages);
  const typed = place.value.query.get("q") ?? "";
  const field = useRef<HTMLInputElement>(null);
  useKey("/", () => field.current?.focus());
  const words = fold(typed).split(/\s+/).filter((w) => w !== "");
  return (
    <section class="page">
      <header class="stack tight">
        <h1>{text("docs.title")}</h1>
        <p class="lead">{text("docs.lead")}</p>
      </header>
      <Field label={text("docs.search")}>
        {(id) => <input id={id} ref={field} type="search" autocomplete="off" value={typed} onInput={(event) => replace(event.currentTarget.value === "" ? "/docs" : `/docs?q=${encodeURIComponent(event.currentTarget.value)}`)} />}
      </Field>
      <Shown answer={answer}>{(all) => (words.length > 0 ? <Found pages={all} words={words} /> : <All pages={all} />)}</Shown>
      <p>
        <a href={`${root}/docs`}>{text("docs.api")}</a>
      </p>
    </section>
  );
}

const parts = [["start", "docs.start"], ["guides", "docs.guides"], ["reference", "docs.reference"], ["concepts", "docs.concepts"]] as const;

function All(props: { pages: Pages }) {
  return (
    <>
      <section class="prose" lang="en">
        <Page name={start} content={(props.pages[start] ?? "").replace(/^# .*\n/, "")} />
      </section>
      {parts.map(([part, title]) => (
        <section key={part} class="stack tight">
          <h2>{text(title)}</h2>
          <ul class="cards plain-list" lang="en">
            {Object.entries(props.pages)
              .filter(([name]) => name.startsWith(`${part}/`))
              .map(([name, page]) => (
                <li key={name}>
                  <a href={address(`/docs/${name}`)}>{titleOf(page)}</a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Found(props: { pages: Pages; words: string[] }) {
  const key = props.words.join(" ");
  const hits = useMemo(() => search(props.pages, props.words, fold), [props.pages, key]);
  if (hits.length === 0) return <Empty>{text("docs.none")}</Empty>;
  return (
    <ul class="plain-list found" aria-label={text("household.found")}>
      {hits.map((hit, i) => (
        <li key={i}>
          <a href={`${pageAddress(hit.page)}#${anchor(hit.section)}`}>
            {hit.title}
            {hit.section !== hit.title && ` › ${hit.section.replace(/`/g, "")}`}
          </a>
          <br />
          <small>{hit.line}</small>
        </li>
      ))}
    </ul>
  );
}

/** DocsPage is one page. */
export function DocsPage(props: { params: Params }) {
  const name = props.params["page"] ?? "";
  const answer = useAnswer("docs", pages);
  const page = answer.value?.[name];
  const fragment = place.value.fragment;
  useEffect(() => {
    if (page !== undefined && fragment !== "") document.getElementById(decodeURIComponent(fragment))?.scrollIntoView();
  }, [page === undefined, name, fragment, visits.value]);
  return (
    <section class="page prose" lang="en">
      <p class="no-print">
        <a href={address("/docs")}>{text("docs.all")}</a>
      </p>
      <Shown answer={answer}>
        {(all) => {
          const content = all[name];
          return content === undefined ? <h1>{text("docs.missing")}</h1> : <Page name={name} content={content} />;
        }}
      </Shown>
    </section>
  );
}

function Page(props: { name: string; content: string }) {
  const parsed = useMemo(() => blocks(props.content), [props.content]);
  return <>{parsed.map((block, i) => <Part key={i} page={props.name} block={block} />)}</>;
}

function Part(props: { page: string; block: Block }) {
  const b = props.block;
  const inner = (words: string) => inlined(props.page, words);
  switch (b.kind) {
    case "heading": {
      const Heading = (["h1", "h2", "h3"] as const)[Math.min(b.level, 3) - 1] ?? "h3";
      return <Heading id={b.id}>{inner(b.text)}</Heading>;
    }
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{b.text}</code>
        </pre>
      );
    case "list": {
      const items = b.items.map((item, i) => <li key={i}>{inner(item)}</li>);
      return b.numbered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div class="scroll" tabIndex={0} role="region" aria-label={b.head.filter((h) => h !== "").join(", ") || text("docs.table")}>
          <table>
            <thead>
              <tr>
                {b.head.map((cell, i) => (cell === "" ? <td key={i} /> : <th key={i} scope="col">{inner(cell)}</th>))}
              </tr>
            </thead>
            <tbody>
              {b.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j}>{inner(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "quote":
      return <blockquote>{inner(b.text)}</blockquote>;
    default:
      return <p>{inner(b.text)}</p>;
  }
}

function inlined(page: string, words: string): ComponentChildren {
  return inlines(words).map((part, i) => {
    if (typeof part === "string") return part;
    if (part.kind === "link") return <Link key={i} page={page} to={part.to} words={part.text} />;
    const Tag = part.kind;
    return <Tag key={i}>{part.text}</Tag>;
  });
}

/** pageAddress is the URL of a page. The start page is part of the list. */
function pageAddress(name: string): string {
  return address(name === start ? "/docs" : `/docs/${name}`);
}

/** Link leads to another page of the documentation, or elsewhere; files of the repository are not here. */
function Link(props: { page: string; to: string; words: string }) {
  const page = linked(props.page, props.to);
  if (page !== undefined) return <a href={pageAddress(page.name) + page.fragment}>{props.words}</a>;
  if (props.to.startsWith("#")) return <a href={address(place.value.path) + props.to}>{props.words}</a>;
  if (/^https?:\/\//.test(props.to)) return <a href={props.to} rel="noreferrer">{props.words}</a>;
  return <>{props.words}</>;
}
