import { EdictError } from "edict-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { Confirm, Copy, Refused, useAct } from "../messages/act";
import { useEvery } from "../messages/every";
import { Items, useWatch } from "../messages/items";
import { Members } from "../messages/members";
import { type Channel as Record, curl, type Item, itemsPath } from "../messages/names";
import { Person } from "../messages/person";
import { Writer } from "../messages/publish";
import { ChannelSettings, kind, permission } from "../messages/settings";
import { Tags } from "../messages/tags";
import type { Watch } from "../messages/watch";
import { address, go, type Params } from "../router";
import { client, user } from "../session";
import { moment, number, text } from "../text";
import { Dialog } from "../ui/dialog";
import { Forbidden, Shown } from "../ui/state";

export function Channel(props: { params: Params }) {
  const name = props.params["name"] ?? "";
  return <Known key={`${name} ${user.value?.id ?? ""}`} name={name} />;
}

interface Tied {
  channel: Record;
  subscribed: boolean;
  unread: number;
}

async function read(name: string, signal: AbortSignal): Promise<Tied> {
  const [channel, mine] = await Promise.all([
    client.get("/message/api/v2/channels/{channel_name}", { path: { channel_name: name }, signal }),
    client.get("/message/api/v2/channels/my_subscriptions", { signal }),
  ]);
  const tie = mine.find((s) => s.channelName === nameOf(channel));
  return { channel, subscribed: tie !== undefined, unread: tie?.unread ?? 0 };
}

function nameOf(channel: Record): string {
  return channel.privateChannel ? `${channel.userId ?? ""}#${channel.name}` : channel.name;
}

function Known(props: { name: string }) {
  const me = user.value;
  const answer = useAnswer(me ? props.name : undefined, (signal) => read(props.name, signal));
  const missing = answer.error instanceof EdictError && answer.error.status === 404 && answer.value === undefined;
  return (
    <section class="page">
      {answer.value === undefined && <h1>{props.name}</h1>}
      {me === null ? (
        <Forbidden signedIn={false} />
      ) : missing ? (
        <div class="notice">
          <p>{text("channels.missing")}</p>
          <a class="button" href={address("/channels")}>
            {text("channels.title")}
          </a>
        </div>
      ) : (
        <Shown answer={answer}>{(tied) => <View tied={tied} again={answer.again} />}</Shown>
      )}
    </section>
  );
}

function View(props: { tied: Tied; again: () => void }) {
  const { channel, subscribed } = props.tied;
  const name = nameOf(channel);
  const me = user.value;
  const runs = channel.owner === me?.id || (me?.admin ?? false);
  const how = subscribed ? "own" : me?.admin ? "tap" : "look";
  const watch = useWatch([{ channel: name, how }]);
  const mayPublish = runs || channel.publisherPermission === "anyone" || (channel.publisherPermission === "subscribers" && subscribed);
  return (
    <>
      <Head tied={props.tied} name={name} runs={runs} again={props.again} />
      <div class="beside">
        <div class="stack">
          {mayPublish ? <Writer channel={name} onSent={() => how === "look" && void watch?.load(name)} /> : <p class="soft">{text(channel.publisherPermission === "owner" ? "channels.mayOwner" : "channels.maySubscribers")}</p>}
          {how === "look" && (
            <div class="notice">
              <p>{text("live.subscribeFirst")}</p>
              <button type="button" onClick={() => void watch?.load(name)}>
                {text("live.look")}
              </button>
            </div>
          )}
          {how === "tap" && <p class="soft small">{text("live.tap")}</p>}
          {watch && <Items watch={watch} listens={how !== "look"} acts={(item) => <ItemButtons item={item} watch={watch} runs={runs} />} />}
        </div>
        <aside class="stack">
          {watch && <Here name={name} watch={watch} again={props.again} />}
          <About channel={channel} total={watch?.total.value} />
          <Tags name={name} may={runs || (!channel.privateChannel && mayPublish)} />
        </aside>
      </div>
    </>
  );
}

