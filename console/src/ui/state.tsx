// What a screen shows when it has nothing to show, or not yet.

import { EdictError } from "edict-client";
import type { ComponentChildren } from "preact";

import type { Answer } from "../answer";
import { address } from "../router";
import { text } from "../text";

export function Loading() {
  return (
    <p class="state" role="status">
      <span class="spinner" aria-hidden="true" />
      {text("state.loading")}
    </p>
  );
}

export function Empty(props: { children: ComponentChildren }) {
  return <p class="state">{props.children}</p>;
}

/** Away says that the server does not answer, or not yet. What is on the screen stays. */
export function Away(props: { error: unknown; again: () => void }) {
  const loads = props.error instanceof EdictError;
  return (
    <div class="notice" role="status">
      <p>{loads ? text("state.notReady") : text("state.cutOff")}</p>
      <button type="button" onClick={props.again}>
        {text("state.again")}
      </button>
    </div>
  );
}

/** signInHere is the address of the form that leads back here. What is in the fragment stays in the fragment, where no server sees it. */
export function signInHere(): string {
  return `${address("/sign-in")}?to=${encodeURIComponent(location.pathname + location.search)}${location.hash}`;
}

/** Forbidden says why a page is not for the visitor. */
export function Forbidden(props: { signedIn: boolean }) {
  return (
    <div class="notice">
      <p>{text(props.signedIn ? "state.forbidden" : "state.signIn")}</p>
      {!props.signedIn && (
        <a class="button" href={signInHere()}>
          {text("signIn.do")}
        </a>
      )}
    </div>
  );
}

/** messagesOf are the sentences in an answer that says no: a message, or those of a tree that mirrors the request. */
export function messagesOf(error: unknown): string[] {
  if (!(error instanceof EdictError)) return [error instanceof Error ? error.message : String(error)];
  const found: string[] = [];
  walk(error.body, "", found);
  const unique = [...new Set(found)].slice(0, 12);
  return unique.length > 0 ? unique : [error.message];
}

const envelope = new Set(["apiVersion", "method", "params", "url", "code", "error", "errors", "message", "error_description"]);

function walk(body: unknown, at: string, found: string[]): void {
  if (typeof body === "string") {
    if (body !== "" && body !== "Bad parameters in request") found.push(at === "" ? body : `${at}: ${body}`);
    return;
  }
  if (typeof body !== "object" || body === null) return;
  const members = Object.entries(body as Record<string, unknown>);
  const told = members.filter(([name]) => name !== "params" && name !== "method" && name !== "url" && name !== "apiVersion");
  const words = told.some(([name, value]) => name === "message" && typeof value === "string") && told.every(([, value]) => typeof value !== "object");
  for (const [name, value] of told) {
    if (words && name !== "message") continue;
    const step = envelope.has(name) || /^\d+$/.test(name) ? "" : name;
    walk(value, [at, step].filter((s) => s !== "").join(" › "), found);
  }
}

/** Failure says what the server refused and what to do. */
export function Failure(props: { error: unknown; again?: () => void }) {
  const status = props.error instanceof EdictError ? props.error.status : 0;
  if (status === 401 || status === 403) return <Forbidden signedIn={status === 403} />;
  return (
    <div class="notice bad" role="alert">
      <p>{text(status === 404 ? "state.missing" : status === 429 ? "state.tooMany" : "state.refused")}</p>
      <ul>
        {messagesOf(props.error).map((m) => (
          <li key={m}>{m}</li>
        ))}
      </ul>
      {props.again !== undefined && (
        <button type="button" onClick={props.again}>
          {text("state.again")}
        </button>
      )}
    </div>
  );
}

/** Shown shows an answer: the value as soon as there is one, and above it what went wrong since. */
export function Shown<T>(props: { answer: Answer<T>; children: (value: T) => ComponentChildren }) {
  const a = props.answer;
  return (
    <>
      {a.away ? <Away error={a.error} again={a.again} /> : a.error !== undefined ? <Failure error={a.error} again={a.again} /> : null}
      {a.value !== undefined ? props.children(a.value) : a.error === undefined ? <Loading /> : null}
    </>
  );
}
