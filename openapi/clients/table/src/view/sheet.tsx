import { nameSide } from "../names.ts";
import type { Session } from "../session.ts";
import type { Shown } from "../table-model.ts";
import { say } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";

/** All deals of a game that this window has seen, each with the way to its board, and what stood before them. */
export function Sheet({
  shown,
  session: { counts, review, isLooking },
  close,
}: {
  shown: Shown;
  session: Pick<Session, "counts" | "review" | "isLooking">;
  close: () => void;
}) {
  const deals = [...counts];
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
            <Row
              key={deal}
              head={say("score.deal", { deal })}
              points={sides.map(({ points }) => points)}
              look={review(deal)}
              isLooking={isLooking}
            />
          ))}
          <Row head={say("count.game")} points={shown.position.totals} />
        </tbody>
      </table>
    </Dialog>
  );
}

function Row({
  head,
  points,
  look,
  isLooking = false,
}: {
  head: string;
  points: readonly number[];
  /** Shows the deal trick by trick; undefined where that is not to be had. */
  look?: (() => void) | undefined;
  isLooking?: boolean;
}) {
  return (
    <tr>
      <th scope="row">
        {look ? (
          <button type="button" title={say("board.label")} disabled={isLooking} onClick={look}>
            {head}
          </button>
        ) : (
          head
        )}
      </th>
      {points.map((number, side) => (
        <td key={side}>{number}</td>
      ))}
    </tr>
  );
}
