// Disposable income and marginal rate over earnings: where more work pays less, the stretch is shaded.

import { useEffect, useRef, useState } from "preact/hooks";

import { isAway } from "../answer";
import { Curve, type Line, type Stretch } from "../charts/curve";
import { Frame } from "../charts/frame";
import { language, money, percent, text } from "../text";
import { Away, Failure, Loading } from "../ui/state";
import type { Catalogue } from "./catalogue";
import { amountOf, type Axis, type Household, request, varied } from "./household";
import { simulate, type Simulated } from "./simulate";
import { reach, stepOf } from "./slider";

interface Points {
  axis: Axis;
  simulated: Simulated;
}

/** slow is how long a full curve may take before a coarse one is asked for first, in milliseconds. */
const slow = 150;

/** usePoints asks for a curve, for a coarse one first where that takes long; questions that are overtaken are cancelled. */
function usePoints(c: Catalogue, h: Household, reform: number | undefined): { points: Points | undefined; error: unknown; again: () => void } {
  const [points, setPoints] = useState<Points | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [turn, setTurn] = useState(0);
  const took = useRef(0);
  const max = reach(c, h);
  // The curve does not depend on where on it the household is.
  const key = JSON.stringify([request(c, varied(c, h, 0), reform), max, turn, language.value]);
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      for (const count of took.current > slow ? [21, 101] : [101]) {
        const axis = { min: 0, max, count };
        const begun = performance.now();
        const simulated = await simulate(c, varied(c, h, 0), stop.signal, reform, axis);
        if (count === 101) took.current = performance.now() - begun;
        if (stop.signal.aborted) return;
        setPoints({ axis, simulated });
        setError(undefined);
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    ask().catch((failed: unknown) => {
      if (stop.signal.aborted) return;
      setError(failed);
      if (isAway(failed)) timer = setTimeout(() => setTurn((n) => n + 1), 1500);
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return { points, error, again: () => setTurn((n) => n + 1) };
}

/** marginal is the share of each further step of earnings that does not arrive. */
export function marginal(x: number[], y: number[]): number[] {
  return x.slice(1).map((at, i) => 1 - ((y[i + 1] ?? 0) - (y[i] ?? 0)) / (at - (x[i] ?? 0)));
}

/** cliffs are the stretches where whoever earns more has less. */
export function cliffs(x: number[], rates: number[]): Stretch[] {
  const found: Stretch[] = [];
  for (const [i, rate] of rates.entries()) {
    const [from, to] = [x[i], x[i + 1]];
    if (rate <= 1 || from === undefined || to === undefined) continue;
    const last = found.at(-1);
    if (last !== undefined && last.to === from) last.to = to;
    else found.push({ from, to });
  }
  return found;
}

export function Earnings(props: { catalogue: Catalogue; household: Household; reform?: number | undefined; monthly: boolean; onChange: (h: Household) => void }) {
  const { points, error, again } = usePoints(props.catalogue, props.household, props.reform);
  if (points === undefined) return error === undefined ? <Loading /> : isAway(error) ? <Away error={error} again={again} /> : <Failure error={error} again={again} />;
  const { axis, simulated } = points;
  const c = props.catalogue;
  const share = props.monthly ? 1 / 12 : 1;
  const x = Array.from({ length: axis.count }, (_, i) => axis.min + (i * (axis.max - axis.min)) / (axis.count - 1));
  const y = simulated.tree.values;
  const base = simulated.base?.values;
  const rates = marginal(x, y);
  const total = simulated.tree.name;
  const what = c.byId.get(props.household.vary)?.label ?? props.household.vary;
  const shaded = cliffs(x, rates);
  const lines: Line[] = [{ key: "value", label: total, values: y, kind: "main" }];
  const rateLines: Line[] = [{ key: "rate", label: text("curve.rate"), values: rates, kind: "main", stepped: true }];
  if (base !== undefined) {
    lines.push({ key: "base", label: text("breakdown.base"), values: base, kind: "base" });
    rateLines.push({ key: "base", label: text("breakdown.base"), values: marginal(x, base), kind: "base", stepped: true });
  }
  const point = {
    at: amountOf(c, props.household),
    label: what,
    step: stepOf(c, props.household),
    onMove: (value: number) => props.onChange(varied(c, props.household, value)),
  };
  const request_ = { path: "/api/1/simulate", body: request(c, varied(c, props.household, 0), props.reform, axis) };
  const data = () => ({
    columns: [props.household.vary, simulated.tree.code, "marginal_rate", ...(base === undefined ? [] : ["base"])],
    rows: x.map((at, i) => [at, y[i] ?? 0, rates[i] ?? "", ...(base === undefined ? [] : [base[i] ?? 0])]),
  });
  return (
    <div class="stack">
      {error !== undefined && (isAway(error) ? <Away error={error} again={again} /> : <Failure error={error} again={again} />)}
      <Frame title={text("curve.title", { total })} name="curve" data={data} request={request_}>
        {(width) => <Curve width={width} height={Math.min(320, Math.max(200, width * 0.5))} label={text("curve.title", { total })} x={x} lines={lines} stretches={shaded} point={point} writeX={(v) => money(v, c.currency)} writeY={(v) => money(v * share, c.currency)} />}
      </Frame>
      <Frame title={text("curve.rateTitle")} name="marginal-rate" data={data} request={request_}>
        {(width) => <Curve width={width} height={180} label={text("curve.rateTitle")} x={x} lines={rateLines} stretches={shaded} writeX={(v) => money(v, c.currency)} writeY={(v) => percent(v, 0)} minY={Math.max(-1, Math.min(0, ...rates))} maxY={Math.min(2, Math.max(1, ...rates))} />}
      </Frame>
      <p class="soft">
        {text("curve.axis", { what })} {shaded.length > 0 ? text("curve.cliffs", { count: shaded.length }) : text("curve.noCliffs")} {base !== undefined && text("curve.dashed")}
      </p>
    </div>
  );
}
