// "Watch this household", from the page of a household.

import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import type { Catalogue } from "../law/catalogue";
import { type Household, testCase } from "../law/household";
import { Refused, useAct } from "../messages/act";
import { draftOf } from "../messages/draft";
import { address } from "../router";
import { user } from "../session";
import { text } from "../text";
import { Dialog } from "../ui/dialog";
import { Select } from "../ui/field";
import { signInHere } from "../ui/state";
import { changeWatch, createWatch, type Watch, watches } from "./api";
import { askedOf, newFields, WatchFields } from "./form";
import { nameOf } from "./words";

export function WatchThis(props: { catalogue: Catalogue; household: Household }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {text("watch.this")}
      </button>
      {open && (
        <Dialog title={text("watch.this")} onClose={() => setOpen(false)} wide>
          {user.value ? (
            <Form {...props} />
          ) : (
            <>
              <p>{text("watch.signIn")}</p>
              <a class="button" href={signInHere()}>
                {text("signIn.do")}
              </a>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}

function Form(props: { catalogue: Catalogue; household: Household }) {
  const { catalogue: c, household: h } = props;
  const form = draftOf("watch", newFields(c, h.period));
  const mine = useAnswer("watches", watches);
  const [target, setTarget] = useState("");
  const [done, setDone] = useState<Watch | undefined>(undefined);
  const act = useAct();
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const test_case = testCase(c, h);
    await act.run(async () => {
      // What a watch that is there is told about stays as it is: its household alone is another.
      setDone(target === "" ? await createWatch({ test_case, ...askedOf(form.value) }) : await changeWatch(target, { test_case, period: h.period }));
      form.clear();
    });
  };
  if (done !== undefined) {
    return (
      <div class="stack" role="status">
        <p>{text("watch.done", { name: nameOf(c, done) })}</p>
        <a class="button" href={address("/watches")}>
          {text("watch.mine")}
        </a>
      </div>
    );
  }
  const there = mine.value ?? [];
  return (
    <form class="wide-form" onSubmit={(event) => void send(event)}>
      <p>{text("watch.about")}</p>
      {h.reforms.length > 0 && <p class="soft">{text("watch.noReform")}</p>}
      {there.length > 0 && <Select label={text("watch.as")} value={target} choices={[["", text("watch.asNew")], ...there.map((w) => [w.id, text("watch.asOf", { name: nameOf(c, w) })] as const)]} onChange={setTarget} />}
      {target === "" && <WatchFields catalogue={c} members={h.people.map((p) => p.id)} fields={form.value} onChange={form.set} />}
      <Refused error={act.error} />
      <div class="row-of">
        <button type="submit" class="primary" disabled={act.busy || (target === "" && form.value.figures.length === 0)}>
          {text("watch.do")}
        </button>
        {target === "" && form.value.figures.length === 0 && <span class="soft">{text("watch.noFigure")}</span>}
      </div>
    </form>
  );
}
