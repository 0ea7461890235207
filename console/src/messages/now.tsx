// A channel as it happens, on the first page.

import { about } from "../about";
import { useAnswer } from "../answer";
import { client, user } from "../session";
import { text } from "../text";
import { Items, useWatch } from "./items";
import { channelAddress, fullName } from "./names";
import type { Source } from "./watch";

/** find chooses what to show: what the user is subscribed to, in a demonstration anything. Elsewhere an admin who only passes by listens to nothing: that is audited. */
async function find(me: string, admin: boolean, signal: AbortSignal): Promise<Source | undefined> {
  const mine = (await client.get("/message/api/v2/channels/my_subscriptions", { signal }))[0];
  if (mine !== undefined) return { channel: mine.channelName, how: "own" };
  if (!about.demo || !admin) return undefined;
  const any = (await client.get("/message/api/v2/channels", { query: { size: 1 }, signal })).results[0];
  return any && { channel: fullName(any, me), how: "tap" };
}

export function Now() {
  const me = user.value;
  const found = useAnswer(me?.id, (signal) => find(me?.id ?? "", me?.admin ?? false, signal));
  const source = me ? found.value : undefined;
  const watch = useWatch(source && [source]);
  if (source === undefined || watch === undefined) return null;
  return (
    <section class="card">
      <h2>
        <a href={channelAddress(source.channel)}>{text("live.now", { channel: source.channel })}</a>
      </h2>
      <Items watch={watch} listens few={5} />
    </section>
  );
}
