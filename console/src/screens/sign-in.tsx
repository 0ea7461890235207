import { EdictError } from "edict-client";
import { useEffect, useState } from "preact/hooks";

import { about, root } from "../about";
import { comeBack, isBack, leave, Trouble } from "../issuer";
import { go, place, replace } from "../router";
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

/** Issuers are the other places to sign in at, and what became of it for whoever comes from there. */
function Issuers() {
  const [error, setError] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const run = (act: () => Promise<void>): void => {
    setBusy(true);
    setError(undefined);
    act().catch((failed: unknown) => {
      setError(failed);
      setBusy(false);
    });
  };
  useEffect(() => {
    const { query } = place.peek();
    if (about.issuers.length === 0 || !isBack(query)) return;
    replace("/sign-in"); // the code is nobody's business
    run(async () => go(await comeBack(query)));
  }, []);
  if (about.issuers.length === 0) return null;
  return (
    <div class="stack" aria-busy={busy}>
      {about.issuers.map((x) => (
        <button key={x.url} type="button" disabled={busy} onClick={() => run(() => leave(x, target()))}>
          {text("signIn.at", { name: x.name })}
        </button>
      ))}
      {error !== undefined && <Refusal error={error} />}
    </div>
  );
}

function Refusal(props: { error: unknown }) {
  const { error } = props;
  const said = error instanceof Trouble ? text(error.key, error.values) : error instanceof EdictError && error.status === 401 ? error.message : undefined;
  if (said === undefined) return <Failure error={error} />;
  return (
    <p class="notice bad" role="alert">
      {said}
    </p>
  );
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
      <Issuers />
    </section>
  );
}
