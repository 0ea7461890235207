// The slider over what the first person earns, and its number.

import { useId } from "preact/hooks";

import { money, text } from "../text";
import type { Catalogue } from "./catalogue";
import { amountOf, type Household, inYear, varied } from "./household";

/** reach is how far the slider goes: twice what is earned, in round steps, and never less than 100 000. */
export function reach(c: Catalogue, h: Household): number {
  return Math.max(100_000, Math.ceil((amountOf(c, h) * 1.25) / 50_000) * 50_000);
}

/** stepOf is how much the slider moves at least: round amounts, also of a month. */
export function stepOf(c: Catalogue, h: Household): number {
  return inYear(c, h) === 1 ? 500 : 600;
}

export function EarningsSlider(props: { catalogue: Catalogue; household: Household; onChange: (h: Household) => void }) {
  const id = useId();
  const v = props.catalogue.byId.get(props.household.vary);
  const person = props.household.people[0];
  if (v === undefined || person === undefined) return null;
  const amount = amountOf(props.catalogue, props.household);
  return (
    <div class="slider">
      <label for={id}>{text("slider.label", { person: person.id, what: v.label })}</label>
      <output for={id}>{money(amount, props.catalogue.currency)}</output>
      <input
        id={id}
        type="range"
        min="0"
        max={reach(props.catalogue, props.household)}
        step={stepOf(props.catalogue, props.household)}
        value={amount}
        aria-valuetext={money(amount, props.catalogue.currency)}
        onInput={(event) => props.onChange(varied(props.catalogue, props.household, event.currentTarget.valueAsNumber))}
      />
    </div>
  );
}
