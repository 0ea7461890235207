import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { useKey } from "../keys";
import { type Catalogue, lawLanguage } from "../law/catalogue";
import { periodName } from "../law/kinds";
import { WithLaw } from "../law/use";
import { address, go, place, replace, visits } from "../router";
import { client } from "../session";
import { fold, language, text } from "../text";
import { Field, Select } from "../ui/field";
import { Empty } from "../ui/state";
import { VirtualList } from "../ui/virtual";

/** Entry is a variable or a parameter, in the list. */
interface Entry {
  id: string;
  label: string;
  kind: "variable" | "parameter";
  about: string;
  path: string;
  folded: string;
  entity: string;
  formula: boolean;
}

function entriesOf(c: Catalogue): Entry[] {
  const variables = c.variables.map((v): Entry => ({ id: v.id, label: v.label, kind: "variable", about: `${v.entity.label} · ${periodName(v.period)}`, path: `/law/v/${encodeURIComponent(v.id)}`, folded: v.folded, entity: v.entity.key, formula: v.formula }));
  const parameters = c.parameters
    .filter((p) => p.kind !== "node")
    .map((p): Entry => ({ id: p.id, label: p.label, kind: "parameter", about: p.kind, path: `/law/p/${encodeURIComponent(p.id)}`, folded: p.folded, entity: "", formula: false }));
  return [...variables, ...parameters];
}

function isShown(e: Entry, facet: string): boolean {
  return facet === "" || facet === e.kind || facet === `entity:${e.entity}` || (facet === "input" && e.kind === "variable" && !e.formula);
}

/** found are the entries that all words match, those first whose id begins with them. */
function found(all: Entry[], typed: string, facet: string): Entry[] {
  const words = fold(typed).split(/\s+/).filter((w) => w !== "");
  const first = words[0];
  const matching = all.filter((e) => isShown(e, facet) && words.every((w) => e.folded.includes(w)));
  if (first === undefined) return matching;
  const rank = (e: Entry): number => (e.id === typed ? 0 : e.folded.startsWith(first) ? 1 : 2);
  return matching.map((e) => ({ e, r: rank(e) })).sort((a, b) => a.r - b.r).map(({ e }) => e);
}

/** useSimilar returns what the server finds for words that match nothing as they are typed: it allows for typing errors and reads documentation. */
function useSimilar(all: Entry[], typed: string, facet: string, wanted: boolean): { rows: Entry[]; busy: boolean } {
  const answer = useAnswer(wanted ? typed : undefined, (signal) => client.get("/api/2/search", { query: { q: typed }, signal }) as Promise<{ results?: { kind: string; id: string }[] }>);
  if (!wanted) return { rows: [], busy: false };
  const byKey = new Map(all.map((e) => [`${e.kind} ${e.id}`, e]));
  const rows = (answer.value?.results ?? []).flatMap((r) => byKey.get(`${r.kind} ${r.id}`) ?? byKey.get(`parameter ${r.id}`) ?? []).filter((e) => isShown(e, facet));
  return { rows, busy: answer.busy };
}

export function Law() {
  return (
    <section class="page">
      <h1>{text("law.title")}</h1>
      <WithLaw>{(c) => <Explorer catalogue={c} />}</WithLaw>
    </section>
  );
}

function Explorer(props: { catalogue: Catalogue }) {
  const c = props.catalogue;
  const typed = place.value.query.get("q") ?? "";
  const facet = place.value.query.get("kind") ?? "";
  const field = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState(0);
  const all = useMemo(() => entriesOf(c), [c, language.value]);
  const exact = useMemo(() => found(all, typed, facet), [all, typed, facet]);
  const similar = useSimilar(all, typed, facet, exact.length === 0 && typed.trim() !== "");
  const rows = exact.length > 0 ? exact : similar.rows;
  useEffect(() => setChosen(0), [typed, facet]);
  useEffect(() => field.current?.focus(), [visits.value]);
  useKey("/", () => field.current?.focus());
  const set = (q: string, kind: string): void => {
    const query = new URLSearchParams();
    if (q !== "") query.set("q", q);
    if (kind !== "") query.set("kind", kind);
    const written = query.toString();
    replace(written === "" ? "/law" : `/law?${written}`);
  };
  const open = rows[chosen];
  const facets = [["", text("law.everything")], ["variable", text("law.variables")], ["input", text("law.inputs")], ["parameter", text("law.parameters")], ...[c.person, ...c.groups].map((e) => [`entity:${e.key}`, e.label])] as [string, string][];
  return (
    <div class="stack">
      <p class="soft">{text("law.lead", { law: `${c.name} ${c.version}`, variables: c.variables.length, parameters: c.parameters.length })}</p>
      <div class="row-of end">
        <div class="wider">
          <Field label={text("law.search")}>
            {(id) => (
              <input
                id={id}
                ref={field} data-first=""
                type="search"
                autocomplete="off"
                value={typed}
                onInput={(event) => set(event.currentTarget.value, facet)}
                onKeyDown={(event) => {
                  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
                  if (step !== 0) {
                    event.preventDefault();
                    setChosen(Math.max(0, Math.min(rows.length - 1, chosen + step)));
                  } else if (event.key === "Enter" && open !== undefined) {
                    go(open.path);
                  }
                }}
              />
            )}
          </Field>
        </div>
        <div class="grow">
          <Select label={text("law.show")} value={facet} choices={facets} onChange={(kind) => set(typed, kind)} />
        </div>
      </div>
      <p role="status" class="soft">
        {similar.busy ? text("state.loading") : text(exact.length === 0 && rows.length > 0 ? "law.similar" : "law.count", { count: rows.length })}
      </p>
      {rows.length === 0 ? (
        <Empty>{similar.busy ? "" : text("law.none")}</Empty>
      ) : (
        <div class="explorer">
          <VirtualList label={text("law.title")} rows={rows} rowHeight={52} keyOf={(e) => `${e.kind}-${e.id}`} chosen={chosen} onChoose={setChosen} onOpen={(e) => go(e.path)}>
            {(e) => (
              <>
                <span class="line-of" lang={lawLanguage()}>
                  {e.label}
                </span>
                <small class="line-of">
                  <code>{e.id}</code>
                </small>
              </>
            )}
          </VirtualList>
          {open !== undefined && (
            <article class="card" aria-label={open.label}>
              <h2 lang={lawLanguage()}>{open.label}</h2>
              <p>
                <code>{open.id}</code>
              </p>
              <p class="soft">
                {text(open.kind === "variable" ? (open.formula ? "law.computedVariable" : "law.inputVariable") : "law.parameter")}
                {open.kind === "variable" ? ` · ${open.about}` : ""}
              </p>
              <a class="button primary" href={address(open.path)}>
                {text("law.open")}
              </a>
            </article>
          )}
        </div>
      )}
    </div>
  );
}
