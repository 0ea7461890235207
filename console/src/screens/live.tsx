import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import { Items, useWatch } from "../messages/items";
import { channelAddress } from "../messages/names";
import type { Source } from "../messages/watch";
import { address, place, replace } from "../router";
import { client, user } from "../session";
import { text } from "../text";
import { Input } from "../ui/field";
import { Empty, Forbidden, Shown } from "../ui/state";

const most = 20; // channels that are listened to at once

function addressOf(channels: readonly string[]): string {
  return channels.length === 0 ? "/live" : `/live?channels=${channels.map(encodeURIComponent).join(",")}`;
}

function chosen(): string[] {
  const given = place.value.query.get("channels") ?? "";
  return [...new Set(given.split(",").filter((c) => c !== ""))].slice(0, most);
}

export function Live() {
  const me = user.value;
  const mine = useAnswer(me?.id, (signal) => client.get("/message/api/v2/channels/my_subscriptions", { signal }));
  return (
    <section class="page">
      <h1>{text("live.title")}</h1>
      {me === null ? <Forbidden signedIn={false} /> : <Shown answer={mine}>{(subscriptions) => <Several subscribed={subscriptions.map((s) => s.channelName)} />}</Shown>}
    </section>
  );
}

function Several(props: { subscribed: readonly string[] }) {
  const [typed, setTyped] = useState("");
  const named = chosen();
  const wanted = named.length > 0 ? named : props.subscribed;
  const admin = user.value?.admin ?? false;
  const sources = wanted.map((channel): Source => ({ channel, how: props.subscribed.includes(channel) ? "own" : admin ? "tap" : "look" }));
  const watch = useWatch(sources);
  const add = (event: Event): void => {
    event.preventDefault();
    const name = typed.trim();
    if (name !== "") replace(addressOf([...(named.length > 0 ? named : props.subscribed), name].slice(0, most)));
    setTyped("");
  };
  return (
    <>
      <div class="stack tight no-print">
        <ul class="chips" aria-label={text("channels.title")}>
          {wanted.slice(0, most).map((channel) => (
            <li key={channel} class="chip">
              <a href={channelAddress(channel)}>{channel}</a>
              <button type="button" class="plain small" aria-label={`${text("live.leave")}: ${channel}`} onClick={() => replace(addressOf(wanted.filter((c) => c !== channel)))}>
                ✕
              </button>
            </li>
          ))}
        </ul>
        <form class="row-of end" onSubmit={add}>
          <Input label={text("live.add")} value={typed} onInput={setTyped} required />
          <button type="submit">{text("channels.add")}</button>
        </form>
      </div>
      {sources.some((s) => s.how === "look") && <p class="notice">{text("live.notSubscribed", { channels: sources.filter((s) => s.how === "look").map((s) => s.channel).join(", ") })}</p>}
      {watch === undefined ? (
        <Empty>
          {text("live.none")} <a href={address("/channels")}>{text("channels.title")}</a>
        </Empty>
      ) : (
        <Items watch={watch} listens channels />
      )}
    </>
  );
}
