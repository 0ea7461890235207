// Upright bars over a few classes, each one value or a stack of shares.

import { linear, ticks } from "./scale";

export interface Pile {
  label: string;
  /** parts are stacked from nothing upwards, negative ones downwards */
  parts: { key: string; value: number; kind: string }[];
  /** says is what a reader of the page hears */
  says: string;
}

export function Bars(props: { width: number; height: number; label: string; piles: Pile[]; writeY: (value: number) => string; maxY?: number }) {
  const sums = props.piles.map((p) => [sum(p, -1), sum(p, 1)] as const);
  const low = Math.min(0, ...sums.map(([down]) => down));
  const high = props.maxY ?? Math.max(low === 0 ? 1e-9 : 0, ...sums.map(([, up]) => up));
  const grid = ticks(low, high, Math.max(3, Math.floor(props.height / 60)));
  const left = 10 + 7.5 * Math.max(2, ...grid.map((v) => props.writeY(v).length));
  const y = linear([low, high], [props.height - 26, 10]);
  const step = (props.width - left - 8) / Math.max(1, props.piles.length);
  return (
    <svg class="bars" width={props.width} height={props.height} viewBox={`0 0 ${props.width} ${props.height}`} role="img" aria-label={`${props.label}: ${props.piles.map((p) => p.says).join("; ")}`}>
      {grid.map((v) => (
        <g key={v}>
          <line class={v === 0 ? "axis" : "grid"} x1={left} x2={props.width - 8} y1={y(v)} y2={y(v)} />
          <text class="tick end" x={left - 6} y={y(v) + 4}>
            {props.writeY(v)}
          </text>
        </g>
      ))}
      {props.piles.map((pile, i) => {
        let [up, down] = [0, 0];
        return (
          <g key={pile.label}>
            <title>{pile.says}</title>
            {pile.parts.map((part) => {
              const from = part.value < 0 ? down : up;
              const to = from + part.value;
              if (part.value < 0) down = to;
              else up = to;
              return <rect key={part.key} class={part.kind} x={left + i * step + step * 0.12} width={step * 0.76} y={Math.min(y(from), y(to))} height={Math.abs(y(to) - y(from))} />;
            })}
            <text class="tick middle" x={left + (i + 0.5) * step} y={props.height - 6}>
              {pile.label}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function sum(pile: Pile, sign: number): number {
  return pile.parts.reduce((all, part) => all + (part.value * sign > 0 ? part.value : 0), 0);
}
