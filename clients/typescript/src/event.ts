import type { components } from "./schema.js";

type Frame<Name extends string, Data> = {
  event: Name;
  /** id is the cursor behind the event; messages that wait for the caller when a stream begins without a cursor have none. */
  id: string | null;
  data: Data;
};

/** An item of a channel the caller is subscribed to; with edited, one that takes the place of what came before under its itemId. */
export type ItemEvent = Frame<"item", components["schemas"]["Item"] & { channelName: string; edited?: boolean }>;

/** A message to the caller. */
export type MessageEvent = Frame<
  "message",
  { messageId: string; sender: string; deviceId: string | null; content: Record<string, unknown>; metadata: Record<string, unknown> | null; receipt: boolean; queuedAt: string }
>;

/** Somebody acknowledged a message of the caller. */
export type ReceiptEvent = Frame<"receipt", { messageId: string; recipient: string; deviceId: string | null; state: "DELIVERED" | "RECEIVED"; receivedAt: string }>;

/** A channel changed, or the caller's tie to it. */
export type ChangeEvent = Frame<
  "channel",
  { channelName: string; change: "changed" | "deleted" | "subscribed" | "unsubscribed" | "removed" | "invited" | "uninvited" | "banned" | "unbanned" }
>;

/** The caller has read a channel up to an item, on whichever device. */
export type ReadEvent = Frame<"read", { channelName: string; readUpTo: string }>;

/** Items of a channel are gone that the stream would have brought: those after from, up to and including to. Nothing else is missing. */
export type GapEvent = Frame<"gap", { channelName: string; from: string; to: string }>;

/** Everything up to here has come; what follows comes as it happens. Once per connection. */
export type ReadyEvent = Frame<"ready", Record<string, never>>;

export type StreamEvent = ItemEvent | MessageEvent | ReceiptEvent | ChangeEvent | ReadEvent | GapEvent | ReadyEvent;
