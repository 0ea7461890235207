import { moment } from "../text";

const width = 240;
const height = 48;

/** Spark is a small chart of the last hour: one line from the left to now, with its highest value. */
export function Spark(props: { label: string; at: readonly number[]; values: readonly number[]; write: (value: number) => string }) {
  const { at, values } = props;
  const top = Math.max(0, ...values);
  const last = values.at(-1);
  if (last === undefined || values.length < 2) return null;
  const x = (i: number): number => (i / (values.length - 1)) * width;
  const y = (value: number): number => height - 2 - (top === 0 ? 0 : (value / top) * (height - 4));
  const line = values.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(" ");
  const since = moment(new Date((at[0] ?? 0) * 1000));
  const said = `${props.label}: ${props.write(last)}; ${since} – ${moment(new Date((at.at(-1) ?? 0) * 1000))}: ≤ ${props.write(top)}`;
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={said}>
      <title>{said}</title>
      <polygon points={`0,${height} ${line} ${width},${height}`} />
      <polyline points={line} />
    </svg>
  );
}
