import { cardText, type Ruleset, type SideScore } from "catch-the-ten";
import { nameSide } from "../names.ts";
import { listHonours } from "../rule-words.ts";
import type { Session } from "../session.ts";
import type { DealCount, Shown } from "../table-model.ts";
import { say, sayList, sayOf } from "../words/words.ts";

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
                  {honoursOf(shown, rules, side)}
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
function honoursOf({ position: { state, trump } }: Shown, rules: Ruleset | undefined, side: number): string {
  const taken = state.taken[side] ?? [];
  return listHonours(rules, trump)
    .filter(({ card }) => taken.includes(card))
    .map(({ card }) => cardText(card))
    .join(" ");
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
  const isLeft = state.hands.some((hand) => (Array.isArray(hand) ? hand.length : hand) > 0);
  const { target } = rules ?? {};
  return (
    phase === "game_over" && isLeft && Boolean(target) && winners.some((side) => (totals[side] ?? 0) >= (target ?? 0))
  );
}

/** The count of a deal that is over, item by item in the order of counting. */
export function Count({ session, shown, scores }: { session: Session; shown: Shown; scores: DealCount }) {
  const { lobby, rematch, isLooking } = session;
  const rules = session.told?.rules;
  const review = session.review(shown.position.state.deal);
  const over = shown.position.phase === "game_over";
  const items = ITEMS.filter((item) => counts(item, rules) && scores.sides.every((side) => side[item] !== undefined));
  // Not those of the count, which knows the state of a game, but not who resigned.
  const won = sayList(shown.position.winners.map((side) => nameSide(shown, side)));
  return (
    <section class="count" aria-label={say("count.label")}>
      <h2>{over ? say("count.won", { who: won }) : say("count.over", { deal: shown.position.state.deal })}</h2>
      {endsInDeal(shown, rules) && <p>{say("count.at_once", { target: rules?.target ?? "" })}</p>}
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{say("count.side")}</th>
              {items.map((item) => (
                <th key={item} scope="col">
                  {say(`count.${item}`)}
                </th>
              ))}
              <th scope="col">{say("count.deal")}</th>
              <th scope="col">{say("count.game")}</th>
            </tr>
          </thead>
          <tbody>
            {scores.sides.map((side) => (
              <tr key={side.side} class={`side-${side.side}`}>
                <th scope="row">
                  <span class="names">{nameSide(shown, side.side)}</span>
                </th>
                {items.map((item) => (
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
      {review !== undefined && (
        <button type="button" disabled={isLooking} onClick={review}>
          {say(isLooking ? "board.looking" : "board.ask")}
        </button>
      )}
      {shown.proof !== undefined && (
        <p class="proof">
          {shown.proof.length === 0
            ? say("proof.proved")
            : say("proof.not", { faults: shown.proof.map((fault) => say(`proof.${fault}`)).join(" ") })}
        </p>
      )}
      {over && rematch !== undefined && (
        <button type="button" class="main" onClick={rematch}>
          {say("count.rematch")}
        </button>
      )}
      {over || lobby?.canDeal !== false ? (
        <button
          type="button"
          class={over && rematch ? "" : "main"}
          autofocus
          onClick={over ? () => session.show("setup") : session.deal}
        >
          {say(over ? "bar.new" : "count.next")}
        </button>
      ) : (
        <p>{sayOf("lobby.deals", lobby.dealer)}</p>
      )}
    </section>
  );
}
