// Calls a server through openapi-fetch and the types that openapi-typescript made of its /openapi.json.
//
//	node fetch.js URL TOKEN SELF OTHER ADMIN

import createClient from "openapi-fetch";

import type { components, paths } from "./gen/schema.js";
import { admin, answered, cheaper, equal, other, scenario, self, shares, situation, token, url, varied } from "./check.js";

const api = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
const operator = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${admin}` } });
const channel = { params: { path: { channel_name: "fetch" } } };
const club = { path: { channel_name: "fetch-club" }, query: { personal: true } };

await simulation();
await channels();
await items();
await subscriptions();
await messages();
await devices();
await stream();
await operate();
answered("deleteChannel", await api.DELETE("/message/api/v2/channels/{channel_name}", channel));

async function simulation(): Promise<void> {
  equal("nbptr", shares(answered("calculate", await api.POST("/calculate", { body: situation }))), 1);
  const trace = answered("trace", await api.POST("/trace", { body: situation }));
  equal("requestedCalculations", trace["requestedCalculations"], ["nbptr<2024>"]);
  const answer = answered("calculate1", await api.POST("/api/1/calculate", { body: { scenarios: [scenario], variables: ["nbptr"], output_format: "variables" } }));
  equal("values", answer.value, [{ nbptr: [1] }]);
  const scenarios: components["schemas"]["Scenario"][] = [varied];
  const reforms: components["schemas"]["Reform"][] = [cheaper, "tranche_superieure"];
  const compared = answered("calculate1", await api.POST("/api/1/calculate", { body: { scenarios, reforms, variables: ["irpp", { name: "nbptr", period: "2024" }], output_format: "variables" } }));
  equal("steps", [compared.value?.[0]?.["irpp"], compared.base_value?.[0]?.["irpp"]].map((row) => (row as number[]).length), [3, 3]);
  const tree = answered("simulate1", await api.POST("/api/1/simulate", { body: { scenarios: [scenario], reforms: [cheaper] } })).value;
  equal("code", [tree?.code, tree?.children?.[0]?.code], ["revdisp", "revenus_nets_du_travail"]);
  const why = answered("why2", await api.POST("/api/2/why", { body: { scenarios: [scenario], figure: { variable: "irpp" }, depth: 2, reforms: [cheaper] } })).value;
  equal("figure", [why?.variable, why?.branches?.[0]?.origin], ["irpp", "formula"]);
}

async function channels(): Promise<void> {
  answered("createChannel", await api.POST("/message/api/v2/channels", { body: { channelName: "fetch", publishPermission: "owner", maxItems: 10 } }));
  answered("createChannel", await api.POST("/message/api/v2/channels", { body: { channelName: "fetch-club", privateChannel: true, inviteOnly: true } }));
  const found = answered("searchChannels", await api.GET("/message/api/v2/channels", { params: { query: { channelName: "fetch", size: 10 } } }));
  equal("total", found.total, 2);
  const record = answered("readChannel", await api.GET("/message/api/v2/channels/{channel_name}", channel));
  equal("permission", record.publisherPermission, "owner");
  answered("addTags", await api.POST("/message/api/v2/channels/{channel_name}/tags", { ...channel, body: { tags: ["one", "two"] } }));
  equal("tags", answered("listTags", await api.GET("/message/api/v2/channels/{channel_name}/tags", channel)).tags, ["one", "two"]);
  answered("removeTag", await api.DELETE("/message/api/v2/channels/{channel_name}/tags/{tag}", { params: { path: { channel_name: "fetch", tag: "one" } } }));
  answered("removeAllTags", await api.DELETE("/message/api/v2/channels/{channel_name}/tags", channel));
  equal("invited", answered("invite", await api.POST("/message/api/v2/channels/{channel_name}/invite", { params: club, body: { userIds: [other] } })).invited, 1);
  const invitations = answered("listInvitations", await api.GET("/message/api/v2/channels/{channel_name}/invitations", { params: club }));
  equal("invitations", invitations.invitations.map((i) => i.userId), [other]);
  answered("withdrawInvite", await api.DELETE("/message/api/v2/channels/{channel_name}/invite/{user_id}", { params: { path: { ...club.path, user_id: other }, query: club.query } }));
  const changed = answered("changeChannel", await api.PATCH("/message/api/v2/channels/{channel_name}", { ...channel, body: { description: "changed" } }));
  equal("description", changed.description, "changed");
  const somebody = { params: { path: { channel_name: "fetch", user_id: other } } };
  answered("ban", await api.PUT("/message/api/v2/channels/{channel_name}/bans/{user_id}", somebody));
  equal("bans", answered("listBans", await api.GET("/message/api/v2/channels/{channel_name}/bans", channel)).bans.map((b) => b.userId), [other]);
  answered("unban", await api.DELETE("/message/api/v2/channels/{channel_name}/bans/{user_id}", somebody));
}

async function items(): Promise<void> {
  const { messageId } = answered("publishItem", await api.POST("/message/api/v2/channels/{channel_name}/items", { ...channel, body: { content: { text: "hello", n: 1.5 } } }));
  const byId = { params: { path: channel.params.path, query: { id: [messageId] } } };
  const [item] = answered("itemsByID", await api.GET("/message/api/v2/channels/{channel_name}/items", byId)).items;
  equal("content", item?.content["text"], "hello");
  const path = { ...channel.params.path, item_id: messageId };
  answered("correctItem", await api.PUT("/message/api/v2/channels/{channel_name}/items/{item_id}", { params: { path }, body: { content: { text: "corrected" } } }));
  answered("markRead", await api.PUT("/message/api/v2/channels/{channel_name}/read", { ...channel, body: { upTo: messageId } }));
  equal("totalCount", answered("fetchItems", await api.GET("/message/api/v2/channels/{channel_name}/items/fetch", channel)).totalCount, 1);
  equal("items", answered("channelSummary", await api.GET("/message/api/v2/channels/{channel_name}/summary", channel)).publishedItemCount, 1);
  equal("deleted", answered("deleteItems", await api.DELETE("/message/api/v2/channels/{channel_name}/items", byId))[messageId], 200);
  answered("deleteAllItems", await api.DELETE("/message/api/v2/channels/{channel_name}/items/all", channel));
}

async function subscriptions(): Promise<void> {
  answered("unsubscribe", await api.PUT("/message/api/v2/channels/{channel_name}/unsubscribe", channel));
  const { subId } = answered("subscribe", await api.PUT("/message/api/v2/channels/{channel_name}/subscribe", { ...channel, body: {} }));
  const [first] = answered("listSubscriptions", await api.GET("/message/api/v2/channels/{channel_name}/subscriptions", channel));
  equal("subscription", first?.subscriptionId, subId);
  answered("mySubscriptions", await api.GET("/message/api/v2/channels/my_subscriptions"));
  answered("removeMember", await api.DELETE("/message/api/v2/channels/{channel_name}/subscriptions/{user_id}", { params: { path: { channel_name: "fetch", user_id: self } } }));
  equal("present", answered("presence", await api.GET("/message/api/v2/channels/{channel_name}/presence", channel)).count, 0);
}

async function messages(): Promise<void> {
  const result = answered("sendToUserIds", await api.POST("/message/api/v2/messages/send_to_user_ids", { body: { recipientUserIds: [self], content: { text: "hello" }, metadata: { n: 1 } } }));
  const id = { path: { message_id: result.sentList[0]!.messageId } };
  const inbox = answered("inbox", await api.GET("/message/api/v2/messages"));
  equal("metadata", inbox.messages.at(-1)?.metadata?.["n"], 1);
  answered("acknowledge", await api.POST("/message/api/v2/messages/{message_id}/ack", { params: id, body: { state: "RECEIVED" } }));
  equal("state", answered("messageStatus", await api.GET("/message/api/v2/messages/{message_id}", { params: id }))[0]?.state, "RECEIVED");
}

async function devices(): Promise<void> {
  const device = answered("registerDevice", await api.POST("/message/api/v2/devices", { body: { deviceId: "fetch-1", platform: "web" } }));
  equal("devices", answered("listDevices", await api.GET("/message/api/v2/devices")).length, 1);
  answered("pushInfo", await api.GET("/message/api/v2/push"));
  answered("removeDevice", await api.DELETE("/message/api/v2/devices/{device_id}", { params: { path: { device_id: device.deviceId } } }));
}

async function stream(): Promise<void> {
  const opened = new AbortController();
  await ready(answered("events", await api.GET("/message/api/v2/events", { parseAs: "stream", signal: opened.signal })));
  opened.abort();
}

async function operate(): Promise<void> {
  equal("healthy", answered("overview", await operator.GET("/message/api/v2/admin/overview")).store.healthy, true);
  const { deliveries } = answered("listDeliveries", await operator.GET("/message/api/v2/admin/deliveries", { params: { query: { user: self } } }));
  equal("recipient", deliveries[0]?.recipient, self);
  const opened = new AbortController();
  await ready(answered("tapChannel", await operator.GET("/message/api/v2/admin/events", { params: { query: { channel: "fetch" } }, parseAs: "stream", signal: opened.signal })));
  opened.abort();
}

// ready reads a stream until it says that what follows comes as it happens.
async function ready(body: AsyncIterable<Uint8Array> | null | undefined): Promise<void> {
  let text = "";
  for await (const part of body!) {
    text += Buffer.from(part).toString();
    if (text.includes("event: ready")) break;
  }
}
