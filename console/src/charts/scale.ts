// From values to places on the page, and round numbers in between.

export interface Scale {
  (value: number): number;
  invert: (at: number) => number;
}

export function linear(from: [number, number], to: [number, number]): Scale {
  const span = from[1] - from[0] || 1;
  const scale = (value: number): number => to[0] + ((value - from[0]) / span) * (to[1] - to[0]);
  return Object.assign(scale, { invert: (at: number) => from[0] + ((at - to[0]) / (to[1] - to[0] || 1)) * span });
}

/** ticks are at most so many round values between two. */
export function ticks(min: number, max: number, most: number): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10);
  const found: number[] = [];
  for (let v = Math.ceil(min / step - 1e-9) * step; v <= max + step * 1e-9; v += step) found.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  return found;
}
