import { usePages } from "../messages/pages";
import { Person } from "../messages/person";
import { when } from "../messages/words";
import { place, replace } from "../router";
import { client } from "../session";
import { text } from "../text";
import { Input } from "../ui/field";
import { Empty, Shown } from "../ui/state";
import { Table } from "../ui/table";

export function Audit() {
  const user = place.value.query.get("user") ?? "";
  const pages = usePages(user, async (cursor, signal) => {
    const query = { size: 50, ...(user !== "" && { user }), ...(cursor !== undefined && { cursor }) };
    const list = await client.get("/auth/audit", { query, ...(signal && { signal }) });
    return { rows: list.entries, next: list.nextCursor };
  });
  return (
    <section class="page">
      <header class="stack tight">
        <h1>{text("audit.title")}</h1>
        <p class="soft">{text("audit.lead")}</p>
      </header>
      <Input label={text("audit.user")} type="search" value={user} onInput={(typed) => replace(typed.trim() === "" ? "/audit" : `/audit?user=${encodeURIComponent(typed.trim())}`)} />
      <Shown answer={pages.answer}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty>{text("audit.none")}</Empty>
          ) : (
            <Table
              caption={text("audit.title")}
              hideCaption
              rows={entries}
              keyOf={(e) => String(e.id)}
              columns={[
                { name: text("audit.at"), cell: (e) => when(e.at) },
                { name: text("audit.by"), cell: (e) => <Person id={e.by} /> },
                { name: text("audit.act"), cell: (e) => <code>{e.act}</code> },
                { name: text("audit.whom"), cell: (e) => <Person id={e.userId} /> },
                { name: text("audit.detail"), cell: (e) => e.detail },
                { name: text("users.address"), cell: (e) => [e.via, e.address].filter((s) => s !== "").join(" · ") },
              ]}
            />
          )
        }
      </Shown>
      {pages.more}
    </section>
  );
}
