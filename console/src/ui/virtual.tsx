// A list that shows the rows in view alone, of however many. The arrow keys walk along it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const spare = 6; // rows drawn above and below what is in view

export function VirtualList<Row>(props: {
  label: string;
  rows: readonly Row[];
  rowHeight: number;
  keyOf: (row: Row) => string;
  chosen: number;
  onChoose: (index: number) => void;
  onOpen: (row: Row) => void;
  children: (row: Row) => ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (element === null || props.chosen < 0) return;
    const at = props.chosen * props.rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + props.rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = at + props.rowHeight - element.clientHeight;
  }, [props.chosen, props.rowHeight]);
  const from = Math.max(0, Math.floor(top / props.rowHeight) - spare);
  const to = Math.min(props.rows.length, Math.ceil((top + height) / props.rowHeight) + spare);
  const walk = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / props.rowHeight) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -props.rows.length, End: props.rows.length };
    const step = steps[event.key];
    const row = props.rows[props.chosen];
    if (step !== undefined) {
      event.preventDefault();
      props.onChoose(Math.min(props.rows.length - 1, Math.max(0, props.chosen + step)));
    } else if (event.key === "Enter" && row !== undefined) {
      props.onOpen(row);
    }
  };
  const active = props.rows[props.chosen];
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={active === undefined ? undefined : `row-${props.keyOf(active)}`}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={walk}
    >
      <div role="presentation" style={{ height: `${props.rows.length * props.rowHeight}px` }}>
        {props.rows.slice(from, to).map((row, i) => (
          <div
            key={props.keyOf(row)}
            id={`row-${props.keyOf(row)}`}
            role="option"
            aria-selected={from + i === props.chosen}
            aria-setsize={props.rows.length}
            aria-posinset={from + i + 1}
            class="row"
            style={{ top: `${(from + i) * props.rowHeight}px`, height: `${props.rowHeight}px` }}
            onClick={() => props.onChoose(from + i)}
            onDblClick={() => props.onOpen(row)}
          >
            {props.children(row)}
          </div>
        ))}
      </div>
    </div>
  );
}
