// Calls a server through the client that @hey-api/openapi-ts made of its /openapi.json.
//
//	node hey.js URL TOKEN SELF OTHER ADMIN

import { client } from "./gen/hey/client.gen.js";
import * as api from "./gen/hey/sdk.gen.js";
import type { Reform, Scenario } from "./gen/hey/types.gen.js";
import { admin, answered, cheaper, equal, other, scenario, self, shares, situation, token, url, varied } from "./check.js";

client.setConfig({ baseUrl: url, auth: token });
const path = { channel_name: "hey" };
const club = { path: { channel_name: "hey-club" }, query: { personal: true } };

await simulation();
await channels();
await items();
await subscriptions();
await messages();
await devices();
await stream();
await operate();
answered("deleteChannel", await api.deleteChannel({ path }));

async function simulation(): Promise<void> {
  equal("nbptr", shares(answered("calculate", await api.calculate({ body: situation }))), 1);
  equal("requestedCalculations", answered("trace", await api.trace({ body: situation }))["requestedCalculations"], ["nbptr<2024>"]);
  const answer = answered("calculate1", await api.calculate1({ body: { scenarios: [scenario], variables: ["nbptr"], output_format: "variables" } }));
  equal("values", answer.value, [{ nbptr: [1] }]);
  const scenarios: Scenario[] = [varied];
  const reforms: Reform[] = [cheaper, "tranche_superieure"];
  const compared = answered("calculate1", await api.calculate1({ body: { scenarios, reforms, variables: ["irpp", { name: "nbptr", period: "2024" }], output_format: "variables" } }));
  equal("steps", [compared.value?.[0]?.["irpp"], compared.base_value?.[0]?.["irpp"]].map((row) => (row as number[]).length), [3, 3]);
  const tree = answered("simulate1", await api.simulate1({ body: { scenarios: [scenario], reforms: [cheaper] } })).value;
  equal("code", [tree?.code, tree?.children?.[0]?.code], ["revdisp", "revenus_nets_du_travail"]);
  const why = answered("why2", await api.why2({ body: { scenarios: [scenario], figure: { variable: "irpp" }, depth: 2, reforms: [cheaper] } })).value;
  equal("figure", [why?.variable, why?.branches?.[0]?.origin], ["irpp", "formula"]);
}

async function channels(): Promise<void> {
  answered("createChannel", await api.createChannel({ body: { channelName: "hey", publishPermission: "owner", maxItems: 10 } }));
  answered("createChannel", await api.createChannel({ body: { channelName: "hey-club", privateChannel: true, inviteOnly: true } }));
  equal("total", answered("searchChannels", await api.searchChannels({ query: { channelName: "hey", size: 10 } })).total, 2);
  equal("permission", answered("readChannel", await api.readChannel({ path })).publisherPermission, "owner");
  answered("addTags", await api.addTags({ path, body: { tags: ["one", "two"] } }));
  equal("tags", answered("listTags", await api.listTags({ path })).tags, ["one", "two"]);
  answered("removeTag", await api.removeTag({ path: { ...path, tag: "one" } }));
  answered("removeAllTags", await api.removeAllTags({ path }));
  equal("invited", answered("invite", await api.invite({ ...club, body: { userIds: [other] } })).invited, 1);
  equal("invitations", answered("listInvitations", await api.listInvitations(club)).invitations.map((i) => i.userId), [other]);
  answered("withdrawInvite", await api.withdrawInvite({ path: { ...club.path, user_id: other }, query: club.query }));
  equal("description", answered("changeChannel", await api.changeChannel({ path, body: { description: "changed" } })).description, "changed");
  const somebody = { path: { ...path, user_id: other } };
  answered("ban", await api.ban(somebody));
  equal("bans", answered("listBans", await api.listBans({ path })).bans.map((b) => b.userId), [other]);
  answered("unban", await api.unban(somebody));
}

async function items(): Promise<void> {
  const { messageId } = answered("publishItem", await api.publishItem({ path, body: { content: { text: "hello", n: 1.5 } } }));
  const query = { id: [messageId] };
  equal("content", answered("itemsByID", await api.itemsById({ path, query })).items[0]?.content["text"], "hello");
  answered("correctItem", await api.correctItem({ path: { ...path, item_id: messageId }, body: { content: { text: "corrected" } } }));
  answered("markRead", await api.markRead({ path, body: { upTo: messageId } }));
  equal("totalCount", answered("fetchItems", await api.fetchItems({ path })).totalCount, 1);
  equal("items", answered("channelSummary", await api.channelSummary({ path })).publishedItemCount, 1);
  equal("deleted", answered("deleteItems", await api.deleteItems({ path, query }))[messageId], 200);
  answered("deleteAllItems", await api.deleteAllItems({ path }));
}

async function subscriptions(): Promise<void> {
  answered("unsubscribe", await api.unsubscribe({ path }));
  const { subId } = answered("subscribe", await api.subscribe({ path, body: {} }));
  equal("subscription", answered("listSubscriptions", await api.listSubscriptions({ path }))[0]?.subscriptionId, subId);
  answered("mySubscriptions", await api.mySubscriptions());
  answered("removeMember", await api.removeMember({ path: { ...path, user_id: self } }));
  equal("present", answered("presence", await api.presence({ path })).count, 0);
}

async function messages(): Promise<void> {
  const result = answered("sendToUserIds", await api.sendToUserIds({ body: { recipientUserIds: [self], content: { text: "hello" }, metadata: { n: 1 } } }));
  const id = { message_id: result.sentList[0]!.messageId };
  equal("metadata", answered("inbox", await api.inbox()).messages.at(-1)?.metadata?.["n"], 1);
  answered("acknowledge", await api.acknowledge({ path: id, body: { state: "RECEIVED" } }));
  equal("state", answered("messageStatus", await api.messageStatus({ path: id }))[0]?.state, "RECEIVED");
}

async function devices(): Promise<void> {
  const device = answered("registerDevice", await api.registerDevice({ body: { deviceId: "hey-1", platform: "web" } }));
  equal("devices", answered("listDevices", await api.listDevices()).length, 1);
  answered("pushInfo", await api.pushInfo());
  answered("removeDevice", await api.removeDevice({ path: { device_id: device.deviceId } }));
}

async function stream(): Promise<void> {
  const opened = new AbortController();
  let event: string | undefined;
  const { stream } = await api.events({ signal: opened.signal, onSseEvent: (e) => { event = e.event; } });
  for await (const _ of stream) {
    if (event === "ready") break;
  }
  opened.abort();
  console.log("events");
}

async function operate(): Promise<void> {
  const auth = admin;
  equal("healthy", answered("overview", await api.overview({ auth })).store.healthy, true);
  equal("recipient", answered("listDeliveries", await api.listDeliveries({ auth, query: { user: self } })).deliveries[0]?.recipient, self);
  const opened = new AbortController();
  let event: string | undefined;
  const { stream } = await api.tapChannel({ auth, query: { channel: "hey" }, signal: opened.signal, onSseEvent: (e) => { event = e.event; } });
  for await (const _ of stream) {
    if (event === "ready") break;
  }
  opened.abort();
  console.log("tapChannel");
}
