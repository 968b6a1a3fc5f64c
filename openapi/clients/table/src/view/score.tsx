import { cardText, type SideScore } from "catch-the-ten";
import type { DealCount, Shown } from "../table-model.ts";
import { Review } from "./review.tsx";

/** Returns what a side is called: by its seats. */
function nameSide(shown: Shown, side: number): string {
  const seats = shown.position.state.sides[side] ?? [];
  const mine = seats.includes(shown.me) && !shown.looksOn;
  if (seats.length === 1) return shown.names[seats[0] ?? 0] ?? "";
  return mine ? "Your side" : `Seats ${seats.join(", ")}`;
}

/** The score of the game, and what each side has taken in this deal. */
export function ScoreBoard({ shown }: { shown: Shown }) {
  const { state, points, totals } = shown.position;
  return (
    <section class="score" aria-label="Score">
      <table>
        <thead>
          <tr>
            <th scope="col">Deal {state.deal}</th>
            <th scope="col">this deal</th>
            <th scope="col">game</th>
          </tr>
        </thead>
        <tbody>
          {state.sides.map((seats, side) => (
            <tr key={seats.join()} class={`side-${side}`}>
              <th scope="row">
                {nameSide(shown, side)}
                <small>{honoursOf(shown, side)}</small>
              </th>
              <td>{points[side]}</td>
              <td>
                <b>{totals[side]}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns the honours that a side has taken: the five highest trumps. */
function honoursOf(shown: Shown, side: number): string {
  const { state, trump } = shown.position;
  const taken = state.taken[side] ?? [];
  return taken
    .filter((card) => card[1] === trump && "JTAKQ".includes(card[0] ?? ""))
    .map((card) => cardText(card))
    .join(" ");
}

const ITEMS = [
  ["ten", "Ten"],
  ["card_points", "Cards"],
  ["ace", "Ace"],
  ["king", "King"],
  ["queen", "Queen"],
  ["jack", "Jack"],
] as const satisfies readonly (readonly [keyof SideScore, string])[];

/** The count of a deal that is over, item by item in the order of counting. */
export function Count({
  shown,
  scores,
  next,
  again,
  review,
}: {
  shown: Shown;
  scores: DealCount;
  /** Undefined if somebody else deals. */
  next?: () => void;
  again: () => void;
  /** Undefined where a deal is not played back. */
  review?: () => void;
}) {
  const over = shown.position.phase === "game_over";
  const items = ITEMS.filter(([item]) => scores.sides.every((side) => side[item] !== undefined));
  // Not those of the count, which knows the state of a game, but not who resigned.
  const won = shown.position.winners.map((side) => nameSide(shown, side)).join(" and ");
  return (
    <section class="count" aria-label="Count of the deal">
      <h2>{over ? `Game over: ${won} won` : `Deal ${shown.position.state.deal} is over`}</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Side</th>
              {items.map(([, title]) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
              <th scope="col">Deal</th>
              <th scope="col">Game</th>
            </tr>
          </thead>
          <tbody>
            {scores.sides.map((side) => (
              <tr key={side.side} class={`side-${side.side}`}>
                <th scope="row">{nameSide(shown, side.side)}</th>
                {items.map(([item]) => (
                  <td key={item}>{side[item] || "–"}</td>
                ))}
                <td>{side.points}</td>
                <td>
                  <b>{side.total}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.better !== undefined && <Review plays={shown.better} />}
      {review !== undefined && shown.better === undefined && (
        <button type="button" disabled={shown.busy} onClick={review}>
          {shown.busy ? "Looking …" : "What would have been better?"}
        </button>
      )}
      {shown.proof !== undefined && <p class="proof">{shown.proof}</p>}
      {over || next !== undefined ? (
        <button type="button" class="main" autofocus onClick={over ? again : next}>
          {over ? "New game" : "Next deal"}
        </button>
      ) : (
        <p>{shown.names[shown.position.state.dealer]} dealt; the next dealer deals again.</p>
      )}
    </section>
  );
}
