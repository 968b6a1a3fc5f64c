import { cardText, type Ruleset, rankOf, type SideScore } from "catch-the-ten";
import { nameSide } from "../names.ts";
import { countCards } from "../playing.ts";
import { type Honour, listHonours } from "../rule-words.ts";
import type { Session } from "../session.ts";
import type { DealCount, Shown } from "../table-model.ts";
import { say, sayList, sayOf } from "../words/words.ts";
import { Face } from "./card.tsx";
import { SeatView } from "./felt.tsx";
import { Points, type Row } from "./points.tsx";

/** The score of the game, and what each side has taken in this deal. */
export function ScoreBoard({ shown, rules }: { shown: Shown; rules: Ruleset | undefined }) {
  const { state, points, totals } = shown.position;
  return (
    <section class="score" aria-label={say("score.label")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say("score.deal", { deal: state.deal })}</th>
            <th scope="col">{say("score.this_deal")}</th>
            <th scope="col">{say("score.game")}</th>
          </tr>
        </thead>
        <tbody>
          {state.sides.map((seats, side) => (
            <tr key={seats.join()} class={`side-${side}`}>
              <th scope="row">
                <span class="names" title={nameSide(shown, side)}>
                  {nameSide(shown, side)}
                </span>
                <small>
                  <Pile tricks={(state.taken[side]?.length ?? 0) / state.hands.length} />{" "}
                  {listTaken(shown, rules, side)
                    .map(({ card }) => cardText(card))
                    .join(" ")}
                </small>
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

/** The tricks that a side has taken, face down, as many as there are. */
function Pile({ tricks }: { tricks: number }) {
  return (
    <span class="pile">
      {Array.from({ length: tricks }, (_, trick) => (
        <i key={trick} />
      ))}
      <span class="said">{say("felt.pile", { tricks })}</span>
    </span>
  );
}

/** Returns the honours that a side has taken. */
function listTaken({ position: { state, trump } }: Shown, rules: Ruleset | undefined, side: number): Honour[] {
  return listHonours(rules, trump).filter(({ card }) => state.taken[side]?.includes(card));
}

const ITEMS = ["ten", "card_points", "ace", "king", "queen", "jack"] as const satisfies (keyof SideScore)[];

/** Returns if an item can bring points by the rules. */
function counts(item: (typeof ITEMS)[number], rules: Ruleset | undefined): boolean {
  return (
    rules === undefined || (item === "card_points" ? rules.card_points !== "none" : Boolean(rules.honours?.[item]))
  );
}

/** Returns if the game ended while cards were left to play, because a side has reached what is game. */
function endsInDeal({ position: { state, phase, winners, totals } }: Shown, rules: Ruleset | undefined): boolean {
  const isLeft = state.hands.some((hand) => countCards(hand) > 0);
  const { target } = rules ?? {};
  return (
    phase === "game_over" && isLeft && Boolean(target) && winners.some((side) => (totals[side] ?? 0) >= (target ?? 0))
  );
}

/** How a deal or the game ended: who caught the ten, the honours beside the side that took them, the way to game. */
export function Outcome({ shown, rules, scores }: { shown: Shown; rules: Ruleset | undefined; scores: DealCount }) {
  const { state } = shown.position;
  const most = rules?.target ?? Math.max(1, ...scores.sides.map(({ total }) => total));
  return (
    <section class="felt outcome" aria-label={say("count.label")}>
      <h2>{sayOutcome(shown, rules)}</h2>
      {endsInDeal(shown, rules) && <p>{say("count.at_once", { target: rules?.target ?? "" })}</p>}
      <ul>
        {scores.sides.map(({ side, points, total }) => (
          <li key={side} class={`side-${side}`}>
            <span class="players">
              {state.sides[side]?.map((seat) => (
                <SeatView key={seat} shown={shown} seat={seat} />
              ))}
            </span>
            <progress max={most} value={Math.max(0, total)} aria-label={say("outcome.total", { total, most })} />
            <span class="made">
              <small>+{points}</small> <b>{total}</b>
            </span>
            <span class="honours">
              {listTaken(shown, rules, side).map(({ card }) => (
                <Face key={card} card={card} alone />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says in a sentence who won, or caught the ten. */
function sayOutcome(shown: Shown, rules: Ruleset | undefined): string {
  const { state, phase, winners } = shown.position;
  // Not the winners of the count, which knows the state of a game, but not who resigned.
  if (phase === "game_over" && winners.length === state.sides.length) return say("count.level");
  if (phase === "game_over") return say("count.won", { who: sayList(winners.map((side) => nameSide(shown, side))) });
  const isTen = ({ card }: Honour) => rankOf(card) === "T";
  const side = state.sides.findIndex((_, at) => listTaken(shown, rules, at).some(isTen));
  if (side < 0) return say("count.over", { deal: state.deal });
  const isMine = !shown.looksOn && state.sides[side]?.includes(shown.me);
  return sayOf("outcome.ten", isMine ? undefined : nameSide(shown, side));
}

/** The count of a deal that is over, item by item in the order of counting. */
export function Count({ shown, rules, scores: { sides } }: Parameters<typeof Outcome>[0]) {
  const items = ITEMS.filter((item) => counts(item, rules) && sides.every((side) => side[item] !== undefined));
  const rows: Row[] = [
    ...items.map((item): Row => [say(`count.${item}`), sides.map((side) => side[item] || "–")]),
    [say("count.deal"), sides.map(({ side, points }) => <b key={side}>{points}</b>)],
    [say("count.game"), sides.map(({ side, total }) => <b key={side}>{total}</b>)],
  ];
  return <Points kind="count" shown={shown} rows={rows} />;
}

/** What one can do once a deal is over: go on, count it item by item, look at it again. */
export function After({ session, shown }: { session: Session; shown: Shown }) {
  const { lobby, rematch } = session;
  const { isLooking } = session.deals;
  const review = session.review(shown.position.state.deal);
  const over = shown.position.phase === "game_over";
  const canGoOn = over || lobby?.canDeal !== false;
  return (
    <div class="after">
      {shown.proof !== undefined && (
        <p class="proof">
          {shown.proof.length === 0
            ? say("proof.proved")
            : say("proof.not", { faults: shown.proof.map((fault) => say(`proof.${fault}`)).join(" ") })}
        </p>
      )}
      {over && lobby && rematch === undefined && <p>{say("count.rematch_wait")}</p>}
      {!canGoOn && <p>{sayOf("lobby.deals", lobby?.dealer)}</p>}
      <p class="buttons">
        {review !== undefined && (
          <button type="button" disabled={isLooking} onClick={review}>
            {say(isLooking ? "board.looking" : "board.ask")}
          </button>
        )}
        <button type="button" onClick={() => session.show("count")}>
          {say("count.label")}
        </button>
        {canGoOn && (
          <button
            type="button"
            class={over && rematch ? "" : "main"}
            autofocus
            onClick={over ? () => session.show("setup") : session.deal}
          >
            {say(over ? "bar.new" : "count.next")}
          </button>
        )}
        {over && rematch !== undefined && (
          <button type="button" class="main" onClick={rematch}>
            {say("count.rematch")}
          </button>
        )}
      </p>
    </div>
  );
}
