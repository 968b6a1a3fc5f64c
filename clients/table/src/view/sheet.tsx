import type { ComponentChildren } from "preact";
import type { Session } from "../session.ts";
import type { Shown } from "../table-model.ts";
import { say } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Points, type Row } from "./points.tsx";

/** All deals of a game that this window has seen, each with the way to its board, and what stood before them. */
export function Sheet({ shown, session, close }: { shown: Shown; session: Session; close: () => void }) {
  const deals = [...session.deals.counts];
  const [first] = deals;
  const before = first?.[1].sides.map(({ points, total }) => total - points) ?? [];
  const rows: Row[] = [
    ...(before.some((points) => points > 0) ? [[say("sheet.before"), before] as const] : []),
    ...deals.map(([deal, { sides }]): Row => [nameDeal(deal, session), sides.map(({ points }) => points)]),
    [say("count.game"), shown.position.totals],
  ];
  return (
    <Dialog label={say("more.sheet")} close={close}>
      <h2>{say("more.sheet")}</h2>
      {first === undefined && <p>{say("sheet.none")}</p>}
      <Points kind="sheet" shown={shown} rows={rows} />
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
