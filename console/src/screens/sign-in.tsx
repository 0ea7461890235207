import { EdictError } from "edict-client";
import { useState } from "preact/hooks";

import { root } from "../about";
import { go, place } from "../router";
import { signIn, user } from "../session";
import { text } from "../text";
import { Input } from "../ui/field";
import { Failure } from "../ui/state";

/** target is where to go on; only pages of the console. */
function target(): string {
  const { query, fragment } = place.peek();
  const to = query.get("to") ?? "";
  const base = `${root}/console`;
  return to.startsWith(`${base}/`) ? to.slice(base.length) + (fragment === "" ? "" : `#${fragment}`) : "/";
}

export function SignIn() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await signIn(name, password);
      go(target());
    } catch (failed) {
      setError(failed);
    } finally {
      setBusy(false);
    }
  };
  const wrong = error instanceof EdictError && error.status === 401;
  return (
    <section class="page narrow">
      <h1>{text("signIn.title")}</h1>
      {user.value ? <p>{text("signIn.already", { name: user.value.name })}</p> : null}
      <form onSubmit={(event) => void send(event)}>
        <Input label={text("signIn.user")} value={name} onInput={setName} autocomplete="username" required />
        <Input
          label={text("signIn.password")}
          type="password"
          value={password}
          onInput={setPassword}
          autocomplete="current-password"
          required
          error={wrong ? text("signIn.wrong") : undefined}
        />
        {error !== undefined && !wrong && <Failure error={error} />}
        <button type="submit" class="primary" disabled={busy}>
          {text("signIn.do")}
        </button>
      </form>
    </section>
  );
}
