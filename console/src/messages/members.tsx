// Who is in a channel: subscribers, those who are invited, those who are kept out.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { client } from "../session";
import { number, text } from "../text";
import { Dialog } from "../ui/dialog";
import { Input } from "../ui/field";
import { Empty, Shown } from "../ui/state";
import { Refused, useAct } from "./act";
import { Person } from "./person";

const shown = 200; // of a list; who has more than that looks for one

function List(props: { ids: readonly string[]; none: string; acts: (id: string) => ComponentChildren }) {
  if (props.ids.length === 0) return <Empty>{props.none}</Empty>;
  return (
    <>
      <ul class="plain-list people">
        {props.ids.slice(0, shown).map((id) => (
          <li key={id} class="row-of between">
            <Person id={id} />
            <span class="row-of">{props.acts(id)}</span>
          </li>
        ))}
      </ul>
      {props.ids.length > shown && <p class="soft">{text("message.more", { count: props.ids.length - shown })}</p>}
    </>
  );
}

function Adding(props: { label: string; does: string; add: (id: string) => Promise<unknown>; onDone: () => void }) {
  const [id, setId] = useState("");
  const act = useAct();
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(await act.run(() => props.add(id.trim())))) return;
    setId("");
    props.onDone();
  };
  return (
    <form class="stack tight" onSubmit={(event) => void send(event)}>
      <div class="row-of end">
        <Input label={props.label} value={id} onInput={setId} required />
        <button type="submit" disabled={act.busy}>
          {props.does}
        </button>
      </div>
      <Refused error={act.error} />
    </form>
  );
}

interface Lists {
  members: string[];
  invited: string[];
  banned: string[];
}

async function read(name: string, signal: AbortSignal): Promise<Lists> {
  const request = { path: { channel_name: name }, signal };
  const [members, invited, banned] = await Promise.all([
    client.get("/message/api/v2/channels/{channel_name}/subscriptions", request),
    client.get("/message/api/v2/channels/{channel_name}/invitations", { ...request, query: { size: shown } }),
    client.get("/message/api/v2/channels/{channel_name}/bans", { ...request, query: { size: shown } }),
  ]);
  return { members: [...new Set(members.map((m) => m.userId))], invited: invited.invitations.map((i) => i.userId), banned: banned.bans.map((b) => b.userId) };
}

/** Members is the dialog of those who run a channel. */
export function Members(props: { name: string; owner: string; onClose: () => void }) {
  const answer = useAnswer(props.name, (signal) => read(props.name, signal));
  const act = useAct();
  const at = (id: string) => ({ path: { channel_name: props.name, user_id: id } });
  const run = (work: () => Promise<unknown>): void => {
    void act.run(work).then((done) => done && answer.again());
  };
  const ban = (id: string) => client.put("/message/api/v2/channels/{channel_name}/bans/{user_id}", at(id));
  const button = (label: string, id: string, work: () => Promise<unknown>) => (
    <button type="button" class="quiet" aria-label={`${label}: ${id}`} onClick={() => run(work)}>
      {label}
    </button>
  );
  return (
    <Dialog title={text("channels.members")} onClose={props.onClose}>
      <Refused error={act.error} />
      <Shown answer={answer}>
        {(lists) => (
          <>
            <section class="stack tight">
              <h3>{text("channels.subscribed", { count: number(lists.members.length) })}</h3>
              <List
                ids={lists.members}
                none={text("channels.nobody")}
                acts={(id) =>
                  id !== props.owner && (
                    <>
                      {button(text("channels.remove"), id, () => client.delete("/message/api/v2/channels/{channel_name}/subscriptions/{user_id}", at(id)))}
                      {button(text("channels.ban"), id, () => ban(id))}
                    </>
                  )
                }
              />
            </section>
            <section class="stack tight">
              <h3>{text("channels.invited")}</h3>
              <List ids={lists.invited} none={text("channels.nobody")} acts={(id) => button(text("channels.withdraw"), id, () => client.delete("/message/api/v2/channels/{channel_name}/invite/{user_id}", at(id)))} />
              <Adding
                label={text("channels.userId")}
                does={text("channels.invite")}
                add={(id) => client.post("/message/api/v2/channels/{channel_name}/invite", { path: { channel_name: props.name }, body: { userIds: [id] } })}
                onDone={answer.again}
              />
            </section>
            <section class="stack tight">
              <h3>{text("channels.banned")}</h3>
              <List ids={lists.banned} none={text("channels.nobody")} acts={(id) => button(text("channels.unban"), id, () => client.delete("/message/api/v2/channels/{channel_name}/bans/{user_id}", at(id)))} />
              <Adding label={text("channels.userId")} does={text("channels.ban")} add={ban} onDone={answer.again} />
            </section>
          </>
        )}
      </Shown>
    </Dialog>
  );
}
