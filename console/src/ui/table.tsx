// Tables are tables. A wide one scrolls in its own box, which the keyboard reaches.

import type { ComponentChildren } from "preact";

export interface Column<Row> {
  name: string;
  /** figures are set right, in digits of one width */
  figures?: boolean;
  cell: (row: Row) => ComponentChildren;
}

export function Table<Row>(props: { caption: string; columns: Column<Row>[]; rows: readonly Row[]; keyOf: (row: Row) => string; hideCaption?: boolean }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.caption}>
      <table>
        <caption class={props.hideCaption ? "hidden" : undefined}>{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((c) => (
              <th key={c.name} scope="col" class={c.figures ? "figures" : undefined}>
                {c.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)}>
              {props.columns.map((c, i) =>
                i === 0 ? (
                  <th key={c.name} scope="row">
                    {c.cell(row)}
                  </th>
                ) : (
                  <td key={c.name} class={c.figures ? "figures" : undefined}>
                    {c.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
