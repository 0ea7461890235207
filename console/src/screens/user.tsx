import type { components } from "edict-client";
import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { Confirm, Copy, Refused, useAct } from "../messages/act";
import { when } from "../messages/words";
import { address, go, type Params } from "../router";
import { client, user } from "../session";
import { text } from "../text";
import { Dialog } from "../ui/dialog";
import { Input } from "../ui/field";
import { Empty, Shown } from "../ui/state";
import { Table } from "../ui/table";

type Listed = components["schemas"]["ListedBody"];

/** read finds a user in the list of all, which says more than the profile. */
async function read(id: string, signal: AbortSignal): Promise<Listed> {
  const profile = await client.get("/auth/users/{id}", { path: { id }, signal });
  let cursor: string | undefined;
  for (;;) {
    const list = await client.get("/auth/users", { query: { q: profile.username, size: 50, ...(cursor !== undefined && { cursor }) }, signal });
    const found = "users" in list ? list.users.find((u) => u.userId === id) : undefined;
    if (found !== undefined) return found;
    if (!("users" in list) || !list.nextCursor) return { admin: false, disabled: false, displayName: "", devices: [], ...profile };
    cursor = list.nextCursor;
  }
}

export function User(props: { params: Params }) {
  const id = props.params["id"] ?? "";
  return <Known key={id} id={id} />;
}

function Known(props: { id: string }) {
  const answer = useAnswer(props.id, (signal) => read(props.id, signal));
  return (
    <section class="page">
      {answer.value === undefined && <h1>{props.id}</h1>}
      <Shown answer={answer}>
        {(u) => (
          <>
            <Head of={u} again={answer.again} />
            <Sessions id={u.userId} />
            <Devices of={u} again={answer.again} />
          </>
        )}
      </Shown>
    </section>
  );
}

function Head(props: { of: Listed; again: () => void }) {
  const u = props.of;
  const act = useAct();
  const [open, setOpen] = useState<"" | "delete" | "code" | "name">("");
  const [code, setCode] = useState("");
  const path = { id: u.userId };
  const change = (body: components["schemas"]["ChangeBody"]): void => {
    void act.run(() => client.patch("/auth/users/{id}", { path, body })).then((done) => done && props.again());
  };
  const issue = async (): Promise<void> => {
    const issued = await client.post("/auth/users/{id}/reset", { path });
    setCode(issued.code);
    setOpen("code");
  };
  const marks = [u.admin && text("users.admin"), u.disabled && text("users.disabled")].filter((m) => m !== false);
  return (
    <header class="stack">
      <div class="row-of">
        <h1>{u.displayName || u.username}</h1>
        {marks.map((m) => (
          <span key={m} class="chip">
            {m}
          </span>
        ))}
      </div>
      <p class="soft">
        {u.username} · <code>{u.userId}</code> · {text("users.created")} {when(u.createdAt)} · {text("users.lastSeen")} {when(u.lastSeenAt)}
      </p>
      <div class="row-of no-print">
        <a class="button" href={address(`/deliveries?user=${encodeURIComponent(u.userId)}`)}>
          {text("deliveries.title")}
        </a>
        <a class="button" href={address(`/audit?user=${encodeURIComponent(u.userId)}`)}>
          {text("audit.title")}
        </a>
        <button type="button" onClick={() => setOpen("name")}>
          {text("users.rename")}
        </button>
        <button type="button" disabled={act.busy} onClick={() => void act.run(issue)}>
          {text("users.reset")}
        </button>
        {u.userId !== user.value?.id && (
          <>
            <button type="button" disabled={act.busy} onClick={() => change({ disabled: !u.disabled })}>
              {text(u.disabled ? "users.enable" : "users.disable")}
            </button>
            <button type="button" class="danger" onClick={() => setOpen("delete")}>
              {text("users.delete")}
            </button>
          </>
        )}
      </div>
      <Refused error={act.error} />
      {open === "delete" && (
        <Confirm title={text("users.delete")} does={text("users.delete")} name={u.username} onClose={() => setOpen("")} act={() => client.delete("/auth/users/{id}", { path }).then(() => go("/users"))}>
          {text("users.deleteSure", { name: u.username })}
        </Confirm>
      )}
      {open === "code" && (
        <Dialog title={text("users.reset")} onClose={() => setOpen("")}>
          <p>{text("users.resetHelp", { name: u.username })}</p>
          <p class="row-of">
            <code class="code">{code}</code>
            <Copy label={text("users.copyCode")} what={() => code} />
          </p>
        </Dialog>
      )}
      {open === "name" && <Rename of={u} onClose={() => setOpen("")} onDone={props.again} />}
    </header>
  );
}

