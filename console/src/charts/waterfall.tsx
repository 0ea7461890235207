// From the first part to the total: each bar begins where the one before ended. Bars can be opened into what they are made of.

import { money } from "../text";
import { linear } from "./scale";

export interface Bar {
  key: string;
  label: string;
  value: number;
  /** base is the value without the reform */
  base?: number | undefined;
  level: number;
  /** total bars begin at nothing */
  total: boolean;
}

const rowHeight = 46;

export function Waterfall(props: { width: number; bars: Bar[]; currency: string | undefined; label: string; chosen?: string | undefined; onChoose: (key: string) => void }) {
  const placed = place(props.bars);
  const low = Math.min(0, ...placed.flatMap((b) => [b.from, b.to, b.bar.base !== undefined && b.bar.total ? b.bar.base : 0]));
  const high = Math.max(1, ...placed.flatMap((b) => [b.from, b.to, b.bar.base !== undefined && b.bar.total ? b.bar.base : 0]));
  const x = linear([low, high], [1, props.width - 1]);
  const height = props.bars.length * rowHeight;
  return (
    <svg class="waterfall" width={props.width} height={height} viewBox={`0 0 ${props.width} ${height}`} role="group" aria-label={props.label}>
      {placed.map(({ bar, from, to }, i) => {
        const y = i * rowHeight;
        const amount = money(bar.value, props.currency);
        const difference = bar.base === undefined || Math.abs(bar.value - bar.base) < 0.5 ? "" : ` (${money(bar.value - bar.base, props.currency, true)})`;
        return (
          <g
            key={bar.key}
            class={`bar${bar.key === props.chosen ? " chosen" : ""}`}
            role="button"
            tabindex={0}
            onClick={() => props.onChoose(bar.key)}
            onKeyDown={(event) => {
              if (event.key === "Enter" || event.key === " ") {
                event.preventDefault();
                props.onChoose(bar.key);
              }
              if (event.key === "ArrowDown") (event.currentTarget.nextElementSibling as SVGElement | null)?.focus();
              if (event.key === "ArrowUp") (event.currentTarget.previousElementSibling as SVGElement | null)?.focus?.();
            }}
          >
            <title>{bar.label}</title>
            <rect class="hit" x={0} y={y} width={props.width} height={rowHeight} />
            <line class="axis" x1={x(0)} x2={x(0)} y1={y + 22} y2={y + rowHeight} />
            <text class={bar.total ? "name strong" : "name"} x={bar.level * 16} y={y + 17}>
              {clipped(bar.label, props.width - bar.level * 16 - 9 * (amount.length + difference.length) - 12)}
            </text>
            <text class={bar.total ? "amount strong" : "amount"} x={props.width} y={y + 17}>
              {amount}
              {difference !== "" && <tspan class={bar.value > (bar.base ?? 0) ? "gain" : "loss"}>{difference}</tspan>}
            </text>
            <rect
              class={bar.total ? "total" : to >= from ? "gain" : "loss"}
              x={Math.min(x(from), x(to))}
              y={y + 24}
              width={Math.max(1, Math.abs(x(to) - x(from)))}
              height={bar.level > 0 ? 8 : 14}
              rx={2}
            />
            {bar.base !== undefined && bar.total && <line class="base" x1={x(bar.base)} x2={x(bar.base)} y1={y + 21} y2={y + 41} />}
          </g>
        );
      })}
    </svg>
  );
}

/** place says where each bar begins and ends; what a bar is opened into lies within it. */
function place(bars: Bar[]): { bar: Bar; from: number; to: number }[] {
  const reached: number[] = [0];
  return bars.map((bar) => {
    if (bar.total) return { bar, from: 0, to: bar.value };
    const from = reached[bar.level] ?? 0;
    const to = from + bar.value;
    reached[bar.level] = to;
    reached.length = bar.level + 1;
    reached[bar.level + 1] = from;
    return { bar, from, to };
  });
}

function clipped(label: string, room: number): string {
  const most = Math.max(6, Math.floor(room / 7.6));
  return label.length <= most ? label : `${label.slice(0, most - 1).trimEnd()}…`;
}
