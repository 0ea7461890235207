import { useRef, useState } from "preact/hooks";

import { useKey } from "../keys";
import { Refused, useAct } from "../messages/act";
import { userAddress } from "../messages/names";
import { usePages } from "../messages/pages";
import { when } from "../messages/words";
import { go, place, replace } from "../router";
import { client } from "../session";
import { text } from "../text";
import { Dialog } from "../ui/dialog";
import { Check, Input } from "../ui/field";
import { Empty, Shown } from "../ui/state";
import { Table } from "../ui/table";

export function Users() {
  const q = place.value.query.get("q") ?? "";
  const [making, setMaking] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useKey("/", () => search.current?.focus());
  const pages = usePages(q, async (cursor, signal) => {
    const list = await client.get("/auth/users", { query: { q, size: 50, ...(cursor !== undefined && { cursor }) }, ...(signal && { signal }) });
    return "users" in list ? { rows: list.users, next: list.nextCursor } : { rows: [] };
  });
  return (
    <section class="page">
      <div class="row-of between">
        <h1>{text("users.title")}</h1>
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          {text("users.new")}
        </button>
      </div>
      <Input label={text("users.search")} type="search" value={q} inputRef={search} onInput={(typed) => replace(typed === "" ? "/users" : `/users?q=${encodeURIComponent(typed)}`)} />
      <Shown answer={pages.answer}>
        {(users) =>
          users.length === 0 ? (
            <Empty>{text("users.none")}</Empty>
          ) : (
            <Table
              caption={text("users.title")}
              hideCaption
              rows={users}
              keyOf={(u) => u.userId}
              columns={[
                { name: text("users.name"), cell: (u) => <a href={userAddress(u.userId)}>{u.username}</a> },
                { name: text("users.displayName"), cell: (u) => u.displayName },
                { name: text("users.state"), cell: (u) => [u.admin && text("users.admin"), u.disabled && text("users.disabled")].filter(Boolean).join(", ") },
                { name: text("users.devices"), figures: true, cell: (u) => u.devices.length },
                { name: text("users.lastSeen"), cell: (u) => when(u.lastSeenAt) },
                { name: text("users.created"), cell: (u) => when(u.createdAt) },
              ]}
            />
          )
        }
      </Shown>
      {pages.more}
      {making && <NewUser onClose={() => setMaking(false)} />}
    </section>
  );
}

function NewUser(props: { onClose: () => void }) {
  const [username, setName] = useState("");
  const [password, setPassword] = useState("");
  const [admin, setAdmin] = useState(false);
  const act = useAct();
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    await act.run(async () => {
      const made = await client.post("/auth/users", { body: { username, password, ...(admin && { admin }) } });
      go(`/users/${encodeURIComponent(made.userId)}`);
    });
  };
  return (
    <Dialog title={text("users.new")} onClose={props.onClose}>
      <form onSubmit={(event) => void make(event)}>
        <Input label={text("users.name")} value={username} onInput={setName} required />
        <Input label={text("users.password")} type="password" autocomplete="new-password" value={password} onInput={setPassword} required />
        <Check label={text("users.makeAdmin")} checked={admin} onChange={setAdmin} />
        <Refused error={act.error} />
        <button type="submit" class="primary" disabled={act.busy}>
          {text("users.make")}
        </button>
      </form>
    </Dialog>
  );
}
