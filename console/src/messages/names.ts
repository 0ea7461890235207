// Names and addresses of channels, and the commands that do outside what a screen does.

import type { components } from "edict-client";

import { root } from "../about";
import { address } from "../router";

type Schemas = components["schemas"];
export type Item = Schemas["Item"];
export type Channel = Schemas["ChannelReading"];
export type ChannelRow = Schemas["ChannelRecord"];

/** fullName is what a channel is called wherever channels of several owners are named: "news", "ada#team". */
export function fullName(channel: ChannelRow, owner: string): string {
  return channel.privateChannel ? `${owner}#${channel.name}` : channel.name;
}

/** channelAddress is the link to the screen of a channel. */
export function channelAddress(name: string): string {
  return address(`/channels/${encodeURIComponent(name)}`);
}

/** userAddress is the link to the screen of a user. */
export function userAddress(id: string): string {
  return address(`/users/${encodeURIComponent(id)}`);
}

function quoted(argument: string): string {
  return `'${argument.replace(/'/g, `'\\''`)}'`;
}

/** curl is a request as a command. The token is left to its reader: one that is pasted somewhere is no secret any more. */
export function curl(method: string, path: string, body?: string): string {
  const parts = ["curl"];
  if (method !== "GET") parts.push("-X", method);
  parts.push(quoted(location.origin + root + path), "-H", '"Authorization: Bearer $TOKEN"');
  if (body !== undefined) parts.push("-H", quoted("Content-Type: application/json"), "-d", quoted(body));
  return parts.join(" ");
}

/** itemsPath is where the items of a channel are, for curl. */
export function itemsPath(name: string): string {
  return `/message/api/v2/channels/${encodeURIComponent(name)}/items`;
}