function Head(props: { tied: Tied; name: string; runs: boolean; again: () => void }) {
  const { channel, subscribed, unread } = props.tied;
  const [open, setOpen] = useState<"" | "settings" | "members" | "delete" | "empty">("");
  const act = useAct();
  const close = (): void => setOpen("");
  const path = { channel_name: props.name };
  const tie = (): void => {
    const work = () => (subscribed ? client.put("/message/api/v2/channels/{channel_name}/unsubscribe", { path }) : client.put("/message/api/v2/channels/{channel_name}/subscribe", { path }));
    void act.run(work).then((done) => done && props.again());
  };
  const markRead = async (): Promise<void> => {
    const newest = await client.get("/message/api/v2/channels/{channel_name}/items/fetch", { path, query: { sort_order: "DESC", size: 1 } });
    const last = newest.items[0];
    if (last !== undefined) await client.put("/message/api/v2/channels/{channel_name}/read", { path, body: { upTo: last.itemId } });
    props.again();
  };
  return (
    <header class="stack tight">
      <div class="row-of between">
        <h1>{props.name}</h1>
        <div class="row-of no-print">
          {unread > 0 && (
            <button type="button" onClick={() => void act.run(markRead)}>
              {text("channels.markRead", { count: unread })}
            </button>
          )}
          <button type="button" class={subscribed ? undefined : "primary"} disabled={act.busy} onClick={tie}>
            {text(subscribed ? "channels.unsubscribe" : "channels.subscribe")}
          </button>
          {props.runs && (
            <>
              <button type="button" onClick={() => setOpen("members")}>
                {text("channels.members")}
              </button>
              <button type="button" onClick={() => setOpen("settings")}>
                {text("channels.change")}
              </button>
            </>
          )}
          <Copy label={text("message.copyCurl")} what={() => curl("GET", `${itemsPath(props.name)}/fetch?sort_order=DESC&size=50`)} />
        </div>
      </div>
      {channel.description !== "" && <p class="lead">{channel.description}</p>}
      <Refused error={act.error} />
      {open === "members" && <Members name={props.name} owner={channel.owner ?? ""} onClose={close} />}
      {open === "settings" && (
        <ChannelSettings
          name={props.name}
          channel={channel}
          onClose={close}
          onSaved={() => {
            close();
            props.again();
          }}
          onDelete={() => setOpen("delete")}
          onEmpty={() => setOpen("empty")}
        />
      )}
      {open === "delete" && (
        <Confirm title={text("channels.delete")} does={text("channels.delete")} name={channel.name} onClose={close} act={() => client.delete("/message/api/v2/channels/{channel_name}", { path }).then(() => go("/channels"))}>
          {text("channels.deleteSure", { name: props.name })}
        </Confirm>
      )}
      {open === "empty" && (
        <Confirm title={text("channels.empty")} does={text("channels.empty")} name={channel.name} onClose={close} act={() => client.delete("/message/api/v2/channels/{channel_name}/items/all", { path }).then(() => location.reload())}>
          {text("channels.emptySure", { name: props.name })}
        </Confirm>
      )}
    </header>
  );
}

function ItemButtons(props: { item: Item; watch: Watch; runs: boolean }) {
  const { item, watch } = props;
  const [open, setOpen] = useState<"" | "correct" | "delete">("");
  const close = (): void => setOpen("");
  const path = { channel_name: item.channelName };
  return (
    <>
      {item.publisher.userId === user.value?.id && (
        <button type="button" class="quiet" onClick={() => setOpen("correct")}>
          {text("message.correct")}
        </button>
      )}
      {props.runs && (
        <button type="button" class="quiet" onClick={() => setOpen("delete")}>
          {text("message.delete")}
        </button>
      )}
      {open === "correct" && (
        <Dialog title={text("message.correctTitle")} onClose={close} wide>
          <Writer
            channel={item.channelName}
            item={item}
            onSent={() => {
              close();
              void watch.load(item.channelName);
            }}
          />
        </Dialog>
      )}
      {open === "delete" && (
        <Confirm
          title={text("message.deleteTitle")}
          does={text("message.delete")}
          onClose={close}
          act={async () => {
            await client.delete("/message/api/v2/channels/{channel_name}/items", { path, query: { id: [item.itemId] } });
            watch.removed([item.itemId]);
          }}
        >
          {text("message.deleteSure")}
        </Confirm>
      )}
    </>
  );
}

/** Here shows who listens at the moment, and has the record read again when it changes. */
function Here(props: { name: string; watch: Watch; again: () => void }) {
  const changes = props.watch.changes.value;
  const present = useAnswer(`${props.name} ${changes}`, async (signal) => {
    if (changes > 0) props.again();
    return client.get("/message/api/v2/channels/{channel_name}/presence", { path: { channel_name: props.name }, signal });
  });
  useEvery(10_000, present.again);
  const users = present.value?.users ?? [];
  return (
    <section class="card">
      <h2>{text("channels.here", { count: present.value?.count ?? 0 })}</h2>
      {users.length === 0 ? (
        <p class="soft">{text("channels.nobodyHere")}</p>
      ) : (
        <ul class="plain-list">
          {users.slice(0, 50).map((u) => (
            <li key={u.userId}>
              <Person id={u.userId} /> {u.devices.length > 0 && <span class="soft">{u.devices.join(", ")}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function About(props: { channel: Record; total: number | undefined }) {
  const c = props.channel;
  const facts: [string, ComponentChildren][] = [
    [text("channels.owner"), c.owner ? <Person id={c.owner} /> : "–"],
    [text("channels.kind"), kind(c)],
    [text("channels.publishing"), permission(c.publisherPermission)],
    [text("channels.kept"), c.maxItems < 0 ? text("channels.all") : number(c.maxItems)],
    [text("channels.total"), props.total === undefined ? "…" : number(props.total)],
    [text("channels.made"), moment(new Date(c.creationDate))],
  ];
  return (
    <section class="card">
      <h2>{text("channels.about")}</h2>
      <dl class="facts">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
