import { pause } from "./client.js";

/** longest is how far apart attempts are at most, in milliseconds, unless the server asks for more: a server that is back has all its clients back after this time. */
const longest = 10_000;

/** patience bounds Retry-After: later is too late, whatever a proxy asks for. */
const patience = 300_000;

/** Backoff is what the pause before the next attempt depends on. Times are in milliseconds. */
export interface Backoff {
  /** first is the window of the first pause: the server's retry field, or 1 s. */
  first: number;
  /** failures counts the failed attempts since the last event. */
  failures: number;
  /** least is Retry-After of the last answer. */
  least: number;
}

/**
 * windowOf returns the window of a pause: it doubles up to 10 s, so that clients neither return at the same moment nor long after their
 * server. The Go and Python clients compute the same; clients/reconnect.json has the cases that hold for all three.
 */
function windowOf(b: Backoff, least: number): number {
  return Math.min(b.first * 2 ** Math.min(b.failures, 30), Math.max(longest - least, least / 2));
}

/** pauseOf returns the time before the next attempt; random is in [0, 1). */
export function pauseOf(b: Backoff, random = Math.random()): number {
  const least = Math.min(b.least, patience);
  return least + random * windowOf(b, least);
}

/**
 * rest waits before the next attempt. When the browser is online again or its page becomes visible, it ends early and returns true, but never
 * before Retry-After.
 */
export async function rest(b: Backoff, signal: AbortSignal, random = Math.random()): Promise<boolean> {
  const least = Math.min(b.least, patience);
  const back = new AbortController();
  const stop = onReturn(() => back.abort());
  try {
    await pause(least, signal);
    await pause(pauseOf(b, random) - least, AbortSignal.any([signal, back.signal]));
    return false;
  } catch (failed) {
    if (signal.aborted) throw failed;
    return true;
  } finally {
    stop();
  }
}

/** onReturn calls back when the network or the visitor may be back, until it is stopped. Outside browsers neither event exists. */
function onReturn(call: () => void): () => void {
  const page = globalThis.document as Document | undefined;
  const visible = (): void => {
    if (page?.visibilityState === "visible") call();
  };
  globalThis.addEventListener?.("online", call);
  page?.addEventListener("visibilitychange", visible);
  return () => {
    globalThis.removeEventListener?.("online", call);
    page?.removeEventListener("visibilitychange", visible);
  };
}
