// The frame of a chart: its title, its width in pixels, and the ways to take it away.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { text } from "../text";
import { csv, curl, type Data, download, drawing, picture } from "./export";

interface FrameProps {
  title: string;
  /** name of files that are saved */
  name: string;
  data: () => Data;
  /** request that gives the figures, for curl */
  request?: { path: string; body?: unknown; signed?: boolean };
  children: (width: number) => ComponentChildren;
}

export function Frame(props: FrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const svg = (): SVGSVGElement | null => box.current?.querySelector("svg") ?? null;
  const save = async (kind: string): Promise<void> => {
    const chart = svg();
    if (kind === "csv") download(`${props.name}.csv`, new Blob([csv(props.data())], { type: "text/csv" }));
    if (kind === "json") download(`${props.name}.json`, new Blob([JSON.stringify(props.data(), null, 2)], { type: "application/json" }));
    if (kind === "svg" && chart !== null) download(`${props.name}.svg`, new Blob([drawing(chart)], { type: "image/svg+xml" }));
    if (kind === "png" && chart !== null) download(`${props.name}.png`, await picture(chart));
    if (kind === "curl" && props.request !== undefined) {
      await navigator.clipboard.writeText(curl(props.request.path, props.request.body, props.request.signed));
      setSaid(text("chart.copied"));
      setTimeout(() => setSaid(""), 3000);
    }
  };
  const kinds = ["svg", "png", "csv", "json", ...(props.request === undefined ? [] : ["curl"])];
  return (
    <figure class="chart">
      <figcaption>
        <h2>{props.title}</h2>
        <div class="row-of tight no-print" role="group" aria-label={text("chart.save")}>
          {kinds.map((kind) => (
            <button key={kind} type="button" class="plain small" onClick={() => void save(kind).catch(() => setSaid(text("chart.failed")))}>
              {kind === "curl" ? kind : kind.toUpperCase()}
            </button>
          ))}
          <span role="status">{said}</span>
        </div>
      </figcaption>
      <div ref={box}>{width > 0 && props.children(width)}</div>
    </figure>
  );
}
