// Asking the server from a screen: one question at a time, stale ones cancelled, what was there kept while something newer is on its way.

import { EdictError } from "edict-client";
import { useEffect, useRef, useState } from "preact/hooks";

import { language } from "./text";

export interface Answer<T> {
  /** value is the last good answer, also while a newer one is on its way or could not be had. */
  value: T | undefined;
  error: unknown;
  busy: boolean;
  /** away says that the server does not answer, or not yet; it is asked again by itself. */
  away: boolean;
  again: () => void;
}

/** isAway reports whether asking again may help: nothing answers, or the server says it will later. */
export function isAway(error: unknown): boolean {
  if (error instanceof EdictError) return error.status === 503 || error.status === 502 || error.status === 504;
  return error instanceof TypeError;
}

function waitFor(error: unknown, tried: number): number {
  const asked = error instanceof EdictError ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(Math.min(asked, 10_000), Math.min(500 * 2 ** tried, 8_000));
}

/** useAnswer asks whenever key changes; undefined asks nothing. Questions that are overtaken are cancelled. */
export function useAnswer<T>(key: string | undefined, ask: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [state, setState] = useState<{ value: T | undefined; error: unknown; busy: boolean }>({ value: undefined, error: undefined, busy: key !== undefined });
  const [turn, setTurn] = useState(0);
  const spoken = language.value; // answers contain texts of the law
  const asked = useRef(ask);
  asked.current = ask;
  useEffect(() => {
    if (key === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async (tried: number): Promise<void> => {
      try {
        const value = await asked.current(stop.signal);
        if (!stop.signal.aborted) setState({ value, error: undefined, busy: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        setState((s) => ({ value: s.value, error, busy: false }));
        if (isAway(error)) timer = setTimeout(() => void attempt(tried + 1), waitFor(error, tried));
      }
    };
    setState((s) => ({ value: s.value, error: undefined, busy: true }));
    void attempt(0);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, turn, spoken]);
  return { ...state, away: isAway(state.error), again: () => setTurn((n) => n + 1) };
}
