import type { ComponentChildren } from "preact";
import { nameSide } from "../names.ts";
import type { Shown } from "../table-model.ts";

/** A row of points: what brought them, or what they sum up, and by side how many. */
export type Row = readonly [head: ComponentChildren, points: readonly ComponentChildren[]];

/** Points by side, row by row: the count of a deal, or the sheet of all deals. */
export function Points({ kind, shown, rows }: { kind: "count" | "sheet"; shown: Shown; rows: readonly Row[] }) {
  return (
    <table class={kind}>
      <thead>
        <tr>
          <td />
          {shown.position.state.sides.map((seats, side) => (
            <th key={seats.join()} scope="col" class={`side-${side}`}>
              {nameSide(shown, side)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, points], at) => (
          <tr key={at}>
            <th scope="row">{head}</th>
            {points.map((number, side) => (
              <td key={side}>{number}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