function Rename(props: { of: Listed; onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState(props.of.displayName);
  const act = useAct();
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(await act.run(() => client.patch("/auth/users/{id}", { path: { id: props.of.userId }, body: { displayName: name } })))) return;
    props.onClose();
    props.onDone();
  };
  return (
    <Dialog title={text("users.rename")} onClose={props.onClose}>
      <form onSubmit={(event) => void send(event)}>
        <Input label={text("users.displayName")} value={name} onInput={setName} />
        <Refused error={act.error} />
        <button type="submit" class="primary" disabled={act.busy}>
          {text("channels.save")}
        </button>
      </form>
    </Dialog>
  );
}

function Sessions(props: { id: string }) {
  const answer = useAnswer(props.id, (signal) => client.get("/auth/sessions", { query: { user: props.id }, signal }));
  const act = useAct();
  const run = (work: () => Promise<unknown>): void => {
    void act.run(work).then((done) => done && answer.again());
  };
  return (
    <section class="stack tight">
      <div class="row-of between">
        <h2>{text("users.sessions")}</h2>
        {answer.value !== undefined && answer.value.sessions.length > 0 && (
          <button type="button" class="danger" disabled={act.busy} onClick={() => run(() => client.delete("/auth/sessions", { query: { user: props.id } }))}>
            {text("users.endAll")}
          </button>
        )}
      </div>
      <Refused error={act.error} />
      <Shown answer={answer}>
        {(list) =>
          list.sessions.length === 0 ? (
            <Empty>{text("users.noSessions")}</Empty>
          ) : (
            <Table
              caption={text("users.sessions")}
              hideCaption
              rows={list.sessions}
              keyOf={(s) => s.sessionId}
              columns={[
                { name: text("users.kind"), cell: (s) => (s.kind === "token" ? text("users.token") : text("users.session")) + (s.current ? ` (${text("users.current")})` : "") },
                { name: text("users.client"), cell: (s) => [s.clientId, s.deviceId].filter(Boolean).join(" · ") || "–" },
                { name: text("users.address"), cell: (s) => s.address || "–" },
                { name: text("users.lastSeen"), cell: (s) => when(s.lastSeenAt) },
                { name: text("users.expires"), cell: (s) => when(s.expiresAt) },
                {
                  name: text("users.acts"),
                  cell: (s) => (
                    <button type="button" class="quiet" disabled={act.busy} onClick={() => run(() => client.delete("/auth/sessions/{id}", { path: { id: s.sessionId } }))}>
                      {text("users.end")}
                    </button>
                  ),
                },
              ]}
            />
          )
        }
      </Shown>
    </section>
  );
}

function Devices(props: { of: Listed; again: () => void }) {
  const act = useAct();
  const { userId, devices } = props.of;
  return (
    <section class="stack tight">
      <h2>{text("users.devices")}</h2>
      <Refused error={act.error} />
      {devices.length === 0 ? (
        <Empty>{text("users.noDevices")}</Empty>
      ) : (
        <Table
          caption={text("users.devices")}
          hideCaption
          rows={devices}
          keyOf={(d) => d.deviceId}
          columns={[
            { name: text("users.device"), cell: (d) => d.label || d.deviceId },
            { name: text("users.platform"), cell: (d) => d.platform },
            { name: text("users.push"), cell: (d) => d.push ?? text("users.noPush") },
            { name: text("users.created"), cell: (d) => when(d.createdAt) },
            {
              name: text("users.acts"),
              cell: (d) => (
                <button
                  type="button"
                  class="quiet"
                  disabled={act.busy}
                  onClick={() => void act.run(() => client.delete("/auth/users/{id}/devices/{deviceId}", { path: { id: userId, deviceId: d.deviceId } })).then((done) => done && props.again())}
                >
                  {text("channels.remove")}
                </button>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}
