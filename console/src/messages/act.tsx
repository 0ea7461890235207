// Doing something on the server: once at a time, with what went wrong beside the button, and a question before what cannot be taken back.

import { EdictError } from "edict-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { isAway } from "../answer";
import { text } from "../text";
import { Dialog } from "../ui/dialog";
import { Input } from "../ui/field";
import { Forbidden, messagesOf } from "../ui/state";

export interface Act {
  busy: boolean;
  error: unknown;
  /** run does something, unless something is under way, and reports whether it went well. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useAct(): Act {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  return {
    ...state,
    run: async (work) => {
      if (state.busy) return false;
      setState({ busy: true, error: undefined });
      try {
        await work();
        setState({ busy: false, error: undefined });
        return true;
      } catch (error) {
        setState({ busy: false, error });
        return false;
      }
    },
  };
}

/** Refused says why something was not done. The sentences are the server's: they name what is wrong and the remedy. */
export function Refused(props: { error: unknown }) {
  if (props.error === undefined) return null;
  if (props.error instanceof EdictError && props.error.status === 401) return <Forbidden signedIn={false} />;
  return (
    <div class="notice bad" role="alert">
      <p>{text(isAway(props.error) ? "message.notSent" : "state.refused")}</p>
      {!isAway(props.error) && (
        <ul>
          {messagesOf(props.error).map((m) => (
            <li key={m}>{m}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Confirm asks before something that cannot be taken back; with name, that must be typed. */
export function Confirm(props: { title: string; children: ComponentChildren; does: string; name?: string; act: () => Promise<unknown>; onClose: () => void }) {
  const act = useAct();
  const [typed, setTyped] = useState("");
  const sure = props.name === undefined || typed === props.name;
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (sure && (await act.run(props.act))) props.onClose();
  };
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form onSubmit={(event) => void send(event)}>
        <p>{props.children}</p>
        {props.name !== undefined && <Input label={text("message.typeName", { name: props.name })} value={typed} onInput={setTyped} />}
        <Refused error={act.error} />
        <button type="submit" class="danger" disabled={!sure || act.busy}>
          {props.does}
        </button>
      </form>
    </Dialog>
  );
}

/** Copy is a button that puts a text on the clipboard and says so. The status stands beside the button: within, it would take the button's name. */
export function Copy(props: { label: string; what: () => string }) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(props.what());
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => void copy().catch(() => undefined)}>
        {done ? text("message.copied") : props.label}
      </button>
      <span class="hidden" role="status">
        {done ? text("message.copied") : ""}
      </span>
    </>
  );
}
