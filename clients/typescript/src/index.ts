export { Client, type ClientOptions } from "./client.js";
export { EdictError, UnknownServer, Unreachable } from "./error.js";
export type { ChangeEvent, GapEvent, ItemEvent, MessageEvent, ReadEvent, ReadyEvent, ReceiptEvent, StreamEvent } from "./event.js";
export { localStore, memoryStore, Session, signIn, type Pair, type Store, type Tokens } from "./session.js";
export { StreamEnd, type StreamOptions, type StreamState } from "./stream.js";
export type { components, operations, paths } from "./schema.js";
