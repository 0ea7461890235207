import { useState } from "preact/hooks";

import { useAnswer } from "../answer";
import type { Catalogue } from "../law/catalogue";
import { pack } from "../law/link";
import { WithLaw } from "../law/use";
import { Confirm, Refused, useAct } from "../messages/act";
import { draftOf } from "../messages/draft";
import { address, go } from "../router";
import { user } from "../session";
import { day, number, text } from "../text";
import { Dialog } from "../ui/dialog";
import { Empty, Forbidden, Loading, Shown } from "../ui/state";
import { Table } from "../ui/table";
import { changeWatch, removeWatch, type Watch, watch, watches } from "../watches/api";
import { askedOf, fieldsOf, WatchFields } from "../watches/form";
import { householdOf } from "../watches/household";
import { amountOf, labelOf, nameOf } from "../watches/words";

export function Watches() {
  return (
    <section class="page">
      <h1>{text("watch.title")}</h1>
      <p class="lead">{text("watch.lead")}</p>
      {user.value === undefined ? <Loading /> : user.value === null ? <Forbidden signedIn={false} /> : <WithLaw>{(c) => <Mine key={user.value?.id} catalogue={c} />}</WithLaw>}
    </section>
  );
}

function Mine(props: { catalogue: Catalogue }) {
  const answer = useAnswer("watches", watches);
  return (
    <Shown answer={answer}>
      {(all) =>
        all.length === 0 ? (
          <Empty>
            {text("watch.none")} <a href={address("/household")}>{text("household.title")}</a>
          </Empty>
        ) : (
          <div class="cards wide-cards">
            {all.map((w) => (
              <WatchCard key={w.id} catalogue={props.catalogue} watch={w} onChanged={answer.again} />
            ))}
          </div>
        )
      }
    </Shown>
  );
}

/** toldFrom says from which change on the owner is told. */
function toldFrom(w: Watch): string {
  const { amount, percent } = w.threshold ?? {};
  if (amount !== undefined && percent !== undefined) return text("watch.fromEither", { amount, percent: number(percent) });
  if (amount !== undefined) return text("watch.fromAmount", { amount });
  return percent === undefined ? text("watch.fromAny") : text("watch.fromPercent", { percent: number(percent) });
}

/** soon is how many days before its end a watch is marked. */
const soon = 30;

function WatchCard(props: { catalogue: Catalogue; watch: Watch; onChanged: () => void }) {
  const { catalogue: c, watch: w } = props;
  const [doing, setDoing] = useState<"change" | "remove" | undefined>(undefined);
  const act = useAct();
  const close = (): void => setDoing(undefined);
  const ends = (Date.parse(w.expiresAt) - Date.now()) / 86_400_000 < soon;
  return (
    <article class="card" aria-label={nameOf(c, w)}>
      <Table
        caption={nameOf(c, w)}
        rows={w.figures.map((f, i) => ({ ...f, key: String(i) }))}
        keyOf={(f) => f.key}
        columns={[
          { name: text("watch.figure"), cell: (f) => labelOf(c, f) },
          { name: text("watch.now"), figures: true, cell: (f) => amountOf(c, f) },
        ]}
      />
      <p class="soft">{toldFrom(w)}</p>
      <p class={ends ? "notice" : "soft"}>{text(ends ? "watch.endsSoon" : "watch.ends", { day: day(w.expiresAt.slice(0, 10)) })}</p>
      <Refused error={act.error} />
      <div class="row-of tight">
        <Open catalogue={c} watch={w} />
        <button type="button" onClick={() => setDoing("change")}>
          {text("watch.change")}
        </button>
        <button type="button" disabled={act.busy} onClick={() => void act.run(() => changeWatch(w.id, { renew: true }).then(props.onChanged))}>
          {text("watch.renew")}
        </button>
        <button type="button" onClick={() => setDoing("remove")}>
          {text("message.delete")}
        </button>
      </div>
      {doing === "change" && <Change catalogue={c} watch={w} onClose={close} onChanged={props.onChanged} />}
      {doing === "remove" && (
        <Confirm title={text("watch.removeTitle")} does={text("message.delete")} act={() => removeWatch(w.id).then(props.onChanged)} onClose={close}>
          {text("watch.removeSure")}
        </Confirm>
      )}
    </article>
  );
}

/** Open shows the household on its page, where it can be changed; one that the page cannot show is shown as it was sent. */
function Open(props: { catalogue: Catalogue; watch: Watch }) {
  const [raw, setRaw] = useState<Watch | undefined>(undefined);
  const act = useAct();
  const open = async (): Promise<void> => {
    const whole = await watch(props.watch.id);
    const household = householdOf(props.catalogue, whole.test_case, whole.period);
    if (household === undefined) setRaw(whole);
    else go(`/household#${await pack(household)}`);
  };
  return (
    <>
      <button type="button" disabled={act.busy} onClick={() => void act.run(open)}>
        {text("watch.open")}
      </button>
      <Refused error={act.error} />
      {raw !== undefined && (
        <Dialog title={text("watch.household")} onClose={() => setRaw(undefined)} wide>
          <pre class="scroll" tabIndex={0}>
            {JSON.stringify(raw.situation ?? raw.test_case, null, 2)}
          </pre>
        </Dialog>
      )}
    </>
  );
}

function Change(props: { catalogue: Catalogue; watch: Watch; onClose: () => void; onChanged: () => void }) {
  const { catalogue: c, watch: w } = props;
  const form = draftOf(`watch/${w.id}`, fieldsOf(w));
  const act = useAct();
  const whole = useAnswer(w.id, (signal) => watch(w.id, signal));
  const members = (householdOf(c, whole.value?.test_case, w.period.slice(0, 4))?.people ?? []).map((p) => p.id);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(await act.run(() => changeWatch(w.id, askedOf(form.value, w))))) return;
    form.clear();
    props.onChanged();
    props.onClose();
  };
  return (
    <Dialog title={text("watch.change")} onClose={props.onClose} wide>
      <form class="wide-form" onSubmit={(event) => void save(event)}>
        <WatchFields catalogue={c} members={members} fields={form.value} onChange={form.set} />
        <Refused error={act.error} />
        <div class="row-of">
          <button type="submit" class="primary" disabled={act.busy || form.value.figures.length === 0}>
            {text("watch.save")}
          </button>
          {form.value.figures.length === 0 && <span class="soft">{text("watch.noFigure")}</span>}
        </div>
      </form>
    </Dialog>
  );
}
