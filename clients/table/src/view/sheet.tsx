import type { ComponentChildren } from "preact";
import { nameSide } from "../names.ts";
import type { Session } from "../session.ts";
import type { Shown } from "../table-model.ts";
import { say } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";

/** All deals of a game that this window has seen, each with the way to its board, and what stood before them. */
export function Sheet({ shown, session, close }: { shown: Shown; session: Session; close: () => void }) {
  const deals = [...session.deals.counts];
  const [first] = deals;
  const before = first?.[1].sides.map(({ points, total }) => total - points) ?? [];
  return (
    <Dialog label={say("more.sheet")} close={close}>
      <h2>{say("more.sheet")}</h2>
      {first === undefined && <p>{say("sheet.none")}</p>}
      <table class="sheet">
        <thead>
          <tr>
            <td />
            {shown.position.state.sides.map((seats, side) => (
              <th key={seats.join()} scope="col">
                {nameSide(shown, side)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before.some((points) => points > 0) && <Row head={say("sheet.before")} points={before} />}
          {deals.map(([deal, { sides }]) => (
            <Row key={deal} head={nameDeal(deal, session)} points={sides.map(({ points }) => points)} />
          ))}
          <Row head={say("count.game")} points={shown.position.totals} />
        </tbody>
      </table>
    </Dialog>
  );
}

/** Returns the name of a deal, which leads to its board where that is to be had. */
function nameDeal(deal: number, { review, deals: { isLooking } }: Session): ComponentChildren {
  const [name, look] = [say("score.deal", { deal }), review(deal)];
  if (look === undefined) return name;
  return (
    <button type="button" title={say("board.label")} disabled={isLooking} onClick={look}>
      {name}
    </button>
  );
}

function Row({ head, points }: { head: ComponentChildren; points: readonly number[] }) {
  return (
    <tr>
      <th scope="row">{head}</th>
      {points.map((number, side) => (
        <td key={side}>{number}</td>
      ))}
    </tr>
  );
}
