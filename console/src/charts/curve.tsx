// Lines over one axis, with shaded stretches and a point that can be dragged or moved with the arrow keys.

import { useRef } from "preact/hooks";

import { linear, ticks } from "./scale";

export interface Line {
  key: string;
  label: string;
  values: number[];
  /** kind is the class that colours it: main, base, other */
  kind: string;
  /** stepped lines hold each value to the next point */
  stepped?: boolean;
}

export interface Stretch {
  from: number;
  to: number;
}

interface CurveProps {
  width: number;
  height: number;
  label: string;
  x: number[];
  lines: Line[];
  stretches?: Stretch[];
  point?: { at: number; label: string; step: number; onMove: (value: number) => void };
  writeX: (value: number) => string;
  writeY: (value: number) => string;
  minY?: number;
  maxY?: number;
}

export function Curve(props: CurveProps) {
  const svg = useRef<SVGSVGElement>(null);
  const all = props.lines.flatMap((l) => l.values).filter(Number.isFinite);
  const low = props.minY ?? Math.min(0, ...all);
  const high = props.maxY ?? Math.max(1, ...all);
  const first = props.x[0] ?? 0;
  const last = props.x.at(-1) ?? 1;
  const gridY = ticks(low, high, Math.max(3, Math.floor(props.height / 60)));
  const left = 10 + 7.5 * Math.max(2, ...gridY.map((v) => props.writeY(v).length));
  const bottom = props.height - 26;
  const x = linear([first, last], [left, props.width - 8]);
  const y = linear([low, high], [bottom, 10]);
  const within = (v: number): number => Math.min(Math.max(v, low), high);
  const gridX = ticks(first, last, Math.max(2, Math.floor(props.width / 110)));
  const point = props.point;
  const drag = (event: PointerEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (point === undefined || box === undefined) return;
    const value = x.invert(event.clientX - box.left);
    point.onMove(Math.min(last, Math.max(first, Math.round(value / point.step) * point.step)));
  };
  const keys: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -1e9, End: 1e9 };
  return (
    <svg
      ref={svg}
      class="curve"
      width={props.width}
      height={props.height}
      viewBox={`0 0 ${props.width} ${props.height}`}
      role="group"
      aria-label={props.label}
      onPointerDown={(event) => {
        if (point === undefined || event.button !== 0) return;
        svg.current?.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={(event) => {
        if (svg.current?.hasPointerCapture(event.pointerId)) drag(event);
      }}
    >
      {(props.stretches ?? []).map((s) => (
        <rect key={s.from} class="cliff" x={x(s.from)} y={10} width={Math.max(2, x(s.to) - x(s.from))} height={bottom - 10} />
      ))}
      {gridY.map((v) => (
        <g key={v} aria-hidden="true">
          <line class={v === 0 ? "axis" : "grid"} x1={left} x2={props.width - 8} y1={y(v)} y2={y(v)} />
          <text class="tick end" x={left - 6} y={y(v) + 4}>
            {props.writeY(v)}
          </text>
        </g>
      ))}
      {gridX.map((v) => (
        <text key={v} aria-hidden="true" class={v === gridX.at(-1) && x(v) > props.width - 40 ? "tick end" : "tick middle"} x={v === gridX.at(-1) && x(v) > props.width - 40 ? props.width - 2 : x(v)} y={props.height - 6}>
          {props.writeX(v)}
        </text>
      ))}
      {props.lines.map((l) => (
        <path key={l.key} class={`line ${l.kind}`} d={path(l, props.x, x, (v) => y(within(v)))} />
      ))}
      {point !== undefined && (
        <g
          class="point"
          role="slider"
          tabindex={0}
          aria-label={point.label}
          aria-valuemin={first}
          aria-valuemax={last}
          aria-valuenow={point.at}
          aria-valuetext={props.writeX(point.at)}
          onKeyDown={(event) => {
            const step = keys[event.key];
            if (step === undefined) return;
            event.preventDefault();
            point.onMove(Math.min(last, Math.max(first, point.at + step * point.step)));
          }}
        >
          <line x1={x(point.at)} x2={x(point.at)} y1={10} y2={bottom} />
          {props.lines.slice(0, 1).map((l) => (
            <circle key={l.key} cx={x(point.at)} cy={y(within(valueAt(l, props.x, point.at)))} r={7} />
          ))}
        </g>
      )}
    </svg>
  );
}

function path(l: Line, xs: number[], x: (v: number) => number, y: (v: number) => number): string {
  let d = "";
  for (const [i, value] of l.values.entries()) {
    const at = xs[i];
    if (at === undefined || !Number.isFinite(value)) continue;
    const next = xs[i + 1] ?? at;
    d += `${d === "" ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    if (l.stepped) d += `L${x(next).toFixed(1)} ${y(value).toFixed(1)}`;
  }
  return d;
}

/** valueAt is a line between its points. */
function valueAt(l: Line, xs: number[], at: number): number {
  for (let i = 1; i < xs.length; i++) {
    const [a, b, from, to] = [xs[i - 1] ?? 0, xs[i] ?? 0, l.values[i - 1] ?? 0, l.values[i] ?? 0];
    if (at <= b) return l.stepped ? from : from + ((at - a) / (b - a || 1)) * (to - from);
  }
  return l.values.at(-1) ?? 0;
}
