import { useState } from "preact/hooks";

import { runs } from "../about";
import { useAnswer } from "../answer";
import { later } from "../later";
import { Breakdown } from "../law/breakdown";
import type { Catalogue } from "../law/catalogue";
import { type Household, preset } from "../law/household";
import { pack } from "../law/link";
import { simulate } from "../law/simulate";
import { EarningsSlider } from "../law/slider";
import { WithLaw } from "../law/use";
import { Why } from "../law/why";
import { address, go } from "../router";
import { screens } from "../screens";
import { user } from "../session";
import { money, text } from "../text";
import { Check } from "../ui/field";
import { Shown } from "../ui/state";

const Now = later("Now", true);

export function Home() {
  return (
    <section class="page">
      <header class="stack tight">
        <h1>{text(runs("simulation") ? "home.headline" : "live.headline")}</h1>
        <p class="lead">{text(runs("simulation") ? (runs("messaging") ? "home.leadBoth" : "home.leadSimulation") : "home.leadMessaging")}</p>
      </header>
      {runs("simulation") && <WithLaw>{(c) => <Family catalogue={c} />}</WithLaw>}
      {runs("messaging") && user.value && <Now params={{}} />}
      <Doors />
    </section>
  );
}

function Family(props: { catalogue: Catalogue }) {
  const c = props.catalogue;
  const [household, setHousehold] = useState<Household>(() => preset(c, "family"));
  const [reformed, setReformed] = useState(false);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const first = c.reforms[0];
  const h: Household = reformed && first !== undefined ? { ...household, reforms: [[first.key]] } : household;
  const reform = h.reforms.length > 0 ? 0 : undefined;
  const answer = useAnswer(JSON.stringify(h), (signal) => simulate(c, h, signal, reform));
  const shown = chosen ?? answer.value?.tree.code;
  return (
    <>
      <div class="card">
        <p class="soft">{text("home.family", { people: household.people.map((p) => p.id).join(", "), law: `${c.name} ${c.version}`, period: household.period })}</p>
        <EarningsSlider catalogue={c} household={household} onChange={setHousehold} />
        {first !== undefined && <Check label={text("home.reform", { name: first.name || first.key })} checked={reformed} onChange={setReformed} />}
      </div>
      <div class="two">
        <Shown answer={answer}>
          {(s) => (
            <div class="stack">
              <p class="result">
                <span>{s.tree.name}</span>
                <strong>{money(s.tree.values[0] ?? 0, c.currency)}</strong>
                {s.base !== undefined && <span class={(s.tree.values[0] ?? 0) >= (s.base.values[0] ?? 0) ? "good" : "worse"}>{money((s.tree.values[0] ?? 0) - (s.base.values[0] ?? 0), c.currency, true)}</span>}
              </p>
              <Breakdown catalogue={c} household={h} simulated={s} reform={reform} monthly={false} chosen={shown} onChoose={setChosen} />
            </div>
          )}
        </Shown>
        <section class="stack" aria-label={text("why.title")}>
          <h2>{text("why.title")}</h2>
          {shown === undefined ? <p class="soft">{text("why.choose")}</p> : <Why key={shown} catalogue={c} household={h} reform={reform} variable={shown} />}
        </section>
      </div>
      <div>
        <button type="button" class="primary" onClick={() => void pack(h).then((packed) => go(`/household#${packed}`))}>
          {text("home.open")}
        </button>
      </div>
    </>
  );
}

function Doors() {
  const doors = screens.filter((s) => s.door !== undefined);
  return (
    <nav class="cards" aria-label={text("home.doors")}>
      {doors.map((s) => (
        <a key={s.path} class="card door" href={address(s.path)}>
          <h2>{text(s.title)}</h2>
          <span class="soft">{s.door !== undefined && text(s.door)}</span>
        </a>
      ))}
    </nav>
  );
}
